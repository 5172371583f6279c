"""The slides read from a picture in which hints for them are drawn."""

from functools import partial

from puzzles.drawing import Drawing
from puzzles.hints import read_hints
from puzzles.parking.rules import Slide, State
from puzzles.parking.view import draw, hint_boxes, paints_of
from render.align import RGB
from render.chips import Box


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return the slides whose numbered hints stand on the vehicles in a picture of ``state``."""

    def boxes(cell: int) -> dict[str, list[Box]]:
        return {car.name: hint_boxes(car, cell) for car in state.vehicles}

    size = state.rows, state.cols
    moves, flaw, detail = read_hints(image, partial(draw, state), paints_of, size, boxes)
    return Drawing(None if flaw else [Slide(*move) for move in moves], flaw, detail)
