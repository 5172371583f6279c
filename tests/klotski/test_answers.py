"""What is read as an answer to a Klotski board, and what is not."""

import json
from time import process_time
from typing import Any

import pytest

from puzzles.family import MalformedAnswer
from puzzles.klotski import rules, text
from puzzles.klotski.rules import Slide


def test_answers_are_read_whatever_their_form() -> None:
    value = [
        {"from": [3, 2], "direction": "UP"},
        {"Direction": "l", "From": (0, -1)},
        {"from": [0, 1], "direction": "sideways", "piece": "T", "steps": 1},
    ]
    slides = [Slide((3, 2), "up"), Slide((0, -1), "left"), Slide((0, 1), "sideways")]
    assert rules.parse_answer(value) == slides
    wire = rules.format_answer(slides)
    assert wire.startswith('{"solution":[{"from":[3,2],"direction":"UP"},{"from":[0,-1],')
    assert rules.parse_answer(json.loads(wire)["solution"]) == slides
    assert rules.parse_answer([]) == []
    assert rules.format_answer([]) == '{"solution":[]}'


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"from": [0, 0], "direction": "UP"}, "expected a list of slides"),
        ("UP", "expected a list of slides, not 'UP'"),
        (None, "expected a list of slides, not None"),
        ([["UP"]], r"item 0 is \['UP'\], not an object"),
        ([{"from": [0, 0]}], "item 0 has no 'direction'"),
        ([{"from": [0, 0], "direction": "UP"}, {"direction": "UP"}], "item 1 has no 'from'"),
        ([{"from": [0, 0], "direction": 1}], "item 0: direction is 1, not a word"),
        ([{"from": [0, 0, 0], "direction": "UP"}], r"item 0: from is \[0, 0, 0\], not"),
        ([{"from": [0, True], "direction": "UP"}], r"item 0: from is \[0, True\], not"),
        ([{"from": [0, 1.0], "direction": "UP"}], r"item 0: from is \[0, 1.0\], not"),
        ([{"from": [0, float("nan")], "direction": "UP"}], r"item 0: from is \[0, nan\], not"),
        ([{"from": ["0", "1"], "direction": "UP"}], "item 0: from is"),
        ([{"from": "0,1", "direction": "UP"}], "item 0: from is '0,1', not"),
        ([{"from": None, "direction": "UP"}], "item 0: from is None, not"),
        ([{"from": [10**5000, 1], "direction": "UP"}], "a number of more than 1000 digits"),
        ([{"from": [0, 1], "direction": "UP", "steps": 2}], "moves a block by one cell"),
        ([{"from": [0, 1], "direction": "UP", "distance": True}], "moves a block by one cell"),
    ],
)
def test_malformed_answers_are_named(value: Any, words: str) -> None:
    with pytest.raises(MalformedAnswer, match=words):
        rules.parse_answer(value)


@pytest.mark.parametrize(
    "slip",
    [
        '{"solution":["from":[3,2],"direction":"DOWN","from":[4,0],"direction":"LEFT"]}',
        '{"solution": [ "from" : [3, 2], "direction" : "DOWN" ,\n'
        ' "from":[4,0],"direction":"LEFT" ]}',
        '{"solution":["direction":"DOWN","from":[3,2],"from":[4,0],"direction":"LEFT",]}',
    ],
)
def test_lists_without_inner_braces_are_mended(slip: str) -> None:
    mended = text.repair(f"So: {slip} [done]")
    assert mended.startswith("So: ")
    assert mended.endswith(" [done]")
    value = json.loads(mended[4:-7].replace(",]", "]"))
    assert rules.parse_answer(value["solution"]) == [Slide((3, 2), "down"), Slide((4, 0), "left")]


@pytest.mark.parametrize(
    "right",
    [
        rules.format_answer([Slide((3, 2), "down"), Slide((4, 0), "left")]),
        '{"solution":[{"piece":"T","from":[3,2],"direction":"DOWN"}]}',
        '{"solution":["from":[3,2],"direction":"DOWN",',  # cut off
        '{"solution":["from":[3,2],"direction":"DOWN","from":[4,0]]}',
        '{"solution":["from":[3,2],"direction":["DOWN"]]}',
    ],
)
def test_all_else_is_left_alone(right: str) -> None:
    assert text.repair(right) == right


def test_mending_takes_linear_time() -> None:
    item = '"from":[3,2],"direction":"DOWN",'
    for long in (
        '{"solution":[' + item * 20_000,
        "[" * 400_000,
        '["from":[' * 50_000,
        '["from"' + " " * 400_000,
        ("[" + " " * 1000) * 400,
    ):
        before = process_time()
        assert text.repair(long) == long
        assert process_time() - before < 1


def test_the_example_in_words_is_an_answer() -> None:
    example = text.words({}).examples[0]
    slides = rules.parse_answer(json.loads(example)["solution"])
    assert rules.format_answer(slides) == example
