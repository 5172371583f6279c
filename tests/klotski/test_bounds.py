"""The lower bounds of Klotski never say too much, and change by one move at most."""

import numpy as np
import pytest

from puzzles.draws import Draws
from puzzles.klotski import FAMILY, bounds, rules
from puzzles.klotski.packing import pack
from puzzles.klotski.rules import State
from puzzles.solve import solve
from solvers import NEVER, Limit, SearchLimit
from solvers.space import Space, explore
from tests.klotski.boards import any_board

CLASSIC = rules.parse("ATTB\nATTB\nCDDE\nCFGE\nH..I", {})
METRICS = ("cell", "slide")


def explored(state: State, metric: str) -> tuple[Space, np.ndarray] | None:
    """Return all that can be reached from ``state``, and the bound of every state."""
    system, (level, words) = FAMILY.systems[metric], pack(state)
    try:
        space = explore(system, level, words, Limit(states=3000))
    except SearchLimit:
        return None
    bound = np.full(len(space.states), -1, np.int32)
    system.heuristic(level, space.states, bound)
    return space, bound


def check(space: Space, bound: np.ndarray) -> None:
    exact = space.to_goal()
    assert ((bound == 0) == space.goals).all()
    assert (bound[exact >= 0] <= exact[exact >= 0]).all()
    assert (exact[bound == NEVER] == -1).all()
    origin = np.repeat(np.arange(len(bound)), np.diff(space.starts))
    assert (np.abs(bound[origin] - bound[space.targets]) <= 1).all()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("entries", [1 << 18, 0], ids=["table", "target alone"])
def test_bounds_are_admissible_and_consistent(
    metric: str, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "_MOST", entries)
    monkeypatch.setattr(bounds, "_tables", {})
    boards = [any_board(Draws("bounds", seed), 5) for seed in range(300)]
    spaces = [found for found in (explored(state, metric) for state in boards) if found]
    assert sum(len(space.states) > 10 for space, _ in spaces) > 80
    for space, bound in spaces:
        check(space, bound)


def test_bounds_on_the_classic_board() -> None:
    for metric, least in (("cell", 20), ("slide", 15)):
        system, (level, words) = FAMILY.systems[metric], pack(CLASSIC)
        space = explore(system, level, words)
        bound = np.zeros(len(space.states), np.int32)
        system.heuristic(level, space.states, bound)
        check(space, bound)
        assert bound[0] >= least


def test_where_t_is_too_broad_for_the_empty_cells_no_goal_can_be_reached() -> None:
    """One empty cell never lets the 2x2 block move: no search is needed to see it."""
    state = rules.parse("TTA\nTTB\nCD.", {"goal": [1, 0]})
    level, words = pack(state)
    for metric in METRICS:
        bound = np.zeros(1, np.int32)
        FAMILY.systems[metric].heuristic(level, words[None], bound)
        assert bound[0] == NEVER


def test_the_table_belongs_to_the_set_of_shapes_whatever_their_order() -> None:
    first = rules.parse("TTAB\nTTA.\nCC..", {"goal": [1, 2]})
    second = rules.parse("TTBA\nTT.A\nCC..", {"goal": [1, 2]})
    third = rules.parse("TTBA\nTT.A\nCC..", {"goal": [1, 1]})
    tables = [bounds._table(pack(state)[0], False)[0] for state in (first, second, third)]
    assert tables[0] is tables[1]
    assert tables[0] is not tables[2]


def test_astar_expands_fewer_states() -> None:
    hard = "ABCCDE\nABFGDE\nHHIGJK\nLMNOOK\nP.QRTT\nPS.RTT"
    state = rules.parse(hard, {})
    for metric in METRICS:
        bfs = solve(FAMILY, state, algorithm="bfs", metric=metric)
        astar = solve(FAMILY, state, algorithm="astar", metric=metric)
        assert astar.length == bfs.length
        assert 3 * astar.expanded < bfs.expanded
