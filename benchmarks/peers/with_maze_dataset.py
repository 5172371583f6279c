"""maze-dataset: the fastest of its generators, and its path between two random cells.

A lattice of 5x5 rooms is drawn with its walls on 11x11 cells, the nearest to our 10x10.
"""

import numpy as np
from contest import Play, serve
from maze_dataset.generation.generators import LatticeMazeGenerators


def maze() -> Play:
    shape = np.array([5, 5])

    def play() -> tuple[int, list[int]]:
        LatticeMazeGenerators.gen_kruskal(shape).generate_random_path()
        return 1, []

    return play


serve("maze-dataset", {"maze": maze})
