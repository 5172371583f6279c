"""Reading of boards by their looks: what stands in each cell of a picture, and how sure that is.

Analysis by synthesis: from the nearest looks a picture is laid, the given one is brought into line
with it, in place and in colour, and looked at again, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.align import Matrix, fitted, register, stretched, warped, whole
from render.grid import label_mask
from render.lab import lab
from render.looks import RGB, UNKNOWN, Likeness, Looks, Parts, cut
from render.palette import AID_RED

Size = tuple[int, int]

SIDES = range(3, 31)
"""Rows and columns that are tried where the size of the board isn't known."""
ASPECT = 0.05
"""How far a picture's aspect ratio may be off, as a share."""
LEAST = 48
"""Pixels of the shorter side below which nothing can be read."""
SURE = 0.2
"""Confidence below which a cell can't be told."""
_CANDIDATES = 3
"""Sizes that are looked at closely, where it isn't known."""
_ROUNDS = 5
_FITS = 3
_STILL = 0.1
"""Pixels of a look; when a board moves by less, it is where it belongs."""
_CLEAN = 3.0
"""A cell that differs less from its look, in CIELAB, is as it was drawn, or nearly."""
_FOREIGN = 14.0
"""A cell that differs more, in CIELAB, is not the look at all."""
_COVERED = 0.12
"""Share of a cell that may look quite different for no reason that is known."""
_BLURS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0)
"""Gaussian blurs that are tried, in pixels of a look."""
_SOFTER = 0.9
"""By what factor a blur must bring the square of the misfit down to be believed."""
_ALIKE = 0.6
"""Correlation below which a picture is not the board that its cells would make."""
_SURE_EVIDENCE = 15.0
"""Standard deviations of evidence that are as good as certain."""


class UnreadableImage(ValueError):
    """The picture shows no board that can be read; the message says why."""


class Seen(NamedTuple):
    """What a picture shows.

    parts
        int16 (rows, columns); ``UNKNOWN`` where a cell can't be told.
    confidence
        float32 (rows, columns), 0 to 1: 1 where a cell is a look of its part beyond doubt, below
        ``SURE`` where it can't be told.
    matrix
        (2, 3): from (x, y, 1) in cells to pixels of the picture.
    board
        The board cut out of the picture and in the colours of the drawing, so many pixels a cell
        as the looks have.
    """

    parts: Parts
    confidence: NDArray[np.float32]
    matrix: Matrix
    board: RGB


class _View(NamedTuple):
    """A board as it is seen where ``matrix`` says that it lies, and what its cells look like."""

    matrix: Matrix
    board: RGB
    likeness: Likeness
    mosaic: RGB

    @property
    def misfit(self) -> float:
        """Mean square of what the cells differ by, none counting for more than a foreign one."""
        return float((np.minimum(self.likeness.gap, 2 * _FOREIGN) ** 2).mean())

    @property
    def certain(self) -> bool:
        """Whether every cell can be told, with nothing in its way."""
        sure = _confidence(self.likeness, self.likeness.strange.mean(axis=1))
        return bool((sure >= SURE).all())


def see(
    image: RGB,
    looks: Looks,
    size: Size | None = None,
    usual: Size | None = None,
    reference: RGB | None = None,
) -> Seen:
    """Return what the cells of a picture show; raise UnreadableImage where it shows no board.

    size
        Rows and columns, where they are known; else ``usual`` is tried first, then all others.
    reference
        A drawing that the picture was made from, at the detail of the looks: what is known of where
        things are.
    """
    if min(image.shape[:2]) < LEAST:
        raise UnreadableImage(
            f"the picture has {image.shape[1]}x{image.shape[0]} pixels, too few to be read"
        )
    if size is None and reference is not None:
        size = reference.shape[0] // looks.detail, reference.shape[1] // looks.detail
    views: list[_View] = []
    for chosen in _sizes(image, looks, size, usual):
        views.append(_read(image, looks, chosen, reference))
        if views[-1].certain:
            break
    return _judge(min(views, key=lambda view: (not view.certain, view.misfit)), looks)


