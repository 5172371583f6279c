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
    numbers: dict[Shape | None, int] = {None: 1}  # T has a shape of its own
    shapes = [shape_of(blocks[TARGET])]
    codes = [0] * (rows * columns)
    for name, cells in blocks.items():
        shape = shape_of(cells)
        key = None if name == TARGET else shape
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            shapes.append(shape)
        codes[cells[0][0] * columns + cells[0][1]] = numbers[key]
    holes = sum(row.count(EMPTY) for row in state.board)
    level = level_of(rows, columns, state.goal, shapes, len(blocks), holes)
    return level, words_of(level[2], codes)


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
