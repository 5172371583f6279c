"""What the cells of a family can look like, learned from its own drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.boards.axes import Axes
from render.canvas import Picture
from render.lab import lab

RGB = NDArray[np.uint8]
"""(H, W, 3) pixels."""
Parts = NDArray[np.int16]
"""(rows, columns): what stands in each cell, from 0; ``UNKNOWN`` where it can't be told."""
Patches = NDArray[np.float32]
"""(cells, d): cells in CIELAB, ``detail`` pixels a side, pixel by pixel, channels last."""

T = TypeVar("T", bound="np.generic[Any]")
UNKNOWN = -1
CAP = 24.0
"""How far off, in CIELAB, a pixel counts at most: more says only that something covers it."""
OTHERS = 12
"""Looks of other parts that are compared closely."""


class Likeness(NamedTuple):
    """What cells look like.

    look
        The nearest look of each, int (cells,).
    gap
        How far off it is: root of the mean square, in CIELAB, of the pixels that count.
    strange
        The pixels that look quite different, (cells, pixels) bool; beneath what covers cells, from
        all that the look has there and beside.
    margin
        How the cells decide between their look and the one of another part that comes next: 1 where
        they are the look itself, 0 where they lie half way, by what of the difference can be seen.
    evidence
        The same difference in standard deviations of what is left unexplained.
    rival
        The look of another part that leaves most doubt; where none is sought, the look itself.
    """

    look: NDArray[np.intp]
    gap: NDArray[np.float32]
    strange: NDArray[np.bool_]
    margin: NDArray[np.float32]
    evidence: NDArray[np.float32]
    rival: NDArray[np.intp]


