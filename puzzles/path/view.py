"""The picture of a path board: black walls, letters in the corners of cells, two triangles."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from puzzles.directions import walk
from puzzles.path.rules import State
from render.canvas import Painting, Picture, Pixels, Sprite, characters, lay, mark, stack, stamp
from render.corners import paint_tiles, soft_tiles
from render.glyphs import write
from render.grid import AID_COLOURS, aid
from render.palette import AID_RED, HALO, Colour, Paints
from render.strokes import draw_way

FLOOR: Colour = (226, 226, 224)
WALL: Colour = (22, 22, 25)
START: Colour = (255, 174, 0)
START_EDGE: Colour = (70, 48, 0)
GOAL: Colour = (40, 96, 216)
GOAL_EDGE: Colour = (20, 44, 110)
PLATE: Colour = HALO
LETTER: Colour = (22, 22, 25)
COLOURS = (FLOOR, WALL, START, START_EDGE, GOAL, GOAL_EDGE, PLATE, LETTER)
_BIG = ((0.52, 0.24), (0.84, 0.8), (0.2, 0.8))
_SMALL = ((0.52, 0.5), (0.67, 0.76), (0.37, 0.76))


class _Art(NamedTuple):
    paints: Paints
    tiles: Pixels
    start: Sprite
    goal: Sprite
    both: Sprite
    plate: Sprite


def draw(state: State, cell: int = 64) -> Picture:
    """The board, ``cell`` pixels a cell, edge to edge."""
    art = _art(cell)
    pixels = lay(art.tiles, soft_tiles(characters(state.walls) == ord("#")))
    for name, at in state.labels:
        _put(pixels, art.plate, at, cell)
        _put(pixels, _letter(name, cell), at, cell)
    if state.agent == state.goal:
        _put(pixels, art.both, state.agent, cell)
    else:
        _put(pixels, art.goal, state.goal, cell)
        _put(pixels, art.start, state.agent, cell)
    return Picture(pixels, art.paints.colours)


def draw_aid(state: State, cell: int = 64) -> Picture:
    """The board with the grid and the coordinates of every cell."""
    picture = draw(state, cell)
    letters = np.zeros(picture.pixels.shape, bool)
    for name, (row, col) in state.labels:
        mark(letters, _letter(name, cell), row * cell, col * cell)
    return aid(picture, cell, _art(cell).paints, letters=letters)


def draw_solution(state: State, actions: Sequence[str], cell: int = 64) -> Picture:
    """The board with the way that ``actions`` take, from centre to centre."""
    way = walk(state.agent, actions)
    return draw_way(draw(state, cell), way, cell, _art(cell).paints)


def _put(pixels: Pixels, sprite: Sprite, at: tuple[int, int], cell: int) -> None:
    stamp(pixels, sprite, at[0] * cell, at[1] * cell)


@lru_cache(maxsize=8)
def _art(cell: int) -> _Art:
    tiles = paint_tiles(cell, FLOOR, WALL)
    start, goal, both = (Painting(cell, FLOOR) for _ in range(3))
    _paint_triangle(start, _BIG, START, START_EDGE)
    _paint_triangle(goal, _BIG, GOAL, GOAL_EDGE)
    _paint_triangle(both, _BIG, GOAL, GOAL_EDGE)
    _paint_triangle(both, _SMALL, START, START_EDGE)
    plate = Painting(cell, FLOOR)
    plate.fill(plate.plane.box(0.05, 0.05, 0.95, 0.95, 0.16), PLATE)
    paintings = [*tiles, start, goal, both, plate, _paint_letter("B", cell)]
    paints = Paints([*COLOURS, *AID_COLOURS], [p.rgb for p in paintings], [AID_RED, HALO])
    laid = stack([tile.bake(paints) for tile in tiles])
    return _Art(paints, laid, *(sprite.bake(paints) for sprite in (start, goal, both, plate)))


@lru_cache(maxsize=256)
def _letter(name: str, cell: int) -> Sprite:
    return _paint_letter(name, cell).bake(_art(cell).paints)


def _paint_letter(name: str, cell: int) -> Painting:
    """A letter in the corner of its plate, clear of markers, ways and coordinates."""
    painting = Painting(cell, PLATE)
    return painting.fill(write(painting.plane, name, 0.235, 0.2, 0.255, 0.2), LETTER)


def _paint_triangle(
    painting: Painting, points: Sequence[tuple[float, float]], colour: Colour, edge: Colour
) -> None:
    shape = painting.plane.polygon(points, 0.04)
    painting.fill(shape, edge).fill(shape + 0.035, colour)
