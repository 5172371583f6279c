"""Markers that are drawn onto a board: patches of one colour with something written in them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from render.drawings.ink import Lab, Sheet
from render.lab import lab

Mask = NDArray[np.bool_]
Shade = NDArray[np.float32]

_ALIKE = 32.0
"""In CIELAB: how far a pixel of a marker may be from its colour."""
_LEAST = 0.008
"""Of a cell's pixels: smaller patches are no markers."""
_BIN = 8.0
"""In CIELAB: colours so near to each other are counted as one."""
_COLOURS = 4
"""Colours that markers are looked for in."""
_LOW = 5
"""Pixels that a marker is high, at least."""
_STRONG = 0.65
"""Of the distance of the ink from the ground: pixels that are further are ink alone."""


class Marker(NamedTuple):
    """A patch of one colour: its place (top, left, bottom, right), and what is written in it.

    filled
        Where it lies, what is written included: (bottom - top, right - left).
    shade
        How far each pixel is ink rather than ground, likewise, 0 to 1.
    """

    box: tuple[int, int, int, int]
    filled: Mask
    shade: Shade

    @property
    def middle(self) -> tuple[float, float]:
        top, left, bottom, right = self.box
        return (top + bottom) / 2, (left + right) / 2


def markers(sheet: Sheet, differs: Mask) -> Iterator[Marker]:
    """Yield the markers of a picture, those of the commonest colour first.

    ``differs`` says where the picture is unlike the board, (H, W).
    """
    left = ndimage.binary_dilation(differs) if sheet.drawn is None else differs.copy()
    colours = lab(sheet.image)
    least = _LEAST * sheet.cell**2
    taken = np.zeros(left.shape, bool)
    for _ in range(_COLOURS):
        if left.sum() < least:
            return
        ground = _commonest(colours[left])
        near = np.zeros(left.shape, bool)
        near[left] = ((colours[left] - ground) ** 2).sum(axis=1) < _ALIKE**2
        if near.sum() < least:
            return
        kinds, _ = ndimage.label(near)
        left &= ~near
        places = ndimage.find_objects(kinds)
        for number in np.flatnonzero(np.bincount(kinds.ravel())[1:] >= least).tolist():
            place = places[number]
            patch = kinds[place] == number + 1
            if min(patch.shape) < _LOW:
                continue
            filled = _spanned(patch) | _spanned(patch.T).T
            if (taken[place] & filled).sum() > filled.sum() / 2:
                continue  # the rim of one that is there already
            left[place] &= ~filled
            taken[place] |= filled
            box = (place[0].start, place[1].start, place[0].stop, place[1].stop)
            yield Marker(box, filled, _shade(sheet.image[place], patch, filled))


def _spanned(patch: Mask) -> Mask:
    """Return the pixels between the first and the last of each row."""
    spanned: Mask = np.logical_or.accumulate(patch, axis=1)
    spanned &= np.logical_or.accumulate(patch[:, ::-1], axis=1)[:, ::-1]
    return spanned


def _commonest(colours: Lab) -> Lab:
    kinds = np.floor(colours / _BIN).astype(np.int64)
    keys = (kinds[:, 0] * 1000 + kinds[:, 1]) * 1000 + kinds[:, 2]
    _, which, count = np.unique(keys, return_inverse=True, return_counts=True)
    peak: Lab = colours[which.ravel() == count.argmax()].mean(axis=0)
    return peak


def _shade(image: NDArray[np.uint8], patch: Mask, filled: Mask) -> Shade:
    """Return how far pixels are on the way from the marker's ground to its ink, 0 beside it."""
    seen = image.astype(np.float32)
    ground = np.median(seen[patch], axis=0)
    apart = seen - ground
    far = np.sqrt((apart * apart).sum(axis=2)) * filled
    strong = far > max(1.0, _STRONG * float(np.quantile(far[filled], 0.98)))
    if not strong.any():
        return np.zeros(filled.shape, np.float32)
    ink = apart[strong].mean(axis=0)
    shade: Shade = np.clip(apart @ ink / max(1.0, float(ink @ ink)), 0, 1) * filled
    return shade.astype(np.float32)
