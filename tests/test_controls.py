"""Controls: what a hand does, and what a tool names, is the action that is meant."""

import inspect
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from puzzles import NAMES, family
from puzzles.controls import Gesture
from puzzles.generate import Recipe, generate_block
from puzzles.replay import initial


def states(name: str) -> list[Any]:
    """Return states along random play on boards of two difficulties."""
    room, rng, found = family(name), random.Random(name), []
    for difficulty in ("easy", "hard"):
        for made in generate_block(Recipe(name, 3, difficulty), 0)[:3]:
            state = initial(made.instance)
            for _ in range(12):
                actions = room.legal_actions(state)
                found.append(state)
                if not actions:
                    break
                state = room.apply(state, rng.choice(actions))
    return found


# What a tool is called with to take an action, by the names of its arguments.
CALLS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "direction": lambda action: {"direction": action},
    "direction,hit_labels": lambda action: {"direction": action, "hit_labels": []},
    "car,direction": lambda action: {"car": action.car, "direction": action.direction},
    "row,column,direction": lambda action: {
        "row": action.at[0],
        "column": action.at[1],
        "direction": action.direction,
    },
    "row,column,other_row,other_column": lambda action: dict(
        zip(("row", "column", "other_row", "other_column"), (*action.a, *action.b), strict=True)
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_names_the_action_that_is_meant(name: str) -> None:
    room = family(name)
    tool = room.controls.tool
    call = CALLS[",".join(inspect.signature(tool).parameters)]
    for state in states(name):
        for action in room.legal_actions(state):
            value = tool(**call(action))
            assert json.loads(json.dumps(value)) == json.loads(room.step.format(action, []))
            (read,) = room.step.parse(json.loads(json.dumps(value)))
            assert room.step.same(read) == room.step.same(action)


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_says_what_each_of_its_arguments_is(name: str) -> None:
    tool = family(name).controls.tool
    words = inspect.getdoc(tool) or ""
    for parameter in inspect.signature(tool).parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        assert f"\n    {parameter.name}: " in words


@pytest.mark.parametrize("name", NAMES)
def test_gestures_tell_actions_apart_and_begin_at_what_is_moved(name: str) -> None:
    room = family(name)
    for state in states(name):
        actions = room.legal_actions(state)
        gestures = [room.controls.gesture(state, action) for action in actions]
        assert len(set(gestures)) == len(actions)
        rows = room.format(state).split("\n")
        for action, gesture in zip(actions, gestures, strict=True):
            r, c = gesture.cell
            assert rows[r][c] not in "#.-"
            after = room.format(room.apply(state, action)).split("\n")
            assert after != rows
            if room.controls.kind == "pair":
                assert gesture.other is not None
                assert gesture.direction is None
                (r2, c2) = gesture.other
                assert rows[r][c] == rows[r2][c2]
                assert after[r][c] == after[r2][c2] == "."
            else:
                assert gesture.other is None
                assert gesture.direction in ("up", "right", "down", "left")


def test_the_gestures_of_a_board_that_one_sees_at_once() -> None:
    lot = family("parking")
    state = lot.parse("A..\nA..\nRR.", {})
    gestures = {lot.controls.gesture(state, action) for action in lot.legal_actions(state)}
    assert gestures == {Gesture((2, 0), "right")}
    tray = family("klotski")
    state = tray.parse("TTA\nTTB\n...", {"goal": [1, 0]})
    gestures = {tray.controls.gesture(state, action) for action in tray.legal_actions(state)}
    assert gestures == {Gesture((0, 0), "down"), Gesture((1, 2), "down")}
