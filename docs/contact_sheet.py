"""Composes docs/pictures: the six families for the README, and a sheet of everything drawn.

python docs/contact_sheet.py [SEED]
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from puzzles import NAMES, family
from render.canvas import coverage
from render.glyphs import width, write
from render.palette import LEVELS, Colour
from render.shapes import Plane

Rgb = NDArray[np.int32]

PAPER: Colour = (252, 249, 243)
TEXT: Colour = (84, 78, 72)
DIFFICULTIES = ("easy", "medium", "hard")
FOLDER = Path(__file__).parent / "pictures"


class Entry(NamedTuple):
    """A board to show, with the actions that solve it."""

    family: str
    difficulty: str
    state: Any
    actions: Sequence[Any]


def families(entries: Iterable[Entry], across: int = 1600) -> Rgb:
    """The first entry of each family, three in a row, with captions."""
    first = {entry.family: entry for entry in reversed(list(entries))}
    margin, gap, caption = 56, 56, 58
    side = (across - 2 * margin - 2 * gap) // 3
    rows = -(-len(NAMES) // 3)
    sheet = _paper(2 * margin + rows * (side + caption + gap // 2) - gap // 2 - 10, across)
    for i, name in enumerate(NAMES):
        row, column = divmod(i, 3)
        y = margin + row * (side + caption + gap // 2)
        x = margin + column * (side + gap)
        _put(sheet, _drawn(first[name], "draw", side), y, x, side)
        _write(sheet, name, y + side + 34, x + side // 2, 19)
    return sheet


def everything(entries: Iterable[Entry], side: int = 320) -> Rgb:
    """Families down; easy, medium and hard across, each plain, with its aid and its solution."""
    found = {(entry.family, entry.difficulty): entry for entry in reversed(list(entries))}
    margin, gap, group, head = 40, 12, 36, 56
    block = 3 * side + 2 * gap
    rows, across = len(NAMES), 2 * margin + 3 * block + 2 * group
    sheet = _paper(margin + head + rows * (side + head), across)
    for j, difficulty in enumerate(DIFFICULTIES):
        left = margin + j * (block + group)
        _write(sheet, difficulty, margin, left + block // 2, 22)
        for i, name in enumerate(NAMES):
            top = margin + head + i * (side + head)
            _write(sheet, name, top - 22, left + side // 2, 15)
            for k, kind in enumerate(("draw", "draw_aid", "draw_solution")):
                drawn = _drawn(found[name, difficulty], kind, side)
                _put(sheet, drawn, top, left + k * (side + gap), side)
    return sheet


def save(sheet: Rgb, path: Path) -> None:
    """Write a sheet as an RGB PNG, small rather than fast."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(sheet.astype(np.uint8)).save(path, optimize=True)


def entries_of(seed: int = 0) -> list[Entry]:
    """One board of every family and difficulty."""
    from puzzles import make
    from puzzles.solve import solve

    out = []
    for name in NAMES:
        room = family(name)
        for difficulty in DIFFICULTIES:
            instance = make(name, difficulty, 1, seed=seed)[0]
            state = room.parse(instance.board, instance.rules)
            out.append(Entry(name, difficulty, state, solve(room, state).actions))
    return out


def _drawn(entry: Entry, kind: str, side: int) -> Rgb:
    """A picture that fits a square of ``side`` pixels, as RGB."""
    room = family(entry.family)
    rows = room.format(entry.state).split("\n")
    cell = max(16, side // max(len(rows), len(rows[0])))
    extra = (entry.actions,) if kind == "draw_solution" else ()
    picture = getattr(room, kind)(entry.state, *extra, cell)
    rgb: Rgb = picture.palette[picture.pixels].astype(np.int32)
    return rgb


def _paper(height: int, across: int) -> Rgb:
    sheet = np.empty((height, across, 3), np.int32)
    sheet[:] = PAPER
    return sheet


def _put(sheet: Rgb, drawn: Rgb, y: int, x: int, side: int) -> None:
    h, w = drawn.shape[:2]
    y, x = y + (side - h) // 2, x + (side - w) // 2
    sheet[y : y + h, x : x + w] = drawn


def _write(sheet: Rgb, text: str, y: int, x: int, size: int) -> None:
    """A caption whose middle is at pixel (y, x)."""
    w, h = int(width(text, 0.4) * size) + 2 * size, 2 * size
    letters = write(Plane(h, w, 1), text, w / 2, h / 2, size, 0.1)
    level = coverage(letters, 1)[..., None].astype(np.int32)
    region = sheet[y - h // 2 :, x - w // 2 :][:h, :w]
    region[:] = (region * (LEVELS - level) + np.array(TEXT) * level) // LEVELS


def main() -> None:
    entries = entries_of(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    medium_first = sorted(entries, key=lambda entry: entry.difficulty != "medium")
    save(families(medium_first), FOLDER / "families.png")
    save(everything(entries), FOLDER / "contact-sheet.png")


if __name__ == "__main__":
    main()
