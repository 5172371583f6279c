"""What the cells of a car park are if those that do not go with the rest were misread."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from puzzles.family import Cell
from puzzles.parking.read import BACKS, LETTERED, NEXT, PARTS, Part, Parts, goes_before
from puzzles.parking.rules import RED

_BEHIND = {kind for kinds in NEXT.values() for kind in kinds}
"""What is not the back of a vehicle."""

Shown = Mapping[Any, Part]


def mended(seen: Parts) -> Parts:
    """Return the parts without vehicles that are not whole, with what cuts them off, or of whose
    name there are several; and without exits where no red car is. What is unknown goes with
    anything."""
    shown = {at: PARTS[number] for at, number in np.ndenumerate(seen) if number >= 0}
    vehicles, astray, whole = list(_vehicles(shown)), set[Cell](), list[list[Cell]]()
    for cells in vehicles:
        ends = [at for at in _beyond(shown, cells) if at in shown or not _on(seen, at)]
        astray.update((*cells, *shown.keys() & ends) if ends else ())
        whole += [] if ends else [cells]
    named = Counter(shown[cells[0]].name for cells in vehicles if shown[cells[0]].kind in BACKS)
    for cells in whole:
        if shown[cells[0]].kind in BACKS and named[shown[cells[0]].name] > 1:
            astray.update(cells)
    red = {row for cells in vehicles for row, _ in cells if _is_red(shown, cells)}
    for (row, col), part in shown.items():
        if red and part.exit != (row in red and col == seen.shape[1] - 1):
            astray.add((row, col))
    out = seen.copy()
    for at in astray:
        out[at] = -1
    return out


def _vehicles(shown: Shown) -> Iterator[list[Cell]]:
    """Yield the cells of each vehicle, from its back, as far as they are seen to be of it."""
    for start, part in shown.items():
        if not part.name or _joined(shown, _near(part, start, -1), start):
            continue
        cells = [start]
        while _joined(shown, cells[-1], ahead := _near(part, cells[-1], 1)):
            cells.append(ahead)
        yield cells


def _beyond(shown: Shown, cells: list[Cell]) -> Iterator[Cell]:
    """Yield where a vehicle goes on though it isn't seen to."""
    back, front = shown[cells[0]], shown[cells[-1]]
    if back.kind in _BEHIND:
        yield _near(back, cells[0], -1)
    if front.kind in NEXT:
        yield _near(front, cells[-1], 1)


def _joined(shown: Shown, at: Cell, ahead: Cell) -> bool:
    """Say whether a cell and the one ahead of it are of one vehicle."""
    part, follows = shown.get(at), shown.get(ahead)
    if part is None or follows is None or part.kind not in NEXT or _near(part, at, 1) != ahead:
        return False
    return goes_before(part, follows) and (
        follows.kind not in LETTERED or follows.name == part.name
    )


def _near(part: Part, at: Cell, steps: int) -> Cell:
    """Return the cell so many steps towards the front of the vehicle that a part is of."""
    return (at[0], at[1] + steps) if part.across else (at[0] + steps, at[1])


def _is_red(shown: Shown, cells: list[Cell]) -> bool:
    return any(shown[at].kind in LETTERED and shown[at].name == RED for at in cells)


def _on(seen: Parts, at: Cell) -> bool:
    return at[0] in range(seen.shape[0]) and at[1] in range(seen.shape[1])
