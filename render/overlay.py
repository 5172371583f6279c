"""Marks on a picture of a board: the grid that was found in it, and what is said of its cells.

Where the board lies is given as the board's coordinates of every pixel, so that marks follow it
however it is turned or bent.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import map_coordinates

from render.boards.place import Bend
from render.boards.warping import RGB, Matrix
from render.glyphs import CHARACTERS, label, label_margin, width
from render.palette import HALO, INK, Colour

Mask = NDArray[np.bool_]
Field = NDArray[np.floating[Any]]

GRID: Colour = (0, 174, 255)
DOUBTFUL: Colour = (255, 150, 0)
UNKNOWN: Colour = (230, 0, 150)
OTHER: Colour = (112, 48, 240)
READ: Colour = (0, 224, 255)
_CELLS = (24, 72)
"""Pixels a cell, the least and the most, at which boards are shown."""
_SIDE = 800
"""Pixels of a board's longer side, where that keeps its cells within these bounds."""
_TURNS = 3
"""Fixed-point steps from a straight board to a bent one; it bends by a fraction of a cell."""
_MARGIN = 20
_TEXT = 12
"""Pixels that capitals are high."""
_LINE = 26
_WIDEST = 0.62
"""How wide a letter and the space after it are on average, in heights of a capital."""


class View(NamedTuple):
    """A picture to be written on, in place, and where its board lies.

    rgb
        uint8 (H, W, 3).
    x, y
        float32 (H, W): where each pixel is on the board, in cells.
    size, cell
        Rows and columns of the board, and pixels a cell.
    matrix
        (2, 3): from (x, y, 1) in cells to pixels.
    """

    rgb: RGB
    x: Field
    y: Field
    size: tuple[int, int]
    cell: float
    matrix: Matrix


