"""Klotski boards of exact lengths."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, InvalidBoard, Sample, Size
from puzzles.klotski import kernels
from puzzles.klotski.packing import Shape, decode, level_of, unpack
from puzzles.klotski.rules import NAMES, Slide, State, Tray, goal_cell

TARGET: Shape = ((0, 0), (0, 1), (1, 0), (1, 1))
UPRIGHT: Shape = ((0, 0), (1, 0))
FLAT: Shape = ((0, 0), (0, 1))
SINGLE: Shape = ((0, 0),)
SHAPES = (TARGET, UPRIGHT, FLAT, SINGLE)
HOLES = 2

_ROOM = 1 << 15
_EFFORT = 4_000_000


def inventory(size: Size) -> tuple[int, ...]:
    """Return how many blocks of each of ``SHAPES`` a board of this size holds.

    Two cells stay empty, and the others are shared out as on 6x6: 1, 8, 3 and 8 blocks. On five
    rows by four columns that gives the classic 1, 4, 1 and 4.
    """
    rows, columns = size
    cells = rows * columns - len(TARGET) - HOLES
    if min(size) < 2 or cells < 0:
        raise GenerationError(
            f"klotski: a board of {rows}x{columns} has no room for the 2x2 block and two empty cells"
        )
    upright, flat = (8 * cells + 15) // 30, (cells + 5) // 10
    singles = cells - 2 * upright - 2 * flat
    if upright + flat + singles > len(NAMES):
        raise GenerationError(
            f"klotski: a board of {rows}x{columns} takes {upright + flat + singles} blocks besides "
            f"T, and there are names for {len(NAMES)}"
        )
    return 1, upright, flat, singles


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, Slide] | None]:
    """Return for each of ``lengths`` a board that takes exactly so many moves, or None."""
    counts = inventory(size)
    rows, columns = size
    try:
        goal = goal_cell(rules.get("goal"), TARGET, rows, columns)
    except InvalidBoard as error:
        raise GenerationError(str(error)) from None
    level = level_of(rows, columns, goal, SHAPES, sum(counts), HOLES)
    return [_board(draws, length, level, counts, goal) for length in lengths]


def _board(
    draws: Draws, length: int, level: Any, counts: tuple[int, ...], goal: Cell
) -> Sample[State, Slide] | None:
    if length < 1:
        raise GenerationError(f"klotski: a board of length {length} would be solved already")
    rows, columns, bits, *_ = level
    width = columns + 1
    reach = 1 + length // 8
    targets = [
        (r + 1) * width + c
        for r in range(rows - 1)
        for c in range(columns - 1)
        if 0 < abs(r - goal[0]) + abs(c - goal[1]) <= reach
    ]
    if not targets:
        raise GenerationError(f"klotski: on a board of {rows}x{columns} T has nowhere to move")
    words = np.zeros((1, -(-rows * columns // (64 // bits))), np.uint64)
    moves = np.zeros(length, np.int32)
    spent = kernels.find(
        level, np.array([0, *counts]), np.array(targets), length, length + SLACK, ROOM,
        EFFORT, draws.state, words, moves,
    )
    if spent < 0:
        return None
    return Sample(unpack(level, words[0]), [decode(level, int(code)) for code in moves])
SLACK=6
ROOM=_ROOM
EFFORT=_EFFORT
