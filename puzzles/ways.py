"""Drawn ways of a walker, read back: from the red line to the cells and steps of a walk."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from puzzles.directions import STEPS
from puzzles.drawing import Drawing
from puzzles.family import Cell
from render.boards.warping import RGB
from render.canvas import Picture, characters
from render.drawings.changes import added, strange, unexplained
from render.drawings.covered import mistaken
from render.drawings.flaws import Flaw
from render.drawings.ink import coarse, red_ink, sheet, stained
from render.drawings.traces import Trace, on_walls, trace, way

_WORDS = {step: word for word, step in STEPS.items()}


class Line(NamedTuple):
    """What a red line shows, whatever it is for: its trace, and the wall that it lies on.

    ``odd`` are the cells that look different for another reason than the line, ``beneath`` those
    under it that look like others. A ``photo`` does not match the board to the pixel.
    """

    trace: Trace
    wall: Cell | None
    odd: tuple[Cell, ...]
    beneath: tuple[Cell, ...]
    photo: bool


def read_line(image: RGB, draw: Callable[[int], Picture], walls: Sequence[str]) -> Line:
    """Return what is drawn in red on a board of ``walls``, whose own drawing is ``draw(cell)``."""
    rows, cols = len(walls), len(walls[0])
    page = sheet(image, draw, rows, cols)
    ink, differs = red_ink(page), strange(page)
    found = trace(*coarse(ink, page.cell))
    stain = stained(ink, page.cell)
    odd, beneath = unexplained(page, differs, stain), mistaken(page, stain)
    if found.flaw is Flaw.NONE_DRAWN and added(differs, page.cell):
        found = Trace({}, Flaw.WRONG_COLOUR, Flaw.WRONG_COLOUR.sentence)
    solid = characters(walls) == ord("#")
    exact = page.drawn is not None
    return Line(found, on_walls(ink, solid, page.cell, exact), odd, beneath, not exact)


def read_way(
    image: RGB, draw: Callable[[int], Picture], walls: Sequence[str], start: Cell, goal: Cell
) -> Drawing:
    """Return the steps of the one simple way from ``start`` to ``goal`` that is drawn in red."""
    (graph, flaw, detail), wall, odd, beneath, photo = read_line(image, draw, walls)
    if flaw in (Flaw.NONE_DRAWN, Flaw.WRONG_COLOUR, Flaw.OFF_BOARD, Flaw.SLANTED):
        return Drawing(None, flaw, detail, odd, beneath)
    cells, broken, why = way(graph, start)
    if wall is not None:
        flaw, detail = Flaw.CROSSES_WALL, f"the line lies on the wall at {wall}"
    elif not flaw:
        flaw, detail = broken, why
    if not flaw and cells[-1] != goal:
        flaw, detail = Flaw.WRONG_END, f"the line ends at {cells[-1]}, not at {goal}"
    found = steps(cells) if cells else None
    return Drawing(found, flaw, detail, odd, beneath, photo=photo)


def steps(cells: Sequence[Cell]) -> list[str]:
    """Return the directions of a walk over ``cells``."""
    return [_WORDS[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(cells)]