def cell_of(size: tuple[int, int]) -> int:
    """Return at how many pixels a cell a board of (rows, columns) is shown."""
    least, most = _CELLS
    return min(most, max(least, _SIDE // max(size)))


def view(
    image: RGB, matrix: Matrix, size: tuple[int, int], cell: int, bend: Bend | None = None
) -> View:
    """Return a picture, scaled to ``cell`` pixels a cell and with a margin, to be written on.

    ``matrix`` is from (x, y, 1) in cells to pixels of ``image``, where the board is not bent.
    """
    scale = cell / float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    height, across = (max(1, round(side * scale)) for side in image.shape[:2])
    how = Image.Resampling.NEAREST if scale >= 4 else Image.Resampling.LANCZOS
    scaled = np.asarray(Image.fromarray(image).resize((across, height), how))
    rgb = np.empty((height + 2 * _MARGIN, across + 2 * _MARGIN, 3), np.uint8)
    rgb[:] = HALO
    rgb[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = scaled
    stretch = np.array([across / image.shape[1], height / image.shape[0]])
    placed = matrix * stretch[:, None] + np.array([[0, 0, _MARGIN]])
    y, x = np.mgrid[: rgb.shape[0], : rgb.shape[1]].astype(np.float32) + np.float32(0.5)
    back = np.linalg.inv(np.vstack([placed, [0, 0, 1]])).astype(np.float32)
    on = [row[0] * x + row[1] * y + row[2] for row in back[:2]]
    if bend is not None:
        on = _unbent(on, bend, size)
    return View(rgb, on[0], on[1], size, float(cell), placed)


def _unbent(on: list[Field], bend: Bend, size: tuple[int, int]) -> list[Field]:
    """Return where pixels are on a bent board, by those on a straight one, in cells."""
    x, y = on
    steps = [(n - 1) / side for n, side in zip(bend.shape, size, strict=False)]
    for _ in range(_TURNS):
        nodes = [y * steps[0], x * steps[1]]
        dx, dy = (map_coordinates(bend[..., k], nodes, order=1, mode="nearest") for k in (0, 1))
        x, y = on[0] - dx, on[1] - dy
    return [x, y]


def grid(on: View) -> None:
    """Draw the boundaries of all cells."""
    near = np.full(on.x.shape, np.inf, np.float32)
    rows, cols = on.size
    for at, count, along, end in ((on.x, cols, on.y, rows), (on.y, rows, on.x, cols)):
        line = np.clip(np.rint(at), 0, count)
        off = np.maximum(np.abs(at - line), np.maximum(-along, along - end))
        near = np.minimum(near, off)
    _blend(on.rgb, 0.5 * _covered(near * on.cell - 2), HALO)
    _blend(on.rgb, 0.9 * _covered(near * on.cell - 1), GRID)


def tint(on: View, share: NDArray[np.floating], colour: Colour) -> None:
    """Lay a colour over each cell, as far as ``share`` (rows, columns) says, 0 to 1."""
    _blend(on.rgb, _of_cells(on, share.astype(np.float32)), colour)


def hatch(on: View, cells: Mask, colour: Colour) -> None:
    """Draw slanted lines over cells (rows, columns)."""
    stripe = np.abs(((on.x + on.y) * on.cell / 9) % 1 - 0.5) * 9 - 1.6
    here = _of_cells(on, cells.astype(np.float32))
    _blend(on.rgb, 0.3 * here, HALO)
    _blend(on.rgb, 0.85 * here * _covered(stripe), colour)


def frame(on: View, cells: Mask, colour: Colour) -> None:
    """Draw a frame inside each of some cells (rows, columns)."""
    edge = np.minimum(*(0.5 - np.abs(at % 1 - 0.5) for at in (on.x, on.y))) * on.cell
    here = _of_cells(on, cells.astype(np.float32))
    _blend(on.rgb, here * _covered(np.abs(edge - 4.5) - 2.5), HALO)
    _blend(on.rgb, here * _covered(np.abs(edge - 4) - 2), colour)


def outline(on: View, field: Field, cell: int, colour: Colour) -> None:
    """Draw the edge of a shape: ``field`` is its signed distance in pixels, ``cell`` a cell."""
    y, x = (at * cell - 0.5 for at in (on.y, on.x))
    inside = (y > -1) & (x > -1) & (y < field.shape[0]) & (x < field.shape[1])
    at = np.full(on.x.shape, np.inf, np.float32)
    at[inside] = _sampled(field, y[inside], x[inside])
    off = np.abs(at) * (on.cell / cell)
    _blend(on.rgb, _covered(off - 2.2), INK)
    _blend(on.rgb, _covered(off - 1.2), colour)


def note(on: View, texts: dict[tuple[int, int], str], colour: Colour = INK) -> None:
    """Write a text into the middle of cells, as large as fits."""
    for (r, c), text in texts.items():
        x, y = on.matrix @ (c + 0.5, r + 0.5, 1)
        size = round(min(0.3 * on.cell, 0.8 * on.cell / (width(text) + 0.3)))
        write(on.rgb, text, x, y, max(6, size), colour)


def write(rgb: RGB, text: str, x: float, y: float, size: int, colour: Colour = INK) -> None:
    """Write a text with a halo, centred at pixel (x, y), capitals ``size`` pixels high."""
    levels = label("".join(c if c in CHARACTERS else " " for c in text), size)
    top = round(y - label_margin(size) - size / 2)
    left = round(x - levels.shape[1] / 2)
    top, left = (max(0, min(at, rgb.shape[k] - 1)) for k, at in enumerate((top, left)))
    room = rgb[top : top + levels.shape[0], left : left + levels.shape[1]]
    levels = levels[: room.shape[0], : room.shape[1]]
    _blend(room, np.minimum(levels, 2) / 2, HALO)
    _blend(room, np.maximum(levels.astype(np.float32) - 2, 0) / 4, colour)


def page(panels: Iterable[tuple[str, RGB]], lines: Iterable[tuple[str, Colour]]) -> RGB:
    """Return pictures side by side, each with its title above, and lines of text below."""
    shown = list(panels)
    gap = _MARGIN // 2
    height = max(rgb.shape[0] for _, rgb in shown)
    across = max(420, gap + sum(rgb.shape[1] + gap for _, rgb in shown))
    room = (across - 2 * _MARGIN - gap) / (_TEXT * (_WIDEST + 0.24))
    folded = [(part, colour) for text, colour in lines for part in wrap(text, int(room))]
    out = np.empty((_LINE + height + _LINE * len(folded) + _MARGIN, across, 3), np.uint8)
    out[:] = HALO
    left = (across - gap - sum(rgb.shape[1] + gap for _, rgb in shown)) // 2 + gap
    for title, rgb in shown:
        out[_LINE : _LINE + rgb.shape[0], left : left + rgb.shape[1]] = rgb
        _write_from(out, title, left + _MARGIN, _LINE * 0.8, INK)
        left += rgb.shape[1] + gap
    for at, (text, colour) in enumerate(folded):
        y = _LINE + height + _LINE * (at + 0.4)
        out[round(y) - 6 : round(y) + 7, gap + _MARGIN : gap + _MARGIN + 5] = colour
        _write_from(out, text, gap + _MARGIN + 14, y, INK)
    return out


def _write_from(rgb: RGB, text: str, left: float, y: float, colour: Colour) -> None:
    shown = "".join(c if c in CHARACTERS else " " for c in text)
    wide = label(shown, _TEXT).shape[1] if shown else 0
    write(rgb, text, left + wide / 2 - label_margin(_TEXT), y, _TEXT, colour)


def _of_cells(on: View, values: Field) -> Field:
    """Return the value of the cell that each pixel lies in, 0 outside the board."""
    rows, cols = on.size
    r, c = np.floor(on.y).astype(np.int32), np.floor(on.x).astype(np.int32)
    inside = (r >= 0) & (r < rows) & (c >= 0) & (c < cols)
    found: Field = np.where(inside, values[r.clip(0, rows - 1), c.clip(0, cols - 1)], 0)
    return found


def _sampled(field: Field, y: Field, x: Field) -> Field:
    """Return a field between its pixels, by linear interpolation."""
    height, across = field.shape
    y, x = y.clip(0, height - 1.001), x.clip(0, across - 1.001)
    top, left = y.astype(np.int32), x.astype(np.int32)
    down, right = y - top, x - left
    upper = field[top, left] * (1 - right) + field[top, left + 1] * right
    lower = field[top + 1, left] * (1 - right) + field[top + 1, left + 1] * right
    found: Field = upper * (1 - down) + lower * down
    return found


def _covered(distance: Field) -> Field:
    """How far pixels at a signed distance, in pixels, from a shape are covered by it."""
    share: Field = np.clip(0.5 - distance, 0, 1)
    return share


def _blend(rgb: RGB, share: Field, colour: Colour) -> None:
    where = share > 0
    k = share[where][:, None]
    rgb[where] = (rgb[where] * (1 - k) + np.array(colour, np.float32) * k + 0.5).astype(np.uint8)