def _judge(view: _View, looks: Looks) -> Seen:
    rows, cols = (side // looks.detail for side in view.board.shape[:2])
    look, confidence = _beneath(view, looks)
    if (confidence < SURE).any():  # what was covered may have spoilt the colours
        mosaic = looks.mosaic(look.reshape(rows, cols))
        view = view._replace(board=fitted(view.board, mosaic), mosaic=mosaic)
        view = view._replace(likeness=looks.nearest(_patches(view.board, looks.detail)))
        look, confidence = _beneath(view, looks)
    if view.misfit > _CLEAN**2 and _correlation(view, looks.detail) < _ALIKE:
        raise UnreadableImage(
            f"the picture looks like no board of {rows} rows and {cols} columns that is drawn"
        )
    told = looks.parts[look]
    parts = np.where(confidence >= SURE, told, UNKNOWN).astype(np.int16)
    if (parts != UNKNOWN).mean() < 0.5:
        raise UnreadableImage(
            f"the picture is no board of {rows} rows and {cols} columns: of {parts.size} cells "
            f"{int((parts != UNKNOWN).sum())} look like any that are drawn"
        )
    in_cells = view.matrix * np.array([looks.detail, looks.detail, 1])
    size = rows, cols
    return Seen(parts.reshape(size), confidence.reshape(size), in_cells, view.board)


def _correlation(view: _View, detail: int) -> float:
    """Return how well what is seen and what should be seen go together in brightness."""
    shown = ~_marked(view.board, detail)
    seen, true = (lab(a)[..., 0][shown] for a in (view.board, view.mosaic))
    if min(seen.std(), true.std()) < 1:
        return 0.0
    return float(np.corrcoef(seen, true)[0, 1])


def _confidence(likeness: Likeness, covered: NDArray[np.floating]) -> NDArray[np.float32]:
    fit = 1 - np.maximum(likeness.gap / _FOREIGN, covered / _COVERED) ** 2
    sure = np.minimum(likeness.margin, likeness.evidence / _SURE_EVIDENCE)
    confidence: NDArray[np.float32] = np.clip(np.minimum(sure, fit), 0, 1).astype(np.float32)
    return confidence


def _beneath(view: _View, looks: Looks) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Look again, as softly as the picture is, at the cells that something may cover."""
    likeness, detail = view.likeness, looks.detail
    patches = _patches(view.board, detail)
    blur, plain = 0.0, likeness.strange.mean(axis=1) < _COVERED
    if plain.any() and likeness.gap[plain].max() > _CLEAN:
        least = _SOFTER * float((likeness.gap[plain] ** 2).sum())
        for softer in _BLURS:
            through = looks.softened(softer).nearest(patches)
            misfit = float((through.gap[plain] ** 2).sum())
            if misfit < least:
                least, likeness, blur = misfit, through, softer
    confidence = _confidence(likeness, likeness.strange.mean(axis=1))
    odd = likeness.strange.mean(axis=1)
    doubtful = np.flatnonzero((odd > _COVERED / 2) | (likeness.gap > _FOREIGN / 2))
    if not len(doubtful):
        return likeness.look, confidence
    marks = cut(_marked(view.board, detail)[..., None], detail).reshape(len(patches), -1)[doubtful]
    edge = int(blur + 0.5)
    hidden = np.ones((detail, detail), bool)
    hidden[edge : detail - edge, edge : detail - edge] = False
    hidden = np.broadcast_to(hidden.ravel(), marks.shape)
    soft = looks.softened(blur) if blur else looks
    again = soft.nearest_beneath(patches[doubtful], hidden)
    unexplained = (again.strange & ~marks).mean(axis=1)
    confidence[doubtful] = _confidence(again, unexplained)
    look = likeness.look.copy()
    look[doubtful] = again.look
    return look, confidence


def _marked(board: RGB, detail: int) -> NDArray[np.bool_]:
    """Return which pixels (H, W) may be of a drawn way, or of the grid and its labels."""
    colours = lab(board)
    red = lab(np.array(AID_RED, np.uint8))
    hue = red[1:] / np.hypot(*red[1:])
    chroma = colours[..., 1:] @ hue
    across = np.abs(colours[..., 1] * hue[1] - colours[..., 2] * hue[0])
    marked: NDArray[np.bool_] = _wider((chroma > 18) & (across < 0.85 * chroma))
    rows, cols = board.shape[0] // detail, board.shape[1] // detail
    if _has_grid(marked, detail):
        fine = label_mask(rows, cols, 4 * detail)
        labels = fine.reshape(rows * detail, 4, cols * detail, 4).max(axis=(1, 3)).astype(bool)
        lines = np.zeros_like(marked)
        lines[::detail] = lines[:, ::detail] = True
        return marked | _wider(labels | lines)
    return marked


def _has_grid(marked: NDArray[np.bool_], detail: int) -> bool:
    """Return whether most of the boundaries between cells are red."""
    shares = []
    for along in (marked, marked.T):
        for at in range(detail, along.shape[0], detail):
            shares.append(along[at - 1 : at + 1].any(axis=0).mean())
    return bool(np.mean(shares or [0]) > 0.35)


def _wider(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask grown by a pixel each way."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    mask = wide.copy()
    wide[:, 1:] |= mask[:, :-1]
    wide[:, :-1] |= mask[:, 1:]
    return wide


def _read(image: RGB, looks: Looks, size: Size, reference: RGB | None) -> _View:
    """Return the view of a board of that size that fits best."""
    shape = size[0] * looks.detail, size[1] * looks.detail
    best: _View | None = None
    for matrix in _starts(image, shape):
        view = _view(image, looks, matrix, shape, reference)
        if view.likeness.gap.max() > _CLEAN or view.likeness.margin.min() < 0.5:
            view = _settle(image, looks, view, reference)
        if best is None or view.misfit < best.misfit:
            best = view
        if best.certain:
            return best
    if reference is None and best is not None:  # its colours may be the trouble
        bright = stretched(image, looks.tiles)
        view = _settle(
            bright, looks, _view(bright, looks, whole(shape, image.shape[:2]), shape), None
        )
        best = view if view.misfit < best.misfit else best
    assert best is not None
    return best


def _settle(image: RGB, looks: Looks, view: _View, reference: RGB | None) -> _View:
    """Bring picture and looks into line."""
    best = view
    for step in range(_ROUNDS):
        target = reference if step == 0 and reference is not None else view.mosaic
        mask = ~_marked(view.board, looks.detail)
        alignment = register(image, target, mask, view.matrix, near=step > 0)
        if alignment.correlation < 0.3:
            break
        after = _view(image, looks, alignment.matrix, target.shape[:2], target)
        moved = np.abs(after.matrix - view.matrix) @ [*target.shape[1::-1], 1.0]
        same = np.array_equal(after.likeness.look, view.likeness.look)
        view = after
        if view.misfit < best.misfit:
            best = view
        if same and moved.max() < _STILL * np.sqrt(np.linalg.det(view.matrix[:, :2])):
            break
    return best


def _view(
    image: RGB, looks: Looks, matrix: Matrix, shape: Size, target: RGB | None = None
) -> _View:
    """Return the board that lies where ``matrix`` says, in the colours of its looks.

    ``target`` is a first guess at what it shows.
    """
    raw = warped(image, matrix, shape)
    board = raw if target is None else fitted(raw, target)
    likeness = looks.nearest(_patches(board, looks.detail))
    size = shape[0] // looks.detail, shape[1] // looks.detail
    mosaic = looks.mosaic(likeness.look.reshape(size))
    for _ in range(_FITS):
        if likeness.gap.max() <= _CLEAN:
            break
        before, board = likeness.look, fitted(raw, mosaic)
        likeness = looks.nearest(_patches(board, looks.detail))
        mosaic = looks.mosaic(likeness.look.reshape(size))
        if np.array_equal(before, likeness.look):
            break
    return _View(matrix, board, likeness, mosaic)


def _patches(board: RGB, detail: int) -> NDArray[np.float32]:
    tiles = cut(board, detail)
    return lab(tiles).reshape(len(tiles), -1)


def _starts(image: RGB, shape: Size) -> Iterator[Matrix]:
    """Yield where a board may lie: all over the picture, or within a border of one colour."""
    if _near(image.shape[:2], shape):
        yield whole(shape, image.shape[:2])
    top, bottom, left, right = _border(image)
    inner = image.shape[0] - top - bottom, image.shape[1] - left - right
    if inner != image.shape[:2] and min(inner) >= LEAST and _near(inner, shape):
        matrix = whole(shape, inner)
        yield matrix + np.array([[0, 0, left], [0, 0, top]])


def _border(image: RGB) -> tuple[int, int, int, int]:
    """Return how many rows and columns at each side (top, bottom, left, right) have one colour."""
    out = []
    for axis in (0, 1):
        for lines in (image, image[::-1] if axis == 0 else image[:, ::-1]):
            rows = lines if axis == 0 else lines.transpose(1, 0, 2)
            ground = np.median(rows[0], axis=0)
            off = (np.abs(rows.astype(np.int16) - ground) > 24).any(axis=2).mean(axis=1) > 0.02
            out.append(int(off.argmax()))
    return out[0], out[1], out[2], out[3]


def _sizes(image: RGB, looks: Looks, size: Size | None, usual: Size | None) -> list[Size]:
    """Return the sizes that the board may have; raise UnreadableImage where there is none."""
    if size is not None:
        if not any(True for _ in _starts(image, size)):
            raise UnreadableImage(
                f"the picture has {image.shape[1]}x{image.shape[0]} pixels, which is not the shape "
                f"of a board of {size[0]} rows and {size[1]} columns"
            )
        return [size]
    shapes = {image.shape[:2]}
    top, bottom, left, right = _border(image)
    shapes.add((image.shape[0] - top - bottom, image.shape[1] - left - right))
    chosen = [
        (r, c) for r in SIDES for c in SIDES if any(_near(s, (r, c)) for s in shapes if min(s))
    ]
    if usual is not None and any(_near(s, usual) for s in shapes if min(s)):
        chosen.insert(0, usual)
    if not chosen:
        raise UnreadableImage(
            f"the picture has {image.shape[1]}x{image.shape[0]} pixels, which is the shape of no "
            f"board of {SIDES[0]} to {SIDES[-1]} rows and columns"
        )
    scored, coarse = [], looks.coarse()
    for at in dict.fromkeys(chosen):
        shape = at[0] * coarse.detail, at[1] * coarse.detail
        for matrix in _starts(image, shape):
            view = _view(image, coarse, matrix, shape)
            if at == usual and view.certain:
                return [at]
            scored.append((view.misfit, at))
    return list(dict.fromkeys(at for _, at in sorted(scored)))[:_CANDIDATES]


def _near(shape: Size, size: Size) -> bool:
    return abs(log(shape[0] / shape[1] * size[1] / size[0])) < ASPECT
