"""Which parts of blocks lie in the cells of a tray, and the board that such parts make."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import changes
from puzzles.directions import DIRECTIONS, moved
from puzzles.family import Cell, InvalidBoard
from puzzles.klotski.rules import EMPTY, NAMES, TARGET, State, blocks_of, normal
from puzzles.klotski.view import BLUE, WOODS, Shape, extent, placed, woods_of

Parts = NDArray[np.int16]

_at = changes.at

_CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""Of a box, row and column: 0 the first, 1 the last. The goal has a tick in each."""


class Part(NamedTuple):
    """What lies in a cell.

    wood
        0 for the empty tray, else 1 and the index of the block's colour in ``view.WOODS``.
    joined
        Bits, in the order of DIRECTIONS: where the block goes on.
    ticks
        Bits, in the order of _CORNERS: which corners of the goal are marked in the cell.
    home
        Whether the green rim shows in it that T is where it has to come to.
    """

    wood: int = 0
    joined: int = 0
    ticks: int = 0
    home: bool = False

    def goes_on(self, way: int, back: bool = False) -> bool:
        """Say whether the block goes on in a direction, by its number, or in the opposite one."""
        return bool(self.joined >> (way + 2 * back) % 4 & 1)


BLUE_WOOD = 1 + WOODS.index(BLUE)


def parts(state: State) -> Parts:
    """Return what lies in every cell, int16 (rows, columns): those of ``numbered``."""
    blocks = blocks_of(state.board)
    woods = woods_of({name: placed(cells)[0] for name, cells in blocks.items()})
    shown = dict.fromkeys(product(range(len(state.board)), range(len(state.board[0]))), Part())
    for name, cells in blocks.items():
        wood = 1 + WOODS.index(woods[name])
        for at in cells:
            joined = sum(1 << k for k, way in enumerate(DIRECTIONS) if moved(at, way) in cells)
            shown[at] = Part(wood, joined)
    shown = marked(shown, blocks[TARGET], state.goal)
    numbers = [numbered(part) for part in shown.values()]
    return np.array(numbers, np.int16).reshape(len(state.board), len(state.board[0]))


def marked(shown: Mapping[Any, Part], target: Sequence[Cell], goal: Cell) -> dict[Any, Part]:
    """Return the parts with the marks of the goal, and no others: ticks, or T's rim where T is."""
    out = {at: part._replace(ticks=0, home=False) for at, part in shown.items()}
    if target[0] == goal:
        return out | {at: out[at]._replace(home=_is_rim(at, target)) for at in target}
    for k, at in enumerate(_ticked(target, goal)):
        if at in out:
            out[at] = out[at]._replace(ticks=out[at].ticks | 1 << k)
    return out


def _is_rim(at: Cell, cells: Sequence[Cell]) -> bool:
    """Say whether the block's outline runs through one of its cells."""
    around = product(*((n - 1, n, n + 1) for n in at))
    return not set(cells).issuperset(around)


def numbered(part: Part) -> int:
    """Return the number that stands for a part."""
    wood, joined, ticks, home = part
    return ((wood * 16 + joined) * 16 + ticks) * 2 + home


def part_of(number: int) -> Part:
    rest, home = divmod(number, 2)
    rest, ticks = divmod(rest, 16)
    return Part(*divmod(rest, 16), ticks, bool(home))


def _ticked(target: Sequence[Cell], goal: Cell) -> list[Cell]:
    """Return the cells, in the order of _CORNERS, that a tick of the goal lies in."""
    down, across = goal[0] - target[0][0], goal[1] - target[0][1]
    (top, left), (high, wide) = _box(target)
    return [
        (top + down + (high - 1) * low, left + across + (wide - 1) * far) for low, far in _CORNERS
    ]


def _box(cells: Sequence[Cell]) -> tuple[Cell, tuple[int, int]]:
    """Return the first corner of the bounding box, and its rows and columns."""
    shape, corner = placed(cells)
    return corner, extent(shape)


