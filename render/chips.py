"""Numbered move hints: small chips with a number and an arrow, packed onto a piece."""

from collections.abc import Sequence
from functools import lru_cache

from render.canvas import Painting, Picture, Sprite, stamp
from render.glyphs import width, write
from render.palette import LEVELS, Colour, Paints, mix

CHIP: Colour = (255, 0, 184)
CHIP_INK: Colour = (255, 255, 255)
CHIP_COLOURS: tuple[Colour, ...] = (
    CHIP,
    CHIP_INK,
    *(mix(CHIP, CHIP_INK, k) for k in range(1, LEVELS)),
)  # a family's Paints keep these exact

Hint = tuple[int, str]  # its number from 1, and up, right, down or left
Box = tuple[int, int, int, int]  # pixels: top, left, height, width

_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
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
    painting = Painting(1, CHIP, h, w)
    plane, text = painting.plane, str(number)
    body = plane.box(0, 0, w, h, h * 0.3)
    painting.fill(body, CHIP_INK).fill(body + max(0.75, h * 0.05), CHIP)
    tall, reach, arrow = 0.6 * h, width(text) * 0.6 * h, 0.42 * h
    left = (w - reach - 0.24 * h - arrow) / 2
    number_at, arrow_at = left + reach / 2, left + reach + 0.24 * h + arrow / 2
    figures = write(plane, text, number_at, h / 2, tall, max(0.16, 1.2 / tall))
    pointer = write(plane, _ARROWS[direction], arrow_at, h / 2, 0.46 * h, max(0.2, 2.6 / h))
    return painting.fill(figures, CHIP_INK).fill(pointer, CHIP_INK).bake(paints)
