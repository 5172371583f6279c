"""What learners see is the board's notation, and the numbers of actions are the rules' actions."""

from typing import Any

import numpy as np
import pytest

from puzzles import NAMES, family
from puzzles.draws import Draws
from puzzles.family import Family
from puzzles.generate import Recipe, generate_block
from puzzles.replay import initial
from tests.conformance import random_play
from tests.random_boards import random_boards

SIZES = [(1, 1), (1, 7), (6, 3), (4, 4)]


def states(name: str) -> list[Any]:
    """Return states of random play on boards of the suite, small odd ones and large oblong ones."""
    room, draws = family(name), Draws("observe", name)
    starts = random_boards(name, 30, "observe")
    large = (room.size[0] + 5, room.size[1] + 3)
    recipes = [Recipe(name, 5, difficulty) for difficulty in room.buckets]
    for recipe in (*recipes, Recipe(name, 5, "easy", size=large)):
        starts += [initial(made.instance) for made in generate_block(recipe, 0)[:8]]
    return [state for start in starts for state in random_play(room, start, draws, 6)]


def shape(room: Family[Any, Any], state: Any) -> tuple[int, int]:
    rows = room.format(state).split("\n")
    return len(rows), len(rows[0])


def observed(room: Family[Any, Any], level: Any, words: Any, size: tuple[int, int]) -> list[str]:
    out = np.full((1, *size), 255, np.uint8)
    room.controls.observe(level, words[None], out)
    return ["".join(room.controls.legend[code] for code in row) for row in out[0]]


@pytest.mark.parametrize("name", NAMES)
def test_the_codes_of_a_state_are_its_notation(name: str) -> None:
    room = family(name)
    assert len(set(room.controls.legend)) == len(room.controls.legend)
    for start in states(name):
        size = shape(room, start)
        level, words = room.pack(start)
        assert observed(room, level, words, size) == room.format(start).split("\n")
        system = room.systems["cell"]
        most = max(1, system.branching(level))
        after = np.zeros((most, len(words)), np.uint64)
        n = system.expand(
            level, words[None], after, np.zeros(most, np.int64), np.zeros(most, np.int32)
        )
        for row in after[:n]:  # states of one level, as in an episode
            text = room.format(room.unpack(level, row)).split("\n")
            assert observed(room, level, row, size) == text


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_of_the_kernels_are_those_of_the_rules(name: str) -> None:
    room = family(name)
    numbering, same = room.controls.numbering, room.step.same
    for state in states(name):
        size, (level, _) = shape(room, state), room.pack(state)
        codes = numbering.codes(level)
        assert codes.dtype == np.int32
        for code, number in enumerate(codes.tolist()):
            assert 0 <= number < numbering.count(size)
            meant = numbering.action(size, number)
            assert same(meant) == same(room.decode(level, code))
        for action in room.legal_actions(state):
            number = numbering.number(size, action)
            assert number in codes
            assert same(numbering.action(size, number)) == same(action)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_an_action_of_its_own(name: str, size: tuple[int, int]) -> None:
    numbering = family(name).controls.numbering
    actions = [numbering.action(size, number) for number in range(numbering.count(size))]
    assert len(set(actions)) == len(actions)
    assert [numbering.number(size, action) for action in actions] == list(range(len(actions)))


def test_numbers_that_one_can_count() -> None:
    walk, lot, tray, tiles = (
        family(name).controls.numbering for name in ("maze", "parking", "klotski", "onet")
    )
    assert [walk.action((9, 9), number) for number in range(4)] == ["up", "right", "down", "left"]
    assert lot.count((6, 7)) == 4 * 52
    assert lot.action((6, 7), 4 * 17 + 1) == ("R", "right")
    assert lot.action((6, 7), 4 * 26 + 2) == ("a", "down")
    assert tray.count((5, 4)) == 80
    assert tray.action((5, 4), 4 * (2 * 4 + 3) + 3) == ((2, 3), "left")
    pairs = [tiles.action((1, 3), number) for number in range(tiles.count((1, 3)))]
    assert pairs == [((0, 0), (0, 1)), ((0, 0), (0, 2)), ((0, 1), (0, 2))]


@pytest.mark.parametrize("name", NAMES)
def test_kernels_write_the_codes_of_many_states_at_once(name: str) -> None:
    room = family(name)
    made = generate_block(Recipe(name, 6, "medium"), 0)[0]
    state = initial(made.instance)
    (level, words), size = room.pack(state), shape(room, state)
    system = room.systems["cell"]
    most = system.branching(level)
    after = np.zeros((most, len(words)), np.uint64)
    n = system.expand(level, words[None], after, np.zeros(most, np.int64), np.zeros(most, np.int32))
    out = np.zeros((n, *size), np.uint8)
    room.controls.observe(level, after[:n], out)
    legend = room.controls.legend
    for row, codes in zip(after[:n], out, strict=True):
        text = "\n".join("".join(legend[code] for code in line) for line in codes)
        assert text == room.format(room.unpack(level, row))
