"""The Klotski boards that are made: lengths, structure, variety, other sizes, determinism."""

from itertools import combinations
from typing import Any

import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample
from puzzles.klotski import FAMILY, rules
from puzzles.klotski.blocks import inventory
from puzzles.klotski.rules import Slide, State
from puzzles.klotski.sample import sample, stats
from puzzles.solve import solve
from puzzles.symmetry import mirrored
from tests.klotski.boards import all_boards
from tests.plain import shortest_length


def made(
    lengths: list[int], size: tuple[int, int] = (6, 6), key: object = 0, goal: Any = None
) -> list[Sample[State, Slide]]:
    found = sample(Draws("klotski", key), lengths, size, {"goal": goal}, {})
    assert len(found) == len(lengths)
    return [board for board in found if board]


def tier(name: str, rounds: int) -> list[Sample[State, Slide]]:
    lengths = list(FAMILY.buckets[name].lengths()) * rounds
    boards = made(lengths, key=name)
    assert [len(board.actions) for board in boards] == lengths
    return boards


def shapes(state: State) -> list[tuple[int, int]]:
    """Return (height, width) of every block, T first."""
    blocks = rules.blocks_of(state.board)
    cells = [blocks.pop("T"), *blocks.values()]
    return [(b[-1][0] - b[0][0] + 1, b[-1][1] - b[0][1] + 1) for b in cells]


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_boards_of_every_bucket(name: str) -> None:
    for state, actions, _ in tier(name, 15):
        assert state.goal == (4, 2)
        assert rules.parse(rules.format(state), {}) == state
        found = shapes(state)
        assert found[0] == (2, 2)
        assert [found.count(shape) for shape in ((2, 1), (1, 2), (1, 1))] == [8, 3, 8]
        assert rules.format(state).count(".") == 2
        assert not rules.is_solved(state)
        assert rules.is_solved(FAMILY.replay(state, actions).state)
        assert len(solve(FAMILY, state).actions) == len(actions)


def test_lengths_by_plain_search() -> None:
    for state, actions, _ in made([1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 15, 17, 18], key="plain"):
        assert shortest_length(FAMILY, state) == len(actions)


def kinds(state: State) -> list[tuple[str, ...]]:
    """Return the board and its mirror image with each block's name replaced by its shape."""
    marks = {name: str(len(cells)) for name, cells in rules.blocks_of(state.board).items()}
    for name, cells in rules.blocks_of(state.board).items():
        if len(cells) == 2:
            marks[name] = "V" if cells[0][1] == cells[1][1] else "H"
    rows = tuple("".join(marks.get(mark, mark) for mark in row) for row in state.board)
    return [rows, mirrored(rows)]


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_no_two_boards_are_alike(name: str) -> None:
    """Of the 36 cells, those that differ between a board and the one most like it, mirrored or not.

    Boards drawn from one exploration differ in a handful.
    """
    boards = [kinds(state) for state, *_ in tier(name, 15)]
    nearest = [36] * len(boards)
    for (i, (first, _)), (j, second) in combinations(enumerate(boards), 2):
        for other in second:
            pairs = zip("".join(first), "".join(other), strict=True)
            differ = sum(a != b for a, b in pairs)
            nearest[i], nearest[j] = min(nearest[i], differ), min(nearest[j], differ)
    assert min(nearest) >= 6
    assert sum(nearest) / len(nearest) > 11


def test_the_same_stream_gives_the_same_boards() -> None:
    assert made([3, 16, 8], key="a") == made([3, 16, 8], key="a")
    assert made([3, 16, 8], key="a") != made([3, 16, 8], key="b")
    # The very boards: whoever changes what a seed gives has to change Family.generator too.
    (board,) = made([15], key="golden")
    assert rules.format(board.state) == GOLDEN


GOLDEN = "ABCCDE\nABFGDE\nHHIGJK\nLMNOOK\nP.QRTT\nPS.RTT"


