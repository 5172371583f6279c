"""The picture of a Sokoban board: bricks round a sandy floor, a wooden crate, a green cross."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from puzzles.sokoban.rules import State, apply
from render.canvas import Painting, Picture, Pixels, Sprite, characters, lay, stack, stamp
from render.grid import AID_COLOURS, aid
from render.palette import AID_RED, HALO, Colour, Paints
from render.shapes import Field, Plane, meet, union
from render.strokes import draw_way

FLOOR: Colour = (242, 228, 194)
SHADE: Colour = (226, 208, 168)
BRICK: Colour = (72, 67, 100)
BRICK_LIGHT: Colour = (84, 84, 124)
MORTAR: Colour = (46, 42, 62)
WOOD: Colour = (234, 194, 116)
WOOD_LIGHT: Colour = (246, 216, 150)
WOOD_DARK: Colour = (62, 48, 26)
TARGET: Colour = (44, 164, 84)
TARGET_EDGE: Colour = (16, 92, 48)
STORED: Colour = (168, 214, 128)
SHIRT: Colour = (44, 104, 206)
SKIN: Colour = (252, 218, 164)
HAIR: Colour = (48, 40, 30)
COLOURS = (
    *(FLOOR, SHADE, BRICK, BRICK_LIGHT, MORTAR, WOOD, WOOD_LIGHT, WOOD_DARK),
    *(TARGET, TARGET_EDGE, STORED, SHIRT, SKIN, HAIR),
)


class _Art(NamedTuple):
    paints: Paints
    tiles: Pixels  # floor, floor below a wall, wall
    target: Sprite
    box: Sprite
    stored: Sprite
    player: Sprite


def draw(state: State, cell: int = 64) -> Picture:
    """The board, ``cell`` pixels a cell, edge to edge."""
    art = _art(cell)
    walls = characters(state.walls) == ord("#")
    board = np.where(walls, np.uint8(2), np.uint8(0))
    board[1:] += walls[:-1] & ~walls[1:]
    pixels = lay(art.tiles, board)
    for at in state.targets:
        _put(pixels, art.target, at, cell)
    for at in state.boxes:
        _put(pixels, art.stored if at in state.targets else art.box, at, cell)
    _put(pixels, art.player, state.player, cell)
    return Picture(pixels, art.paints.colours)


def draw_aid(state: State, cell: int = 64) -> Picture:
    """The board with the grid and the coordinates of every cell that is no wall."""
    free = characters(state.walls) != ord("#")
    return aid(draw(state, cell), cell, _art(cell).paints, labelled=free)


def draw_solution(state: State, actions: Sequence[str], cell: int = 64) -> Picture:
    """The board with the player's walk, up to where the last push is made from."""
    start, way, pushed = state, [state.player], 0
    for action in actions:
        after = apply(state, action)
        if after.boxes != state.boxes:
            pushed = len(way)
        way.append(after.player)
        state = after
    way = way[:pushed] if pushed else way
    return draw_way(draw(start, cell), way, cell, _art(cell).paints)


def _put(pixels: Pixels, sprite: Sprite, at: tuple[int, int], cell: int) -> None:
    stamp(pixels, sprite, at[0] * cell, at[1] * cell)


@lru_cache(maxsize=8)
def _art(cell: int) -> _Art:
    tiles = [_floor(cell), _floor(cell, shaded=True), _wall(cell)]
    sprites = [_target(cell), _box(cell, False), _box(cell, True), _player(cell)]
    samples = [painting.rgb for painting in (*tiles, *sprites)]
    paints = Paints([*COLOURS, *AID_COLOURS], samples, [AID_RED, HALO])
    return _Art(paints, stack([t.bake(paints) for t in tiles]), *(s.bake(paints) for s in sprites))


def _floor(cell: int, shaded: bool = False) -> Painting:
    painting = Painting(cell, FLOOR)
    if shaded:
        painting.fill(painting.plane.box(-1, -1, 2, 0.1), SHADE)
    return painting


def _wall(cell: int) -> Painting:
    """Three courses of bricks that run on from cell to cell."""
    painting = Painting(cell, MORTAR)
    plane, third = painting.plane, 1 / 3
    for course in range(3):
        for left in (-0.25, 0.25, 0.75) if course % 2 else (0.0, 0.5):
            top = course * third
            brick = plane.box(left + 0.025, top + 0.025, left + 0.475, top + third - 0.025, 0.035)
            lit = plane.box(left + 0.055, top + 0.045, left + 0.445, top + 0.085)
            painting.fill(brick, BRICK).fill(lit, BRICK_LIGHT)
    return painting


def _cross(plane: Plane, near: float, far: float, width: float) -> list[Field]:
    return [
        plane.line([(near, near), (far, far)], width),
        plane.line([(far, near), (near, far)], width),
    ]


def _target(cell: int) -> Painting:
    painting = Painting(cell, FLOOR)
    painting.fill(union(*_cross(painting.plane, 0.2, 0.8, 0.2)), TARGET_EDGE)
    return painting.fill(union(*_cross(painting.plane, 0.2, 0.8, 0.135)), TARGET)


def _box(cell: int, stored: bool) -> Painting:
    """A crate with a cross on its lid; a green one where it stands on a target."""
    painting = Painting(cell, FLOOR)
    plane = painting.plane
    frame, panel = (TARGET, STORED) if stored else (WOOD_LIGHT, WOOD)
    ink = TARGET_EDGE if stored else WOOD_DARK
    body, lid = plane.box(0.06, 0.06, 0.94, 0.94, 0.1), plane.box(0.175, 0.175, 0.825, 0.825, 0.03)
    painting.fill(body, ink).fill(body + 0.035, frame).fill(lid, ink).fill(lid + 0.03, panel)
    return painting.fill(meet(union(*_cross(plane, 0.2, 0.8, 0.11)), lid), ink)


def _player(cell: int) -> Painting:
    """A small person seen from the front, arms out."""
    painting = Painting(cell, FLOOR)
    plane = painting.plane
    left, right = [(0.44, 0.7), (0.42, 0.88)], [(0.56, 0.7), (0.58, 0.88)]
    legs = union(plane.line(left, 0.1), plane.line(right, 0.1))
    arms = plane.line([(0.3, 0.64), (0.4, 0.5), (0.6, 0.5), (0.7, 0.64)], 0.1)
    body = union(plane.polygon([(0.42, 0.48), (0.58, 0.48), (0.6, 0.72), (0.4, 0.72)], 0.05), arms)
    head = plane.disc(0.5, 0.27, 0.155)
    everything = union(legs, body, head)
    painting.fill(everything - 0.035, HALO)
    painting.fill(legs, HAIR).fill(body, SHIRT).fill(head, HAIR)
    face = meet(plane.disc(0.5, 0.3, 0.125), -plane.disc(0.5, 0.08, 0.15))
    painting.fill(face, SKIN)
    hands = union(plane.disc(0.3, 0.65, 0.05), plane.disc(0.7, 0.65, 0.05))
    return painting.fill(hands, SKIN)
