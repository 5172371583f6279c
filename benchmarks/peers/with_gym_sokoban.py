"""gym-sokoban: its room generator (of Weber et al. 2017), one box, with its own default effort."""

import random

import numpy as np
from contest import Play, serve
from gym_sokoban.envs.room_utils import generate_room

SIDE = 10
STEPS = int(1.7 * 2 * SIDE)
"""The length of the walk that digs the room, as its environment chooses it."""
MARKS = "#-.*$@"


def sokoban() -> Play:
    random.seed(1)
    np.random.seed(1)

    def play() -> tuple[int, list[str]]:
        try:
            fixed, room, _ = generate_room((SIDE, SIDE), num_steps=STEPS, num_boxes=1)
        except (RuntimeError, RuntimeWarning):  # it found no room this time
            return 0, []
        marks = np.array(list(MARKS))[room.astype(int)]
        marks[(fixed == 2) & (room == 5)] = "+"
        return 1, ["\n".join(map("".join, marks))]

    return play


serve("gym-sokoban", {"sokoban": sokoban})