def assemble(seen: Parts) -> str:
    """Return the board that the parts make, the inverse of ``parts``; see ``rules`` for the goal.

    Raises InvalidBoard, naming the cell, where a block is not whole or has not the colour of its
    shape; where T is missing or there are two; and for a cell that can't be told.
    """
    shown = _read(seen)
    blocks = _blocks(shown)
    targets = [cells for cells in blocks if shown[cells[0]].wood == BLUE_WOOD]
    if not targets:
        raise InvalidBoard("klotski: the board has no block T")
    if len(targets) > 1:
        first, second = _at(targets[0][0]), _at(targets[1][0])
        raise InvalidBoard(f"klotski: a second block T at {second}; the first is at {first}")
    if len(blocks) - 1 > len(NAMES):
        raise InvalidBoard(
            f"klotski: the board has {len(blocks) - 1} blocks besides T, and there are names "
            f"for {len(NAMES)}"
        )
    names = iter(NAMES)
    named = {TARGET if cells is targets[0] else next(names): cells for cells in blocks}
    shapes = {name: placed(cells)[0] for name, cells in named.items()}
    for name, wood in woods_of(shapes).items():
        (at, *_), expected = named[name], 1 + WOODS.index(wood)
        if shown[at].wood != expected:
            raise InvalidBoard(f"klotski: the block at {_at(at)} has not the colour of its shape")
    board = np.full(seen.shape, EMPTY)
    for name, cells in named.items():
        for at in cells:
            board[at] = name
    return "\n".join(normal(["".join(row) for row in board]))


def _read(seen: Parts) -> dict[Any, Part]:
    shown = {}
    for at, number in np.ndenumerate(seen):
        if number < 0:
            raise InvalidBoard(f"klotski: what lies at {_at(at)} can't be told")
        shown[at] = part_of(int(number))
    return shown


def _blocks(shown: Mapping[Any, Part]) -> list[list[Cell]]:
    """Return the cells of each block in reading order; raise where a cell's fellow is missing."""
    blocks, owner = list[list[Cell]](), dict[Cell, int]()
    for start, part in shown.items():
        if not part.wood or start in owner:
            continue
        owner[start], edge = len(blocks), [start]
        for at in edge:
            for near in _fellows(shown, at):
                if near not in owner:
                    owner[near] = len(blocks)
                    edge.append(near)
        blocks.append(sorted(edge))
    return blocks


def _fellows(shown: Mapping[Any, Part], at: Cell) -> Iterator[Cell]:
    """Yield the cells beside ``at`` in which its block goes on."""
    part = shown[at]
    for k, way in enumerate(DIRECTIONS):
        near, other = moved(at, way), shown.get(moved(at, way))
        goes_on = part.goes_on(k)
        comes_back = other is not None and other.goes_on(k, back=True)
        if goes_on and (not comes_back or other is None or other.wood != part.wood):
            raise InvalidBoard(f"klotski: the block at {_at(at)} is cut off at {_at(near)}")
        if goes_on:
            yield near


def goes_on(part: int) -> list[bool]:
    """Return over which sides, in the order of DIRECTIONS, a block goes on."""
    return [part_of(part).goes_on(k) for k in range(len(DIRECTIONS))]


def rules(seen: Parts) -> dict[str, Any]:
    """Return the goal that the parts show: by its ticks, or where T has the rim of being there.

    Raises InvalidBoard where they show none, or do not agree.
    """
    shown = _read(seen)
    target = [at for at, part in shown.items() if part.wood == BLUE_WOOD]
    if not target:
        raise InvalidBoard("klotski: the board has no block T")
    found = set(goals(shown, target))
    if not found:
        raise InvalidBoard("klotski: nothing marks where T has to come to")
    if len(found) > 1:
        where = " and ".join(map(_at, sorted(found)))
        raise InvalidBoard(f"klotski: the marks put T's goal at {where}")
    return {"goal": list(found.pop())}


def goals(shown: Mapping[Any, Part], target: Sequence[Cell]) -> Iterator[Cell]:
    """Yield where each mark of the goal puts the first cell of T, whose cells are ``target``."""
    yield from (target[0] for at in target if at in shown and shown[at].home)
    (top, left), (high, wide) = _box(target)
    for (r, c), part in shown.items():
        for k, (low, far) in enumerate(_CORNERS):
            if part.ticks >> k & 1:
                down, across = r - (high - 1) * low - top, c - (wide - 1) * far - left
                yield target[0][0] + down, target[0][1] + across


def changed(before: State, after: State) -> str:
    """Name what is another in ``after`` though no move changes it; "" where nothing is."""
    other = changes.size(before.board, after.board)
    if other:
        return other
    target, now = (placed(blocks_of(state.board)[TARGET])[0] for state in (before, after))
    if target != now:
        return f"T is {_outline(now)}, not {_outline(target)}"
    old, new = (_inventory(state) for state in (before, after))
    for shape in sorted({*old, *new}):
        if old[shape] != new[shape]:
            what = _outline(shape)
            return f"the number of {what} blocks is {new[shape]}, not {old[shape]}"
    return changes.place("the goal of T", before.goal, after.goal)


def _inventory(state: State) -> Counter[Shape]:
    return Counter(placed(cells)[0] for cells in blocks_of(state.board).values())


def _outline(shape: Shape) -> str:
    rows, cols = extent(shape)
    return f"{rows}x{cols}" if len(shape) == rows * cols else f"{len(shape)}-cell"
