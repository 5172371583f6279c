"""Numbered move hints: small chips with a number and an arrow, packed onto a piece."""

from functools import lru_cache

from render.canvas import Painting, Sprite
from render.glyphs import write
from render.palette import LEVELS, Colour, Paints, mix

CHIP: Colour = (255, 255, 255)
CHIP_INK: Colour = (20, 20, 30)
CHIP_COLOURS: tuple[Colour, ...] = (CHIP, *(mix(CHIP, CHIP_INK, k) for k in range(1, LEVELS + 1)))
ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
_ASPECT = 1.7


def slots(count: int, height: int, width: int) -> tuple[list[tuple[int, int]], int]:
    """Top left corners (y, x) of ``count`` chips packed in a box of pixels, and their height."""
    best, across = 0.0, 1
    for columns in range(1, count + 1):
        size = min(height / -(-count // columns), width / columns / _ASPECT)
        if size > best:
            best, across = size, columns
    down = -(-count // across)
    size = max(1, int(min(best, height * 0.62)))
    out = []
    for i in range(count):
        row, column = divmod(i, across)
        in_row = min(across, count - row * across)
        y = round(height / 2 + (row - down / 2) * size)
        x = round(width / 2 + (column - in_row / 2) * size * _ASPECT)
        out.append((y, x))
    return out, size


def chip_width(size: int) -> int:
    return int(size * _ASPECT)


@lru_cache(maxsize=1024)
def _chip_painting(number: int, direction: str, size: int) -> Painting:
    """A chip ``size`` pixels tall: the number, then an arrow."""
    painting = Painting(1, CHIP, size, chip_width(size))
    plane = painting.plane
    w, h = chip_width(size), size
    body = plane.box(0.5, 0.5, w - 0.5, h - 0.5, h * 0.32)
    painting.fill(body, CHIP_INK).fill(body + max(1.0, h * 0.07), CHIP)
    text = str(number)
    tall = h * (0.56 if len(text) == 1 else 0.5 if len(text) == 2 else 0.36)
    painting.fill(write(plane, text, w * 0.32, h / 2, tall, 0.17), CHIP_INK)
    painting.fill(write(plane, ARROWS[direction], w * 0.71, h / 2, h * 0.5, 0.2), CHIP_INK)
    return painting


def chip(number: int, direction: str, size: int, paints: Paints) -> Sprite:
    """A chip as a sprite, to be stamped."""
    return _chip_painting(number, direction, size).bake(paints)

