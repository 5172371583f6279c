"""Searches end within the states and the memory that they may use, and never in a wrong word."""

import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

from puzzles import family
from puzzles.solve import solve
from solvers import Limit, SearchLimit, Unsolvable
from solvers.space import explore

ROOM = "\n".join(
    ["#" * 16, *["#" + "-" * 14 + "#"] * 12, "#-$-$-$-$-$-@--#", "#.....---------#", "#" * 16]
)
"""Five boxes in an open room: more states than any machine holds."""
TRAY = "TTABCD\nTTABCD\nEEFGHI\nJJFGHI\nKKLMNO\nPQRU.."
HARDEST = ["BBBCDE", "FGGCDE", "F.RRDE", "HHI...", ".JI.KK", ".JLLMM"]
LOT = "\n".join(
    ["....." + "#" + row for row in HARDEST] + ["#" * 12] + [f"{v * 2}.........." for v in "STUVW"]
)
"""The board of 93 moves, and a yard below it where five vehicles stroll."""
BOARDS = {"sokoban": (ROOM, {}), "klotski": (TRAY, {"goal": [4, 4]}), "parking": (LOT, {})}

CAPPED = """
import resource, sys, time
sys.path.insert(0, {root!r})
from puzzles import family
from puzzles.solve import solve, system_of
from solvers import Limit, SearchLimit
from solvers.space import explore

room = family({name!r})
state = room.parse({board!r}, {rules!r})
level, start = room.pack(state)

def run(limit):
    if {algorithm!r} == "explore":
        explore(system_of(room, {metric!r}), level, start, limit)
    else:
        solve(room, state, limit, algorithm={algorithm!r}, metric={metric!r})

try:
    run(Limit(2000))  # compiles the kernels, which takes memory of its own
except SearchLimit:
    pass
size = next(int(l.split()[1]) << 10 for l in open("/proc/self/status") if l.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, (size + {room}, size + {room}))
try:
    run(Limit(1 << 30, {memory}))
except SearchLimit as error:
    print(error.states, error.bound, error.what, sep="|")
"""


def capped(name: str, algorithm: str, *, memory: int, room: int, metric: str = "cell") -> list[str]:
    """Search under a hard cap of the address space; return states, bound and what the limit was."""
    board, rules = BOARDS[name]
    script = CAPPED.format(
        root=str(Path(__file__).parents[2]),
        **{"name": name, "board": board, "rules": rules, "algorithm": algorithm},
        **{"metric": metric, "memory": memory, "room": room},
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.strip().split("|")


MEGABYTE = 1 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS and /proc are Linux's")
@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        *product(BOARDS, ["bfs", "astar", "explore"]),
        ("sokoban", "auto"),  # which takes one of them; the audit has those of the others
        pytest.param("klotski", "auto", marks=pytest.mark.audit),
        pytest.param("parking", "auto", marks=pytest.mark.audit),
    ],
)
def test_a_search_keeps_to_its_memory(name: str, algorithm: str) -> None:
    started = time.monotonic()
    states, bound, what = capped(name, algorithm, memory=48 * MEGABYTE, room=64 * MEGABYTE)
    assert what == "48 MB of memory"
    assert int(states) > 100_000
    assert int(bound) > 0
    assert time.monotonic() - started < 60


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS and /proc are Linux's")
@pytest.mark.parametrize("algorithm", ["bfs", "astar", "auto", "explore"])
def test_a_machine_without_memory_is_no_wrong_word(algorithm: str) -> None:
    states, _, what = capped("sokoban", algorithm, memory=1 << 40, room=32 * MEGABYTE)
    assert what == "the memory of this machine"
    assert int(states) > 10_000


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("algorithm", ["bfs", "astar", "auto"])
def test_a_search_keeps_to_its_states(name: str, algorithm: str) -> None:
    room = family(name)
    state = room.parse(*BOARDS[name])
    with pytest.raises(SearchLimit, match="search limit of 5,000 states") as caught:
        solve(room, state, Limit(5000), algorithm=algorithm)
    assert 0 < caught.value.states <= 5000
    assert caught.value.bound > 0


@pytest.mark.parametrize("states", [1, 2, 10, 100, 1000, 10_000])
@pytest.mark.parametrize("algorithm", ["bfs", "astar", "auto"])
def test_a_bound_is_never_more_than_the_optimum(states: int, algorithm: str) -> None:
    room = family("parking")
    state = room.parse("BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM", {})
    with pytest.raises(SearchLimit) as caught:
        solve(room, state, Limit(states), algorithm=algorithm)
    assert caught.value.bound <= 93


def test_unsolvable_boards_are_searched_to_the_end() -> None:
    room = family("parking")
    state = room.parse("RR..A\n....A\nCC..B\nDD..B", {})
    level, start = room.pack(state)
    states = len(explore(room.systems["cell"], level, start).states)
    assert states == 3 * 3 * 3  # R, C and D have three places each; A and B jam each other
    for algorithm in ("bfs", "auto"):
        with pytest.raises(Unsolvable, match="27 states can be reached, and none is") as caught:
            solve(room, state, algorithm=algorithm)
        assert caught.value.states == states
        with pytest.raises(SearchLimit):
            solve(room, state, Limit(states - 1), algorithm=algorithm)
    with pytest.raises(Unsolvable, match="nothing else can lead to one"):
        solve(room, state, algorithm="astar")
