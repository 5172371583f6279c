"""The slides read from a picture in which hints for them are drawn."""

from collections.abc import Sequence
from functools import partial

from puzzles.drawing import Drawing
from puzzles.hints import Form, Move, read_hints
from puzzles.parking.rules import Slide, State
from puzzles.parking.view import draw, draw_solution, hint_boxes, paints_of
from render.boards.warping import RGB
from render.canvas import Picture
from render.chips import Box


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return the slides whose numbered hints stand on the vehicles in a picture of ``state``."""

    def boxes(cell: int) -> dict[str, list[Box]]:
        return {car.name: hint_boxes(car, cell) for car in state.vehicles}

    def solved(moves: Sequence[Move], cell: int) -> Picture:
        return draw_solution(state, [Slide(*move) for move in moves], cell)

    form = Form(partial(draw, state), solved, paints_of, boxes)
    pieces = {car.name: car.cells() for car in state.vehicles}
    read = read_hints(image, form, (state.rows, state.cols), pieces)
    return Drawing([Slide(*move) for move in read.moves] or None, *read[1:])
