"""Links between two tiles: a shortest one with the fewest turns, and a fast test for one."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from puzzles.directions import STEPS
from puzzles.family import Cell

EMPTY = "."


class Way(NamedTuple):
    """The best way to a cell so far: its turns, its length, and its last corner."""

    turns: int
    length: int
    corner: Cell


def fewest_turns(
    board: Sequence[str], a: Cell, b: Cell, max_turns: int, rim: int
) -> list[Cell] | None:
    """Return the corners of a link from ``a`` to ``b``, both included; None where there is none.

    A link runs through empty cells of ``board`` and through a ring of ``rim`` (0 or 1) cells
    around it. No link has fewer turns, and none with as few is shorter.
    """
    ways = {a: Way(-1, 0, a)}
    layer = [a]
    for turns in range(max_turns + 1):
        found: dict[Cell, Way] = {}
        for corner in layer:
            length = ways[corner].length
            for step in STEPS.values():
                for more, cell in enumerate(_ray(board, corner, step, b, rim), 1):
                    if cell in ways:
                        if ways[cell].turns < turns - 1:
                            break  # from that cell all of this line was seen in an earlier round
                        continue
                    if cell not in found or length + more < found[cell].length:
                        found[cell] = Way(turns, length + more, corner)
        ways |= found
        layer = list(found)
        if b in found:
            return _corners(ways, a, b)
        if not found:
            break
    return None


def _ray(board: Sequence[str], start: Cell, step: Cell, target: Cell, rim: int) -> Iterator[Cell]:
    """Yield the cells from ``start`` on in one direction, up to a tile.

    ``target`` counts as empty.
    """
    rows, columns = len(board), len(board[0])
    r, c = start[0] + step[0], start[1] + step[1]
    while -rim <= r < rows + rim and -rim <= c < columns + rim:
        inside = 0 <= r < rows and 0 <= c < columns
        if inside and board[r][c] != EMPTY and (r, c) != target:
            break
        yield r, c
        r, c = r + step[0], c + step[1]


def _corners(ways: Mapping[Cell, Way], a: Cell, b: Cell) -> list[Cell]:
    corners = [b]
    while corners[-1] != a:
        corners.append(ways[corners[-1]].corner)
    return corners[::-1]


class Grounds(NamedTuple):
    """What the routes of a board depend on: its size, the most turns, the ring around it."""

    rows: int
    columns: int
    max_turns: int
    rim: int


@lru_cache(maxsize=64)
def bits(rows: int, columns: int) -> dict[Cell, int]:
    """Return the bit that stands for each cell of the board and of the ring around it."""
    cells = product(range(-1, rows + 1), range(-1, columns + 1))
    return {cell: 1 << at for at, cell in enumerate(cells)}


@lru_cache(maxsize=1 << 15)
def routes(grounds: Grounds, a: Cell, b: Cell) -> tuple[int, ...]:
    """Return every route from ``a`` to ``b`` of at most two turns that ``grounds`` allow.

    Each is the set of cells between them, as the sum of their ``bits``; a link exists where one
    of the sets holds no tile. Routes of few turns come first, short ones before long.
    """
    rows, columns, max_turns, rim = grounds
    found = []
    for r in range(-rim, rows + rim):  # along a column to row r, along it, along a column to b
        if a[1] != b[1]:
            found.append(((r != a[0]) + (r != b[0]), (a, (r, a[1]), (r, b[1]), b)))
    for c in range(-rim, columns + rim):
        if a[0] != b[0]:
            found.append(((c != a[1]) + (c != b[1]), (a, (a[0], c), (b[0], c), b)))
    between = [
        (turns, mask.bit_count(), mask)
        for turns, corners in found
        if turns <= max_turns
        for mask in [_between(corners, bits(rows, columns))]
    ]
    return tuple(dict.fromkeys(mask for _, _, mask in sorted(between)))


def _between(corners: Sequence[Cell], bit: Mapping[Cell, int]) -> int:
    """Return the cells of the line through ``corners``, without its two ends."""
    mask = 0
    for (r, c), (r2, c2) in pairwise(corners):
        for row in range(min(r, r2), max(r, r2) + 1):
            for column in range(min(c, c2), max(c, c2) + 1):
                mask |= bit[row, column]
    return mask & ~(bit[corners[0]] | bit[corners[-1]])


def any_free(ways: Sequence[int], full: int) -> bool:
    """Return whether one of ``ways`` has no cell in common with ``full``."""
    for way in ways:  # noqa: SIM110 (any() takes twice as long)
        if not way & full:
            return True
    return False
