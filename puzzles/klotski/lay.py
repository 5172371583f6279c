"""Klotski boards of any set of blocks: laid at random, and searched for the wanted length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.draws import Draws
from puzzles.family import Cell, GenerationError, Sample, Size
from puzzles.klotski import FAMILY
from puzzles.klotski.blocks import SINGLE, BlockSet
from puzzles.klotski.packing import Shape, level_of, unpack, words_of
from puzzles.klotski.rules import Slide, State
from puzzles.solve import solve
from solvers import Limit, SearchLimit, Unsolvable
from solvers.space import explore

_EFFORT, _LAYING = 1 << 19, 20_000
"""States that one board may take before the search for it is given up: about half a second. What
laying out a random board counts as."""
_JAMS, _STEPS = 20, 5_000
"""How often blocks that jam are laid; how many small ones are laid or taken up each time."""
_NEAR, _FAR = 1 << 13, 1 << 19
"""States that a search for a short length may store, up to 20 moves, and that any may."""


def board(
    draws: Draws, length: int, size: Size, blocks: BlockSet, goal: Cell
) -> Sample[State, Slide] | None:
    """Return a board whose nearest goal is exactly ``length`` moves away, or None.

    The shortest path of a random board that is farther away passes a state at that very distance;
    where it is nearer, all that can be reached from it is searched for one. Raises GenerationError
    where T has nowhere to stand but its goal.
    """
    spots = _spots(size, blocks, goal, length)
    level = level_of(*size, goal, blocks.shapes, sum(blocks.counts), blocks.holes)
    spent, near = 0, None
    while spent < _EFFORT:
        spent += _LAYING
        target = draws.choice(spots)
        codes = next(filter(None, (lay(draws, size, blocks, target) for _ in range(_JAMS))), None)
        if codes is None:
            continue
        words = words_of(level[2], codes)
        state = unpack(level, words)
        try:
            solution = solve(FAMILY, state, Limit(_NEAR if length <= 20 else _FAR))
        except (SearchLimit, Unsolvable) as error:
            spent += error.states
            continue
        if solution.length >= length:
            return _passed(state, solution.actions, length)
        spent, near = spent + solution.expanded, words
    return None if near is None else _reached(draws, level, near, length)


def _passed(state: State, actions: list[Slide], length: int) -> Sample[State, Slide]:
    """Return the state that is ``length`` moves before the end of a shortest path."""
    first = len(actions) - length
    return Sample(FAMILY.replay(state, actions[:first]).state, actions[first:])


def _reached(
    draws: Draws, level: Any, words: NDArray[np.uint64], length: int
) -> Sample[State, Slide] | None:
    """Return one of the states that can be reached and have their nearest goal at ``length``."""
    try:
        space = explore(FAMILY.systems["cell"], level, words, Limit(_FAR))
    except SearchLimit:
        return None
    found = np.flatnonzero(space.to_goal() == length)
    if not len(found):
        return None
    state = unpack(level, space.states[found[draws.below(len(found))]])
    return Sample(state, solve(FAMILY, state).actions)


def _spots(size: Size, blocks: BlockSet, goal: Cell, length: int) -> list[Cell]:
    """Return the cells where T may stand: every move takes it nearer by one at most."""
    height, width = (1 + max(axis) for axis in zip(*blocks.shapes[0], strict=True))
    spots = [
        (r, c)
        for r in range(size[0] - height + 1)
        for c in range(size[1] - width + 1)
        if 0 < abs(r - goal[0]) + abs(c - goal[1]) <= length
    ]
    if not spots:
        raise GenerationError(f"klotski: on a board of {size[0]}x{size[1]} T has nowhere to move")
    return spots


def lay(draws: Draws, size: Size, blocks: BlockSet, target: Cell) -> list[int] | None:
    """Return a random board, T at ``target``: its codes, see kernels.py; None where it jams.

    Blocks of more than two cells are laid one by one, each anywhere. Then the first open cell in
    reading order is given to a block or left empty, each kind as likely as there are many of it
    left; where nothing fits, the last choice is taken back.
    """
    rows, columns = size
    kinds = [*blocks.shapes, SINGLE]  # the last one stands for an empty cell
    masks = [sum(1 << r * columns + c for r, c in shape) for shape in kinds]
    left = [0, *blocks.counts[1:], blocks.holes]
    laid = [(target[0] * columns + target[1], 0)]
    covered = masks[0] << laid[0][0]
    for kind in sorted(range(len(kinds)), key=lambda kind: -len(kinds[kind])):
        while left[kind] and len(kinds[kind]) > 2:
            places = [
                at
                for at in range(rows * columns)
                if _fits(kinds[kind], at, size) and not covered & masks[kind] << at
            ]
            if not places:
                return None
            laid.append((draws.choice(places), kind))
            covered ^= masks[kind] << laid[-1][0]
            left[kind] -= 1
    small = _filled(draws, size, kinds, masks, left, covered)
    if small is None:
        return None
    codes = {at: (kind + 1) % len(kinds) for at, kind in (*laid, *small)}
    return [codes.get(at, 0) for at in range(rows * columns)]


def _filled(
    draws: Draws,
    size: Size,
    kinds: Sequence[Shape],
    masks: Sequence[int],
    left: list[int],
    covered: int,
) -> list[tuple[int, int]] | None:
    """Return (cell, kind) for what is ``left``, so that all is covered; None if that takes long."""
    full = (1 << size[0] * size[1]) - 1
    laid, trials = list[tuple[int, int]](), list[list[int]]()
    for _ in range(_STEPS + size[0] * size[1]):
        if covered == full:
            return laid
        at = (~covered & (covered + 1)).bit_length() - 1
        if len(trials) == len(laid):
            fits = [kind for kind in range(len(kinds)) if _fits(kinds[kind], at, size)]
            free = [kind for kind in fits if left[kind] and not covered & masks[kind] << at]
            trials.append(_shuffled(draws, free, left))
        if trials[-1]:
            kind, change = trials[-1].pop(), -1
            laid.append((at, kind))
        elif laid:
            trials.pop()
            (at, kind), change = laid.pop(), 1
        else:
            return None
        covered ^= masks[kind] << at
        left[kind] += change
    return None


def _fits(shape: Shape, at: int, size: Size) -> bool:
    """Return whether a rectangle whose first cell is ``at`` stays on the board."""
    row, column = divmod(at, size[1])
    return row + shape[-1][0] < size[0] and column + shape[-1][1] < size[1]


def _shuffled(draws: Draws, kinds: Sequence[int], weights: Sequence[int]) -> list[int]:
    """Return ``kinds`` in random order, drawn by weight; the first one drawn comes last."""
    order, pool = list[int](), list(kinds)
    while pool:
        draw = draws.below(sum(weights[kind] for kind in pool))
        for kind in pool:
            draw -= weights[kind]
            if draw < 0:
                break
        pool.remove(kind)
        order.append(kind)
    return order[::-1]
