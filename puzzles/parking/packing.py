"""From a parking lot to what its kernels work on, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.parking.rules import Slide, State, Vehicle


def pack(state: State) -> tuple[Any, NDArray[np.uint64]]:
    """Return the level of ``state`` and its words (see kernels)."""
    walls = np.zeros((state.rows, state.cols), np.bool_)
    for cell in state.walls:
        walls[cell] = True
    cars = state.vehicles
    lanes = np.array([car.row if car.horizontal else car.col for car in cars], np.int64)
    lengths = np.array([car.length for car in cars], np.int64)
    across = np.array([car.horizontal for car in cars])
    names = np.array([ord(car.name) for car in cars], np.int64)
    bits = max(1, (max(state.rows, state.cols) - 1).bit_length())
    level = walls, lanes, lengths, across, bits, names
    return level, repack(level, state)


def repack(level: Any, state: State) -> NDArray[np.uint64]:
    """Return the words of ``state`` in the level of another state of its board."""
    bits = level[4]
    fit = 64 // bits
    words = [0] * -(-len(state.vehicles) // fit)
    for k, car in enumerate(state.vehicles):
        words[k // fit] |= (car.col if car.horizontal else car.row) << k % fit * bits
    return np.array(words, np.uint64)


def unpack(level: Any, words: NDArray[np.uint64]) -> State:
    """Return the state that ``words`` stand for in ``level``."""
    walls, lanes, lengths, across, bits, names = level
    rows, cols = walls.shape
    fit = 64 // bits
    cars = []
    for k, (lane, length, horizontal) in enumerate(
        zip(lanes.tolist(), lengths.tolist(), across.tolist(), strict=True)
    ):
        offset = int(words[k // fit]) >> k % fit * bits & (1 << bits) - 1
        row, col = (lane, offset) if horizontal else (offset, lane)
        cars.append(Vehicle(chr(names[k]), row, col, length, horizontal))
    cells = tuple((r, c) for r, c in np.argwhere(walls).tolist())
    return State(rows, cols, cells, tuple(cars))


def decode(level: Any, code: int) -> Slide:
    """Return the action that the code of a move of one cell stands for."""
    vehicle, forward = divmod(code, 2)
    ways = ("left", "right") if level[3][vehicle] else ("up", "down")
    return Slide(chr(level[5][vehicle]), ways[forward])


def unfold(state: State, level: Any, code: int) -> list[Slide]:
    """Return the actions, one a cell, that the code of a move of any distance stands for."""
    more, one = divmod(code, 2 * len(level[1]))
    return [decode(level, one)] * (more + 1)
