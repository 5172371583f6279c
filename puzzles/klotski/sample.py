"""Klotski boards of exact lengths."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, InvalidBoard, Sample, Size
from puzzles.klotski import explore
from puzzles.klotski.blocks import BlockSet, block_set
from puzzles.klotski.lay import board
from puzzles.klotski.packing import decode, level_of, unpack, words_of
from puzzles.klotski.rules import EMPTY, Slide, State, format, goal_cell, legal_actions
from puzzles.klotski.tray import Tray

_ROOM = 1 << 17
"""States that one search may store."""
_EFFORT = 2_000_000
"""States that one board may take before the search for it is given up: about half a second."""


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, Slide] | None]:
    """Return for each of ``lengths`` a board that takes exactly so many moves, or None.

    Every board comes from a random board of its own, not from one exploration. Blocks of the usual
    shapes, with two empty cells, are searched in one kernel (see explore.py), all others by the
    general search (see lay.py). Raises GenerationError where the size, the blocks or a length rule
    it out.
    """
    blocks = block_set(size, options.get("blocks", {}))
    try:
        goal = goal_cell(rules.get("goal"), blocks.shapes[0], *size)
    except InvalidBoard as error:
        raise GenerationError(str(error)) from None
    for length in lengths:
        if length < 1:
            raise GenerationError(f"klotski: a board of length {length} would be solved already")
        if length >= _ROOM:
            raise GenerationError(f"klotski: length {length} is beyond a search of {_ROOM} states")
    make = _board if blocks.usual else board
    return [make(draws, length, size, blocks, goal) for length in lengths]


def _board(
    draws: Draws, length: int, size: Size, blocks: BlockSet, goal: Cell
) -> Sample[State, Slide] | None:
    rows, columns = size
    targets = _targets(rows, columns, goal, length)
    if not targets:
        raise GenerationError(f"klotski: on a board of {rows}x{columns} T has nowhere to move")
    heads, moves = np.zeros(rows * columns, np.int64), np.zeros(length, np.int32)
    spent = explore.find(
        (rows, columns),
        goal[0] * columns + goal[1],
        np.array([0, *blocks.counts], np.int64),
        np.array(targets, np.int64),
        length,
        length + 6,  # deeper searches find more boards, but not more a second
        1 << 13 if length <= 20 else _ROOM,
        _EFFORT,
        draws.state,
        heads,
        moves,
    )
    if spent < 0:
        return None
    level = level_of(rows, columns, goal, blocks.shapes, sum(blocks.counts), blocks.holes)
    state = unpack(level, words_of(level[2], heads.tolist()))
    return Sample(state, [decode(level, code) for code in moves.tolist()])


def _targets(rows: int, columns: int, goal: Cell, length: int) -> list[int]:
    """Return the cells of T to start from, as indices in reading order.

    T needs some dozen moves for each cell after the first, so that boards with T far away are
    rarely as near to a goal as a short length asks for.
    """
    reach = max(1, 2 + (length - 8) // 13)
    return [
        r * columns + c
        for r in range(rows - 1)
        for c in range(columns - 1)
        if 0 < abs(r - goal[0]) + abs(c - goal[1]) <= reach
    ]


def stats(state: State, actions: Sequence[Slide]) -> dict[str, Any]:
    """Return what can be counted of a board and one of its solutions.

    blocks, empty
        Number of blocks with T, and of empty cells.
    target_distance
        Manhattan distance of T to its goal.
    legal_first
        Number of legal first moves.
    blocks_moved, target_moves
        Number of different blocks that the solution moves, and how often it moves T.
    runs
        Number of times that the solution takes up a block: moves of one block in a row count once.
    """
    tray = Tray(state)
    row, column = divmod(tray.first[tray.target], tray.width)
    moved = [tray.slide(action) for action in actions]
    return {
        "blocks": len(tray.first),
        "empty": format(state).count(EMPTY),
        "target_distance": abs(row - 1 - state.goal[0]) + abs(column - state.goal[1]),
        "legal_first": len(legal_actions(state)),
        "blocks_moved": len(set(moved)),
        "target_moves": moved.count(tray.target),
        "runs": sum(block != before for block, before in zip(moved, [-1, *moved], strict=False)),
    }
