"""What the cells of a maze's picture can look like."""

from collections.abc import Iterator, Mapping
from typing import Any

from puzzles import changes
from puzzles.maze.rules import State, notation
from puzzles.reading import Parts, alone, board_of, parts_of
from puzzles.surroundings import beside, floors, walls


def specimens(rules: Mapping[str, Any]) -> Iterator[State]:
    """Yield boards that show every part on every ground."""
    for block in floors():
        yield State(beside(block, block, block), (1, 1), (1, 4))
        yield State(block, (1, 1), (1, 1))
    yield State(beside(*walls()), (0, 0), (0, 2))


def parts(state: State) -> Parts:
    """Return the characters of the notation."""
    return parts_of(notation(state))


assemble = board_of


def mended(seen: Parts) -> Parts:
    """Return the parts without a second agent or goal."""
    return alone(seen, "S*", "G*")


def changed(before: State, after: State) -> str:
    """Name what is another in ``after`` though no move changes it; "" where nothing is."""
    other = changes.walls(before.walls, after.walls)
    return other or changes.place("the goal", before.goal, after.goal)
