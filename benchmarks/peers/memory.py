"""The memory of a search that has stored a million states, by family.

.venv/bin/python -m benchmarks.peers.memory
"""

import tracemalloc
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from puzzles import family, make
from puzzles.replay import initial
from solvers import Limit, SearchLimit
from solvers.breadth_first import Explorer

STATES = 1_000_000
OPEN_MAZE = "\n".join(["S" + "." * 999, *["." * 1000] * 999, "." * 999 + "G", "." * 1000])
FIVE_BOXES = """\
##############
#@-----------#
#-$-$-$-$-$--#
#------------#
#------------#
#------------#
#--.-.-.-.-.-#
#------------#
##############"""


EIGHT_CARS = "\n".join(f"{car}{car}......" for car in "ABCRDEFG")


BOARDS: Mapping[str, tuple[str, Callable[[], Any]]] = {
    "maze": ("1000 cells a side", lambda: family("maze").parse(OPEN_MAZE, {})),
    "sokoban": ("five boxes", lambda: family("sokoban").parse(FIVE_BOXES, {})),
    "parking": ("8x8, eight cars", lambda: family("parking").parse(EIGHT_CARS, {})),
    "klotski": ("6x6, hard", lambda: initial(make("klotski", "hard", 1)[0])),
}


def main() -> None:
    for name, (what, board) in BOARDS.items():
        room, state = family(name), board()
        level, start = room.pack(state)
        for states in (2, STATES):  # the first time compiles
            tracemalloc.start()
            explorer = Explorer(
                room.systems["cell"], level, start[None], Limit(states=states), ample=False
            )
            with suppress(SearchLimit):
                while explorer.advance():
                    pass
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        stored = explorer.count
        print(f"{name}, {what}: {peak / stored:.0f} MB a million states ({stored:,} stored)")


if __name__ == "__main__":
    main()
