"""What the cells of a family can look like, learned from its own drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from render.lab import lab

RGB = NDArray[np.uint8]
"""(H, W, 3) pixels."""
Parts = NDArray[np.int16]
"""(rows, columns): what stands in each cell, from 0; ``UNKNOWN`` where it can't be told."""
Patches = NDArray[np.float32]
"""(cells, d): cells in CIELAB, ``detail`` pixels a side, pixel by pixel, channels last."""

T = TypeVar("T", bound="np.generic[Any]")
UNKNOWN = -1
_CAP = 24.0
"""How far off, in CIELAB, a pixel counts at most: more says only that something covers it."""
_SHORTLIST = 48


class Likeness(NamedTuple):
    """What cells look like.

    look
        The nearest look of each, int (cells,).
    gap
        How far off it is: root of the mean square, in CIELAB, of the pixels that count.
    strange
        Share of the pixels that look quite different, (cells, pixels) bool.
    margin
        How the cells decide between their look and the one of another part that comes next: 1 where
        they are the look itself, 0 where they lie half way, by what of the difference can be seen.
    evidence
        The same difference in standard deviations of what is left unexplained.
    """

    look: NDArray[np.intp]
    gap: NDArray[np.float32]
    strange: NDArray[np.bool_]
    margin: NDArray[np.float32]
    evidence: NDArray[np.float32]


