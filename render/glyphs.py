"""Our own letters: strokes of lines, quarter ellipses and quadratic curves; no font is read."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.canvas import coverage
from render.shapes import Field, Plane, Point, bend, union

_BOWL = "M.26 .34h.52 .67v.26 1h0 .67v.26 .34"
_RING = "M.38 0h.76 .5v.38 1h0 .5v.38 0"
_P = "M0 1L0 0L.32 0h.6 .28v.32 .56L0 .56"
_C = "M.66 .2Q.56 0 .36 0h0 .5v.36 1"

# Cap height is 1, y runs down to the baseline at 1. M moves, L draws a line, Q a quadratic curve,
# h and v a quarter ellipse that leaves horizontally or vertically.
_STROKES = {
    "0": "M.3 0h.6 .32L.6 .68v.3 1h0 .68L0 .32v.3 0",
    "1": "M0 .22L.27 0L.27 1M.02 1L.52 1",
    "2": "M.02 .28v.3 0h.58 .28Q.58 .45 .42 .6L0 1L.6 1",
    "3": "M.02 .2v.29 0h.56 .24v.29 .47L.2 .47M.29 .47h.6 .73v.3 1h0 .78",
    "4": "M.46 1L.46 0L0 .68L.62 .68",
    "5": "M.54 0L.1 0L.06 .45Q.16 .37 .3 .37h.6 .68v.3 1h0 .8",
    "6": "M.3 .4h.6 .7v.3 1h0 .7v.3 .4M0 .7Q0 .12 .46 0",
    "7": "M0 0L.6 0L.22 1",
    "8": "M.3 0h.56 .235v.3 .47h.04 .235v.3 0M.3 .47h.6 .735v.3 1h0 .735v.3 .47",
    "9": "M.3 .6h0 .3v.3 0h.6 .3v.3 .6M.6 .3Q.6 .88 .14 1",
    "A": "M0 1L.36 0L.72 1M.13 .66L.59 .66",
    "B": "M0 0L0 1L.34 1h.64 .735v.34 .47L0 .47M0 0L.32 0h.58 .235v.32 .47",
    "C": _C + "Q.56 1 .66 .8",
    "D": "M0 0L0 1L.28 1h.68 .5v.28 0L0 0",
    "E": "M.54 0L0 0L0 1L.54 1M0 .48L.46 .48",
    "F": "M.54 0L0 0L0 1M0 .5L.44 .5",
    "G": _C + "h.7 .74L.7 .54L.42 .54",
    "H": "M0 0L0 1M.62 0L.62 1M0 .48L.62 .48",
    "I": "M.2 0L.2 1M0 0L.4 0M0 1L.4 1",
    "J": "M.14 0L.48 0L.48 .7v.24 1h0 .76",
    "K": "M0 0L0 1M.58 0L0 .6M.2 .4L.62 1",
    "L": "M0 0L0 1L.52 1",
    "M": "M0 1L0 0L.4 .62L.8 0L.8 1",
    "N": "M0 1L0 0L.64 1L.64 0",
    "O": _RING,
    "P": _P,
    "Q": _RING + "M.46 .68L.76 1.06",
    "R": _P + "M.3 .56L.64 1",
    "S": "M.57 .18Q.48 0 .3 0h.02 .25v.3 .48h.6 .74v.3 1Q.08 1 0 .8",
    "T": "M0 0L.66 0M.33 0L.33 1",
    "U": "M0 0L0 .66v.31 1h.62 .66L.62 0",
    "V": "M0 0L.35 1L.7 0",
    "W": "M0 0L.23 1L.46 .25L.69 1L.92 0",
    "X": "M0 0L.64 1M.64 0L0 1",
    "Y": "M0 0L.33 .5L.66 0M.33 .5L.33 1",
    "Z": "M0 0L.6 0L0 1L.6 1",
    "a": _BOWL + "M.52 .34L.52 1",
    "b": _BOWL + "M0 0L0 1",
    "c": "M.48 .48Q.4 .34 .27 .34h0 .67v.27 1Q.4 1 .48 .86",
    "d": _BOWL + "M.52 0L.52 1",
    "e": "M0 .66L.52 .66v.26 .34h0 .67v.27 1Q.42 1 .5 .88",
    "f": "M.38 0h.14 .24L.14 1M0 .36L.36 .36",
    "g": _BOWL + "M.52 .34L.52 1.02v.26 1.28Q.1 1.28 .04 1.18",
    "h": "M0 0L0 1M0 .6v.26 .34h.52 .6L.52 1",
    "i": "M.1 .36L.1 1M.1 .06L.1 .09",
    "j": "M.24 .36L.24 1.06v.02 1.28M.24 .06L.24 .09",
    "k": "M0 0L0 1M.44 .34L0 .74M.16 .6L.48 1",
    "l": "M0 0L0 .8v.22 1",
    "m": "M0 .34L0 1M0 .56v.2 .34h.4 .56L.4 1M.4 .56v.6 .34h.8 .56L.8 1",
    "n": "M0 .34L0 1M0 .6v.26 .34h.52 .6L.52 1",
    "o": _BOWL,
    "p": _BOWL + "M0 .34L0 1.28",
    "q": _BOWL + "M.52 .34L.52 1.28",
    "r": "M0 .34L0 1M0 .62v.32 .34",
    "s": "M.44 .46Q.36 .34 .23 .34h.02 .5v.23 .66h.46 .83v.23 1Q.08 1 0 .87",
    "t": "M.16 .08L.16 .8v.38 1M0 .36L.36 .36",
    "u": "M0 .34L0 .74v.26 1h.52 .74M.52 .34L.52 1",
    "v": "M0 .34L.26 1L.52 .34",
    "w": "M0 .34L.18 1L.37 .5L.56 1L.74 .34",
    "x": "M0 .34L.5 1M.5 .34L0 1",
    "y": "M0 .34L.26 1M.52 .34L.2 1.16Q.14 1.3 0 1.28",
    "z": "M0 .34L.48 .34L0 1L.48 1",
    "(": "M.24 -.1Q-.08 .5 .24 1.14",
    ")": "M0 -.1Q.32 .5 0 1.14",
    ",": "M.1 .94L.1 1L.02 1.18",
    ".": "M.06 .96L.06 1",
    "-": "M0 .56L.4 .56",
    "/": "M0 1.06L.44 -.06",
    ":": "M.06 .4L.06 .44M.06 .92L.06 .96",
    ";": "M.1 .4L.1 .44M.1 .94L.1 1L.02 1.18",
    "'": "M.06 0L.06 .22",
    "?": "M0 .24v.28 0h.56 .26Q.56 .42 .42 .52Q.28 .62 .28 .72M.28 .97L.28 1",
    "%": "M.15 0h.3 .16v.15 .32h0 .16v.15 0M.62 0L.1 1M.57 .68h.72 .84v.57 1h.42 .84v.57 .68",
    " ": "M.15 .5",
    "↑": "M.34 1L.34 .04M0 .4L.34 .04L.68 .4",
    "↓": "M.34 0L.34 .96M0 .6L.34 .96L.68 .6",
    "→": "M0 .5L.92 .5M.56 .14L.92 .5L.56 .86",
    "←": "M.92 .5L0 .5M.36 .14L0 .5L.36 .86",
}
CHARACTERS = "".join(_STROKES)
_PART = re.compile(r"([MLQhv])([^MLQhv]*)")
_SPACE = 0.24  # between glyphs, in cap heights
_TAN, _COS = 0.41421356, 0.70710678  # of 22.5 and 45 degrees


class Glyph(NamedTuple):
    """Polylines in cap heights, and how wide they reach."""

    width: float
    lines: tuple[tuple[Point, ...], ...]


@cache
def glyph(character: str) -> Glyph:
    """The strokes of a character; raises ValueError for one that we do not draw."""
    if character not in _STROKES:
        raise ValueError(f"no glyph for {character!r}")
    lines: list[list[Point]] = []
    for kind, numbers in _PART.findall(_STROKES[character]):
        xs = [float(number) for number in numbers.split()]
        end = (xs[-2], xs[-1])
        if kind == "M":
            lines.append([end])
        else:
            lines[-1] += _segment(kind, lines[-1][-1], xs, end)
    drawn = tuple(tuple(line) for line in lines if len(line) > 1)
    return Glyph(max(x for line in lines for x, _ in line), drawn)


def _segment(kind: str, start: Point, xs: list[float], end: Point) -> list[Point]:
    if kind == "L":
        return [end]
    if kind == "Q":
        return bend(start, (xs[0], xs[1]), end)[1:]
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    if kind == "h":
        first, middle = (ax + _TAN * dx, ay), (ax + _COS * dx, by - _COS * dy)
        last = (bx, by - _TAN * dy)
    else:
        first, middle = (ax, ay + _TAN * dy), (bx - _COS * dx, ay + _COS * dy)
        last = (bx - _TAN * dx, by)
    return bend(start, first, middle, 4)[1:] + bend(middle, last, end, 4)[1:]


def width(text: str, space: float = _SPACE) -> float:
    """How wide a text runs, in cap heights, stroke width left out."""
    return sum(glyph(c).width for c in text) + space * (len(text) - 1)


def write(
    plane: Plane, text: str, x: float, y: float, height: float, weight: float = 0.16
) -> Field:
    """A text centred at (x, y): capitals ``height`` cells tall, strokes ``weight`` of that wide."""
    left, parts = x - width(text) * height / 2, []
    for character in text:
        shape = glyph(character)
        for line in shape.lines:
            points = [(left + px * height, y + (py - 0.5) * height) for px, py in line]
            parts.append(plane.line(points, weight * height))
        left += (shape.width + _SPACE) * height
    return union(*parts)


@lru_cache(maxsize=4096)
def _label_glyph(character: str, size: int) -> NDArray[np.uint8]:
    """A small glyph for ``label``, on whole pixels, with room for its halo all round."""
    stroke, margin = max(1.15, 0.145 * size), label_margin(size)
    pen = round(stroke)
    shape = glyph(character)
    drawn = max(0 if shape.width < 0.2 else 1, int(shape.width * (size - pen) + 0.45))
    plane = Plane(size + 2 * margin + (size + 3) // 4, drawn + pen + 2 * margin, 1)
    if not shape.lines:
        return np.zeros((plane.y.size, plane.x.size), np.uint8)
    scale, left, top = drawn / max(shape.width, 0.01), margin + pen / 2, margin + pen / 2
    lines = [[(left + x * scale, top + y * (size - pen)) for x, y in line] for line in shape.lines]
    field = union(*(plane.line(line, stroke) for line in lines))
    ink = coverage(field, 1)
    halo = (coverage(field - max(1.25, 0.17 * size), 1) + 1) // 2
    return np.where(ink > 0, ink + 2, halo).astype(np.uint8)


def label_margin(size: int) -> int:
    """Pixels that the halo of a label of this cap height may take on each side."""
    return 2 + size // 5


@lru_cache(maxsize=4096)
def label(text: str, size: int) -> NDArray[np.uint8]:
    """A text of ``size`` pixel capitals with a halo: 0 nothing, 1-2 halo, 3-6 ink on halo."""
    glyphs = [_label_glyph(c, size) for c in text]
    overlap = 2 * label_margin(size) - max(1, round(0.13 * size))
    total = sum(g.shape[1] for g in glyphs) - overlap * (len(glyphs) - 1)
    out = np.zeros((glyphs[0].shape[0], total), np.uint8)
    left = 0
    for g in glyphs:
        region = out[:, left : left + g.shape[1]]
        np.maximum(region, g, out=region)
        left += g.shape[1] - overlap
    return out
