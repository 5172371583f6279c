"""The slides read from a picture in which hints for them are drawn."""

from collections.abc import Iterable
from functools import partial

from puzzles.directions import moved
from puzzles.drawing import Drawing
from puzzles.hints import Form, read_hints
from puzzles.klotski.rules import TARGET, Slide, State, blocks_of
from puzzles.klotski.view import draw, draw_hints, hint_boxes, paints_of
from render.boards.warping import RGB
from render.chips import Box


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return the slides whose numbered hints stand on the blocks in a picture of ``state``."""
    blocks = blocks_of(state.board)

    def boxes(cell: int) -> dict[str, list[Box]]:
        return {name: hint_boxes(at, name == TARGET, cell) for name, at in blocks.items()}

    form = Form(partial(draw, state), partial(draw_hints, state), paints_of, boxes)
    read = read_hints(image, form, (len(state.board), len(state.board[0])), blocks)
    return Drawing(_slides(state, read.moves) or None, *read[1:])


def _slides(state: State, moves: Iterable[tuple[str, str]]) -> list[Slide]:
    """Return moves of named blocks as slides from where each block then stands."""
    corners = {name: cells[0] for name, cells in blocks_of(state.board).items()}
    slides = list[Slide]()
    for name, direction in moves:
        slides.append(Slide(corners[name], direction))
        corners[name] = moved(corners[name], direction)
    return slides
