"""The kernels of Onet against its rules, and the solver against a plain search over the rules."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.onet import FAMILY, kernels, packing, rules
from puzzles.onet.rules import Pair, State
from puzzles.solve import solve
from solvers import System, Unsolvable
from solvers.breadth_first import layers, shortest_path

from .test_rules import boards, some_board

COMPLETE = FAMILY.systems["cell"]._replace(ample=None)


def successors(state: State, kernel: object) -> list[tuple[Pair, State]]:
    """Return what ``kernel`` makes of ``state``, as actions and states."""
    level, words = packing.pack(state)
    room = max(1, kernels.branching(level))
    succ = np.empty((room, len(words)), np.uint64)
    origin, moves = np.empty(room, np.int64), np.empty(room, np.int32)
    n = kernel(level, words[None], succ, origin, moves)
    assert not origin[:n].any()
    return [
        (packing.decode(level, int(moves[at])), packing.unpack(level, succ[at])) for at in range(n)
    ]


def can_be_cleared(state: State) -> bool:
    """Search all orders and partners, with the rules alone."""

    @cache
    def clear(now: State) -> bool:
        return rules.is_solved(now) or any(
            clear(rules.apply(now, action)) for action in rules.legal_actions(now)
        )

    return clear(state)


@given(boards)
def test_expand_finds_what_the_rules_allow(state: State) -> None:
    found = successors(state, kernels.expand)
    legal = rules.legal_actions(state)
    assert sorted(found) == sorted((action, rules.apply(state, action)) for action in legal)
    assert all(action.a < action.b for action in legal)
    few = successors(state, kernels.ample)
    assert set(few) <= set(found)
    assert bool(few) == bool(found)


@given(boards)
def test_packing_round_trip_and_goal(state: State) -> None:
    level, words = packing.pack(state)
    assert packing.unpack(level, words) == state
    out = np.empty(2, np.bool_)
    kernels.is_goal(level, np.stack([words, np.zeros_like(words)]), out)
    assert out.tolist() == [rules.is_solved(state), True]


@given(
    st.integers(0, 2**32),
    st.sampled_from([(3, 4), (2, 6), (4, 3), (1, 8), (5, 3)]),
    st.integers(1, 4),
    st.sampled_from([0, 1, 2, 3]),
    st.booleans(),
)
def test_the_solver_agrees_with_a_search_over_the_rules(
    seed: int, size: tuple[int, int], kinds: int, max_turns: int, outside: bool
) -> None:
    state = some_board(Draws(seed), *size, 10, kinds, max_turns, outside)
    level, start = packing.pack(state)
    for system in (FAMILY.systems["cell"], COMPLETE):
        if can_be_cleared(state):
            path = shortest_path(system, level, start)
            actions = [packing.decode(level, int(code)) for code in path.moves]
            assert rules.is_solved(rules.replay(state, actions).state)
            assert 2 * len(actions) == sum(map(len, rules.tiles(state).values()))
        else:
            with pytest.raises(Unsolvable):
                shortest_path(system, level, start)


def test_four_of_a_kind_can_be_spoilt() -> None:
    """The wrong partner leaves tiles that nothing links, so search is real."""
    state = rules.parse("AAB\nABA", {})
    spoilt = rules.apply(state, Pair((0, 0), (1, 0)))
    assert spoilt.board == (".AB", ".BA")
    with pytest.raises(Unsolvable):
        solve(FAMILY, spoilt)
    assert solve(FAMILY, state).actions == [
        Pair((0, 0), (0, 1)),
        Pair((0, 2), (1, 1)),
        Pair((1, 0), (1, 2)),
    ]


def test_boards_that_can_be_spoilt_are_solved() -> None:
    spoilt = 0
    for seed in range(40):
        state = some_board(Draws("spoilt", seed), 3, 5, 14, 4, 1, False)
        if can_be_cleared(state):
            after = [rules.apply(state, action) for action in rules.legal_actions(state)]
            spoilt += not all(map(can_be_cleared, after))
            assert rules.is_solved(rules.replay(state, solve(FAMILY, state).actions).state)
    assert spoilt


def test_a_removal_never_hurts_where_each_kind_occurs_twice() -> None:
    """So the solver looks at one state a removal, whatever the board."""
    rows = ("ABCDEF", "......", "FEDCBA", "......", "GHIJKL", "......", "LKJIHG")
    state = rules.parse("\n".join(rows), {})
    solution = solve(FAMILY, state)
    assert (len(solution.actions), solution.expanded) == (12, 12)


def test_boards_of_more_than_64_tiles() -> None:
    row = "".join(chr(ord("A") + at) for at in range(13))
    state = rules.parse("\n".join([row + row[::-1]] * 2 + ["." * 26] + [row * 2] * 2), {})
    level, words = packing.pack(state)
    assert len(words) == 2
    assert packing.unpack(level, words) == state
    actions = solve(FAMILY, state).actions
    assert len(actions) == 52
    assert rules.is_solved(rules.replay(state, actions).state)


def test_layers_count_every_set_of_tiles_that_can_be_reached() -> None:
    state = rules.parse("AB.BA\n.CC..", {})
    seen, layer, counts = {state}, {state}, []
    while layer:
        counts.append(len(layer))
        after = {rules.apply(now, a) for now in layer for a in rules.legal_actions(now)}
        layer = after - seen
        seen |= layer
    level, start = packing.pack(state)
    system: System = FAMILY.systems["cell"]
    assert [len(states) for states in layers(system, level, start[None])] == counts
    assert counts[-1] == 1


def test_trace_follows_a_solution() -> None:
    state = rules.parse("ABBA\n.CC.", {})
    level, _ = packing.pack(state)
    place = packing.ground(2, 4, False).place
    solution = [((0, 0), (0, 3)), ((0, 1), (0, 2)), ((1, 1), (1, 2))]
    removals = np.array([[place(cell) for cell in pair] for pair in solution])
    opened, turns = np.empty(3, np.int64), np.empty(3, np.int64)
    kernels.trace(level, removals, opened, turns)
    assert opened.tolist() == [2, 2, 1]
    assert turns.tolist() == [-1, 0, 0]
