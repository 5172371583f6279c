"""The picture of a Klotski board: wooden blocks in a dark tray, one colour a shape."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from puzzles.directions import moved
from puzzles.klotski.rules import TARGET, Slide, State, blocks_of
from render.canvas import Painting, Picture, Sprite, Stencil, mark, stamp
from render.chips import CHIP_COLOURS, Box, Hint, put_chips
from render.glyphs import write
from render.grid import AID_COLOURS, aid
from render.palette import AID_RED, HALO, Colour, Paints, mix
from render.shapes import Field, Plane, meet, union

Cell = tuple[int, int]
Shape = tuple[Cell, ...]  # cells from the top left corner of their bounding box, in reading order
Rectangle = tuple[int, int, int, int]  # top, left, bottom, right; the last two excluded

TRAY: Colour = (50, 47, 49)
GOAL: Colour = (66, 222, 112)
GOAL_EDGE: Colour = (14, 60, 34)
BLUE: Colour = (44, 100, 180)
HONEY: Colour = (244, 192, 92)
SEA: Colour = (110, 186, 178)
CREAM: Colour = (250, 236, 204)
OTHERS: tuple[Colour, ...] = (
    *((150, 186, 236), (176, 200, 90), (24, 128, 120), (236, 226, 90), (120, 210, 240)),
    *((96, 116, 80), (190, 232, 200), (28, 92, 120), (230, 234, 220), (80, 160, 90)),
)
USUAL: dict[Shape, Colour] = {
    ((0, 0),): CREAM,
    ((0, 0), (0, 1)): SEA,
    ((0, 0), (1, 0)): HONEY,
}
WOODS = (BLUE, HONEY, SEA, CREAM, *OTHERS)
COLOURS = (TRAY, GOAL, GOAL_EDGE, *WOODS)


class _Look(NamedTuple):
    """All that decides how a block looks."""

    shape: Shape
    wood: Colour
    target: bool
    home: bool


def draw(state: State, cell: int = 64) -> Picture:
    """The tray, ``cell`` pixels a cell, edge to edge, with green ticks round T's goal."""
    paints = paints_of(cell)
    rows, cols = len(state.board), len(state.board[0])
    pixels = np.full((rows * cell, cols * cell), paints.index(TRAY), np.uint8)
    blocks = blocks_of(state.board)
    for look, (row, col) in _looks(blocks, state.goal):
        stamp(pixels, _block(look, cell), row * cell, col * cell)
    if blocks[TARGET][0] != state.goal:
        shape, (top, left) = placed(blocks[TARGET])
        (row, col), (first_row, first_col) = state.goal, blocks[TARGET][0]
        y, x = (top + row - first_row) * cell, (left + col - first_col) * cell
        stamp(pixels, _ticks(*extent(shape), cell), y, x)
    return Picture(pixels, paints.colours)


def draw_aid(state: State, cell: int = 64) -> Picture:
    """The tray with a dashed grid and the coordinates of every cell."""
    picture = draw(state, cell)
    letters = np.zeros(picture.pixels.shape, bool)
    shape, (row, col) = placed(blocks_of(state.board)[TARGET])
    mark(letters, _letter(shape, cell), row * cell, col * cell)
    return aid(picture, cell, paints_of(cell), dashed=True, letters=letters)


def draw_solution(state: State, actions: Sequence[Slide], cell: int = 64) -> Picture:
    """The tray with numbered hints on the blocks that are to move, nothing moved."""
    blocks = blocks_of(state.board)
    owner = {at: name for name, cells in blocks.items() for at in cells}
    moves = []
    for at, direction in actions:
        name = owner[at]
        moves.append((name, direction))
        cells = [at for at, of in owner.items() if of == name]
        owner = {at: of for at, of in owner.items() if of != name}
        owner |= {moved(at, direction): name for at in cells}
    return draw_hints(state, moves, cell)


def draw_hints(state: State, moves: Sequence[tuple[str, str]], cell: int = 64) -> Picture:
    """The tray with a numbered hint for each move of a named block."""
    picture, blocks = draw(state, cell), blocks_of(state.board)
    hints: dict[str, list[Hint]] = {name: [] for name in blocks}
    for number, (name, direction) in enumerate(moves, 1):
        hints[name].append((number, direction))
    for name, numbered in hints.items():
        _put_hints(picture, blocks[name], numbered, name == TARGET, cell)
    return picture


def _put_hints(
    picture: Picture, cells: Sequence[Cell], hints: Sequence[Hint], target: bool, cell: int
) -> None:
    boxes = hint_boxes(cells, target, cell)
    half = (len(hints) + 1) // len(boxes)
    for box, part in zip(boxes, (hints[:half], hints[half:]), strict=False):
        put_chips(picture, part, box, cell, paints_of(cell))


def hint_boxes(cells: Sequence[Cell], target: bool, cell: int) -> list[Box]:
    """Return where the hints on a block are, in their order.

    It is the largest rectangle of the block; on T what lies above its letter, and then below.
    """
    area = max(_rectangles(cells), key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
    top, left, bottom, right = (round(at * cell) for at in area)
    pad = round(0.06 * cell)
    y, x, height, width = top + pad, left + pad, bottom - top - 2 * pad, right - left - 2 * pad
    if not target or height < cell:
        return [(y, x, height, width)]
    band = round(0.31 * height)
    return [(y, x, band, width), (y + height - band, x, band, width)]


def _looks(blocks: dict[str, list[Cell]], goal: Cell) -> list[tuple[_Look, Cell]]:
    places = {name: placed(cells) for name, cells in blocks.items()}
    woods = woods_of({name: shape for name, (shape, _) in places.items()})
    out = []
    for name, (shape, corner) in places.items():
        target = name == TARGET
        home = target and blocks[name][0] == goal
        out.append((_Look(shape, woods[name], target, home), corner))
    return out


def woods_of(shapes: Mapping[str, Shape]) -> dict[str, Colour]:
    """The colour of each block by its shape: the rare ones take theirs in order, T has its own."""
    rare = {shape for name, shape in shapes.items() if name != TARGET} - set(USUAL)
    woods = USUAL | {shape: OTHERS[i % len(OTHERS)] for i, shape in enumerate(sorted(rare))}
    return {name: BLUE if name == TARGET else woods[shape] for name, shape in shapes.items()}


def placed(cells: Iterable[Cell]) -> tuple[Shape, Cell]:
    """A block's shape, and where the corner of its bounding box is."""
    cells = list(cells)
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells)), (top, left)


