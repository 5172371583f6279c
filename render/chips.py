"""Numbered move hints: small chips with a number and an arrow, packed onto a piece."""

from collections.abc import Sequence
from functools import lru_cache

from render.canvas import Painting, Picture, Pixels, Sprite, coverage, stamp
from render.glyphs import width, write
from render.palette import LEVELS, Colour, Paints, mix
from render.shapes import Field, Plane

CHIP: Colour = (255, 0, 184)
CHIP_INK: Colour = (255, 255, 255)
CHIP_COLOURS: tuple[Colour, ...] = (
    CHIP,
    CHIP_INK,
    *(mix(CHIP, CHIP_INK, k) for k in range(1, LEVELS)),
)  # a family's Paints keep these exact

Hint = tuple[int, str]  # its number from 1, and up, right, down or left
Box = tuple[int, int, int, int]  # pixels: top, left, height, width

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
FIGURES_TALL, ARROW_TALL, ARROW_WIDE, SPACE = 0.6, 0.46, 0.42, 0.24  # of a chip's height
_LARGEST = 0.5  # of a cell


def put_chips(picture: Picture, hints: Sequence[Hint], box: Box, cell: int, paints: Paints) -> None:
    """Draw hints in reading order inside a box of the picture, in place, as large as fits."""
    if not hints:
        return
    aspect = aspect_of(max(number for number, _ in hints))
    spots, size = slots(len(hints), box, aspect, largest(cell))
    for (number, direction), (y, x) in zip(hints, spots, strict=True):
        stamp(picture.pixels, chip(number, direction, size, int(size * aspect), paints), y, x)


def slots(count: int, box: Box, aspect: float, most: int) -> tuple[list[tuple[int, int]], int]:
    """Top left corners (y, x) of ``count`` chips packed in a box, and their height in pixels."""
    top, left, height, wide = box
    best, across = 0.0, 1
    for columns in range(1, count + 1):
        size = min(height / -(-count // columns), wide / columns / aspect)
        if size > best:
            best, across = size, columns
    down = -(-count // across)
    size = max(1, min(int(best), most))
    spots = []
    for i in range(count):
        row, column = divmod(i, across)
        in_row = min(across, count - row * across)
        y = top + height / 2 + (row - down / 2) * size
        x = left + wide / 2 + (column - in_row / 2) * int(size * aspect)
        spots.append((int(y), int(x)))
    return spots, size


def largest(cell: int) -> int:
    """Return the most pixels that a chip is high."""
    return int(_LARGEST * cell)


def aspect_of(number: int) -> float:
    """Return the width of chips with numbers up to this one, by their height."""
    return 0.95 + 0.62 * width(str(number))


@lru_cache(maxsize=4096)
def chip(number: int, direction: str, h: int, w: int, paints: Paints) -> Sprite:
    """A chip ``h`` by ``w`` pixels: the number, then an arrow."""
    painting = _body(h, w)
    for part in (_figures(number, h, w), _pointer(number, direction, h, w)):
        painting.fill(part, CHIP_INK)
    return painting.bake(paints)


def body(h: int, w: int, paints: Paints) -> Sprite:
    """A chip with nothing on it."""
    return _body(h, w).bake(paints)


def written(number: int, h: int, w: int) -> Pixels:
    """How far the number covers each pixel of a chip, 0 to LEVELS."""
    return coverage(_figures(number, h, w), 1)


def pointed(number: int, direction: str, h: int, w: int) -> Pixels:
    """How far the arrow covers each pixel; it depends on how wide the number before it is."""
    return coverage(_pointer(number, direction, h, w), 1)


def _body(h: int, w: int) -> Painting:
    painting = Painting(1, CHIP, h, w)
    field = painting.plane.box(0, 0, w, h, h * 0.3)
    return painting.fill(field, CHIP_INK).fill(field + max(0.75, h * 0.05), CHIP)


def weights(h: int) -> tuple[float, float]:
    """Return how thick the strokes of numbers and arrows are, of their height."""
    return max(0.16, 1.2 / (FIGURES_TALL * h)), max(0.2, 2.6 / h)


def _figures(number: int, h: int, w: int) -> Field:
    left, reach, _ = _measures(number, h, w)
    tall = FIGURES_TALL * h
    return write(Plane(h, w, 1), str(number), left + reach / 2, h / 2, tall, weights(h)[0])


def _pointer(number: int, direction: str, h: int, w: int) -> Field:
    left, reach, arrow = _measures(number, h, w)
    at = left + reach + SPACE * h + arrow / 2
    return write(Plane(h, w, 1), ARROWS[direction], at, h / 2, ARROW_TALL * h, weights(h)[1])


def _measures(number: int, h: int, w: int) -> tuple[float, float, float]:
    """Where the number begins, how wide it is, and how wide the arrow, in pixels."""
    reach, arrow = width(str(number)) * FIGURES_TALL * h, ARROW_WIDE * h
    return (w - reach - SPACE * h - arrow) / 2, reach, arrow
