"""Which number and which arrow is written in a marker: its shade is held against all there are.

Numbers are at most ``MOST``. A marker is brought to one height and its middle to the middle, so
that neither its size nor its place matters, nor how much darker its ink is than its ground.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.canvas import coverage
from render.chips import ARROW_TALL, ARROW_WIDE, ARROWS, FIGURES_TALL, SPACE, weights
from render.glyphs import glyph, width, write
from render.palette import LEVELS
from render.shapes import Plane

Shade = NDArray[np.float32]

MOST = 160
"""The highest number that is read."""
SIDES = tuple(ARROWS)
_HIGH, _WIDE = 20, 64
"""Pixels to which a marker is brought, with room for the widest."""
_FINE = 4
"""Glyphs are drawn so much larger, and set side by side to a pixel of theirs."""
_SWAY = (-1, 0, 1)
"""Pixels by which the middle of a marker may be off."""
_BLURS, _SHARP = (1.0, 1.8), 0.9
"""Blurs that are tried, in pixels, where hints correlate less than that without one."""
_CLOSER = 32
"""So many of the hints that fit best are looked at more closely."""
_FORMS = (7, 8, 9, 10, 11, 13, 16)
"""Heights of chips whose strokes are of different weights, by their height: those of small chips
are heavier."""


class Reading(NamedTuple):
    """The hint that a marker shows: how well it correlates, and how clearly before the others.

    margin
        1 where the marker is the very hint, 0 where it could as well be another one.
    """

    number: int
    side: str
    correlation: float
    margin: float


def read_marker(shade: Shade, height: float, middle: tuple[float, float]) -> Reading:
    """Return the hint of a marker by how far each pixel (H, W) is ink, 0 to 1.

    height, middle
        Of the marker, in pixels; it is seen in ``shade`` as a whole, with nothing else.
    """
    form = min(_FORMS, key=lambda form: abs(form - height))
    patch = _brought(shade, height, middle)
    best = _read(patch, _bank(form))
    for blur in _BLURS:
        if best.correlation >= _SHARP:
            break
        best = max(best, _read(patch, _softened(form, blur)), key=lambda read: read.correlation)
    return best


def _read(patch: Shade, marks: Shade) -> Reading:
    seen = np.stack([np.roll(patch, (y, x), (0, 1)).ravel() for y in _SWAY for x in _SWAY])
    seen -= seen.mean(axis=1, keepdims=True)
    seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1e-6)
    rough = marks @ seen[len(seen) // 2]
    likely = np.argpartition(-rough, _CLOSER)[:_CLOSER]
    likeness = marks[likely] @ seen.T
    best, at = divmod(int(likeness.argmax()), len(seen))
    chosen = int(likely[best])
    apart = 1 - marks @ marks[chosen]
    here = marks @ seen[at]
    margin = np.delete((here[chosen] - here) / np.maximum(apart, 1e-3), chosen).min()
    number, side = divmod(chosen, len(SIDES))
    return Reading(number + 1, SIDES[side], float(here[chosen]), float(margin))


def _brought(shade: Shade, height: float, middle: tuple[float, float]) -> Shade:
    scale = height / _HIGH
    y, x = middle
    if scale > 1.5:
        shade = ndimage.gaussian_filter(shade, 0.4 * scale)
    picture = Image.fromarray(shade).transform(
        (_WIDE, _HIGH),
        Image.Transform.AFFINE,
        (scale, 0, x - scale * _WIDE / 2, 0, scale, y - scale * _HIGH / 2),
        Image.Resampling.BILINEAR,
    )
    return np.asarray(picture, np.float32)


@cache
def _bank(form: int) -> Shade:
    """Return all hints, (MOST * sides, pixels), as chips ``form`` pixels high have them.

    Each is of mean 0 and length 1.
    """
    high = _HIGH * _FINE
    bold, thick = weights(form)
    digits = {c: _drawn(c, FIGURES_TALL * high, bold) for c in "0123456789"}
    arrows = {side: _drawn(c, ARROW_TALL * high, thick) for side, c in ARROWS.items()}
    marks = []
    for number in range(1, MOST + 1):
        text = str(number)
        reach = width(text) * FIGURES_TALL * high
        left = (_WIDE * _FINE - reach - (SPACE + ARROW_WIDE) * high) / 2
        figures = np.zeros((high, _WIDE * _FINE), np.float32)
        at = left
        for c in text:
            wide = glyph(c).width * FIGURES_TALL * high
            _put(figures, digits[c], at + wide / 2)
            at += wide + 0.24 * FIGURES_TALL * high
        for side in SIDES:
            whole = figures.copy()
            _put(whole, arrows[side], left + reach + (SPACE + ARROW_WIDE / 2) * high)
            marks.append(whole.reshape(_HIGH, _FINE, _WIDE, _FINE).mean(axis=(1, 3)).ravel())
    bank = np.stack(marks)
    bank -= bank.mean(axis=1, keepdims=True)
    out: Shade = bank / np.linalg.norm(bank, axis=1, keepdims=True)
    return out


@cache
def _softened(form: int, blur: float) -> Shade:
    """Return the hints of ``_bank`` as they are seen through a Gaussian blur."""
    marks = _bank(form).reshape(-1, _HIGH, _WIDE)
    soft = ndimage.gaussian_filter(marks, (0, blur, blur), mode="nearest").reshape(len(marks), -1)
    soft -= soft.mean(axis=1, keepdims=True)
    out: Shade = soft / np.linalg.norm(soft, axis=1, keepdims=True)
    return out


def _drawn(character: str, tall: float, weight: float) -> Shade:
    """Return a glyph in the middle of a square of the bank's height."""
    high = _HIGH * _FINE
    field = write(Plane(high, high, 1), character, high / 2, high / 2, tall, weight)
    return coverage(field, 1).astype(np.float32) / np.float32(LEVELS)


def _put(figures: Shade, drawn: Shade, middle: float) -> None:
    left = round(middle - drawn.shape[1] / 2)
    start, end = max(0, left), min(figures.shape[1], left + drawn.shape[1])
    region = figures[:, start:end]
    np.maximum(region, drawn[:, start - left : end - left], out=region)
