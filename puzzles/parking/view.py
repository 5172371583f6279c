"""The picture of a car park: lettered cars and trucks on tarmac, a green exit on the right."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from puzzles.parking.rules import RED, Slide, State, Vehicle
from render.canvas import Painting, Picture, Pixels, Sprite, Stencil, lay, mark, stack, stamp
from render.chips import CHIP_COLOURS, Box, Hint, put_chips
from render.glyphs import width, write
from render.grid import AID_COLOURS, aid
from render.palette import AID_RED, HALO, Colour, Paints, mix
from render.shapes import Field, Plane, meet, union

TARMAC: Colour = (60, 67, 76)
PAINT: Colour = (76, 90, 102)
KERB: Colour = (222, 224, 212)
EXIT: Colour = (70, 220, 120)
BLOCK: Colour = (218, 216, 210)
GLASS: Colour = (34, 42, 60)
LIGHT: Colour = (255, 250, 220)
DARK: Colour = (24, 26, 32)
BODIES: tuple[Colour, ...] = (  # of the letters A to Z; only R is red
    *((24, 176, 240), (76, 140, 236), (240, 176, 20), (16, 112, 112), (116, 234, 236)),
    *((160, 192, 64), (16, 96, 176), (240, 208, 160), (20, 176, 128), (246, 232, 44)),
    *((240, 240, 238), (80, 144, 24), (160, 144, 80), (176, 208, 240), (48, 128, 160)),
    *((144, 160, 144), (60, 232, 60), (214, 36, 44), (192, 224, 176), (72, 162, 162)),
    *((26, 28, 92), (96, 112, 96), (56, 238, 178), (16, 112, 64), (68, 84, 20), (20, 34, 22)),
)
COLOURS = (TARMAC, PAINT, KERB, EXIT, BLOCK, GLASS, LIGHT, DARK, *BODIES)


class _Art(NamedTuple):
    paints: Paints
    tiles: Pixels  # by which of left, right, top, bottom are edges, then by exit: see _tile_board
    block: Sprite
    exit: Sprite


def draw(state: State, cell: int = 64) -> Picture:
    """The lot, ``cell`` pixels a cell, edge to edge; the exit is a mark inside the right edge."""
    art = _art(cell)
    pixels = lay(art.tiles, _tile_board(state))
    for row, col in state.walls:
        stamp(pixels, art.block, row * cell, col * cell)
    for car in state.vehicles:
        sprite = _vehicle(car.name, car.length, car.horizontal, cell)
        letter = _letter(car, cell)
        stamp(pixels, sprite, car.row * cell, car.col * cell)
        stamp(pixels, letter, car.row * cell, car.col * cell)
    for row in _exit_rows(state):
        stamp(pixels, art.exit, row * cell, (state.cols - 1) * cell)
    return Picture(pixels, art.paints.colours)


def draw_aid(state: State, cell: int = 64) -> Picture:
    """The lot with the grid and the coordinates of every cell."""
    picture = draw(state, cell)
    letters = np.zeros(picture.pixels.shape, bool)
    for car in state.vehicles:
        letter = _letter(car, cell)
        mark(letters, letter, car.row * cell, car.col * cell)
    return aid(picture, cell, _art(cell).paints, letters=letters)


def draw_solution(state: State, actions: Sequence[Slide], cell: int = 64) -> Picture:
    """The lot with numbered hints on the vehicles that are to move, nothing moved."""
    picture, hints = draw(state, cell), defaultdict[str, list[Hint]](list)
    for number, (name, direction) in enumerate(actions, 1):
        hints[name].append((number, direction))
    for car in state.vehicles:
        _put_hints(picture, car, hints[car.name], cell)
    return picture


def _put_hints(picture: Picture, car: Vehicle, hints: Sequence[Hint], cell: int) -> None:
    """Chips before and behind the letter, in proportion to the room there."""
    rooms = [max(0.0, end - start) for start, end in _spans(car)]
    share = rooms[0] / sum(rooms)
    first = round(len(hints) * share) if len(hints) > 1 else int(share > 0.5)
    for box, part in zip(hint_boxes(car, cell), (hints[:first], hints[first:]), strict=True):
        put_chips(picture, part, box, cell, paints_of(cell))


def hint_boxes(car: Vehicle, cell: int) -> list[Box]:
    """Return where the hints on a vehicle are, in their order: before the letter, and behind it."""
    boxes, (y, x) = [], (car.row * cell, car.col * cell)
    across, wide = round(0.12 * cell), round(0.76 * cell)
    for start, end in _spans(car):
        along, long = round(start * cell), round((end - start) * cell)
        if car.horizontal:
            boxes.append((y + across, x + along, wide, long))
        else:
            boxes.append((y + along, x + across, long, wide))
    return boxes


def _spans(car: Vehicle) -> list[tuple[float, float]]:
    middle, gap = _letter_at(car.length), 0.22 if car.horizontal else 0.25
    return [(0.1, middle - gap), (middle + gap, car.length - 0.1)]


def paints_of(cell: int) -> Paints:
    """Return the palette at this size of a cell."""
    return _art(cell).paints


def _letter_at(length: int) -> float:
    """How far along a vehicle its letter stands: on a cell boundary, clear of coordinates."""
    return 0.5 if length == 1 else 1.0


def _exit_rows(state: State) -> list[int]:
    return [car.row for car in state.vehicles if car.name == RED]


def _tile_board(state: State) -> Pixels:
    board = np.zeros((state.rows, state.cols), np.uint8)
    board[:, 0] |= 1
    board[:, -1] |= 2
    board[0] |= 4
    board[-1] |= 8
    for row in _exit_rows(state):
        board[row, -1] |= 16
    return board


@lru_cache(maxsize=8)
def _art(cell: int) -> _Art:
    tiles = [_tile(bits, cell) for bits in range(32)]
    block, way_out = _block(cell), _exit(cell)
    car = _stencil(2, True, cell)
    cars = [car.rgb(TARMAC, _colours(chr(65 + i), 2)) for i in range(26)]
    shades = [shade for body in BODIES for shade in (_edge(body), _roof(body))]
    samples = [*(painting.rgb for painting in (*tiles, block, way_out)), *cars]
    exact = [*COLOURS, *AID_COLOURS, *CHIP_COLOURS, *shades]
    paints = Paints(exact, samples, [AID_RED, HALO])
    laid = stack([tile.bake(paints) for tile in tiles])
    return _Art(paints, laid, block.bake(paints), way_out.bake(paints))


def _tile(bits: int, cell: int) -> Painting:
    """Tarmac with painted corners of bays, and a kerb where the lot ends."""
    painting = Painting(cell, TARMAC)
    plane = painting.plane
    for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
        painting.fill(plane.line([(x - 0.11, y), (x + 0.11, y)], 0.045), PAINT)
        painting.fill(plane.line([(x, y - 0.11), (x, y + 0.11)], 0.045), PAINT)
    if bits & 16:
        arrow = [(0.22, 0.5), (0.7, 0.5)], [(0.5, 0.3), (0.7, 0.5), (0.5, 0.7)]
        painting.fill(union(*(plane.line(line, 0.09) for line in arrow)), EXIT)
    edges = (plane.x - 0.055, 0.945 - plane.x, plane.y - 0.055, 0.945 - plane.y)
    for k, edge in enumerate(edges):
        if bits >> k & 1 and not (k == 1 and bits & 16):
            painting.fill(edge + 0 * plane.x + 0 * plane.y, KERB)
    return painting


def _exit(cell: int) -> Painting:
    painting = Painting(cell, TARMAC)
    plane = painting.plane
    painting.fill(plane.box(0.845, 0.02, 1.2, 0.98, 0.06), DARK)
    return painting.fill(plane.box(0.87, 0.045, 1.2, 0.955, 0.05), EXIT)


def _block(cell: int) -> Painting:
    """A concrete block that never moves."""
    painting = Painting(cell, TARMAC)
    plane = painting.plane
    body = plane.box(0.06, 0.06, 0.94, 0.94, 0.08)
    painting.fill(body, DARK).fill(body + 0.035, BLOCK)
    stripes = [plane.line([(k - 0.6, 1.1), (k + 0.6, -0.1)], 0.14) for k in (0.1, 0.5, 0.9)]
    return painting.fill(meet(union(*stripes), body + 0.14), DARK)


@lru_cache(maxsize=1024)
def _vehicle(name: str, length: int, horizontal: bool, cell: int) -> Sprite:
    stencil = _stencil(length, horizontal, cell)
    return stencil.bake(TARMAC, _colours(name, length), _art(cell).paints)


def _edge(body: Colour) -> Colour:
    return mix(body, DARK, 2)


def _roof(body: Colour) -> Colour:
    return mix(body, (255, 255, 255), 2, 8)


def _colours(name: str, length: int) -> list[Colour]:
    """The colours of what ``_stencil`` lays."""
    body = body_of(name)
    upper = [[_roof(body)], [GLASS, _roof(body)], [GLASS, _edge(body), _roof(body)]]
    return [DARK, DARK, _edge(body), body, LIGHT, LIGHT, *upper[min(length, 3) - 1]]


@lru_cache(maxsize=64)
def _stencil(length: int, horizontal: bool, cell: int) -> Stencil:
    """A car, or from three cells on a truck; its front is at the right or at the bottom."""
    plane = Plane(*((1, length) if horizontal else (length, 1)), cell)

    def box(start: float, near: float, end: float, far: float, radius: float) -> Field:
        corners = (start, near, end, far) if horizontal else (near, start, far, end)
        return plane.box(*corners, radius)

    wheels = [box(x - 0.15, 0.055, x + 0.15, 0.945, 0.05) for x in (0.34, length - 0.36)]
    shell = box(0.05, 0.1, length - 0.05, 0.9, 0.2)
    lights = [box(length - 0.14, y, length - 0.08, y + 0.14, 0.03) for y in (0.17, 0.69)]
    if length >= 3:
        cargo = box(0.11, 0.16, length - 0.66, 0.84, 0.07)
        upper = [box(length - 0.5, 0.2, length - 0.28, 0.8, 0.07), cargo, cargo + 0.03]
    elif length == 2:
        roof = box(0.46, 0.17, length - 0.64, 0.83, 0.1)
        upper = [box(0.3, 0.2, length - 0.4, 0.8, 0.14), roof]
    else:
        upper = [box(0.2, 0.2, 0.8, 0.8, 0.1)]
    return Stencil(cell, [*wheels, shell, shell + 0.035, *lights, *upper])


def _letter(car: Vehicle, cell: int) -> Sprite:
    """The letter of a vehicle; it is within the first two cells."""
    return _letter_of(car.name, min(car.length, 2), car.horizontal, cell)


@lru_cache(maxsize=1024)
def _letter_of(name: str, length: int, horizontal: bool, cell: int) -> Sprite:
    roof = _roof(body_of(name))
    painting = Painting(cell, roof, *((1, length) if horizontal else (length, 1)))
    middle, height = _letter_at(length), 0.4 if width(name) < 0.75 else 0.34
    x, y = (middle, 0.5) if horizontal else (0.5, middle)
    field = write(painting.plane, name, x, y, height, 0.2)
    return painting.fill(field, DARK if _is_light(roof) else HALO).bake(_art(cell).paints)


def body_of(name: str) -> Colour:
    """The colour of a vehicle; red is for ``R`` alone, so no lower-case letter gets it."""
    at = ord(name) - ord("A")
    if name.islower():
        at = (ord(name) - ord("a") + 7) % len(BODIES)
        at = 0 if at == ord(RED) - ord("A") else at
    return BODIES[at % len(BODIES)]


def _is_light(colour: Colour) -> bool:
    return 2 * colour[0] + 5 * colour[1] + colour[2] > 8 * 128
