"""Large mazes for the race of the path finders, in our notation."""

import random
from collections.abc import Callable, Mapping

Rows = list[bytearray]
WALL, FLOOR = ord("#"), ord(".")


def perfect(rng: random.Random, side: int) -> Rows:
    """One way between any two cells: rooms at odd coordinates, joined by depth-first search."""
    rows = [bytearray(b"#" * side) for _ in range(side)]
    stack = [(1, 1)]
    rows[1][1] = FLOOR
    steps = [(0, 2), (2, 0), (0, -2), (-2, 0)]
    while stack:
        r, c = stack[-1]
        rng.shuffle(steps)
        for down, across in steps:
            to, at = r + down, c + across
            if 0 < to < side - 1 and 0 < at < side - 1 and rows[to][at] == WALL:
                rows[r + down // 2][c + across // 2] = rows[to][at] = FLOOR
                stack.append((to, at))
                break
        else:
            stack.pop()
    return rows


def cyclic(rng: random.Random, side: int) -> Rows:
    """The same with one in ten of the walls between two rooms taken away."""
    rows = perfect(rng, side)
    for r in range(1, side - 2):
        for c in range(1 + r % 2, side - 2, 2):
            if (r + c) % 2 and rows[r][c] == WALL and rng.random() < 0.1:
                rows[r][c] = FLOOR
    return rows


def terrain(rng: random.Random, side: int) -> Rows:
    """Open ground with one cell in five a rock."""
    return [
        bytearray(WALL if rng.random() < 0.2 else FLOOR for _ in range(side)) for _ in range(side)
    ]


KINDS: Mapping[str, Callable[[random.Random, int], Rows]] = {
    "perfect": perfect,
    "with cycles": cyclic,
    "open terrain": terrain,
}


def board(kind: str, side: int, seed: int) -> str:
    """Return a maze of ``side`` cells a side with agent and goal in opposite corners."""
    rows = KINDS[kind](random.Random(seed), side)
    last = (side - 3) // 2 * 2 + 1
    rows[1][1], rows[last][last] = ord("S"), ord("G")
    return "\n".join(row.decode() for row in rows)
