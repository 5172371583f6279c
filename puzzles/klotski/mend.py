"""What the cells of a tray are if those that do not go with the rest were misread."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from puzzles.directions import DIRECTIONS, moved
from puzzles.family import Cell
from puzzles.klotski.read import BLUE_WOOD, Part, Parts, goals, marked, numbered, part_of
from puzzles.klotski.rules import TARGET
from puzzles.klotski.view import USUAL, WOODS, extent, placed, woods_of

_AGREEING = 2
"""Marks of the goal that must agree for others to be taken for misread."""
_USUAL, _LEAST = 1 + len(USUAL), 3
"""Woods that are not of rare shapes, and cells that a rare shape has at least."""
_ENDS = sorted(
    (1 + WOODS.index(wood), sum(1 << k for k, way in enumerate(DIRECTIONS) if moved(at, way) in s))
    for s, wood in USUAL.items()
    for at in s
)
"""Woods of the cells of usual blocks, and where the blocks go on there."""

Shown = Mapping[Any, Part]
Block = list[Cell]


def mended(seen: Parts) -> Parts:
    """Return the same parts with every block in the colour of its shape, and one goal.

    Parts are of one block where each goes on in the other; where only one of two does, neither is
    known. T is the block that most often has its colour; without one no colour is mended. The goal
    is where most of its marks put it. What is unknown goes with anything.
    """
    shown = {at: part_of(int(number)) for at, number in np.ndenumerate(seen) if number >= 0}
    blocks = _components(shown)
    ends = [_loose_ends(shown, cells) for cells in blocks]
    whole = [cells for cells, loose in zip(blocks, ends, strict=True) if not loose]
    out = dict(shown)
    target = max(blocks, key=lambda cells: _blue(shown, cells), default=[])
    if target and _blue(shown, target) >= 0.5:
        out |= _in_their_woods(shown, blocks, whole, target, complete=len(shown) == seen.size)
        goal = _goal(shown, target, seen.shape) if target in whole else None
        out = out if goal is None else marked(out, target, goal)
    numbers = np.full_like(seen, -1)
    rare = _rare_woods(shown, seen.size - len(shown))
    for at, part in out.items():
        numbers[at] = numbered(part if part.wood <= rare else _usual(part))
    for at, near in (pair for loose in ends for pair in loose):
        if shown[at].wood > rare:
            continue
        if near in shown or not _on(seen.shape, near):
            numbers[at] = -1
        if near in shown:
            numbers[near] = -1
    return numbers


def _blue(shown: Shown, cells: Block) -> float:
    return sum(shown[at].wood == BLUE_WOOD for at in cells) / len(cells)


def _in_their_woods(
    shown: Shown, blocks: Sequence[Block], whole: Sequence[Block], target: Block, complete: bool
) -> dict[Cell, Part]:
    """Return the parts of blocks whose colour is known by their shape, in that colour.

    That of rare shapes depends on all that there are.
    """
    named = {TARGET if cells is target else str(k): cells for k, cells in enumerate(blocks)}
    shapes = {name: placed(cells)[0] for name, cells in named.items() if cells in whole}
    if not complete or len(whole) < len(blocks):
        shapes = {name: s for name, s in shapes.items() if name == TARGET or s in USUAL}
    woods = {name: 1 + WOODS.index(wood) for name, wood in woods_of(shapes).items()}
    return {at: shown[at]._replace(wood=wood) for name, wood in woods.items() for at in named[name]}


def _rare_woods(shown: Shown, hidden: int) -> int:
    """Return the last wood that there can be.

    Each rare shape has its own, in their order, and three cells or more: those of which fewer are
    seen must be where nothing is.
    """
    seen = Counter(part.wood for part in shown.values())
    for wood in range(_USUAL + 1, 1 + len(WOODS)):
        hidden -= max(0, _LEAST - seen[wood])
        if hidden < 0:
            return wood - 1
    return len(WOODS)


def _usual(part: Part) -> Part:
    """Return what a part in a wood that can't be is taken to be: of the usual block whose colour is
    most like it, and that goes on most like it."""

    def unlike(usual: tuple[int, int]) -> tuple[int, int]:
        pairs = zip(WOODS[part.wood - 1], WOODS[usual[0] - 1], strict=True)
        return sum((a - b) ** 2 for a, b in pairs), (part.joined ^ usual[1]).bit_count()

    wood, joined = min(_ENDS, key=unlike)
    return part._replace(wood=wood, joined=joined)


def _goal(shown: Shown, target: Block, size: Sequence[int]) -> Cell | None:
    """Return where most marks put the first cell of T; None where none are or it can't be told."""
    (top, left), (high, wide) = placed(target)[1], extent(placed(target)[0])
    votes = Counter[Cell]()
    for row, col in goals(shown, target):
        corner = top + row - target[0][0], left + col - target[0][1]
        if _on(size, corner) and _on(size, (corner[0] + high - 1, corner[1] + wide - 1)):
            votes[row, col] += 1
    (goal, most), (_, next_most) = (*votes.most_common(2), (None, 0), (None, 0))[:2]
    return goal if most >= _AGREEING and most > next_most else None


def _on(size: Sequence[int], at: Cell) -> bool:
    return 0 <= at[0] < size[0] and 0 <= at[1] < size[1]


def _components(shown: Shown) -> list[Block]:
    """Return the cells of each block in reading order, as far as they are seen to go on."""
    blocks, owned = list[Block](), set[Cell]()
    for start, part in shown.items():
        if not part.wood or start in owned:
            continue
        owned.add(start)
        edge = [start]
        for at in edge:
            for k, way in enumerate(DIRECTIONS):
                near = moved(at, way)
                if near not in owned and shown[at].goes_on(k) and _comes_back(shown, near, k):
                    owned.add(near)
                    edge.append(near)
        blocks.append(sorted(edge))
    return blocks


def _loose_ends(shown: Shown, cells: Block) -> list[tuple[Cell, Cell]]:
    """Return cells in which a block goes on, as (from, to), and that are not seen to be of it."""
    return [
        (at, moved(at, way))
        for at in cells
        for k, way in enumerate(DIRECTIONS)
        if shown[at].goes_on(k) and not _comes_back(shown, moved(at, way), k)
    ]


def _comes_back(shown: Shown, at: Cell, way: int) -> bool:
    part = shown.get(at, Part())
    return bool(part.wood) and part.goes_on(way, back=True)
