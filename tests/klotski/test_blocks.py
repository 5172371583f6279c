"""Klotski boards of any set of blocks: laid, of exact lengths, or said to be impossible."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest

from puzzles.dataset import make
from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample
from puzzles.klotski import FAMILY, rules
from puzzles.klotski.blocks import block_set
from puzzles.klotski.lay import lay
from puzzles.klotski.packing import level_of, unpack, words_of
from puzzles.klotski.rules import Slide, State
from puzzles.klotski.sample import sample
from puzzles.solve import solve
from tests.plain import shortest_length

CLASSIC = {"2x1": 4, "1x2": 1, "1x1": 4}


def made(
    blocks: dict[str, Any], size: tuple[int, int], lengths: list[int], goal: Any = None
) -> list[Sample[State, Slide] | None]:
    """Return what the sampler finds in ten times that it is asked."""
    draws, found = Draws("blocks", sorted(blocks.items()), size), dict.fromkeys(lengths)
    for _ in range(10):
        left = [length for length in lengths if not found[length]]
        boards = sample(draws, left, size, {"goal": goal}, {"blocks": blocks})
        found |= dict(zip(left, boards, strict=True))
    return [found[length] for length in lengths]


def shapes(state: State) -> tuple[str, Counter[str]]:
    """Return T's shape, and how many blocks there are of each; all must be rectangles."""
    found = {}
    for name, cells in rules.blocks_of(state.board).items():
        (top, left), (bottom, right) = cells[0], cells[-1]
        rows, columns = bottom - top + 1, right - left + 1
        assert len(cells) == rows * columns
        found[name] = f"{rows}x{columns}"
    target = found.pop("T")
    return target, Counter(found.values())


@pytest.mark.parametrize(
    ("blocks", "size", "lengths", "goal"),
    [
        (CLASSIC, (5, 4), [1, 15, 40, 70], None),  # the usual inventory
        ({"2x1": 3, "1x2": 2, "1x1": 4}, (5, 4), [3, 30, 60], [3, 1]),
        ({"2x1": 1, "1x2": 5, "1x1": 2}, (5, 4), [5, 20], [0, 0]),
        ({"2x1": 3, "1x2": 1, "1x1": 4}, (5, 4), [1, 25, 37], [3, 1]),  # four empty cells
        ({"T": "1x1", "1x1": 6}, (2, 4), [4, 9], [1, 3]),  # one empty cell, as in the 15-puzzle
        ({"T": "2x1", "3x1": 2, "1x3": 2, "1x1": 3}, (4, 5), [4, 11], [2, 4]),
        ({"T": "1x2", "2x2": 2, "1x1": 1}, (3, 5), [2, 5], None),
        ({"3x1": 1, "1x3": 1, "1x1": 3}, (3, 7), [5, 11], [1, 5]),
        ({"T": "3x4", "5x5": 2, "1x1": 4}, (12, 13), [3, 7], None),
        ({}, (4, 4), [9], None),
    ],
)
def test_boards_of_any_blocks(
    blocks: dict[str, Any], size: tuple[int, int], lengths: list[int], goal: Any
) -> None:
    boards = [board for board in made(blocks, size, lengths, goal) if board]
    assert [len(board.actions) for board in boards] == lengths
    for state, actions, _ in boards:
        assert (len(state.board), len(state.board[0])) == size
        if blocks:
            others = Counter({k: n for k, n in blocks.items() if k != "T"})
            assert shapes(state) == (blocks.get("T", "2x2"), others)
        assert rules.is_solved(FAMILY.replay(state, actions).state)
        assert solve(FAMILY, state, algorithm="astar").length == len(actions)


def test_lengths_by_plain_search() -> None:
    boards = made({"T": "1x2", "2x1": 2, "1x1": 3}, (3, 4), [2, 5, 8])
    assert None not in boards
    for state, actions, _ in filter(None, boards):
        assert shortest_length(FAMILY, state) == len(actions)


def test_all_lengths_of_the_eight_puzzle_and_no_more() -> None:
    """On 3x3 cells with single blocks only T and the empty cell count: 72 states."""
    boards = made({"T": "1x1", "1x1": 7}, (3, 3), list(range(1, 25)), [2, 2])
    lengths = {len(board.actions) for board in boards if board}
    exact = set()
    for target, hole in permutations(range(9), 2):
        marks = ["T" if at == target else "." if at == hole else chr(65 + at) for at in range(9)]
        rows = ["".join(marks[at : at + 3]) for at in (0, 3, 6)]
        exact.add(shortest_length(FAMILY, State(rules.normal(rows), (2, 2))))
    assert lengths == exact - {0}


