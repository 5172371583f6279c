"""Readings to look at: the picture that was read, marked, and beside it what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from puzzles.notation import compact
from puzzles.reading import looks
from render import overlay
from render.boards.align import register, whole
from render.boards.looks import UNKNOWN, cut
from render.boards.warping import RGB
from render.lab import lab
from render.overlay import DOUBTFUL, GRID, OTHER, READ, View
from render.palette import HALO, Colour

if TYPE_CHECKING:
    from puzzles.sights.aid import AidSight
    from puzzles.sights.board import BoardSight
    from puzzles.sights.drawing import DrawingSight

_PLAIN = 640
"""Pixels of the longer side of a picture in which no board was found."""
_ALIKE = 0.5
"""Correlation below which a picture is not that of a drawing."""
_LIGHTEST, _DEEPEST = 0.25, 0.55
"""How far a doubtful cell is covered by its colour."""


def of_board(sight: BoardSight, image: RGB) -> RGB:
    """Return the picture with the grid found, cells that are doubtful, unknown or others marked."""
    seen = sight.seen
    if seen is None or sight.room is None:
        return _unread(image, sight.reason)
    size = seen.parts.shape[0], seen.parts.shape[1]
    cell = overlay.cell_of(size)
    given = overlay.view(image, seen.matrix, size, cell, seen.bend)
    clean = _view(_clean(sight, cell), size, cell)
    overlay.grid(given)
    for on in (given, clean):
        _mark_doubts(on, sight)
    lines = [(sight.title, GRID), *((text, DOUBTFUL) for text in _doubts(sight))]
    if sight.reason:
        lines.append((sight.reason, overlay.UNKNOWN))
    if sight.since is not None:
        lines.append((sight.sentences()[-1], OTHER))
        others = _mask(size, sight.since.cells)
        for on in (given, clean):
            overlay.frame(on, others, OTHER)
    return overlay.page([("as it was found", given.rgb), ("as it was read", clean.rgb)], lines)


def of_drawing(sight: DrawingSight, image: RGB) -> RGB:
    """Return the picture with what is read in it outlined, and the same as we draw it."""
    room, state = sight.room, sight.state
    assert room.reading is not None
    rows, cols = room.reading.parts(state).shape
    size, cell = (rows, cols), overlay.cell_of((rows, cols))
    board = _shown(room.draw(state, cell))
    drawn = _shown(room.draw_solution(state, sight.legal, cell)) if sight.legal else board
    place = register(image, drawn)
    if place.correlation < _ALIKE:
        return _unread(image, sight.reason)
    given = overlay.view(image, place.matrix * np.array([cell, cell, 1]), size, cell)
    overlay.outline(given, _distance((drawn != board).any(axis=2)), cell, READ)
    clean = _view(drawn, size, cell)
    lines = [(sight.title, GRID)]
    if sight.reason:
        lines.append((sight.reason, overlay.UNKNOWN))
    return overlay.page([("as it was drawn", given.rgb), ("as it was read", clean.rgb)], lines)


def of_aid(sight: AidSight, image: RGB) -> RGB:
    """Return the picture with the cells marked in which something is amiss, and the true aid."""
    room, state, check = sight.room, sight.state, sight.check
    if check is None or not sight.readable:
        return _unread(image, sight.reason)
    assert room.reading is not None
    rows, cols = room.reading.parts(state).shape
    cell = overlay.cell_of((rows, cols))
    given = overlay.view(image, check.matrix, (rows, cols), cell)
    lines: list[tuple[str, Colour]] = [(sight.title, GRID)]
    amiss = _mask((rows, cols), [at for cells in sight.faults.values() for at in cells])
    changed = _mask((rows, cols), check.changed)
    overlay.hatch(given, changed, overlay.UNKNOWN)
    overlay.frame(given, amiss & ~changed, OTHER)
    lines += [(text, OTHER) for text in sight.lines()]
    clean = _view(_shown(room.draw_aid(state, cell)), (rows, cols), cell)
    return overlay.page([("as it was drawn", given.rgb), ("as it should be", clean.rgb)], lines)


def _mark_doubts(on: View, sight: BoardSight) -> None:
    seen = sight.seen
    assert seen is not None
    overlay.hatch(on, seen.parts == UNKNOWN, overlay.UNKNOWN)
    share = np.zeros(seen.parts.shape, np.float32)
    for at in sight.doubtful:
        share[at] = _DEEPEST - (_DEEPEST - _LIGHTEST) * 2 * float(seen.confidence[at])
    overlay.tint(on, share, DOUBTFUL)
    sure = {at: f"{float(seen.confidence[at]):.2f}" for at in sight.doubtful}
    overlay.note(on, sure | dict.fromkeys(sight.unknown, "?"))


def _doubts(sight: BoardSight) -> list[str]:
    return sight.sentences()[:-1] if sight.since is not None else sight.sentences()


def _clean(sight: BoardSight, cell: int) -> RGB:
    """Return a drawing of what was read; of its cells alone, where they make no board."""
    room, seen = sight.room, sight.seen
    assert room is not None
    assert seen is not None
    if sight.state is not None:
        return _shown(room.draw(sight.state, cell))
    rules = {} if sight.reference is None else room.rules_of(sight.reference)
    known = looks(room.name, compact(dict(rules)))
    far = known.distances(lab(cut(seen.board, known.detail)).reshape(seen.parts.size, -1))
    other = known.parts != seen.parts.reshape(-1, 1)
    at = np.where(other, np.inf, far).argmin(axis=1).reshape(seen.parts.shape)
    rows, cols = at.shape
    small = known.mosaic(at)
    small[np.repeat(np.repeat(seen.parts < 0, known.detail, 0), known.detail, 1)] = HALO
    large = Image.fromarray(small).resize((cols * cell, rows * cell), Image.Resampling.LANCZOS)
    return np.asarray(large)


def _unread(image: RGB, reason: str) -> RGB:
    """Return a picture in which no board was found, and why."""
    scale = min(1.0, _PLAIN / max(image.shape[:2]))
    height, across = (max(1, round(side * scale)) for side in image.shape[:2])
    small = np.asarray(Image.fromarray(image).resize((across, height)))
    side = round((height * across) ** 0.5)
    shown = overlay.view(small, whole((1, 1), small.shape[:2]), (1, 1), side)
    return overlay.page([("no board was found", shown.rgb)], [(reason, overlay.UNKNOWN)])


def _view(rgb: RGB, size: tuple[int, int], cell: int) -> View:
    return overlay.view(rgb, np.array([[cell, 0, 0], [0, cell, 0]], float), size, cell)


def _shown(picture: Any) -> RGB:
    rgb: RGB = picture.palette[picture.pixels]
    return rgb


def _mask(size: tuple[int, int], cells: list[tuple[int, int]]) -> NDArray[np.bool_]:
    mask = np.zeros(size, bool)
    for at in cells:
        mask[at] = True
    return mask


def _distance(shape: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the signed distance, in pixels, of each pixel from the edge of a shape."""
    if not shape.any():
        return np.full(shape.shape, 1e6, np.float32)
    inner, outer = (ndimage.distance_transform_edt(part) for part in (shape, ~shape))
    signed: NDArray[np.float32] = np.where(shape, 0.5 - inner, outer - 0.5).astype(np.float32)
    return signed