@pytest.mark.parametrize(
    ("size", "lengths", "goal"),
    [
        ((2, 9), [1, 4, 7], None),
        ((9, 2), [1], None),
        ((4, 4), [1, 9], None),
        ((5, 4), [1, 20, 60], None),
        ((4, 7), [5, 12], None),
        ((6, 6), [1, 12], [0, 0]),
        ((6, 6), [25], [4, 4]),
        ((7, 5), [4, 13], [2, 3]),
        ((8, 11), [1, 3], None),
    ],
)
def test_other_sizes_and_goals(size: tuple[int, int], lengths: list[int], goal: Any) -> None:
    boards = made(lengths, size, key=size, goal=goal)
    assert [len(board.actions) for board in boards] == lengths
    for state, actions, _ in boards:
        assert (len(state.board), len(state.board[0])) == size
        assert goal is None or state.goal == tuple(goal)
        found = shapes(state)
        assert [found.count(s) for s in ((2, 1), (1, 2), (1, 1))] == [*inventory(size)[1:]]
        assert rules.is_solved(FAMILY.replay(state, actions).state)
        assert len(solve(FAMILY, state).actions) == len(actions)


def distances(size: tuple[int, int]) -> dict[State, int]:
    """Return the distance to the nearest goal of every state that has one, by the rules alone."""
    queue = [state for state in all_boards(*size) if rules.is_solved(state)]
    found = dict.fromkeys(queue, 0)
    for state in queue:
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            if after not in found:
                found[after] = found[state] + 1
                queue.append(after)
    return found


@pytest.mark.parametrize("size", [(2, 3), (3, 3), (3, 4), (2, 7), (4, 4)])
def test_every_length_that_exists_is_found_and_no_other(size: tuple[int, int]) -> None:
    found = distances(size)
    for length in range(1, max(found.values()) + 3):
        board, *_ = [*made([length], size, key=size), None]
        assert (board is not None) == (length in found.values())
        if board:
            assert found[board.state] == len(board.actions) == length


def test_blocks_of_other_sizes() -> None:
    assert inventory((6, 6)) == (1, 8, 3, 8)
    assert inventory((5, 4)) == (1, 4, 1, 4)
    assert inventory((2, 3)) == (1, 0, 0, 0)
    for rows in range(2, 30):
        for columns in range(2, 30):
            try:
                _, upright, flat, single = inventory((rows, columns))
            except GenerationError:
                continue
            assert min(upright, flat, single) >= 0
            assert 6 + 2 * upright + 2 * flat + single == rows * columns


@pytest.mark.parametrize(
    ("length", "size", "goal", "words"),
    [
        (0, (6, 6), None, "klotski: a board of length 0 would be solved already"),
        (-3, (6, 6), None, "klotski: a board of length -3 would be solved already"),
        (10**9, (6, 6), None, "klotski: length 1000000000 is beyond a search of 131072 states"),
        (1, (1, 1), None, "klotski: 1x1 cells have no room for the 2x2 block"),
        (1, (1, 40), None, "klotski: 1x40 cells have no room"),
        (1, (2, 2), None, "klotski: 2x2 cells have no room"),
        (1, (0, 0), None, "klotski: 0x0 cells have no room"),
        (1, (20, 20), None, "klotski: a board of 20x20 takes 2"),
        (1, (6, 6), [5, 5], "klotski: the goal .* would put block T outside the board"),
        (1, (6, 6), [True, 0], "klotski: the goal .* is not"),
    ],
)
def test_what_can_not_be_made_is_said(
    length: int, size: tuple[int, int], goal: Any, words: str
) -> None:
    with pytest.raises(GenerationError, match=words):
        made([length], size, goal=goal)


def test_what_is_not_found_is_none() -> None:
    assert sample(Draws("none"), [30, 1], (3, 3), {}, {})[0] is None
    assert sample(Draws("none"), [2], (2, 3), {}, {}) == [None]


def test_stats_count_what_the_solution_does() -> None:
    state = rules.parse("TTA\nTTB\n...\n...", {"goal": [2, 0]})
    actions = [
        Slide((1, 2), "down"),
        Slide((0, 2), "down"),
        Slide((1, 2), "up"),
        Slide((0, 0), "down"),
        Slide((1, 0), "down"),
    ]
    assert stats(state, actions) == {
        "blocks": 3,
        "empty": 6,
        "target_distance": 2,
        "legal_first": 2,
        "blocks_moved": 3,
        "target_moves": 2,
        "runs": 3,
    }
    assert stats(state, [])["runs"] == 0
    assert stats(state, [])["blocks_moved"] == 0
