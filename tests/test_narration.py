"""Solutions told in sentences: true of every board, and no other sentence would be."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import puzzles
from puzzles import make
from puzzles.directions import DIRECTIONS
from puzzles.narration import CLOSINGS, flaw, narrate
from puzzles.onet.fruits import FRUITS
from puzzles.onet.narration import PICTURES
from puzzles.onet.vegetables import VEGETABLES
from puzzles.replay import initial, optimal_actions
from puzzles.rooms import family
from puzzles.sentences import phrase

TIERS = ("easy", "medium", "hard")
UNUSUAL: list[tuple[str, dict[str, Any]]] = [
    ("maze", {"size": (7, 13), "options": {"border": False, "cycles": 3}, "lengths": (5, 12)}),
    ("path", {"size": (6, 14), "lengths": (5, 12)}),
    ("sokoban", {"size": (7, 9), "options": {"boxes": 2}, "lengths": (6, 14)}),
    ("parking", {"size": (6, 7), "options": {"walls": 2}, "lengths": (3, 12)}),
    ("onet", {"size": (4, 7), "options": {"copies": 4}, "lengths": (4, 8)}),
    ("onet", {"size": (5, 6), "rules": {"outside": True, "max_turns": 3}, "lengths": (6, 9)}),
    ("klotski", {"size": (5, 4), "lengths": (4, 15)}),
]


def told(instance: puzzles.Instance) -> tuple[Any, Any, str]:
    """Return the family, the first state, and the text of an instance."""
    room, state = family(instance.family), initial(instance)
    return room, state, narrate(room, state, optimal_actions(instance))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", puzzles.NAMES)
def test_what_is_told_is_true(name: str, tier: str) -> None:
    for instance in make(name, tier, 25, seed=11):
        room, state, text = told(instance)
        assert flaw(room, state, text) is None, instance.board
        assert text == told(instance)[2]
        assert puzzles.verify(instance, text).optimal


@pytest.mark.parametrize(("name", "options"), UNUSUAL)
def test_boards_of_other_kinds_are_told_too(name: str, options: dict[str, Any]) -> None:
    for instance in make(name, n=12, seed=2, **options):
        room, state, text = told(instance)
        assert flaw(room, state, text) is None, instance.board


def other_numbers(text: str) -> Iterator[str]:
    """Yield the text with one of its numbers raised, or lowered, by one."""
    for found in re.finditer(r"\d+", text):
        for step in (1, -1):
            number = str(int(found[0]) + step)
            yield text[: found.start()] + number + text[found.end() :]


def other_directions(text: str) -> Iterator[str]:
    """Yield the text with one of its directions turned to each of the others."""
    for found in re.finditer(rf"\b({'|'.join(DIRECTIONS)})\b", text):
        for way in DIRECTIONS:
            if way != found[0]:
                yield text[: found.start()] + way + text[found.end() :]


def other_names(text: str) -> Iterator[str]:
    """Yield the text with the name of a piece, or what a tile shows, changed to another."""
    words = "|".join(PICTURES.values())
    for found in re.finditer(rf"\b([A-Za-z]|{words})\b", text):
        one = found[0]
        others = [chr(ord(one) + 1), "T"] if len(one) == 1 else ["carrot", "pear", "blue corn"]
        for other in others:
            if other != one:
                yield text[: found.start()] + other + text[found.end() :]


def other_lines(text: str) -> Iterator[str]:
    """Yield the text with two lines swapped, with one missing, and with one twice."""
    lines = text.split("\n")
    for at in range(len(lines) - 2):
        here, there = lines[at : at + 2]
        if here != there:
            yield "\n".join([*lines[:at], there, here, *lines[at + 2 :]])
    for at in range(1, len(lines) - 3):
        yield "\n".join([*lines[:at], *lines[at + 1 :]])
        yield "\n".join([*lines[: at + 1], *lines[at:]])


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", puzzles.NAMES)
def test_no_number_direction_name_or_line_can_be_another(name: str, tier: str) -> None:
    for instance in make(name, tier, 1, seed=23):
        room, state, text = told(instance)
        for change in (other_numbers, other_directions, other_names, other_lines):
            for wrong in change(text):
                assert flaw(room, state, wrong), f"{change.__name__}:\n{wrong}"


@pytest.mark.parametrize("name", puzzles.NAMES)
def test_sentences_vary_from_board_to_board(name: str) -> None:
    texts = [told(instance)[2].split("\n") for instance in make(name, "medium", 12, seed=4)]
    assert len({lines[-2] for lines in texts}) > 2
    assert {lines[-2] for lines in texts} <= {*CLOSINGS}
    assert len({re.sub(r"\d+", "", lines[0]) for lines in texts}) > 3


def test_every_sentence_is_read_as_it_was_written() -> None:
    facts = {
        **{"cell": (3, 14), "cells": ((0, 1), (2, 3), (4, 5)), "span": ((1, 1), (1, 3))},
        **{"way": "left", "aside": "up", "beside": "up", "side": "right", "number": -2},
        **{"name": "q", "names": ("a", "B"), "places": (("A", (1, 2)), ("b", (3, 4)))},
        **{"legs": (("up", 2, (1, 1)), ("left", 1, (1, 0))), "thing": "the flat block"},
    }
    for slot, value in facts.items():
        one = phrase(f"It is {{x:{slot}}} here.")
        text = one.write({"x": value})
        assert one.read(text, 0) == ({"x": value}, len(text)), text
    counted = phrase("There are {x:# cell}.")
    assert [counted.write({"x": n}) for n in (1, 2)] == ["There are 1 cell.", "There are 2 cells."]
    assert counted.read("There are 2 cell.", 0) is None


@pytest.mark.parametrize("name", puzzles.NAMES)
def test_every_claim_has_sentences_and_a_check(name: str) -> None:
    narration = family(name).narration()
    assert set(narration.phrases) == set(narration.holds)
    assert all(narration.phrases.values())


def test_a_false_wall_is_noticed() -> None:
    board = "#####\n#S.G#\n#.#.#\n#####"
    (room, state), good = (family("maze"), family("maze").parse(board, {})), "right"
    text = narrate(room, state, [good, good])
    start = "At (1,1) the cell below, (2,1), is a dead end."
    forms = (start, "Going down from (1,1) there is only (2,1), and no way out.")
    assert any(form in text for form in forms), text
    wrong = "At (1,1) nothing but right is open."
    for form in forms:
        text = text.replace(form, wrong)
    assert flaw(room, state, text) == f"{wrong!r} is not true"


def test_a_sentence_that_is_none_of_ours_is_named() -> None:
    (instance,) = make("maze", "easy", 1, seed=1)
    room, state, text = told(instance)
    wrong = text.replace("\n", "\nIt is easy. ", 1)
    assert "It is easy." in str(flaw(room, state, wrong))


def test_tiles_are_called_what_is_painted_on_them() -> None:
    painted = FRUITS | VEGETABLES
    assert {*PICTURES} == {*painted} | {kind.lower() for kind in painted}
    for kind, paint in painted.items():
        assert paint.__name__.strip("_").startswith(PICTURES[kind][:4]), kind
        assert PICTURES[kind.lower()] == f"blue {PICTURES[kind]}"


def test_the_document_shows_what_is_said_of_a_changed_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "training-rows.md").read_text()
    start = page.index("    from puzzles import family, make\n")
    code = dedent(page[start:].partition("\n\nTests tell")[0])
    shown = " ".join(line.removeprefix("# ") for line in re.findall(r"^# .*", code, re.MULTILINE))
    exec(code, {})
    assert capsys.readouterr().out == shown + "\n"
