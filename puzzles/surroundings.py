"""What can stand around a cell where walls and floor meet in soft corners."""

from itertools import product

from puzzles.walking import WALL

Block = tuple[str, str, str]
FLOOR = "."


def floors() -> list[Block]:
    """Return surroundings, 3 by 3, that round the corners of a floor cell in every way."""
    return [_floor(chosen) for chosen in product((False, True), repeat=4)]


def walls() -> list[Block]:
    """Return surroundings, 3 by 3, that round the corners of a wall in every way."""
    blocks = []
    for up, right, down, left in product((WALL, FLOOR), repeat=4):
        blocks.append((f"{FLOOR}{up}{FLOOR}", f"{left}{WALL}{right}", f"{FLOOR}{down}{FLOOR}"))
    return blocks


def _floor(corners: tuple[bool, ...]) -> Block:
    """Return a floor cell with walls at and beside the chosen corners, row by row."""
    rows = [[FLOOR] * 3 for _ in range(3)]
    for (y, x), chosen in zip(((0, 0), (0, 2), (2, 0), (2, 2)), corners, strict=True):
        if chosen:
            rows[y][x] = rows[y][1] = rows[1][x] = WALL
    top, middle, bottom = map("".join, rows)
    return top, middle, bottom


def beside(*blocks: Block) -> Block:
    """Return blocks next to each other, as one board."""
    top, middle, bottom = map("".join, zip(*blocks, strict=True))
    return top, middle, bottom
