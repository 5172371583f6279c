"""The picture of an Onet board: a fruit or a vegetable on every card."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.notation import marked
from puzzles.onet.fruits import FRUITS
from puzzles.onet.links import EMPTY
from puzzles.onet.produce import COLOURS as PRODUCE_COLOURS
from puzzles.onet.rules import Pair, State, link
from puzzles.onet.vegetables import VEGETABLES
from render.canvas import Painting, Picture, Pixels, characters, lay, stack
from render.grid import AID_COLOURS, aid
from render.palette import AID_RED, HALO, Colour, Paints
from render.shapes import Point
from render.strokes import centres, polyline, stroke_width

GROUND: Colour = (232, 222, 204)
CARD: Colour = (255, 251, 242)
CARD_SHADE: Colour = (212, 203, 176)
DARK_CARD: Colour = (176, 206, 226)
CASING: Colour = (38, 34, 46)
PAIRS: tuple[Colour, ...] = (
    *((255, 0, 255), (0, 255, 0), (255, 135, 0), (0, 195, 255), (0, 0, 225), (225, 15, 60)),
    *((90, 120, 255), (0, 255, 240), (255, 135, 165), (255, 255, 0), (225, 0, 135)),
    *((255, 120, 90), (150, 60, 225), (0, 225, 150), (180, 135, 255), (225, 60, 0)),
    *((135, 180, 255), (0, 150, 225)),
)
COLOURS = (GROUND, CARD, CARD_SHADE, DARK_CARD, *PRODUCE_COLOURS)
_ICONS = FRUITS | VEGETABLES
_TILE_OF = np.zeros(256, np.uint8)  # by character code: 0 empty, then A to Z, then a to z
_TILE_OF[np.frombuffer((ascii_uppercase + ascii_lowercase).encode(), np.uint8)] = range(1, 53)


class _Art(NamedTuple):
    paints: Paints
    tiles: Pixels  # empty, then A to Z


def draw(state: State, cell: int = 64) -> Picture:
    """The board, ``cell`` pixels a cell, edge to edge."""
    codes = characters(state.board)
    tiles = _dark_tiles(cell) if codes.max() >= ord("a") else _art(cell).tiles
    return Picture(lay(tiles, _TILE_OF[codes]), _art(cell).paints.colours)


def draw_aid(state: State, cell: int = 64) -> Picture:
    """The board with the grid and the coordinates of every cell."""
    return aid(draw(state, cell), cell, _art(cell).paints)


def draw_solution(state: State, actions: Sequence[Pair], cell: int = 64) -> Picture:
    """The board with one line a pair, each of its own colour, as it runs when its turn comes.

    Lines that would run along each other move apart a little. Their dots lie on top, so that every
    end is seen.
    """
    picture, paints = draw(state, cell), _art(cell).paints
    width, lanes = stroke_width(cell), _Lanes(len(state.board), len(state.board[0]))
    lines = []
    for at, pair in enumerate(actions):
        points = lanes.place(link(state, *pair) or _corner(pair))
        lines.append((points, PAIRS[at % len(PAIRS)]))
        state = replace(state, board=tuple(marked(state.board, [(tile, EMPTY) for tile in pair])))
    ends = [([end], colour) for points, colour in lines for end in (points[0], points[-1])]
    for strokes, wide in ((lines, width), (ends, 2 * width)):
        for points, colour in strokes:
            for ink, more in ((CASING, 2 * max(1, cell // 32)), (colour, 0)):
                polyline(picture.pixels, points, cell, wide + more, paints.wash(ink))
    return picture


def _corner(pair: Pair) -> list[tuple[int, int]]:
    """A way between two tiles that nothing links: along a row, then along a column."""
    (a, b), (c, d) = pair
    return [(a, b), (a, d), (c, d)]


LANES = (0.0, 0.17, -0.17, 0.34, -0.34)


class _Lanes:
    """Keeps lines apart: a line moves sideways to where it lies least on earlier ones."""

    def __init__(self, rows: int, cols: int):
        self._rows, self._cols = rows, cols
        self._taken = np.zeros((0, 4))

    def place(self, way: Sequence[tuple[int, int]]) -> list[Point]:
        best, least = list[Point](), np.inf
        for lane in LANES:
            points = shifted(way, lane, self._rows, self._cols)
            bands = _bands(points)
            hidden = _shared(bands, self._taken)
            if hidden < least - 1e-9:
                best, least = points, hidden
        self._taken = np.concatenate([self._taken, _bands(best)])
        return best


_BAND = 0.19
"""Of a line with its casing, in cells."""


def _bands(points: Sequence[Point]) -> NDArray[np.float64]:
    """Return what the pieces of a line cover, (pieces, 4): left, top, right, bottom in cells."""
    ends = np.array(points)
    low, high = np.minimum(ends[:-1], ends[1:]), np.maximum(ends[:-1], ends[1:])
    return np.concatenate([low - _BAND / 2, high + _BAND / 2], axis=1)


def _shared(bands: NDArray[np.float64], taken: NDArray[np.float64]) -> float:
    """Return the area, in cells, that is covered by both."""
    low = np.maximum(bands[:, None, :2], taken[:, :2])
    high = np.minimum(bands[:, None, 2:], taken[:, 2:])
    return float(np.maximum(high - low, 0).prod(axis=-1).sum())


def shifted(way: Sequence[tuple[int, int]], shift: float, rows: int, cols: int) -> list[Point]:
    """Return the corners of a line along ``way``, in cells, ``shift`` to the right and down."""
    points = centres(way)
    moved = [(x + shift, y + shift) for x, y in points]
    for end, beside in ((0, 1), (-1, -2)):  # an end moves off its line, not along it
        x, y = points[end]
        moved[end] = (x, y + shift) if y == points[beside][1] else (x + shift, y)
    return [(min(max(x, 0.1), cols - 0.1), min(max(y, 0.1), rows - 0.1)) for x, y in moved]


@lru_cache(maxsize=8)
def _art(cell: int) -> _Art:
    paintings = [Painting(cell, GROUND), *_cards(CARD, cell)]
    exact = [*COLOURS, *AID_COLOURS, CASING, *PAIRS]
    paints = Paints(exact, [painting.rgb for painting in paintings], [AID_RED, HALO, CASING])
    return _Art(paints, stack([painting.bake(paints) for painting in paintings]))


@lru_cache(maxsize=8)
def _dark_tiles(cell: int) -> Pixels:
    """The tiles of ``_art`` and those of the small letters, which are rarely asked for."""
    art = _art(cell)
    dark = stack([card.bake(art.paints) for card in _cards(DARK_CARD, cell)])
    return np.concatenate([art.tiles, dark])


def _cards(colour: Colour, cell: int) -> list[Painting]:
    return [_icon(_ICONS[kind], cell).over(_card(colour, cell)) for kind in ascii_uppercase]


def _icon(paint: Callable[[Painting], None], cell: int) -> Painting:
    painting = Painting(cell, CARD)
    paint(painting)
    return painting


def _card(colour: Colour, cell: int) -> Painting:
    painting = Painting(cell, GROUND)
    painting.fill(painting.plane.box(0.035, 0.035, 0.965, 0.965, 0.14), CARD_SHADE)
    return painting.fill(painting.plane.box(0.035, 0.035, 0.965, 0.935, 0.14), colour)