def extent(shape: Shape) -> tuple[int, int]:
    return max(r for r, _ in shape) + 1, max(c for _, c in shape) + 1


def _rectangles(cells: Iterable[Cell]) -> list[Rectangle]:
    """The rectangles of cells that lie in no larger one."""
    inside, found = set(cells), list[Rectangle]()
    for top, left in sorted(inside):
        right = left
        bottom = top
        while (bottom, left) in inside:
            reach = left
            while (bottom, reach) in inside and (bottom == top or reach < right):
                reach += 1
            right, bottom = reach, bottom + 1
            found.append((top, left, bottom, right))
    return [a for a in found if not any(a != b and _within(a, b) for b in found)]


def _within(a: Rectangle, b: Rectangle) -> bool:
    return a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]


@lru_cache(maxsize=8)
def paints_of(cell: int) -> Paints:
    """Return the palette at this size of a cell."""
    looks = [_Look(((0, 0),), wood, False, False) for wood in WOODS]
    square = ((0, 0), (0, 1), (1, 0), (1, 1))
    looks += [_Look(square, BLUE, True, home) for home in (False, True)]
    samples = [_stencil_of(look, cell).rgb(TRAY, _colours(look)) for look in looks]
    samples.append(_paint_ticks(2, 2, cell).rgb)
    shades = [shade for wood in WOODS for shade in (_shade(wood), _shine(wood))]
    exact = [*COLOURS, *AID_COLOURS, *CHIP_COLOURS, *shades]
    return Paints(exact, samples, [AID_RED, HALO])


@lru_cache(maxsize=1024)
def _block(look: _Look, cell: int) -> Sprite:
    return _stencil_of(look, cell).bake(TRAY, _colours(look), paints_of(cell))


def _colours(look: _Look) -> list[Colour]:
    """The colours of what ``_stencil`` lays."""
    rim = [GOAL_EDGE, GOAL, GOAL_EDGE] if look.home else []
    letter = [HALO] if look.target else []
    return [_shade(look.wood), _shine(look.wood), *rim, look.wood, *letter]


def _shade(wood: Colour) -> Colour:
    return mix(wood, TRAY, 2)


def _shine(wood: Colour) -> Colour:
    return mix(wood, (255, 255, 255), 3, 8)


def _solid(plane: Plane, shape: Shape, inset: float, lift: float, radius: float) -> Field:
    """The block's outline, ``inset`` from its cells and ``lift`` more at the bottom."""
    return union(
        *(
            plane.box(left + inset, top + inset, right - inset, bottom - inset - lift, radius)
            for top, left, bottom, right in _rectangles(shape)
        )
    )


def _stencil_of(look: _Look, cell: int) -> Stencil:
    return _stencil(look.shape, look.target, look.home, cell)


@lru_cache(maxsize=128)
def _stencil(shape: Shape, target: bool, home: bool, cell: int) -> Stencil:
    """A block with a lit upper edge; T carries its letter, and where it is home a green rim."""
    plane = Plane(*extent(shape), cell)
    face = _solid(plane, shape, 0.035, 0.07, 0.15)
    layers = [_solid(plane, shape, 0.035, 0.0, 0.15), face]
    if home:
        layers += [face, face + 0.025, face + 0.13, face + 0.155]
    else:
        layers.append(meet(face + 0.03, _solid(plane, shape, 0.06, 0.03, 0.13)))
    return Stencil(cell, [*layers, _t(plane, shape)] if target else layers)


def _t(plane: Plane, shape: Shape) -> Field:
    """The letter, in the middle of four cells so that coordinates leave it clear."""
    square = extent(shape) == (2, 2)
    x, y, height = (1.0, 1.0, 0.62) if square else (shape[0][1] + 0.5, 0.5, 0.5)
    return write(plane, "T", x, y, height, 0.22)


@lru_cache(maxsize=64)
def _letter(shape: Shape, cell: int) -> Sprite:
    painting = Painting(cell, BLUE, *extent(shape))
    return painting.fill(_t(painting.plane, shape), HALO).bake(paints_of(cell))


@lru_cache(maxsize=64)
def _ticks(rows: int, cols: int, cell: int) -> Sprite:
    return _paint_ticks(rows, cols, cell).bake(paints_of(cell))


def _paint_ticks(rows: int, cols: int, cell: int) -> Painting:
    """Ticks in the corners of the goal."""
    painting = Painting(cell, TRAY, rows, cols)
    edge, reach = 0.05, 0.3
    corners = []
    for x, dx in ((edge, reach), (cols - edge, -reach)):
        for y, dy in ((edge, reach), (rows - edge, -reach)):
            corners.append(painting.plane.line([(x + dx, y), (x, y), (x, y + dy)], 0.055))
    return painting.fill(union(*corners) - 0.025, GOAL_EDGE).fill(union(*corners), GOAL)
