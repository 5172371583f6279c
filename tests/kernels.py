"""Compiles the kernels that the suite calls: ``python -m tests.kernels``.

The suite's workers start together and would each compile all of them.
"""

import os
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from puzzles import NAMES, family, make
from puzzles.replay import initial
from solvers.space import explore
from tests.conformance import check_state
from tests.random_boards import random_boards
from tests.solvers.test_searches import check_searches


def call_those_of(name: str) -> None:
    """Make, solve, explore and observe a few boards of a family."""
    room = family(name)
    made = [initial(one) for tier in room.buckets for one in make(name, tier, 1)]
    for state in random_boards(name, 3, "kernels"):
        level, words = room.pack(state)
        for metric, system in room.systems.items():
            check_searches(room, state, metric)
            explore(system, level, words).to_goal()
    for state in made:
        check_state(room, state)
        level, words = room.pack(state)
        rows = room.format(state).split("\n")
        room.controls.observe(level, words[None], np.zeros((1, len(rows), len(rows[0])), np.uint8))


def main() -> None:
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        list(processes.map(call_those_of, NAMES))


if __name__ == "__main__":
    main()
