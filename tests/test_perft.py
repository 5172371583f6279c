"""Counts of states by depth from one board of each family: kernels, rules, and golden numbers."""

import pytest

from puzzles import NAMES, family
from solvers.breadth_first import layers

BOARDS = {
    "maze": ("S..#\n#...\n..#G", {}),
    "sokoban": ("#######\n#@-$--#\n#-$---#\n#--..-#\n#######", {}),
    "path": ("SAB.\n#.#C\n..#G", {}),
    "onet": ("abcab\nd.d.c", {}),
    "parking": ("B.CC\nB..D\nRR.D\n.EEE", {}),
    "klotski": ("ATTB\nATTB\nCDDE\nCFGE\nH..I", {"goal": [3, 1]}),
}
GOLDEN = {
    "maze": [1, 1, 2, 2, 2, 1],
    "sokoban": [1, 2, 4, 11, 21, 36, 54, 71, 89, 85, 98, 85],
    "path": [1, 1, 2, 2, 2, 1],
    "onet": [1, 1, 2, 2, 1],
    "parking": [1, 3, 6, 8, 8, 8, 6, 2],
    "klotski": [1, 4, 10, 13, 18, 16, 19, 20, 22, 32, 38, 42],
}
DEPTH = 12


def by_rules(name: str) -> list[int]:
    room = family(name)
    layer = {room.parse(*BOARDS[name])}
    seen, counts = set(layer), []
    while layer and len(counts) < DEPTH:
        counts.append(len(layer))
        after = {room.apply(state, a) for state in layer for a in room.legal_actions(state)}
        layer = after - seen
        seen |= layer
    return counts


def by_kernels(name: str) -> list[int]:
    room = family(name)
    level, start = room.pack(room.parse(*BOARDS[name]))
    return [len(layer) for layer in layers(room.systems["cell"], level, start[None])][:DEPTH]


@pytest.mark.parametrize("name", NAMES)
def test_counts_by_depth(name: str) -> None:
    assert by_rules(name) == by_kernels(name) == GOLDEN[name]


if __name__ == "__main__":
    for name in NAMES:
        print(f'    "{name}": {by_rules(name)},')
