"""Boards as tiles: states drawn by their families, cut into cells, each look kept once.

A page that holds thousands of boards needs no drawing of its own this way: it lays tiles of one
picture per family, whatever the family is.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.family import Family
from render.canvas import Picture

Glyphs = NDArray[np.int32]
"""A board as numbers of glyphs, cell by cell."""

CELL, SMALL_CELL = 40, 16
"""Pixels a cell, and for boards that have more than LARGE cells a side."""
LARGE = 24
_COLUMNS = 16
_LARGEST = 200
"""Cells a side of the largest board that is shown."""
_KEPT = 2_000_000
"""Cells of boards that are remembered."""


class Sheet:
    """The glyphs of one family at one size: what a cell looks like, and its character."""

    def __init__(self, cell: int):
        self.cell = cell
        self._glyphs: dict[tuple[str, int], int] = {}
        self._tiles: dict[tuple[int, bytes], int] = {}
        self._palettes: dict[bytes, int] = {}

    def glyphs(self, picture: Picture, characters: str) -> Glyphs:
        """Return ``picture`` as glyphs; ``characters`` are those of its cells, row by row."""
        cell = self.cell
        palette = self._palettes.setdefault(picture.palette.tobytes(), len(self._palettes))
        rows, cols = picture.pixels.shape[0] // cell, picture.pixels.shape[1] // cell
        tiles = picture.pixels.reshape(rows, cell, cols, cell).swapaxes(1, 2)
        numbers = []
        for character, tile in zip(characters, tiles.reshape(rows * cols, -1), strict=True):
            at = self._tiles.setdefault((palette, tile.tobytes()), len(self._tiles))
            numbers.append(self._glyphs.setdefault((character, at), len(self._glyphs)))
        return np.array(numbers, np.int32)

    def record(self) -> dict[str, Any]:
        """Return the sheet as JSON: its PNG, and of each glyph its tile and its character."""
        return {
            "cell": self.cell,
            "columns": _COLUMNS,
            "png": data_uri(self._png(), "image/png"),
            "tiles": [tile for _, tile in self._glyphs],
            "characters": [character for character, _ in self._glyphs],
        }

    def _png(self) -> bytes:
        from PIL import Image

        cell, rows = self.cell, -(-len(self._tiles) // _COLUMNS)
        palettes = [np.frombuffer(one, np.uint8).reshape(-1, 3) for one in self._palettes]
        pixels = np.zeros((rows * cell, _COLUMNS * cell, 3), np.uint8)
        for at, (palette, tile) in enumerate(self._tiles):
            y, x = at // _COLUMNS * cell, at % _COLUMNS * cell
            indices = np.frombuffer(tile, np.uint8).reshape(cell, cell)
            pixels[y : y + cell, x : x + cell] = palettes[palette][indices]
        out = BytesIO()
        Image.fromarray(pixels).save(out, "PNG", optimize=True)
        return out.getvalue()


class Sheets:
    """The sheets of a page, by name; boards become numbers through them."""

    def __init__(self) -> None:
        self._sheets: dict[str, Sheet] = {}
        self._seen: OrderedDict[tuple[str, str, str], Glyphs] = OrderedDict()
        self._cells = 0

    def film(self, room: Family[Any, Any], states: Sequence[Any]) -> dict[str, Any]:
        """Return ``states``, of one board, as JSON: the first whole, of the rest what changes.

        A change is a flat list: cell, glyph, cell, glyph, ... Raises ValueError for a board that is
        too large.
        """
        boards = [room.format(state) for state in states]
        rules = json.dumps(room.rules_of(states[0]), sort_keys=True)
        lines = boards[0].split("\n")
        side = max(len(lines), len(lines[0]))
        if side > _LARGEST:
            raise ValueError(f"a board of {len(lines)}x{len(lines[0])} cells is too large")
        cell = CELL if side <= LARGE else SMALL_CELL
        name = f"{room.name}-{cell}"
        sheet = self._sheets.setdefault(name, Sheet(cell))
        glyphs = []
        for state, board in zip(states, boards, strict=True):
            key = name, rules, board
            if key not in self._seen:
                characters = board.replace("\n", "")
                self._seen[key] = sheet.glyphs(room.draw(state, cell), characters)
                self._cells += len(characters)
            glyphs.append(self._seen[key])
        while self._cells > _KEPT:
            self._cells -= len(self._seen.popitem(last=False)[1])
        changes = [_changes(one, two) for one, two in pairwise(glyphs)]
        first = glyphs[0].tolist()
        return {"sheet": name, "columns": len(lines[0]), "board": first, "changes": changes}

    def record(self) -> dict[str, Any]:
        """Return all sheets as JSON."""
        return {name: sheet.record() for name, sheet in sorted(self._sheets.items())}


def _changes(one: Glyphs, two: Glyphs) -> list[int]:
    cells = np.flatnonzero(one != two)
    return np.stack([cells, two[cells]], axis=1).ravel().tolist()


def data_uri(data: bytes, kind: str) -> str:
    return f"data:{kind};base64,{b64encode(data).decode()}"
