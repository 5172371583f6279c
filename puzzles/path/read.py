"""What the cells of a path picture can look like."""

from collections.abc import Iterator, Mapping
from typing import Any

from puzzles import changes
from puzzles.path.rules import LABELS, State, notation
from puzzles.reading import Parts, alone, board_of, parts_of, without
from puzzles.surroundings import beside, floors, walls


def specimens(rules: Mapping[str, Any]) -> Iterator[State]:
    """Yield boards that show every part on every ground."""
    for block in floors():
        yield State(beside(block, block, block), (1, 1), (1, 4), ())
        yield State(block, (1, 1), (1, 1), ())
        for letter in LABELS:
            labels = ((letter, (1, 1)), (letter, (1, 4)))
            yield State(beside(block, block, block), (1, 1), (1, 7), labels)
    yield State(beside(*walls()), (0, 0), (0, 2), ())


def parts(state: State) -> Parts:
    """Return the characters of the notation; small letters are labels below the marker."""
    return parts_of(notation(state))


assemble = board_of


def mended(seen: Parts) -> Parts:
    """Return the parts without what makes no board, or hardly one.

    That are a second marker, goal or label of one letter, and letters beyond the first, as many as
    there are labels.
    """
    found = [mark for mark in board_of(seen).upper() if mark in LABELS]
    beyond = LABELS[len(found) :]
    twins = (letter + letter.lower() for letter in LABELS)
    out = alone(seen, "G*", "S*" + LABELS.lower(), *twins)
    return without(out, beyond + beyond.lower())


def changed(before: State, after: State) -> str:
    """Name what is another in ``after`` though no move changes it; "" where nothing is."""
    other = changes.walls(before.walls, after.walls)
    other = other or changes.place("the goal", before.goal, after.goal)
    if other:
        return other
    old, new = dict(before.labels), dict(after.labels)
    for letter in sorted({*old} ^ {*new}):
        where, what = (old, "gone") if letter in old else (new, "new")
        return f"label {letter} at {changes.at(where[letter])} is {what}"
    moved = (changes.place(f"label {letter}", old[letter], new[letter]) for letter in sorted(old))
    return next(filter(None, moved), "")
