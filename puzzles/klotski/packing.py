"""From a Klotski board to what its kernels work on, and back."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import DIRECTIONS, STEPS, moved
from puzzles.family import Cell
from puzzles.klotski.kernels import BLOCKS
from puzzles.klotski.rules import EMPTY, TARGET, Slide, State, blocks_of, normal, obstacle

Shape = tuple[Cell, ...]
"""The cells of a block as steps from its first cell in reading order."""


def shape_of(cells: Sequence[Cell]) -> Shape:
    (top, left), *_ = cells
    return tuple((r - top, c - left) for r, c in cells)


def level_of(
    rows: int, columns: int, goal: Cell, shapes: Sequence[Shape], blocks: int, holes: int
) -> Any:
    """Return the level (see kernels.py) of boards whose blocks have these shapes, T's first."""
    width, most = columns + 1, max(map(len, shapes))
    sizes = np.array([0, *map(len, shapes)], np.int64)
    parts = np.zeros((len(sizes), most), np.int64)
    counts = np.zeros((len(sizes), 4), np.int64)
    edges = np.zeros((len(sizes), 4, most), np.int64)
    for code, shape in enumerate(shapes, 1):
        parts[code, : len(shape)] = [r * width + c for r, c in shape]
        inside = set(shape)
        for index, (down, across) in enumerate(STEPS.values()):
            front = [(r + down, c + across) for r, c in shape]
            front = [cell for cell in front if cell not in inside]
            counts[code, index] = len(front)
            edges[code, index, : len(front)] = [r * width + c for r, c in front]
    bits = len(shapes).bit_length()
    leads = np.ascontiguousarray(edges[:, :, 0])
    where = goal[0] * columns + goal[1]
    return rows, columns, bits, blocks, holes, where, sizes, parts, leads, counts, edges


def words_of(bits: int, codes: Sequence[int]) -> NDArray[np.uint64]:
    """Return the codes of all cells, packed."""
    per = 64 // bits
    words = [0] * -(-len(codes) // per)
    for cell, code in enumerate(codes):
        words[cell // per] |= code << cell % per * bits
    return np.array(words, np.uint64)


def pack(state: State) -> tuple[Any, NDArray[np.uint64]]:
    """Return the level of ``state`` and its words, shape (words,)."""
    rows, columns = len(state.board), len(state.board[0])
    blocks = blocks_of(state.board)
    others = dict.fromkeys(shape_of(cells) for name, cells in blocks.items() if name != TARGET)
    shapes = [shape_of(blocks[TARGET]), *others]  # T has a code of its own
    holes = sum(row.count(EMPTY) for row in state.board)
    level = level_of(rows, columns, state.goal, shapes, len(blocks), holes)
    return level, repack(level, state)


def repack(level: Any, state: State) -> NDArray[np.uint64]:
    """Return the words of ``state`` in the level of another state of its board."""
    rows, columns, bits, _, _, _, sizes, parts, _, _, _ = level
    known = enumerate(zip(parts.tolist(), sizes.tolist(), strict=True))
    numbers = {tuple(cells[:size]): code for code, (cells, size) in known if code > 1}
    codes, width = [0] * (rows * columns), columns + 1
    for name, cells in blocks_of(state.board).items():
        first = cells[0][0] * width + cells[0][1]
        shape = tuple([r * width + c - first for r, c in cells])
        codes[cells[0][0] * columns + cells[0][1]] = 1 if name == TARGET else numbers[shape]
    return words_of(bits, codes)


def unpack(level: Any, words: NDArray[np.uint64]) -> State:
    """Return the state that ``words`` stand for in ``level``."""
    rows, columns, bits, _, _, goal, sizes, parts, _, _, _ = level
    per, mask, width = 64 // bits, (1 << bits) - 1, columns + 1
    board = [EMPTY] * (rows * width)
    marks = map(chr, count(0xE000))
    for cell in range(rows * columns):
        code = int(words[cell // per]) >> cell % per * bits & mask
        if code:
            at = cell // columns * width + cell % columns
            mark = TARGET if code == 1 else next(marks)
            for part in parts[code, : sizes[code]]:
                board[at + int(part)] = mark
    lines = ["".join(board[r * width : r * width + columns]) for r in range(rows)]
    return State(normal(lines), divmod(int(goal), columns))


def decode(level: Any, code: int) -> Slide:
    """Return the action that ``code`` stands for."""
    cell, direction = divmod(code, 4)
    return Slide(divmod(cell, level[1]), DIRECTIONS[direction])


def unfold(state: State, level: Any, code: int) -> list[Slide]:
    """Return the fewest moves by one cell that ``code`` of the metric ``slide`` stands for."""
    cell, number = divmod(code, BLOCKS)
    name, block = list(blocks_of(state.board).items())[number]
    goal = divmod(cell, level[1])
    ways: dict[Cell, list[Slide]] = {block[0]: []}
    queue = [block]
    for cells in queue:
        here = cells[0]
        if here == goal:
            break
        for direction in DIRECTIONS:
            there = moved(here, direction)
            if there not in ways and obstacle(state.board, name, cells, direction) is None:
                ways[there] = [*ways[here], Slide(here, direction)]
                queue.append([moved(at, direction) for at in cells])
    return ways[goal]
