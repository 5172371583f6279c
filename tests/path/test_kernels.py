"""The path board as kernels see it: packed and unpacked, and the route found by the solver."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.path import FAMILY, packing, rules
from puzzles.path.route import route_of
from puzzles.solve import solve
from solvers import Unsolvable


def random_board(seed: int, rows: int, columns: int) -> rules.State:
    """Walls and labels anywhere, the goal's cell apart; routes need not be the only one."""
    draws = Draws("path", seed)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    agent, goal = draws.choice(cells), draws.choice(cells)
    labels = [cell for cell in draws.shuffled(cells) if cell != goal][:5]
    floor = {agent, goal, *labels, *draws.shuffled(cells)[: len(cells) // 2]}
    walls = tuple("".join("#."[(r, c) in floor] for c in range(columns)) for r in range(rows))
    return rules.State(walls, agent, goal, tuple(zip("BCEQZ", sorted(labels), strict=False)))


@given(st.integers(0, 9999), st.integers(1, 7), st.integers(1, 9))
def test_packing_keeps_everything(seed: int, rows: int, columns: int) -> None:
    state = random_board(seed, rows, columns)
    assert packing.unpack(*packing.pack(state)) == state


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("size", [(5, 8), (9, 4), (10, 10)])
def test_the_solver_walks_the_route(seed: int, size: tuple[int, int]) -> None:
    made = FAMILY.sample(Draws(seed), [6], size, {}, {"border": False})[0]
    assert made is not None
    solution = solve(FAMILY, made.state)
    assert solution.actions == made.actions
    route = route_of(made.state.walls, made.state.agent, made.state.goal)
    assert len(route) == 7


def test_without_a_route_there_is_no_solution() -> None:
    with pytest.raises(Unsolvable):
        solve(FAMILY, rules.parse("SA#G", {}))
