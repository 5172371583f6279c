"""Routes from start to goal: boards made around one, shortest ones found; for rooms that walk."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import corridors, grid_paths
from puzzles.directions import DIRECTIONS
from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, Size
from solvers import Limit, Path, SearchLimit, Unsolvable

_CODES = {name: code for code, name in enumerate(DIRECTIONS)}
_EFFORT = 200_000
"""Cells that a search for a route may look at, about 10 ms; at least one board full."""
_TOGETHER = 100_000
"""Cells of the boards that one call of the kernel grows, so that it needs no memory to speak of."""


class Texture(NamedTuple):
    """How full a board is and how its side corridors branch.

    low, high
        Floor cells in 64 that may be floor.
    prefer
        How readily the corridors grow at each kind of place, see ``corridors.grow``.
    """

    low: int
    high: int
    prefer: tuple[int, int, int, int]


class Structure(NamedTuple):
    """Floor cells, by how many floor neighbours they have: 3 or more, 2, 1; those on the path."""

    walkable: int
    branches: int
    corridors: int
    dead_ends: int
    path_nodes: int
    branches_on_path: int
    corridors_on_path: int


class Board(NamedTuple):
    """A board with its route; flat indices count ``stride`` a row.

    ``cells`` are the floor cells, those of the route first and in order; ``first_steps`` says how
    many steps there are from the start, one of which begins the route.
    """

    walls: tuple[str, ...]
    stride: int
    cells: Sequence[int]
    actions: list[str]
    structure: Structure
    first_steps: int

    def cell(self, index: int) -> Cell:
        return divmod(index, self.stride)

    @property
    def start(self) -> Cell:
        return divmod(self.cells[0], self.stride)

    @property
    def goal(self) -> Cell:
        return divmod(self.cells[len(self.actions)], self.stride)


def check_room(what: str, length: int, size: Size, margin: int, leaves: int = 0) -> None:
    """Raise GenerationError where no board of ``size`` holds a route of ``length`` and ``leaves``.

    P cells that form a tree have 2 P + 2 sides that face walls or the outside; in R x C cells
    there are 4 (R C - P) + 2 (R + C) such sides at most.
    """
    if length < 1:
        raise GenerationError(f"{what}: a route has at least 1 step, not {length}")
    rows, columns = (max(0, side - 2 * margin) for side in size)
    most = (2 * rows * columns + rows + columns - 1) // 3 if rows and columns else 0
    if length + 1 + leaves > most:
        inside = " inside its border" if margin else ""
        raise GenerationError(
            f"{what}: a {size[0]}x{size[1]} board has room for at most {most} corridor cells"
            f"{inside}, {length + 1 + leaves} are needed for length {length}: "
            "make the board larger or the length smaller"
        )


def grow(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    margin: int,
    texture: Callable[[int], Texture],
) -> list[Board | None]:
    """Return a board for each of ``lengths``, those of its only route.

    Where the effort for a board was in vain, None stands for it and for those after it. The
    outermost ``margin`` rows and columns are walls, and ``texture`` says what boards of a length
    are like. ``check_room`` comes first.
    """
    area = (size[0] - 2 * margin) * (size[1] - 2 * margin)
    shapes = {length: _shape(length, area, texture(length)) for length in set(lengths)}
    together = max(1, _TOGETHER // area)
    boards: list[Board | None] = []
    while len(boards) < len(lengths) and None not in boards[-1:]:
        chosen = lengths[len(boards) : len(boards) + together]
        wanted = np.array([shapes[length] for length in chosen], np.int64)
        attempts = max(1, _EFFORT // area)
        grown = corridors.grow_all(draws.state, *size, margin, wanted, attempts)
        boards += _boards(chosen, size, *grown)
        boards += [None] * (len(chosen) - len(grown[0]))
    return boards + [None] * (len(lengths) - len(boards))


def _shape(length: int, area: int, texture: Texture) -> tuple[int, ...]:
    """Return the length, the bounds of the number of floor cells, the preferences."""
    low = max(area * texture.low // 64, length + 1 + (area - length + 6) // 8)
    return length, low, max(area * texture.high // 64, low), *texture.prefer


def _boards(
    lengths: Sequence[int],
    size: Size,
    texts: NDArray[np.uint8],
    found: NDArray[np.int64],
    cells: NDArray[np.int64],
    steps: NDArray[np.uint8],
) -> Iterator[Board]:
    """Take apart what ``corridors.grow_all`` returns."""
    (rows, columns), flat = size, cells.data  # lists of many boards' cells would take much memory
    lines = texts.tobytes().decode().split()
    names = [DIRECTIONS[step] for step in steps.tolist()]
    line = cell = name = 0
    for length, (*counts, first_steps) in zip(lengths, found.tolist(), strict=False):
        walls = tuple(lines[line : line + rows])
        structure = Structure(*counts)
        own = flat[cell : cell + structure.walkable]
        actions = names[name : name + length]
        yield Board(walls, columns + 1, own, actions, structure, first_steps)
        line, cell, name = line + rows, cell + structure.walkable, name + length


def structure(walls: Sequence[str], start: Cell, actions: Sequence[str]) -> Structure:
    """Count the floor cells of a board, and those that ``actions`` visit from ``start``."""
    text, stride = _text(walls)
    steps = np.frombuffer(bytes([_CODES[action] for action in actions]), np.uint8)
    return Structure(*corridors.structure(text, stride, start[0] * stride + start[1], steps))


class Choices(NamedTuple):
    """How many shortest routes there are, and what share of the first steps begins one."""

    optimal_solutions: int
    good_first_moves: float


def choices(walls: Sequence[str], start: Cell, goal: Cell) -> Choices:
    """Count the shortest routes from ``start`` to ``goal``, exactly; there is one at least."""
    text, stride = _text(walls)
    first, last = start[0] * stride + start[1], goal[0] * stride + goal[1]
    count, good, legal = grid_paths.choices(text, stride, first, last)
    if count < 0:
        count = _count(text, stride, first, last)
    return Choices(count, round(good / legal, 4) if legal else 0.0)


def _count(text: NDArray[np.uint8], stride: int, start: int, goal: int) -> int:
    """Count the shortest routes where they are too many for the machine's numbers."""
    far = grid_paths.distances(text, stride, start, goal)
    layer = {start + stride: 1}
    for left in range(int(far[start + stride]) - 1, -1, -1):
        nearer: dict[int, int] = {}
        for cell, ways in layer.items():
            for near in (cell - stride, cell + 1, cell + stride, cell - 1):
                if far[near] == left:
                    nearer[near] = nearer.get(near, 0) + ways
        layer = nearer
    return layer[goal + stride]