class Looks:
    """The distinct looks of cells.

    tiles
        uint8 (looks, detail, detail, 3).
    patches
        The same in CIELAB, (looks, d).
    parts
        int16 (looks,): which part has this look. A part may have many.
    """

    def __init__(self, drawings: Iterable[tuple[RGB, Parts]], detail: int):
        """Learn from drawings, and the parts that they show."""
        tiles, parts = [], []
        for picture, shown in drawings:
            tiles.append(cut(shrunk(picture, picture.shape[0] // (len(shown) * detail)), detail))
            parts.append(shown.ravel())
        known = np.concatenate(parts).astype(np.int16)
        rows = np.concatenate(tiles).reshape(len(known), -1)
        keyed = np.concatenate([known[:, None].view(np.uint8).reshape(len(known), 2), rows], axis=1)
        _, first = np.unique(keyed.view(f"V{keyed.shape[1]}").ravel(), return_index=True)
        first.sort()
        self._hold(rows[first].reshape(-1, detail, detail, 3), known[first])

    def _hold(self, tiles: RGB, parts: NDArray[np.int16]) -> None:
        self.detail = tiles.shape[1]
        self.tiles: RGB = tiles
        self.parts: NDArray[np.int16] = parts
        self.patches: Patches = lab(tiles).reshape(len(tiles), -1)
        self._others: dict[str, Looks] = {}
        self._squares = (self.patches**2).sum(axis=1)
        apart = self._squares[:, None] + self._squares - 2 * self.patches @ self.patches.T
        self._apart = np.maximum(apart, 1e-3)

    def coarse(self) -> Looks:
        """Return the looks at half the detail."""
        return self._other("coarse", lambda tile: tile.reduce(2))

    def softened(self, blur: float) -> Looks:
        """Return the looks as they are seen through a Gaussian blur of so many of their pixels."""
        pad = int(3 * blur) + 1

        def soften(tile: Image.Image) -> Image.Image:
            wide = np.pad(np.asarray(tile), ((pad, pad), (pad, pad), (0, 0)), "edge")
            soft = Image.fromarray(wide).filter(ImageFilter.GaussianBlur(blur))
            return soft.crop((pad, pad, pad + self.detail, pad + self.detail))

        return self._other(f"softened {blur}", soften)

    def _other(self, name: str, change: Callable[[Image.Image], Image.Image]) -> Looks:
        """Return looks with changed tiles, made once."""
        if name not in self._others:
            other = Looks.__new__(Looks)
            tiles = np.stack([np.asarray(change(Image.fromarray(tile))) for tile in self.tiles])
            other._hold(tiles, self.parts)
            self._others[name] = other
        return self._others[name]

    def mosaic(self, looks: NDArray[np.intp]) -> RGB:
        """Return the picture (rows * detail, columns * detail, 3) of looks (rows, columns)."""
        rows, cols = looks.shape
        tiles = self.tiles[looks].transpose(0, 2, 1, 3, 4)
        return tiles.reshape(rows * self.detail, cols * self.detail, 3)

    def distances(self, patches: Patches) -> NDArray[np.float32]:
        """Return the square distances (cells, looks)."""
        own = (patches**2).sum(axis=1)
        far = own[:, None] + self._squares - 2 * (patches @ self.patches.T)
        positive: NDArray[np.float32] = np.maximum(far, 0, dtype=np.float32)
        return positive

    def nearest(self, patches: Patches) -> Likeness:
        """Compare cells with all looks, every pixel with the same weight."""
        far = self.distances(patches)
        look = far.argmin(axis=1)
        best = np.take_along_axis(far, look[:, None], 1)
        other = self.parts != self.parts[look][:, None]
        apart = self._apart[look]
        margins = np.where(other, (far - best) / apart, np.inf)
        rest = np.sqrt(best[:, 0] / patches.shape[1])
        evidence = np.where(other, (far - best) / np.sqrt(apart), np.inf).min(axis=1)
        strange = self._strange(patches, look)
        return Likeness(look, rest, strange, margins.min(axis=1), evidence / (2 * rest + 0.5))

    def nearest_beneath(self, patches: Patches, hidden: NDArray[np.bool_]) -> Likeness:
        """Compare cells that something may cover: no pixel counts for more than a cap.

        hidden
            (cells, pixels): pixels that say nothing.
        """
        shown = (~hidden).astype(np.float32)
        weight = np.repeat(shown, 3, axis=1)
        far = (weight * patches**2).sum(axis=1)[:, None] - 2 * (weight * patches) @ self.patches.T
        far += weight @ (self.patches**2).T
        out = [
            self._beneath(patch, seen, self._shortlist(row))
            for patch, seen, row in zip(patches, shown, far, strict=True)
        ]
        look, gap, strange, margin, evidence = zip(*out, strict=True)
        return Likeness(
            np.array(look, np.intp),
            np.array(gap, np.float32),
            np.array(strange, bool),
            np.array(margin, np.float32),
            np.array(evidence, np.float32),
        )

    def _shortlist(self, far: NDArray[np.float32]) -> NDArray[np.intp]:
        """Return the nearest looks, and of every part the nearest."""
        order = np.argsort(far, kind="stable")
        _, first = np.unique(self.parts[order], return_index=True)
        return np.union1d(order[:_SHORTLIST], order[first])

    def _beneath(
        self, patch: NDArray[np.float32], seen: NDArray[np.float32], chosen: NDArray[np.intp]
    ) -> tuple[int, float, NDArray[np.bool_], float, float]:
        looks = self.patches[chosen].reshape(len(chosen), -1, 3)
        squares = ((looks - patch.reshape(-1, 3)) ** 2).sum(axis=-1)
        costs = np.minimum(squares, _CAP**2) @ seen
        best = int(costs.argmin())
        apart = np.minimum(((looks - looks[best]) ** 2).sum(axis=-1), _CAP**2).sum(axis=1)
        other = self.parts[chosen] != self.parts[chosen[best]]
        strange = squares[best] > _CAP**2
        fits = seen * ~strange
        rest = np.sqrt(float(squares[best] @ fits) / (3 * max(1.0, float(fits.sum()))))
        if not other.any():
            return int(chosen[best]), rest, strange & (seen > 0), 1.0, np.inf
        ahead, apart = (costs - costs[best])[other], np.maximum(apart[other], 1e-3)
        margin, evidence = (ahead / apart).min(), (ahead / np.sqrt(apart)).min() / (2 * rest + 0.5)
        return int(chosen[best]), rest, strange & (seen > 0), float(margin), float(evidence)

    def _strange(self, patches: Patches, look: NDArray[np.intp]) -> NDArray[np.bool_]:
        gap = (patches - self.patches[look]).reshape(len(patches), -1, 3)
        strange: NDArray[np.bool_] = (gap * gap).sum(axis=-1) > _CAP**2
        return strange


def cut(board: NDArray[T], detail: int) -> NDArray[T]:
    """Return the cells (cells, detail, detail, n) of a board (H, W, n) of so many pixels a cell."""
    rows, cols = board.shape[0] // detail, board.shape[1] // detail
    split = board.reshape(rows, detail, cols, detail, -1).transpose(0, 2, 1, 3, 4)
    return split.reshape(rows * cols, detail, detail, -1)


def shrunk(picture: RGB, fold: int) -> RGB:
    """Return a picture so many times smaller, its pixels averaged."""
    return np.asarray(Image.fromarray(picture).reduce(fold))
