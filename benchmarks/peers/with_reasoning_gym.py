"""reasoning-gym: its generators of Sokoban boards, and of mazes with their questions."""

from itertools import count
from random import Random

from contest import Play, serve
from reasoning_gym.games.contrib.sokoban.src.generator import generate
from reasoning_gym.games.maze import MazeConfig, MazeDataset

SIDE = 10
MARKS = str.maketrans("*%@X$+", "@+$.*#")


def sokoban() -> Play:
    rng, effort = Random(1), {"max_depth": 80, "min_boxes": 1, "max_boxes": 1}
    sides = dict.fromkeys(("min_w", "max_w", "min_h", "max_h"), SIDE)

    def play() -> tuple[int, list[str]]:
        board, _, _ = generate(rng, **sides, **effort)
        rows = board.replace(" ", "").translate(MARKS).split()
        return 1, ["\n".join(rows)]

    return play


def maze(low: int, high: int) -> Play:
    """Ways of ``low`` to ``high`` steps, on boards drawn again until one has such a way."""
    sides = {"min_grid_size": SIDE, "max_grid_size": SIDE}
    dataset = MazeDataset(MazeConfig(min_dist=low, max_dist=high, **sides, seed=1, size=1))
    index = count()

    def play() -> tuple[int, list[int]]:
        try:
            dataset[next(index)]
        except RuntimeError:  # a thousand boards had none
            return 0, []
        return 1, []

    return play


serve(
    "reasoning-gym",
    {"sokoban": sokoban, "maze": lambda: maze(7, 17), "long-maze": lambda: maze(18, 30)},
)
