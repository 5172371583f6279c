"""Sampled Sokoban boards: exact lengths, floor in one piece, structure as published."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample, Size
from puzzles.sokoban import FAMILY
from puzzles.sokoban.rules import (
    State,
    apply,
    canonical,
    format,
    is_solved,
    legal_actions,
    parse,
    replay,
)
from tests.plain import shortest_length

Made = Sample[State, str]


def sampled(seed: int, lengths: list[int], size: Size = (10, 10)) -> list[Made]:
    """Return boards of ``lengths``, the sampler asked again for what it did not find."""
    draws = Draws("sokoban", seed)
    made: dict[int, Made] = {}
    for _ in range(200):
        missing = [at for at in range(len(lengths)) if at not in made]
        if not missing:
            break
        found = FAMILY.sample(draws, [lengths[at] for at in missing], size, {}, {})
        made.update({at: one for at, one in zip(missing, found, strict=True) if one})
    return [made[at] for at in range(len(lengths))]


def floor_of(state: State) -> nx.Graph:
    cells = {
        (r, c) for r, row in enumerate(state.walls) for c, mark in enumerate(row) if mark != "#"
    }
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from(
        ((r, c), other) for r, c in cells for other in ((r + 1, c), (r, c + 1)) if other in cells
    )
    return graph


def check(made: Made, length: int, size: Size) -> None:
    """Hold one board to what every sampled board must be."""
    state, actions, _ = made
    rows = format(state).split("\n")
    assert (len(rows), len(rows[0])) == size
    assert set(rows[0] + rows[-1]) == {"#"}
    assert {row[0] + row[-1] for row in rows} == {"##"}
    assert nx.is_connected(floor_of(state))
    assert parse(format(state), {}) == state
    assert len(actions) == length
    assert is_solved(replay(state, actions).state)
    assert shortest_length(FAMILY, state) == length


@pytest.mark.parametrize("tier", FAMILY.buckets)
def test_every_length_of_the_suite_is_exact(tier: str) -> None:
    lengths = list(FAMILY.buckets[tier].lengths()) * 2
    for length, made in zip(lengths, sampled(1, lengths), strict=True):
        check(made, length, (10, 10))


@pytest.mark.parametrize(
    ("size", "length"),
    [
        ((3, 5), 1),
        ((9, 3), 5),
        ((4, 5), 3),
        ((5, 5), 9),
        ((5, 9), 14),
        ((13, 7), 33),
        ((8, 16), 41),
        ((6, 6), 20),
    ],
)
def test_other_sizes(size: Size, length: int) -> None:
    for made in sampled(2, [length] * 3, size):
        check(made, length, size)


def test_a_large_board_has_exact_lengths_too() -> None:
    """Only the cells near the target are searched; the general solver sees them all."""
    from puzzles.solve import solve

    for length, (state, actions, _) in zip([30, 1], sampled(3, [30, 1], (25, 40)), strict=True):
        assert nx.is_connected(floor_of(state))
        assert len(actions) == len(solve(FAMILY, state).actions) == length


@pytest.mark.parametrize(
    ("size", "length", "sentence"),
    [
        ((0, 0), 1, "no room"),
        ((1, 1), 1, "no room"),
        ((2, 9), 1, "no room"),
        ((3, 4), 1, "no room"),
        ((4, 4), 1, "no room"),
        ((-5, -5), 1, "no room"),
        ((10, 10), 0, "no board of 10x10 with .* has the optimum 0"),
        ((10, 10), -3, "no board of 10x10 with .* has the optimum -3"),
        ((3, 5), 9, "no board of 3x5 with .* has the optimum 9"),
        ((10, 10), 3000, "no board of 10x10 with .* has the optimum 3000"),
        ((90, 90), 400, "up to 5,566 floor cells to search"),
        ((2000, 2000), 20, "3,992,004 cells within its border"),
    ],
)
def test_what_can_not_be_is_refused(size: Size, length: int, sentence: str) -> None:
    with pytest.raises(GenerationError, match=f"^sokoban: .*{sentence}"):
        FAMILY.sample(Draws(1), [length], size, {}, {})


@pytest.mark.parametrize(("size", "length"), [((3, 5), 2), ((3, 9), 7), ((5, 5), 24)])
def test_what_is_not_found_is_none(size: Size, length: int) -> None:
    assert FAMILY.sample(Draws(1), [length, 1], size, {}, {})[0] is None


WALLS = {"easy": (4, 10), "medium": (13, 17), "hard": (18, 20)}
PUSHES = {"easy": 1.8, "medium": 4.0, "hard": 7.2}
"""Mean pushes: about those of the nine published records, and of starts drawn uniformly."""


@pytest.mark.parametrize("tier", WALLS)
def test_structure_is_that_of_the_published_suite(tier: str) -> None:
    lengths = list(FAMILY.buckets[tier].lengths())
    stats = [
        FAMILY.stats(*made[:2])
        for seed in range(400 // len(lengths))
        for made in sampled(seed, lengths)
    ]
    low, high = WALLS[tier]
    assert {one["inner_walls"] for one in stats} == set(range(low, high + 1))
    assert {one["floor"] + one["inner_walls"] for one in stats} == {64}
    mean = sum(one["pushes"] for one in stats) / len(stats)
    assert mean == pytest.approx(PUSHES[tier], rel=0.12)


def test_starts_are_not_the_farthest_of_their_layout() -> None:
    """Where they are, boards of length 20 are long walks to a box close to its target.

    Over all starts of lengths 20 to 24 on such walls the mean is 6.3 pushes (an enumeration of
    1,000 layouts); with one start a layout, whatever it offers, it is below 5.
    """
    pushes = [
        FAMILY.stats(*made[:2])["pushes"]
        for seed in range(40)
        for made in sampled(seed, list(range(20, 40)))
        if len(made.actions) < 25
    ]
    assert 5.3 < sum(pushes) / len(pushes) < 6.6


@pytest.mark.parametrize("tier", WALLS)
def test_boards_of_one_block_have_different_walls(tier: str) -> None:
    lengths = list(FAMILY.buckets[tier].lengths())
    made = sampled(5, [lengths[at % len(lengths)] for at in range(FAMILY.block)])
    assert len({one.state.walls for one in made}) == FAMILY.block
    assert len({canonical(one.state) for one in made}) == FAMILY.block


def test_lengths_of_several_tiers_in_one_call() -> None:
    made = sampled(6, [39, 1, 12, 8, 20])
    assert [len(one.actions) for one in made] == [39, 1, 12, 8, 20]
    walls = [FAMILY.stats(*one[:2])["inner_walls"] for one in made]
    assert [low <= n for low, n in zip([18, 4, 13, 4, 18], walls, strict=True)] == [True] * 5
    assert [n <= high for high, n in zip([20, 10, 17, 10, 20], walls, strict=True)] == [True] * 5


def test_player_box_and_target_lie_anywhere() -> None:
    """Every cell within the border holds each of them at some time."""
    places: dict[str, set[Any]] = {"player": set(), "box": set(), "target": set()}
    for seed in range(60):
        for made in sampled(seed, list(range(1, 9)) * 2):
            places["player"].add(made.state.player)
            places["box"].add(made.state.boxes[0])
            places["target"].add(made.state.targets[0])
    assert len(places["player"]) == len(places["target"]) == 64
    assert len(places["box"]) == 60, "a box in a corner can't be pushed"


def test_stats_on_a_board_whose_answer_is_seen() -> None:
    state = parse("########\n#@$-.--#\n#---#--#\n#-$--.-#\n########", {})
    actions = ["right", "right", "left", "left", "down", "down", "right", "right", "right"]
    end = replay(state, actions)
    assert is_solved(end.state)
    assert FAMILY.stats(state, actions) == {
        "boxes": 2,
        "floor": 17,
        "inner_walls": 1,
        "pushes": 5,
        "box_lines": 2,
        "box_changes": 1,
        "retreats": 0,
        "optimal_solutions": 3,  # three ways back to the second box
        "good_first_moves": 0.5,
    }


def test_a_push_away_from_the_target_is_a_retreat() -> None:
    state = parse("-.$@-", {})
    away = parse(".-@$--", {})
    assert FAMILY.stats(state, ["left"])["retreats"] == 0
    assert FAMILY.stats(away, ["right"])["retreats"] == 1
    assert FAMILY.stats(away, ["right", "left", "right", "right"])["box_lines"] == 2


def test_the_same_draws_give_the_same_boards_in_another_process() -> None:
    here = [format(one.state) for one in sampled(7, [9, 21, 3], (8, 11))]
    program = (
        "import json; from tests.sokoban.test_sample import format, sampled; "
        "print(json.dumps([format(one.state) for one in sampled(7, [9, 21, 3], (8, 11))]))"
    )
    there = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "7"},
    ).stdout
    assert json.loads(there) == here


def test_the_same_draws_give_the_boards_that_they_gave_before() -> None:
    """A stream that changes is a new version of the generator."""
    (made,) = FAMILY.sample(Draws("golden"), [20], (6, 9), {}, {"boxes": 1})
    assert made is not None
    board = "#########\n#--.#---#\n#-$---#@#\n###-----#\n######--#\n#########"
    assert format(made.state) == board


def test_the_published_boards(reference: Path) -> None:
    """Their optimum is ours, and their walls are as many as ours."""
    for line in (reference / "vgau" / "sokoban.jsonl").read_text().splitlines():
        record = json.loads(line)
        marks = [["-"] * record["grid_w"] for _ in range(record["grid_h"])]
        for r, c in record["walls"]:
            marks[r][c] = "#"
        player, box, target = (tuple(record[k]) for k in ("player_start", "box_start", "target"))
        state = State(tuple(map("".join, marks)), player, (box,), (target,))
        actions = json.loads(record["solution"])
        assert is_solved(replay(state, actions).state)
        assert len(actions) == record["optimal_steps"] == shortest_length(FAMILY, state)
        tier = {"middle": "medium"}.get(record["difficulty"], record["difficulty"])
        low, high = WALLS[tier]
        assert low <= FAMILY.stats(state, actions)["inner_walls"] <= high


def test_plain_rules_and_networkx_agree() -> None:
    """A third opinion on shortest ways, over the graph that the rules span."""
    state, actions, _ = sampled(8, [16], (6, 9))[0]
    graph, ahead = nx.DiGraph(), [state]
    graph.add_node(state)
    while ahead:
        at = ahead.pop()
        for action in legal_actions(at):
            after = apply(at, action)
            if after not in graph:
                ahead.append(after)
            graph.add_edge(at, after)
    goals = [at for at in graph if is_solved(at)]
    reached = nx.single_source_shortest_path_length(graph, state)
    assert min(reached[goal] for goal in goals) == len(actions) == 16
