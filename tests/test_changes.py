"""What no move changes is named, and so is what no single move can have done."""

from typing import Any

import pytest

from puzzles import NAMES, family
from puzzles.draws import Draws
from puzzles.reading import Step, step_between
from tests.random_boards import random_boards

MAZE = "S..#\n.#..\n...G"
SOKOBAN = "#####\n#@$.#\n#---#\n#####"
PATH = "SA#\n#.B\n##G"
ONET = "AB.\nBA."

SAID = [
    ("maze", MAZE, "S..#\n....\n...G", "the wall at (1,1) is gone"),
    ("maze", MAZE, "S.##\n.#..\n...G", "the wall at (0,2) is new"),
    ("maze", MAZE, "S..#\n.#.G\n....", "the goal is at (1,3), not at (2,3)"),
    ("maze", MAZE, "S..\n.#.\n..G", "3x4 cells have become 3x3"),
    ("maze", MAZE, "...#\n.#..\n.S.G", "no one legal action changes (0,0), (2,1) so"),
    ("maze", MAZE, MAZE, "nothing has moved"),
    ("sokoban", SOKOBAN, "#####\n#-@*#\n#--.#\n#--$#\n#####", "4x5 cells have become 5x5"),
    ("sokoban", SOKOBAN, "#####\n#@$-#\n#--.#\n#####", "the target at (1,3) is gone"),
    ("sokoban", SOKOBAN, "#####\n#@$.#\n#.$-#\n#####", "the target at (2,1) is new"),
    ("sokoban", SOKOBAN, "#####\n#-@.#\n#-$-#\n#####", "no one legal action changes"),
    ("path", PATH, "SA#\n#.B\n.#G", "the wall at (2,0) is gone"),
    ("path", PATH, "SA#\n#..\n##G", "label B at (1,2) is gone"),
    ("path", PATH, "SA#\n#CB\n##G", "label C at (1,1) is new"),
    ("path", PATH, "S.#\n#AB\n##G", "label A is at (1,1), not at (0,1)"),
    ("path", PATH, "GA#\n#.B\n##S", "the goal is at (0,0), not at (2,2)"),
    ("onet", ONET, "ABA\nBAA", "a tile of kind A has appeared at (0,2)"),
    ("onet", ONET, "AB.\nAB.", "the tile at (1,0) is of kind A, not B"),
    ("onet", ONET, "AB\nBA", "2x3 cells have become 2x2"),
    ("onet", "AA.\nBB.", "...\n...", "no one legal action changes (0,0), (0,1), (1,0), (1,1) so"),
]


@pytest.mark.parametrize(("name", "before", "after", "said"), SAID)
def test_what_is_another_is_named(name: str, before: str, after: str, said: str) -> None:
    room = family(name)
    step = step_between(room, room.parse(before, {}), room.parse(after, {}))
    assert step.action is None
    assert step.fault.startswith(said)


@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_found_again_and_a_leap_is_none(name: str) -> None:
    """Two actions may do the same: what counts is where they lead."""
    room: Any = family(name)
    reading = room.reading
    leaps = 0
    for state in random_boards(name, 8, ("changes", name), 300):
        for action in room.legal_actions(state)[:6]:
            after = room.apply(state, action)
            step = step_between(room, state, after)
            assert (reading.parts(room.apply(state, step.action)) == reading.parts(after)).all()
            one_away = {
                reading.parts(room.apply(state, a)).tobytes() for a in room.legal_actions(state)
            }
            for further in Draws("leap", name).shuffled(room.legal_actions(after))[:3]:
                leap = room.apply(after, further)
                if reading.parts(leap).tobytes() not in one_away:
                    leaps += 1
                    assert step_between(room, state, leap).action is None
                    assert step_between(room, state, leap).fault
                    assert not reading.changed(state, leap)
    assert leaps > 5


def test_a_step_that_follows_has_no_fault() -> None:
    room = family("maze")
    state = room.parse(MAZE, {})
    assert step_between(room, state, room.apply(state, "down")) == Step("down")