def _text(walls: Sequence[str]) -> tuple[NDArray[np.uint8], int]:
    """Return the board as flat text, and how far apart in it two cells of a column are."""
    return np.frombuffer("\n".join(walls).encode(), np.uint8), len(walls[0]) + 1


def direct(level: Any, start: NDArray[np.uint64], limit: Limit) -> Path:
    """Return a shortest path from the cell in ``start`` to the goal of ``level``.

    ``level`` is that of ``corridors.expand``. Raises Unsolvable, with the number of cells that
    can be reached, and SearchLimit where more cells would have to be stored than ``limit`` allows.
    """
    ground, goal = level
    rows, columns = ground.shape
    first = int(start[0])
    # The search keeps a byte for each cell of the framed board, and four for each cell seen.
    fits = (limit.memory - (rows + 2) * (columns + 1)) // 4 - 4
    most = min(limit.states, fits)
    if most < 1:
        raise SearchLimit(limit.in_words(fits), 0, _manhattan(first, goal, columns))
    end, moves, expanded, seen, bound = grid_paths.shortest(ground, first, goal, most)
    if end == grid_paths.EXHAUSTED:
        raise Unsolvable(seen)
    if end == grid_paths.LIMIT:
        least = max(bound, _manhattan(first, goal, columns))
        raise SearchLimit(limit.in_words(fits), most, least)
    return Path(moves, expanded)


def _manhattan(cell: int, other: int, columns: int) -> int:
    return abs(cell // columns - other // columns) + abs(cell % columns - other % columns)
