"""Sampled boards with several boxes: exact lengths, and every box has to move."""

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample, Size
from puzzles.sokoban import FAMILY, explore, several
from puzzles.sokoban.rules import State, canonical, format
from puzzles.sokoban.stats import digits
from solvers import Limit, breadth_first
from tests.plain import shortest_length
from tests.sokoban.test_sample import WALLS, check

Made = Sample[State, str]


def sampled(seed: int, lengths: list[int], boxes: int, size: Size = (10, 10)) -> list[Made]:
    draws = Draws("several", seed)
    made = FAMILY.sample(draws, lengths, size, {}, {"boxes": boxes})
    return [one for one in made if one]


def on_targets(state: State) -> int:
    return len(set(state.boxes) & set(state.targets))


def solved_length(state: State) -> int:
    level, start = FAMILY.pack(state)
    system = FAMILY.systems["cell"]._replace(ample=None)
    return len(breadth_first.shortest_path(system, level, start, Limit()).moves)


@pytest.mark.parametrize(
    ("boxes", "size", "length"),
    [
        (2, (10, 10), 21),
        (2, (7, 12), 40),
        (2, (3, 9), 6),
        (3, (6, 9), 17),
        (3, (9, 6), 8),
        (4, (5, 7), 12),
        (4, (7, 5), 16),
        (5, (6, 6), 10),
    ],
)
def test_lengths_are_exact_by_plain_search(boxes: int, size: Size, length: int) -> None:
    for made in sampled(1, [length] * 2, boxes, size):
        check(made, length, size)
        assert len(made.state.boxes) == len(made.state.targets) == boxes


@pytest.mark.parametrize("boxes", [2, 3, 4, 5])
def test_lengths_of_the_buckets_are_exact(boxes: int) -> None:
    """By the general solver without its pruning, from the other end than the sampler's search."""
    lengths = [2, 7, 10, 16, 20, 29, 39][: 7 if boxes < 5 else 5]
    found = sampled(2, lengths, boxes)
    assert [solved_length(made.state) for made in found] == lengths
    assert [len(made.actions) for made in found] == lengths


@pytest.mark.parametrize("boxes", [2, 3, 4])
def test_every_box_has_to_move(boxes: int) -> None:
    """From ``medium`` on; where the length is short, as few as possible stay."""
    for made in sampled(3, list(range(10, 40)), boxes):
        assert on_targets(made.state) == 0
    stay = [on_targets(made.state) for made in sampled(4, [8] * 12, boxes)]
    assert sum(stay) <= 12 * (boxes - 2)


def test_one_push_moves_one_box() -> None:
    for made in sampled(5, [1] * 4, 3):
        assert on_targets(made.state) == 2


def test_walls_are_those_of_the_difficulty() -> None:
    lengths = {"easy": 6, "medium": 13, "hard": 26}
    for tier, length in lengths.items():
        for made in sampled(6, [length] * 6, 3):
            low, high = WALLS[tier]
            assert made.stats is not None
            assert low <= made.stats["inner_walls"] <= high
            assert made.stats["boxes"] == 3


def test_boards_are_a_function_of_the_draws() -> None:
    first, again, other = (
        [format(made.state) for made in sampled(seed, [12, 25, 3], 3)] for seed in (7, 7, 8)
    )
    assert first == again != other
    assert len({canonical(made.state) for made in sampled(9, [20] * 8, 2)}) == 8
    (golden,) = sampled(10, [9], 2, (6, 8))
    assert format(golden.state) == "########\n#---##-#\n#$-#---#\n#.-$.--#\n#---@###\n########"


def test_starts_of_one_layout_are_all_drawn_equally_often() -> None:
    """On an open floor of 3x4, against a plain search from every placement of two boxes."""
    rows, targets = ("######", "#----#", "#----#", "#----#", "######"), ((1, 1), (2, 3))
    cells = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3, 4)]
    starts = Counter(
        (player, boxes)
        for boxes in combinations(cells, 2)
        for player in set(cells) - set(boxes)
        if not set(boxes) & set(targets)
        if shortest_length(FAMILY, State(rows, player, boxes, targets)) == 9
    )
    wall = np.array([mark == "#" for mark in "".join(rows)])
    flat = np.array([r * 6 + c for r, c in targets], np.int32)
    draws, drawn = Draws("starts"), Counter[Any]()
    for _ in range(200 * len(starts)):
        pieces, actions = np.zeros(3, np.int32), np.zeros(9, np.int8)
        off, _, _ = explore.draw_start(
            *(draws.state, wall, 6, flat, 9, 10**6, pieces, actions, digits(9))
        )
        assert off == 2
        player, *boxes = (divmod(cell, 6) for cell in pieces.tolist())
        drawn[player, tuple(sorted(boxes))] += 1
    assert len(starts) > 5
    assert set(drawn) == set(starts)
    assert 140 < min(drawn.values()) < max(drawn.values()) < 270


@pytest.mark.parametrize(
    ("boxes", "size", "length", "sentence"),
    [
        (0, (10, 10), 5, "a board has at least 1 box, not 0"),
        (60, (10, 10), 5, "no room for 60 boxes"),
        (2, (3, 4), 1, "no room for player, box and target"),
        (2, (10, 10), 0, "no board to be solved has the optimum 0"),
        (5, (40, 40), 60, "more than 4,000,000 states of a 40x40 board with 5 boxes are within 60"),
    ],
)
def test_what_can_not_be_is_refused(boxes: int, size: Size, length: int, sentence: str) -> None:
    with pytest.raises(GenerationError, match=f"^sokoban: .*{sentence}"):
        sampled(1, [length], boxes, size)


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "MOST", 500)
    with pytest.raises(GenerationError, match="more than 500 states of a 10x10 board"):
        sampled(1, [39], 5)


def test_what_is_not_found_is_none() -> None:
    """Two boxes in a short corridor have no solution of 30 actions."""
    assert FAMILY.sample(Draws(1), [30], (3, 8), {}, {"boxes": 2}) == [None]