def test_the_option_of_make() -> None:
    options = {"blocks": {"1x2": 5, "1x1": 4}}
    boards = make("klotski", lengths=(10, 30), n=4, size=(5, 4), options=options)
    assert len({board.board for board in boards}) == 4
    for board in boards:
        state = rules.parse(board.board, board.rules)
        assert solve(FAMILY, state).length == board.optimal_length
        assert board.stats["empty"] == 2


@pytest.mark.parametrize(
    ("blocks", "size"),
    [
        ({"1x2": 15}, (6, 6)),
        ({"2x1": 7}, (4, 5)),
        ({"T": "3x3", "1x2": 7, "2x1": 5}, (7, 5)),
        ({"3x1": 4, "1x1": 8}, (5, 5)),
    ],
)
def test_dense_boards_are_laid_too(blocks: dict[str, Any], size: tuple[int, int]) -> None:
    wanted = block_set(size, blocks)
    level = level_of(*size, (0, 0), wanted.shapes, sum(wanted.counts), wanted.holes)
    laid = [lay(Draws("dense", seed), size, wanted, (0, 0)) for seed in range(20)]
    states = {unpack(level, words_of(level[2], codes)) for codes in laid if codes}
    assert len(states) > 3
    for state in states:
        assert rules.parse(rules.format(state), {"goal": [0, 0]}) == state
        others = Counter({k: n for k, n in blocks.items() if k != "T"})
        assert shapes(state) == (blocks.get("T", "2x2"), others)


@pytest.mark.parametrize(
    ("blocks", "size", "goal", "words"),
    [
        ({**CLASSIC, "1x2": 2}, (5, 4), None, "cover 20 cells, the board has 20, and one"),
        ({**CLASSIC, "1x2": 3}, (5, 4), None, "the blocks cover 22 cells, the board has 20$"),
        ({"7x1": 1}, (5, 4), None, "a block of 7x1 is larger than the board of 5x4"),
        ({"T": "3x5"}, (5, 4), None, "a block of 3x5 is larger than the board of 5x4"),
        ({"T": 2}, (5, 4), None, "2 is not the shape of a block, ROWSxCOLUMNS such as 2x1"),
        ({"2by1": 2}, (5, 4), None, "'2by1' is not the shape of a block"),
        ({"0x1": 2}, (5, 4), None, "'0x1' is not the shape of a block"),
        ({"1x1": -1}, (5, 4), None, "-1 is not a number of 1x1 blocks"),
        ({"1x1": True}, (5, 4), None, "True is not a number of 1x1 blocks"),
        ({"1x1": 62}, (9, 9), None, "62 blocks besides T, and there are names for 61"),
        ({"1x1": 3}, (5, 4), [4, 1], r"the goal \[4, 1\] would put block T outside the board"),
        ({"T": "5x4", "1x1": 0}, (5, 4), None, "the blocks cover 20 cells"),
        ({"T": "5x3"}, (5, 3), None, "the blocks cover 15 cells"),
    ],
)  # fmt: skip
def test_what_is_impossible_is_said(
    blocks: dict[str, Any], size: tuple[int, int], goal: Any, words: str
) -> None:
    with pytest.raises(GenerationError, match=words):
        made(blocks, size, [5], goal)


def test_lengths_that_do_not_exist_are_not_found() -> None:
    assert made({"2x1": 1, "1x1": 2}, (3, 3), [40], [1, 0]) == [None]
    assert made({"1x1": 1, "2x2": 1}, (2, 5), [1], [0, 3]) == [None]
    assert made({"1x1": 4}, (3, 3), [2], [1, 1]) == [None]  # one empty cell; T needs two


def test_the_same_stream_gives_the_same_boards() -> None:
    blocks = {"1x2": 5, "1x1": 4}
    assert made(blocks, (5, 4), [12]) == made(blocks, (5, 4), [12])
    (board,) = made(blocks, (5, 4), [12])
    assert board is not None
    assert rules.format(board.state) == GOLDEN


GOLDEN = "AABB\nCCDD\nEFTT\nGGTT\n.H.I"
