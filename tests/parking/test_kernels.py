"""Parking's kernels: both encodings of a board against the plain rules."""

import numpy as np
import pytest

from puzzles.draws import Draws
from puzzles.parking import FAMILY, rules
from puzzles.parking.explore import clear, explore, tabulate
from puzzles.parking.kernels import branching, expand, is_goal
from puzzles.parking.layouts import consistent, narrow
from puzzles.parking.lines import few, lines_of, vehicles
from puzzles.parking.rules import State, Vehicle
from solvers import Limit, SearchLimit, System, Unsolvable
from solvers.breadth_first import layers, shortest_path
from tests.conformance import check_state, random_play
from tests.parking.boards import ODD, every_board, layers_of, lot, scattered

SYSTEM = System(expand, is_goal, branching)


def crowded(rows: int, cols: int, count: int, draws: Draws) -> State:
    """Return a board with walls and up to ``count`` vehicles of any length, at random."""
    return scattered(rows, cols, 5, count, 5, draws)


@pytest.mark.parametrize("size", [(5, 9), (9, 5), (12, 17), (40, 33), (3, 70)])
def test_kernels_and_rules_agree_on_crowded_boards_of_any_size(size):
    draws = Draws("crowded", size)
    for _ in range(5):
        for state in random_play(FAMILY, crowded(*size, 51, draws), draws, 12):
            check_state(FAMILY, state)


def test_a_state_may_take_several_words():
    state = crowded(40, 33, 51, Draws("words"))
    _, words = FAMILY.pack(state)
    assert len(state.vehicles) > 20
    assert len(words) > 1


@pytest.mark.parametrize("board", ODD)
def test_the_solver_knows_every_distance(board):
    state = lot(board)
    level, words = FAMILY.pack(state)
    found = layers(SYSTEM, level, words[None])
    assert [{FAMILY.unpack(level, row) for row in layer} for layer in found] == layers_of([state])
    plain = [k for k, layer in enumerate(layers_of([state])) if any(map(rules.is_solved, layer))]
    if plain:
        assert len(shortest_path(SYSTEM, level, words).moves) == plain[0]
    else:
        with pytest.raises(Unsolvable):
            shortest_path(SYSTEM, level, words)


def search(state: State, starts: list[int], limit: int = 1 << 16, deepest: int = 300):
    """Return the layers of words that ``explore`` finds, and the parents of all."""
    book, lines, _ = lines_of(state)
    lots = tabulate(book.tables, *lines)
    queue, parents = np.empty(limit, np.uint64), np.empty(limit, np.int32)
    slots, where = np.zeros(2 * limit, np.uint64), np.full(2 * limit, -1, np.int32)
    queue[: len(starts)], bounds = starts, np.empty(deepest + 1, np.int64)
    depth, entered = explore(lots, queue, parents, len(starts), slots, where, bounds)
    used = slots != 0
    assert (slots[used] - np.uint64(1) == queue[where[used]]).all()
    assert sorted(where[used].tolist()) == list(range(entered))
    clear(queue, entered, slots)
    assert not slots.any()
    found = [queue[bounds[k] : bounds[k + 1]].tolist() for k in range(depth)]
    return found, parents[: bounds[depth]], queue


def states(state: State, words: list[int]) -> set[State]:
    """Return the boards that ``words`` stand for."""
    book, lines, word = lines_of(state)
    names = {car[1:]: car.name for car in state.vehicles}
    order = [names[car] for car in vehicles(book, lines, word)]
    result = set()
    for word in words:
        cars = vehicles(book, lines, word)
        named = {n: Vehicle(n, *car) for n, car in zip(order, cars, strict=True)}
        result.add(
            State(state.rows, state.cols, state.walls, tuple(named[c.name] for c in state.vehicles))
        )
    return result


@pytest.mark.parametrize("board", ODD)
def test_exploring_from_a_board_finds_its_component(board):
    state = lot(board)
    found, _, _ = search(state, [lines_of(state)[2]])
    assert [states(state, layer) for layer in found] == layers_of([state])


@pytest.mark.parametrize("board", [ODD[0], ODD[2], ODD[4]])
def test_exploring_from_all_solved_boards_finds_every_optimal_length(board):
    state = lot(board)
    book, lines, _ = lines_of(state)
    words = np.empty(100_000, np.uint64)
    n = consistent(book.tables, *lines, words)
    assert states(state, words[:n].tolist()) == set(every_board(state))
    solved = [
        word for word in words[:n].tolist() if all(map(rules.is_solved, states(state, [word])))
    ]
    found, parents, queue = search(state, solved)
    assert [states(state, layer) for layer in found] == layers_of(
        [one for one in every_board(state) if rules.is_solved(one)]
    )
    for distance, layer in enumerate(found[1:4], 1):
        for one in states(state, layer[:20]):
            level, packed = FAMILY.pack(one)
            assert len(shortest_path(SYSTEM, level, packed).moves) == distance
    for place, parent in enumerate(parents.tolist()):
        if parent >= 0:
            (before,), (after,) = (states(state, [int(queue[at])]) for at in (place, parent))
            assert after in [rules.apply(before, a) for a in rules.legal_actions(before)]


def test_consistent_says_when_there_are_too_many():
    book, lines, _ = lines_of(lot(ODD[0]))
    n = consistent(book.tables, *lines, np.empty(100_000, np.uint64))
    assert consistent(book.tables, *lines, np.empty(n, np.uint64)) == n
    assert consistent(book.tables, *lines, np.empty(n - 1, np.uint64)) == -1


@pytest.mark.parametrize("board", ODD)
def test_narrowing_loses_no_board(board):
    state = lot(board)
    book, lines, _ = lines_of(state)
    words, fewer = np.empty(200_000, np.uint64), np.empty(200_000, np.uint64)
    n = consistent(book.tables, *lines, words)
    assert narrow(book.tables, *lines)
    assert consistent(book.tables, *lines, fewer) == n
    assert words[:n].tolist() == fewer[:n].tolist()


def test_a_search_that_is_cut_short_returns_only_whole_layers():
    state = lot(ODD[3])
    start = [lines_of(state)[2]]
    whole, _, _ = search(state, start)
    for limit in (64, 256, 1024):
        found, _, _ = search(state, start, limit)
        assert 0 < len(found) < len(whole)
        assert found == whole[: len(found)]
    found, _, _ = search(state, start, deepest=3)
    assert found == whole[:3]


def test_lines_with_too_many_configurations_are_left_to_the_solver():
    wide = lot("RR" + "." * 70)
    assert lines_of(wide) is None
    assert few(65, (2,))
    assert not few(66, (2,))
    level, words = FAMILY.pack(wide)
    assert len(shortest_path(SYSTEM, level, words).moves) == 70
    with pytest.raises(SearchLimit):
        shortest_path(SYSTEM, level, words, Limit(states=10))
