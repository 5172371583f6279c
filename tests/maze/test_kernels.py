"""The maze as its kernels see it: packed and unpacked, solved as plain search solves it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.maze import FAMILY, packing, rules
from puzzles.solve import solve
from solvers import Unsolvable
from tests.plain import shortest_length


def random_board(seed: int, rows: int, columns: int) -> rules.State:
    """Walls anywhere, cycles and unreachable parts included."""
    draws = Draws("maze", seed)
    marks = [draws.choice("#...") for _ in range(rows * columns)]
    agent, goal = draws.below(len(marks)), draws.below(len(marks))
    marks[agent] = marks[goal] = "."
    walls = tuple("".join(marks[at : at + columns]) for at in range(0, len(marks), columns))
    return rules.State(walls, divmod(agent, columns), divmod(goal, columns))


sizes = st.integers(0, 9999), st.integers(1, 7), st.integers(1, 9)


@given(*sizes)
def test_packing_keeps_everything(seed: int, rows: int, columns: int) -> None:
    state = random_board(seed, rows, columns)
    assert packing.unpack(*packing.pack(state)) == state


@given(*sizes)
def test_solver_finds_the_shortest_way(seed: int, rows: int, columns: int) -> None:
    state = random_board(seed, rows, columns)
    length = shortest_length(FAMILY, state)
    if length is None:
        with pytest.raises(Unsolvable):
            solve(FAMILY, state)
        return
    solution = solve(FAMILY, state)
    assert len(solution.actions) == length
    assert rules.is_solved(rules.replay(state, solution.actions).state)
