"""What the cells of a family can look like, learned from its own drawings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from render.boards.axes import Axes
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
_MOST = 60.0
_NEAREST, _OTHERS = 8, 12
"""Looks that are compared closely: the nearest, and the nearest of other parts."""
_GUESSED = 48
"""Looks nearest to a cell as a whole, of which some must be nearest to what is shown of it."""
_AT_ONCE = 24
_TELLING = 3.0
"""A third of what tells two looks apart is enough to tell them by."""
_ASIDE = 0.7
"""Pixels that a look may lie aside, at most."""
_AROUND = np.indices((3, 3)).reshape(2, 9) - 1
_STIFF = 0.5
"""What keeps a look in its place: squared CIELAB a pixel."""


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
    sides
        Over which sides (up, right, down, left) each goes on, so that it can't lie at that edge of
        a board, (looks, 4) bool.
    parts
        int16 (looks,): which part has this look. A part may have many.
    """

    def __init__(
        self,
        drawings: Iterable[tuple[RGB, Parts]],
        detail: int,
        goes_on: Callable[[int], Sequence[bool]] | None = None,
    ):
        """Learn from drawings, and the parts that they show.

        goes_on
            Over which of its sides (up, right, down, left) a part goes on in the next cell.
        """
        tiles, parts = [], []
        for picture, shown in drawings:
            tiles.append(cut(shrunk(picture, picture.shape[0] // (len(shown) * detail)), detail))
            parts.append(shown.ravel())
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
        self._slopes: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
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
        rows, cols = looks.shape
        tiles = self.tiles[looks].transpose(0, 2, 1, 3, 4)
        return tiles.reshape(rows * self.detail, cols * self.detail, 3)

    def distances(self, patches: Patches) -> NDArray[np.float32]:
        """Return the square distances (cells, looks)."""
        return self.axes().distances(patches)

    def axes(self) -> Axes:
        """Return the axes in which the looks differ."""
        if self._axes is None:
            self._axes = Axes.of(self.patches)
        return self._axes

    def nearest(self, patches: Patches) -> Likeness:
        """Compare cells with all looks, every pixel with the same weight."""
        far = self.distances(patches)
        look = far.argmin(axis=1)
        best = np.take_along_axis(far, look[:, None], 1)
        others = np.where(self.parts == self.parts[look][:, None], np.float32(np.inf), far)
        chosen = least(others, _OTHERS)
        ahead = np.take_along_axis(others, chosen, 1) - best
        apart = np.maximum(self.axes().apart(chosen, look), 1e-3)
        rest = np.sqrt(best[:, 0] / patches.shape[1])
        margin, evidence = (ahead / apart).min(axis=1), (ahead / np.sqrt(apart)).min(axis=1)
        strange = self._strange(patches, look)
        return Likeness(look, rest, strange, margin, evidence / (2 * rest + 0.5))

    def nearest_beneath(
        self,
        patches: Patches,
        hidden: NDArray[np.bool_],
        covered: NDArray[np.bool_],
        edges: NDArray[np.bool_],
    ) -> Likeness:
        """Compare cells that something may cover, and that may lie a little aside.

        No pixel counts for more than a cap; a look may move by part of a pixel (tangent distance,
        Simard et al., 1993).

        hidden, covered
            (cells, pixels): pixels that say nothing, and those that count for little.
        edges
            (cells, 4): at which edges of the board each lies.
        """
        shown = (~hidden).astype(np.float32)
        far = self.distances(patches)
        beneath = hidden.any(axis=1)
        if beneath.any():
            far[beneath] = self._weighted(patches[beneath], shown[beneath], far[beneath])
        far[(edges.astype(np.float32) @ self.sides.T.astype(np.float32)) > 0] = np.inf
        cap = np.where(covered, np.float32(_CAP**2), np.float32(_MOST**2))
        chosen = self._shortlist(far)
        pieces = [slice(k, k + _AT_ONCE) for k in range(0, len(patches), _AT_ONCE)]
        parts = [self._beneath(patches[p], shown[p], cap[p], chosen[p]) for p in pieces]
        return Likeness(*map(np.concatenate, zip(*parts, strict=True)))

    def _weighted(
        self, patches: Patches, shown: NDArray[np.float32], far: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the square distances (cells, looks) over the pixels that are shown.

        Of looks that are far by all pixels from all cells, infinity; unless cells are half hidden.
        """
        some = np.arange(far.shape[1])
        if shown.mean(axis=1).min() > 0.5:
            some = np.unique(least(far, _GUESSED))
        weight, looks = np.repeat(shown, 3, axis=1), self.patches[some]
        near = weight @ (looks**2).T - 2 * (weight * patches) @ looks.T
        near += (weight * patches**2).sum(axis=1)[:, None]
        out = np.full_like(far, np.inf)
        out[:, some] = near
        return out

    def _shortlist(self, far: NDArray[np.float32]) -> NDArray[np.intp]:
        """Return (cells, n) looks: the nearest, and the nearest of other parts than the first's."""
        first = self.parts[far.argmin(axis=1)]
        others = np.where(self.parts == first[:, None], np.inf, far)
        return np.concatenate([least(far, _NEAREST), least(others, _OTHERS)], axis=1)

    def _beneath(
        self,
        patches: Patches,
        shown: NDArray[np.float32],
        cap: NDArray[np.float32],
        chosen: NDArray[np.intp],
    ) -> Likeness:
        cells = np.arange(len(patches))
        looks = self.patches[chosen].reshape(*chosen.shape, -1, 3)
        rest = patches.reshape(len(patches), 1, -1, 3) - looks
        squares = (self._moved(rest, shown, chosen) ** 2).sum(axis=-1)  # (cells, n, pixels)
        costs = (np.minimum(squares, cap[:, None]) @ shown[..., None])[..., 0]
        at = costs.argmin(axis=1)
        best, own = chosen[cells, at], squares[cells, at]
        gaps = np.minimum(((looks - looks[cells, at][:, None]) ** 2).sum(axis=-1), cap[:, None])
        apart = np.maximum((gaps @ shown[..., None])[..., 0], 1e-3)
        strange = (own > _CAP**2) & self._stranger(patches, best)
        fits = shown * ~strange
        left = np.sqrt((own * fits).sum(axis=1) / (3 * np.maximum(1, fits.sum(axis=1))))
        other = self.parts[chosen] != self.parts[best][:, None]
        ahead = np.where(other, costs - costs[cells, at][:, None], np.inf)
        # Where most of what tells two looks apart can't be seen, the rest is little evidence.
        seen = np.minimum(_TELLING * apart / (gaps.sum(axis=-1) + 1e-3), 1)
        margin, evidence = (ahead / apart).min(axis=1), (ahead * seen / np.sqrt(apart)).min(axis=1)
        return Likeness(best, left, strange & (shown > 0), margin, evidence / (2 * left + 0.5))

    def _moved(
        self, rest: NDArray[np.float32], shown: NDArray[np.float32], chosen: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """Return what is left of a difference (cells, n, pixels, 3) when the looks may move."""
        down, across = (slope[chosen] for slope in self.slopes())
        weight = shown[:, None, :, None]
        yy, xy, xx, yt, xt = (
            np.einsum("cnpk,cnpk->cn", a * weight, b)
            for a, b in (
                (down, down),
                (down, across),
                (across, across),
                (down, rest),
                (across, rest),
            )
        )
        stiff = _STIFF * rest.shape[2]
        yy, xx = yy + stiff, xx + stiff
        det = yy * xx - xy * xy
        y = np.clip((xx * yt - xy * xt) / det, -_ASIDE, _ASIDE)[..., None, None]
        x = np.clip((yy * xt - xy * yt) / det, -_ASIDE, _ASIDE)[..., None, None]
        left: NDArray[np.float32] = rest - y * down - x * across
        return left

    def slopes(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return how the looks change down and across, (looks, pixels, 3) each."""
        if self._slopes is None:
            tiles = self.patches.reshape(-1, self.detail, self.detail, 3)
            down, across = np.gradient(tiles, axis=(1, 2))
            shape = len(tiles), -1, 3
            self._slopes = down.reshape(shape), across.reshape(shape)
        return self._slopes

    def _strange(self, patches: Patches, look: NDArray[np.intp]) -> NDArray[np.bool_]:
        gap = (patches - self.patches[look]).reshape(len(patches), -1, 3)
        strange: NDArray[np.bool_] = np.einsum("ijk,ijk->ij", gap, gap) > _CAP**2
        return strange

    def _stranger(self, patches: Patches, look: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which pixels look quite different from all that the look has there and beside."""
        strange = self._strange(patches, look)
        cell, pixel = strange.nonzero()
        down, across = (
            at[..., None] + _AROUND[k] for k, at in enumerate(divmod(pixel, self.detail))
        )
        beside = np.clip(down, 0, self.detail - 1) * self.detail
        beside += np.clip(across, 0, self.detail - 1)
        around = self.patches.reshape(len(self.patches), -1, 3)[look[cell][:, None], beside]
        seen = patches.reshape(len(patches), -1, 3)[cell, pixel]
        gap = np.maximum(np.maximum(around.min(axis=1) - seen, seen - around.max(axis=1)), 0)
        strange[cell, pixel] = np.einsum("ij,ij->i", gap, gap) > _CAP**2
        return strange


def least(far: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return where in each row the ``count`` smallest numbers are, in no order."""
    if far.shape[1] <= 8 * count:
        return np.argpartition(far, min(count, far.shape[1] - 1), axis=1)[:, :count]
    # They are among the groups of the smallest minima, of which there are not more.
    groups = -(-far.shape[1] // 8)
    wide = np.full((len(far), 8 * groups), np.inf, far.dtype)
    wide[:, : far.shape[1]] = far
    best = wide.reshape(len(far), 8, groups).min(axis=1)
    chosen = np.argpartition(best, count, axis=1)[:, :count, None] + groups * np.arange(8)
    chosen = chosen.reshape(len(far), -1)
    among = np.argpartition(np.take_along_axis(wide, chosen, 1), count, axis=1)[:, :count]
    return np.take_along_axis(chosen, among, 1)


def cut(board: NDArray[T], detail: int) -> NDArray[T]:
    """Return the cells (cells, detail, detail, n) of a board (H, W, n) of so many pixels a cell."""
    rows, cols = board.shape[0] // detail, board.shape[1] // detail
    split = board.reshape(rows, detail, cols, detail, -1).transpose(0, 2, 1, 3, 4)
    return split.reshape(rows * cols, detail, detail, -1)


def shrunk(picture: RGB, fold: int) -> RGB:
    """Return a picture so many times smaller, its pixels averaged."""
    return np.asarray(Image.fromarray(picture).reduce(fold))
