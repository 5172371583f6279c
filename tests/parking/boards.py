"""Small parking lots, and searches over the plain rules that the kernels are held to."""

from collections.abc import Callable
from itertools import product
from string import ascii_letters

from puzzles.draws import Draws
from puzzles.parking import rules
from puzzles.parking.rules import Slide, State

Successors = Callable[[State], dict[State, list[Slide]]]

ODD = [
    ".AA.B\n....B\nRR.C.\ndddC.",
    "..#AA\nRR..B\n.C..B\n.C.#.\n.CDD.\n....#\n..EE.",
    "RR.A..\n...A..\n..BB..",
    "BBRR.A.\nC....A.\nC.DDD..\n....E..\n....EFF",
    "aaRR..",
]


def lot(board: str) -> State:
    return rules.parse(board, {})


def scattered(rows: int, cols: int, walls: int, count: int, longest: int, draws: Draws) -> State:
    """Return a board with up to so many walls and vehicles but R, at random, R in any row."""
    grid = [["."] * cols for _ in range(rows)]
    row, col, wide = draws.below(rows), draws.below(cols - 1), 2 + draws.below(longest - 1)
    for c in range(col, min(cols, col + wide)):
        grid[row][c] = "R"
    names = [name for name in ascii_letters if name != "R"]
    for name in "#" * walls + "".join(names[:count]):
        across, length = draws.below(2), 1 if name == "#" else 2 + draws.below(longest - 1)
        high, wide = (1, length) if across else (length, 1)
        r, c = draws.below(rows), draws.below(cols)
        cells = [(r + i, c + j) for i in range(high) for j in range(wide)]
        if all(i < rows and j < cols and grid[i][j] == "." for i, j in cells):
            for i, j in cells:
                grid[i][j] = name
    return lot("\n".join(map("".join, grid)))


def stepped(state: State) -> dict[State, list[Slide]]:
    """Return the states one action away, each with that action."""
    return {rules.apply(state, action): [action] for action in rules.legal_actions(state)}


def slid(state: State) -> dict[State, list[Slide]]:
    """Return the states that one vehicle can make by a move of any distance, with its actions."""
    result = {}
    for action in rules.legal_actions(state):
        after, actions = state, []
        while action in rules.legal_actions(after):
            after, actions = rules.apply(after, action), [*actions, action]
            result[after] = actions
    return result


def layers_of(
    starts: list[State], successors: Successors = stepped, most: int = 10**9
) -> list[set[State]]:
    """Return the states that can be reached from ``starts``, by distance, over the plain rules.

    An empty list where there are more than ``most``.
    """
    layers = [set(starts)]
    seen = set(starts)
    while layers[-1]:
        if len(seen) > most:
            return []
        after = {one for state in layers[-1] for one in successors(state)}
        layers.append(after - seen)
        seen |= after
    return layers[:-1]


def every_board(state: State) -> list[State]:
    """Return all boards with the vehicles of ``state`` in the same lines, in the same order."""
    spans = [
        range((state.cols if car.horizontal else state.rows) - car.length + 1)
        for car in state.vehicles
    ]
    boards = []
    for offsets in product(*spans):
        cars = tuple(
            car._replace(col=at) if car.horizontal else car._replace(row=at)
            for car, at in zip(state.vehicles, offsets, strict=True)
        )
        cells = [*state.walls, *(cell for car in cars for cell in car.cells())]
        if len(set(cells)) == len(cells) and _order(cars) == _order(state.vehicles):
            boards.append(State(state.rows, state.cols, state.walls, cars))
    return boards


def _order(cars: tuple[rules.Vehicle, ...]) -> list[tuple[bool, int, str]]:
    across = [(True, car.row, car.col, car.name) for car in cars if car.horizontal]
    down = [(False, car.col, car.row, car.name) for car in cars if not car.horizontal]
    return [(axis, lane, name) for axis, lane, _, name in sorted(across + down)]
