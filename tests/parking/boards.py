"""Small parking lots, and searches over the plain rules that the kernels are held to."""

from itertools import product

from puzzles.parking import rules
from puzzles.parking.rules import State

ODD = [
    ".AA.B\n....B\nRR.C.\ndddC.",
    "..#AA\nRR..B\n.C..B\n.C.#.\n.CDD.\n....#\n..EE.",
    "RR.A..\n...A..\n..BB..",
    "BBRR.A.\nC....A.\nC.DDD..\n....E..\n....EFF",
    "aaRR..",
]


def lot(board: str) -> State:
    return rules.parse(board, {})


def layers_of(starts: list[State]) -> list[set[State]]:
    """Return the states that can be reached from ``starts``, by distance, over the plain rules."""
    layers = [set(starts)]
    seen = set(starts)
    while layers[-1]:
        after = {
            rules.apply(state, action)
            for state in layers[-1]
            for action in rules.legal_actions(state)
        }
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
