"""A maze's way read from a picture in which it is drawn."""

from functools import partial

from puzzles.drawing import Drawing
from puzzles.maze.rules import State
from puzzles.maze.view import draw
from puzzles.ways import read_way
from render.boards.warping import RGB


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return the directions along the red line in a picture of ``state``."""
    return read_way(image, partial(draw, state), state.walls, state.agent, state.goal)