class Nearest:
    """The ``Likeness`` of cells of which all is seen; what is not asked for is not found out."""

    def __init__(self, looks: Looks, patches: Patches):
        self._looks, self._patches = looks, patches
        self._seen = looks.axes().seen(patches)
        nearest, self._far = looks.axes().nearest(self._seen, 1)
        self.look: NDArray[np.intp] = nearest[:, 0]
        left = (self._far[:, 0] + self._seen.beside) / patches.shape[1]
        self.gap: NDArray[np.float32] = np.sqrt(left)

    @cached_property
    def strange(self) -> NDArray[np.bool_]:
        return self._looks.strange(self._patches, self.look)

    @property
    def margin(self) -> NDArray[np.float32]:
        return self._decided[0]

    @property
    def evidence(self) -> NDArray[np.float32]:
        return self._decided[1]

    @cached_property
    def _decided(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        looks, look = self._looks, self.look
        same = looks.parts == looks.parts[look][:, None]
        others = self._seen._replace(low=np.where(same, np.float32(np.inf), self._seen.low))
        chosen, far = looks.axes().nearest(others, OTHERS)
        ahead = far - self._far
        apart = np.maximum(looks.axes().apart(chosen, look), 1e-3)
        margin, evidence = (ahead / apart).min(axis=1), (ahead / np.sqrt(apart)).min(axis=1)
        return margin, evidence / (2 * self.gap + 0.5)


class Looks:
    """The distinct looks of cells.

    tiles
        uint8 (looks, detail, detail, 3).
    patches
        The same in CIELAB, (looks, d).
    sides
        Over which sides (up, right, down, left) each goes on, so that it can't lie at that edge of
        a board, (looks, 4) bool.
    parts
        int16 (looks,): which part has this look. A part may have many.
    """

    def __init__(
        self,
        drawings: Iterable[tuple[Picture, Parts]],
        detail: int,
        goes_on: Callable[[int], Sequence[bool]] | None = None,
    ):
        """Learn from drawings, and the parts that they show.

        goes_on
            Over which of its sides (up, right, down, left) a part goes on in the next cell.
        """
        tiles, parts, seen = [], [], set[tuple[bytes, int, bytes]]()
        for (pixels, palette), shown in drawings:
            side, colours, new = len(pixels) // len(shown), palette.tobytes(), []
            cells = cut(pixels[..., None], side)[..., 0]
            for at, part in enumerate(shown.ravel().tolist()):
                drawn = colours, part, cells[at].tobytes()
                if drawn not in seen:
                    seen.add(drawn)
                    new.append(at)
            if new:
                fine = palette.take(cells[new], axis=0).reshape(-1, side, 3)
                tiles.append(shrunk(fine, side // detail).reshape(-1, detail, detail, 3))
                parts.append(shown.ravel()[new])
        known = np.concatenate(parts).astype(np.int16)
        rows = np.concatenate(tiles).reshape(len(known), -1)
        keyed = np.concatenate([known[:, None].view(np.uint8).reshape(len(known), 2), rows], axis=1)
        _, first = np.unique(keyed.view(f"V{keyed.shape[1]}").ravel(), return_index=True)
        first.sort()
        over = {part: goes_on(part) for part in set(known.tolist())} if goes_on else {}
        sides = np.array([over.get(part, (False,) * 4) for part in known[first].tolist()], bool)
        self._hold(rows[first].reshape(-1, detail, detail, 3), known[first], sides)

    def _hold(self, tiles: RGB, parts: NDArray[np.int16], sides: NDArray[np.bool_]) -> None:
        self.detail = tiles.shape[1]
        self.tiles: RGB = tiles
        self.parts: NDArray[np.int16] = parts
        self.sides: NDArray[np.bool_] = sides
        self.patches: Patches = lab(tiles).reshape(len(tiles), -1)
        self._others: dict[str, Looks] = {}
        self._slopes: tuple[Patches, Patches, NDArray[np.float32]] | None = None
        self.blur = 0.0
        self._plain = self
        self._axes: Axes | None = None

    def coarse(self) -> Looks:
        """Return the looks at half the detail."""
        half = self.detail // 2

        def halved(tiles: RGB) -> RGB:
            fine = tiles.reshape(-1, half, 2, half, 2, 3).sum(axis=(2, 4), dtype=np.uint16)
            small: RGB = ((fine + 2) // 4).astype(np.uint8)
            return small

        return self._other("coarse", halved)

    def plain(self) -> Looks:
        """Return the looks as they are drawn."""
        return self._plain

    def softened(self, blur: float) -> Looks:
        """Return the looks as they are seen through a Gaussian blur of so many of their pixels."""
        one = np.eye(self.detail, dtype=np.float32)
        across = ndimage.gaussian_filter1d(one, blur, axis=0, mode="nearest")

        def soften(tiles: RGB) -> RGB:
            down = across @ tiles.reshape(len(tiles), self.detail, -1).astype(np.float32)
            both = across @ down.reshape(-1, self.detail, 3)
            soft: RGB = (both.reshape(tiles.shape) + 0.5).astype(np.uint8)
            return soft

        return self._other(f"softened {blur}", soften, blur)

    def _other(self, name: str, change: Callable[[RGB], RGB], blur: float = 0.0) -> Looks:
        """Return looks with changed tiles, made once."""
        if name not in self._others:
            other = Looks.__new__(Looks)
            other._hold(change(self.tiles), self.parts, self.sides)
            other.blur, other._plain = blur, self if blur else other
            self._others[name] = other
        return self._others[name]

    def mosaic(self, looks: NDArray[np.intp]) -> RGB:
        """Return the picture (rows * detail, columns * detail, 3) of looks (rows, columns)."""
        return joined(self.tiles[looks])

    def distances(self, patches: Patches) -> NDArray[np.float32]:
        """Return the square distances (cells, looks)."""
        return self.axes().distances(patches)

    def axes(self) -> Axes:
        """Return the axes in which the looks differ."""
        if self._axes is None:
            self._axes = Axes.of(self.patches)
        return self._axes

    def nearest(self, patches: Patches) -> Nearest:
        """Compare cells with all looks, every pixel with the same weight."""
        return Nearest(self, patches)

    def slopes(self) -> tuple[Patches, Patches, NDArray[np.float32]]:
        """Return how the looks change down and across, (looks, d) each, and of these the squares,
        with the product between them, (looks, 3, pixels), summed over the channels."""
        if self._slopes is None:
            tiles = self.patches.reshape(-1, self.detail, self.detail, 3)
            down, across = np.gradient(tiles, axis=(1, 2))
            products = [summed(a * b) for a, b in ((down, down), (down, across), (across, across))]
            shape = self.patches.shape
            both = np.stack(products, axis=1).reshape(len(tiles), 3, -1)
            self._slopes = down.reshape(shape), across.reshape(shape), both
        return self._slopes

    def strange(self, patches: Patches, look: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which pixels (cells, pixels) look quite different from those of a look."""
        gap = (patches - self.patches[look]).reshape(len(patches), -1, 3)
        strange: NDArray[np.bool_] = summed(gap * gap) > CAP**2
        return strange


def summed(channels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sums (...) of three channels (..., 3), as numpy finds them soonest."""
    total: NDArray[np.float32] = channels[..., 0] + channels[..., 1]
    total += channels[..., 2]
    return total


def cut(board: NDArray[T], detail: int) -> NDArray[T]:
    """Return the cells (cells, detail, detail, n) of a board (H, W, n) of so many pixels a cell."""
    rows, cols = board.shape[0] // detail, board.shape[1] // detail
    split = board.reshape(rows, detail, cols, detail, -1).transpose(0, 2, 1, 3, 4)
    return split.reshape(rows * cols, detail, detail, -1)


def joined(cells: NDArray[T]) -> NDArray[T]:
    """Return the board (H, W, n) of cells (rows, columns, detail, detail, n)."""
    rows, cols, detail = cells.shape[:3]
    return cells.transpose(0, 2, 1, 3, 4).reshape(rows * detail, cols * detail, -1)


def shrunk(picture: RGB, fold: int) -> RGB:
    """Return a picture so many times smaller, its pixels averaged."""
    return np.asarray(Image.fromarray(picture).reduce(fold))
