"""Boards of Onet, built backwards from the empty board, and their structure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_lowercase, ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.directions import quoted
from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample, Size
from puzzles.onet import FAMILY, kernels, layouts
from puzzles.onet.links import EMPTY
from puzzles.onet.packing import Ground, ground, pack
from puzzles.onet.rules import Pair, State, parse

LETTERS = ascii_uppercase + ascii_lowercase
_POOLS = (18, 26, 52)
"""Kinds are drawn among so many letters: the smallest number that is enough."""
_COPIES = 1000
"""Tiles of a kind, at most."""
_ATTEMPTS = 16
"""Boards that are begun, at most, for one that is wanted."""


class Style(NamedTuple):
    """How the boards of a tier are built.

    weights
        How often a removal is wanted that takes 0, 1, 2 turns.
    tries
        Places that are compared for each pair: the more, the fewer pairs stay open.
    most_open
        Boards with more open pairs at the start are passed over where a few attempts find others
        (a quarter of the pairs, where that is more).
    """

    weights: NDArray[np.int64]
    tries: int
    most_open: int


STYLES = {
    "easy": Style(np.array([1, 0, 0], np.int64), tries=1, most_open=6),
    "medium": Style(np.array([1, 15, 0], np.int64), tries=3, most_open=6),
    "hard": Style(np.array([0, 0, 1], np.int64), tries=6, most_open=4),
}


def sample(
    draws: Draws,
    lengths: Sequence[int],
    size: Size,
    rules: Mapping[str, Any],
    options: Mapping[str, Any],
) -> list[Sample[State, Pair] | None]:
    """Return a board with a solution for each of ``lengths``, or None where none was found.

    Every solution of a board has the same length: half its number of tiles. Each kind occurs
    ``options["copies"]`` times, in one case fewer where the length asks for it.

    Raises GenerationError where no board of ``size`` has such a length, InvalidBoard where
    ``rules`` are none of Onet.
    """
    copies = options["copies"]
    if type(copies) is not int or not 2 <= copies <= _COPIES or copies % 2:
        raise GenerationError(
            f"onet: copies is {quoted(copies)}, not an even number from 2 to {_COPIES}"
        )
    for length in lengths:
        _check(length, size, copies)
    blank = parse(EMPTY, rules)
    empty = ground(*size, blank.outside)
    result: list[Sample[State, Pair] | None] = []
    for length in lengths:
        removals = _removals(draws, length, size, empty, blank.max_turns)
        if removals is None:
            result.append(None)
            continue
        pairs = [Pair(*map(empty.cell, sorted(removal[:2]))) for removal in removals]
        kinds = _kinds(draws, length, copies)
        board = [[EMPTY] * size[1] for _ in range(size[0])]
        for pair, kind in zip(pairs, kinds, strict=True):
            for r, c in pair:
                board[r][c] = kind
        state = replace(blank, board=tuple(map("".join, board)))
        # Where a kind has more than two tiles, strangers of one kind may be open as well.
        known = _stats(state, [r[2] for r in removals], [r[3] for r in removals])
        result.append(Sample(state, pairs, known if copies == 2 else None))
    return result


def _check(length: int, size: Size, copies: int) -> None:
    """Raise GenerationError where no board has ``length`` pairs; on all others dominoes do."""
    rows, columns = size
    if length < 1:
        raise GenerationError(f"onet: {length} pairs make no puzzle; ask for at least 1")
    if 2 * length > rows * columns:
        raise GenerationError(
            f"onet: {length} pairs need {2 * length} cells, a {rows}x{columns} board has "
            f"{rows * columns}; ask for fewer pairs or a larger board"
        )
    kinds = _kinds_needed(length, copies)
    if kinds > len(LETTERS):
        raise GenerationError(
            f"onet: {length} pairs with {copies} tiles of a kind need {kinds} kinds, but there are "
            f"{len(LETTERS)} letters; raise copies, so that kinds repeat"
        )


def _kinds_needed(length: int, copies: int) -> int:
    return -(-2 * length // copies)


def _kinds(draws: Draws, length: int, copies: int) -> list[str]:
    """Return a kind for each pair, in random order."""
    needed = _kinds_needed(length, copies)
    pool = next(pool for pool in _POOLS if pool >= needed)
    letters = draws.shuffled(LETTERS[:pool])[:needed]
    if copies == 2:
        return letters
    return draws.shuffled([letter for letter in letters for _ in range(copies // 2)][:length])


def _removals(
    draws: Draws, length: int, size: Size, empty: Ground, max_turns: int
) -> list[list[int]] | None:
    """Return the removals of a new board, in order, as ``layouts.build`` describes them.

    None where all attempts got stuck.
    """
    style = STYLES[FAMILY.tier(length)]
    room, places = empty.places(), np.empty((length, 4), np.int64)
    best: list[list[int]] = []
    for _ in range(_ATTEMPTS):
        complete = layouts.build(
            draws.state,
            empty.base,
            empty.pitch,
            room,
            style.weights,
            max_turns,
            style.tries,
            places,
        )
        if complete and (not best or places[-1, 2] < best[0][2]):
            best = places[::-1].tolist()
        if best and best[0][2] <= max(style.most_open, length // 4):
            return best
    return best or None


def stats(state: State, actions: Sequence[Pair]) -> dict[str, Any]:
    """Return what can be said of a board and one of its solutions.

    open_pairs
        How many pairs could be removed before each removal.
    mean_open
        Their mean.
    turns
        The fewest turns of a link of each removal.
    kinds, empty_cells
        How many there are on the board.
    """
    level, _ = pack(state)
    cells = np.array(actions, np.int64).reshape(-1, 2, 2) + level.rim
    removals = cells[..., 0] * level.pitch + cells[..., 1]
    opened, turns = np.empty(len(actions), np.int64), np.empty(len(actions), np.int64)
    kernels.trace(level, removals, opened, turns)
    return _stats(state, opened.tolist(), turns.tolist())


def _stats(state: State, opened: list[int], turns: list[int]) -> dict[str, Any]:
    return {
        "open_pairs": opened,
        "mean_open": round(sum(opened) / max(1, len(opened)), 3),
        "turns": turns,
        "kinds": len(set().union(*state.board) - {EMPTY}),
        "empty_cells": sum(row.count(EMPTY) for row in state.board),
    }
