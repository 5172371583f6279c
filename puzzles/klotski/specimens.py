"""Trays that show all that the cells of a Klotski picture can look like."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from puzzles.klotski.blocks import FLAT, SINGLE, UPRIGHT, rectangle
from puzzles.klotski.blocks import TARGET as SQUARE
from puzzles.klotski.rules import EMPTY, TARGET, State
from puzzles.klotski.view import OTHERS, Cell, Shape, extent, placed

_USUAL = (SINGLE, FLAT, UPRIGHT)
_SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def _placed(*rows: str) -> Shape:
    return tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "x")


_TARGETS = (
    *(SQUARE, *_USUAL, _placed("xx", "x"), _placed("xxx", "x")),
    *(rectangle(*size) for size in ((1, 3), (3, 1), (2, 3), (3, 2), (3, 3))),
)
_TICKED = 5
"""Colours of rare blocks that are shown beneath the ticks of the goal."""


def specimens(rules: Mapping[str, Any]) -> Iterator[State]:
    """Yield trays, many unlike any puzzle.

    They show each cell of blocks in each colour that it can have; T of many shapes, at home and
    not; and the goal's ticks on the tray, on T and on blocks that are rectangles.
    """
    shapes = _telling()
    for shift in range(len(OTHERS)):
        yield _coloured([*shapes, *_bars(shift)])
    for shape in shapes:
        rows, cols = extent(shape)
        board = _board([shape], 2 * rows, cols)
        yield State(board, shape[0])
        yield State(board, (rows, shape[0][1]))
    for target in _TARGETS:
        yield from _targets(target)
    for target, fill in product((SQUARE, *_USUAL), (None, *_USUAL)):
        yield from _covered(target, fill, 0)
    for shift, fill in product(range(_TICKED), (rectangle(3, 3), rectangle(3, 1))):
        yield from _covered(SQUARE, fill, shift)
    yield from _covered(SQUARE, rectangle(1, 3), 0)


def _telling() -> list[Shape]:
    """A few blocks with every cell of a block, by which of the eight around belong to it.

    Those of blocks of one and of two cells are not among them. No cell counts that bears the letter
    where the block is T: the first, and all in a box of two by two.
    """
    shapes = [_placed("..x", *rows) for rows in (("xxx",), ("x.x", "xxx"))]
    shapes += [_placed("..x", "xxx", row) for row in ("x.x", "xxx")]
    shapes.append(_placed("xxx", "x.x", "xxx"))
    for chosen in product((False, True), repeat=8):
        near = {at for at, is_in in zip((*_SIDES, *_CORNERS), chosen, strict=True) if is_in}
        held = all({(r, 0), (0, c)} <= near for r, c in near if r and c)
        if held and len(near) > 1:
            shapes.append(placed([(0, 0), *near])[0])
    shapes = [shape for shape in shapes if extent(shape) != (2, 2)]
    missing, few = set[frozenset[Cell]]().union(*map(_kinds, shapes)), list[Shape]()
    while missing:
        few.append(max(shapes, key=lambda shape: len(_kinds(shape) & missing)))
        missing -= _kinds(few[-1])
    return few


def _kinds(shape: Shape) -> set[frozenset[Cell]]:
    """Of each cell but the first, the places around it that belong to the block and tell in its
    look: a corner does beside two sides."""
    kinds = set()
    for r, c in shape[1:]:
        near = {(y, x) for y, x in (*_SIDES, *_CORNERS) if (r + y, c + x) in shape}
        kinds.add(frozenset(at for at in near if {(at[0], 0), (0, at[1])} <= {*near, (0, 0)}))
    return kinds


def _bars(count: int) -> list[Shape]:
    """Blocks that take the first colours of rare blocks, so that the others get those after."""
    return [rectangle(1, 4 + k) for k in range(count)]


def _coloured(shapes: Sequence[Shape]) -> State:
    """A tray on which each of the shapes lies once, with T above them."""
    blocks, row, col, wide = [[(0, 0)]], 1, 0, 3 + len(OTHERS)
    for shape in shapes:
        across = extent(shape)[1]
        if col + across > wide:
            row, col = row + 3, 0
        blocks.append([(row + r, col + c) for r, c in shape])
        col += across
    return State(_board(blocks, row + 3, wide), (0, 2))


def _targets(shape: Shape) -> Iterator[State]:
    """T of a shape: its goal clear of it, half over it, and where it is."""
    rows, cols = extent(shape)
    board = _board([[(rows + r, cols + c) for r, c in shape]], 3 * rows, 3 * cols)
    yield State(board, (0, 0))
    for goal in product(range(1, 2 * rows), range(1, 2 * cols)):
        yield State(board, goal)


def _covered(target: Shape, fill: Shape | None, shift: int) -> Iterator[State]:
    """Four blocks of one shape, or empty cells, with the goal in every place over them."""
    rows, cols = extent(fill or SINGLE)
    (high, wide), bars = extent(target), _bars(shift)
    blocks = [[(2 * rows + r, c) for r, c in target]]
    for down, across in product((0, rows), (0, cols)):
        blocks.append([(down + r, across + c) for r, c in fill or ()])
    for k, bar in enumerate(bars):
        blocks.append([(2 * rows + high + k, c) for _, c in bar])
    columns = max(2 * cols, wide, 3 + shift)
    board = _board(blocks, 2 * rows + high + shift, columns)
    for goal in product(range(rows), range(cols)):
        yield State(board, goal)


def _board(blocks: Sequence[Sequence[tuple[int, int]]], rows: int, cols: int) -> tuple[str, ...]:
    """The board on which these blocks lie, T first; they may be more than there are names for."""
    board = [[EMPTY] * cols for _ in range(rows)]
    for number, cells in enumerate(blocks):
        for r, c in cells:
            board[r][c] = chr(0x4E00 + number) if number else TARGET
    return tuple(map("".join, board))
