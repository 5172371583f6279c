"""The picture of a maze: dark walls, a blue disc on its way to a green ring."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from puzzles.directions import walk
from puzzles.maze.rules import State
from render.canvas import Painting, Picture, Pixels, Sprite, characters, lay, stack, stamp
from render.corners import paint_tiles, soft_tiles
from render.grid import AID_COLOURS, aid
from render.palette import AID_RED, HALO, Colour, Paints
from render.shapes import meet, ring
from render.strokes import draw_way

FLOOR: Colour = (250, 246, 238)
WALL: Colour = (40, 46, 68)
AGENT: Colour = (48, 106, 218)
AGENT_EDGE: Colour = (30, 72, 166)
AGENT_LIGHT: Colour = (132, 176, 246)
GOAL: Colour = (36, 158, 92)
GOAL_EDGE: Colour = (22, 118, 68)
COLOURS = (FLOOR, WALL, AGENT, AGENT_EDGE, AGENT_LIGHT, GOAL, GOAL_EDGE)


class _Art(NamedTuple):
    paints: Paints
    tiles: Pixels
    agent: Sprite
    goal: Sprite
    both: Sprite


def draw(state: State, cell: int = 64) -> Picture:
    """The board, ``cell`` pixels a cell, edge to edge."""
    art = _art(cell)
    pixels = lay(art.tiles, soft_tiles(characters(state.walls) == ord("#")))
    if state.agent == state.goal:
        _put(pixels, art.both, state.agent, cell)
    else:
        _put(pixels, art.goal, state.goal, cell)
        _put(pixels, art.agent, state.agent, cell)
    return Picture(pixels, art.paints.colours)


def draw_aid(state: State, cell: int = 64) -> Picture:
    """The board with the grid and the coordinates of every cell."""
    return aid(draw(state, cell), cell, _art(cell).paints)


def draw_solution(state: State, actions: Sequence[str], cell: int = 64) -> Picture:
    """The board with the way that ``actions`` take, from centre to centre."""
    way = walk(state.agent, actions)
    return draw_way(draw(state, cell), way, cell, _art(cell).paints)


def _put(pixels: Pixels, sprite: Sprite, at: tuple[int, int], cell: int) -> None:
    stamp(pixels, sprite, at[0] * cell, at[1] * cell)


@lru_cache(maxsize=8)
def _art(cell: int) -> _Art:
    tiles = paint_tiles(cell, FLOOR, WALL)
    agent, goal, both = (Painting(cell, FLOOR) for _ in range(3))
    _paint_agent(agent, 0.34)
    _paint_goal(goal)
    _paint_goal(both)
    _paint_agent(both, 0.22)
    paintings = [*tiles, agent, goal, both]
    paints = Paints([*COLOURS, *AID_COLOURS], [p.rgb for p in paintings], [AID_RED, HALO])
    laid = stack([tile.bake(paints) for tile in tiles])
    return _Art(paints, laid, agent.bake(paints), goal.bake(paints), both.bake(paints))


def _paint_agent(painting: Painting, radius: float) -> None:
    plane = painting.plane
    body = plane.disc(0.5, 0.5, radius)
    painting.fill(body, AGENT_EDGE).fill(body + 0.035, AGENT)
    shine = meet(plane.disc(0.5, 0.5, radius * 0.72), -plane.disc(0.53, 0.54, radius * 0.72))
    painting.fill(shine, AGENT_LIGHT)


def _paint_goal(painting: Painting) -> None:
    hoop = painting.plane.disc(0.5, 0.5, 0.4)
    painting.fill(ring(hoop, 0.115), GOAL_EDGE).fill(ring(hoop + 0.025, 0.065), GOAL)
