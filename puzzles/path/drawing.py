"""The labels along a route, read from a picture in which the route is drawn."""

from functools import partial

from puzzles.drawing import Drawing
from puzzles.path.rules import State, answer_of
from puzzles.path.view import draw
from puzzles.ways import read_way
from render.boards.warping import RGB


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return the labels that the red line in a picture of ``state`` passes, in order."""
    read = read_way(image, partial(draw, state), state.walls, state.agent, state.goal)
    steps = read.answer
    return read._replace(answer=None if steps is None else answer_of(state, steps), actions=steps)
