"""Forms of answers: those that are forgiven, and those that are no answer."""

import json
import time

import pytest

from puzzles import Reason, family
from tests.judged import BAD_FORMAT, CASES, NAMES, NO_ANSWER, SOLVED, judged, outcome


@pytest.mark.parametrize("name", NAMES)
def test_forms_that_are_forgiven(name: str) -> None:
    case = CASES[name]
    fenced = f"```json\n{case.right}\n```"
    wrapped = json.dumps({"text": case.right, "images": []})
    for text in (fenced, wrapped, json.dumps(case.right), f"Look:\n\n{case.right}\n\nDone."):
        assert outcome(name, text) == SOLVED
    other_case = case.right.replace("ANSWER_JSON", "answer_Json").replace("<answer>", "<Answer>")
    assert outcome(name, other_case) == SOLVED
    if name != "path":
        single = case.right.replace('"', "'")
        comma = case.right.replace("]</", ",]</").replace("]}", ",]}")
        inside = case.right.replace(">[", ">\n```json\n[").replace("]<", "]\n```\n<")
        for text in (single, comma, inside):
            assert outcome(name, text) == SOLVED


@pytest.mark.parametrize("name", NAMES)
def test_a_bare_value_counts_only_as_the_whole_reply(name: str) -> None:
    bare = CASES[name].right
    if name == "path":
        bare = '["B","A"]'
    elif name == "klotski":
        bare = bare.removeprefix('{"solution":').removesuffix("}")
    else:
        bare = bare[bare.index(">") + 1 : bare.rindex("<")]
    assert outcome(name, bare) == SOLVED
    assert outcome(name, f"\n```\n{bare}\n```\n") == SOLVED
    assert outcome(name, f"The answer is {bare}") == NO_ANSWER
    assert not judged(name, bare).format_ok


@pytest.mark.parametrize("name", ["maze", "sokoban", "parking", "klotski"])
@pytest.mark.parametrize(
    "words",
    [
        {"right": "Right", "up": "UP", "down": "Down", "left": "LEFT"},
        {"right": "r", "up": "u", "down": "d", "left": "l"},
        {"right": "EAST", "up": "north", "down": "South", "left": "west"},
        {"right": "→", "up": "↑", "down": "↓", "left": "←"},
        {"right": "➡️", "up": "⬆️", "down": "⬇️", "left": "⬅️"},
        {"right": " right ", "up": " up", "down": "down ", "left": " left"},
    ],
)
def test_direction_words(name: str, words: dict[str, str]) -> None:
    text = CASES[name].right
    for direction, word in words.items():
        for written in (direction, direction.upper()):
            text = text.replace(f'"{written}"', json.dumps(word, ensure_ascii=False))
    assert outcome(name, text) == SOLVED
    assert judged(name, text).format_ok is (text == CASES[name].right)


@pytest.mark.parametrize("name", ["maze", "sokoban", "parking", "klotski"])
def test_words_that_are_no_directions(name: str) -> None:
    text = CASES[name].right
    for word in ("right", "DOWN", "down"):
        text = text.replace(f'"{word}"', '"forward"')
    verdict = judged(name, text)
    assert (verdict.reason, verdict.at) == (Reason.UNKNOWN_ACTION, 0)


def content(name: str, value: str) -> str:
    if name == "klotski":
        return f'{{"solution":{value}}}'
    tag = {"path": "answer", "onet": "answer_json"}.get(name, "ANSWER_JSON")
    return f"<{tag}>{value}</{tag}>"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "[NaN]",
        "[Infinity]",
        "[null]",
        "[true]",
        "[[true,false],[0,1]]",
        "[1e999]",
        "[" + "9" * 5000 + "]",
        "{}",
        '{"a":1,"a":2}',
        "[" * 100_000 + "]" * 100_000,
        "[" * 20 + "]" * 20,
        "[{]}",
        '["up"',
        "...",
        '["up","right",...]',
        "<img>",
        "\x00",
    ],
)
def test_nonsense_is_bad_format(name: str, value: str) -> None:
    assert outcome(name, content(name, value))[:2] == (False, False)
    assert judged(name, content(name, value)).reason in (Reason.BAD_FORMAT, Reason.NO_ANSWER)


@pytest.mark.parametrize("name", ["parking", "klotski"])
def test_duplicate_keys_are_no_guess(name: str) -> None:
    text = CASES[name].right.replace('"direction":', '"direction":"up","direction":', 1)
    verdict = judged(name, text)
    assert verdict.reason is Reason.BAD_FORMAT
    assert "stands twice" in verdict.detail


@pytest.mark.parametrize("name", ["onet", "klotski"])
@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("-1", Reason.OUT_OF_BOUNDS),
        ("99", Reason.OUT_OF_BOUNDS),
        ("1" * 40, Reason.OUT_OF_BOUNDS),
        ("true", Reason.BAD_FORMAT),
        ("0.0", Reason.BAD_FORMAT),
        ('"0"', Reason.BAD_FORMAT),
        ("null", Reason.BAD_FORMAT),
    ],
)
def test_coordinates(name: str, number: str, reason: Reason) -> None:
    text = CASES[name].right.replace("[0,0]", f"[{number},0]").replace("[0,1]", f"[{number},1]")
    assert judged(name, text).reason is reason


@pytest.mark.parametrize("name", NAMES)
def test_the_prompt_echoed_back_solves_nothing(name: str) -> None:
    words = family(name).words({})
    echo = "\n".join((words.legend, words.rules, words.goal, words.answer))
    assert not judged(name, echo).feasible
    assert outcome(name, f"{echo}\nMy answer: {CASES[name].right}") == SOLVED


@pytest.mark.parametrize("name", NAMES)
def test_strict_accepts_the_exact_format_only(name: str) -> None:
    right = CASES[name].right
    assert outcome(name, right, strict=True) == SOLVED
    assert outcome(name, f"I think so: {right}", strict=True) == SOLVED
    assert outcome(name, f"{right} {right}", strict=True) == BAD_FORMAT
    loose = {"path": right.replace("B,A", "b -> a"), "klotski": right.replace("DOWN", "down")}
    text = loose.get(name, right.swapcase().replace(right[13:-14].swapcase(), right[13:-14]))
    assert text != right
    assert outcome(name, text) == SOLVED
    assert outcome(name, text, strict=True) == BAD_FORMAT


def test_klotski_lists_without_inner_braces_are_read() -> None:
    text = '{"solution":["from":[0,0],"direction":"DOWN","from":[1,0],"direction":"DOWN"]}'
    assert outcome("klotski", text) == SOLVED
    assert not judged("klotski", text).format_ok


def test_parking_repeats_are_read() -> None:
    text = (
        '<ANSWER_JSON>{"solution":[{"car":"B","direction":"down","steps":2},'
        '{"car":"R","direction":"right","distance":2}]}</ANSWER_JSON>'
    )
    assert outcome("parking", text) == SOLVED
    assert judged("parking", text).moves == 4


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "unit",
    [
        '{"solution":[',
        "<answer>",
        "<answer_json>[",
        "</think>",
        "<think>",
        "'",
        '"',
        '\\"',
        "\\",
        "< ",
        "<",
        ",",
        ", ",
        "[",
        "{",
        "{'solution'",
        "```",
        "``` ",
        "\n",
        " ",
        "-",
        "=",
        " and",
        "A,",
        '"from":[0,0],"direction":"UP",',
        '["from":[0,0],',
        "[[0,0],[0,0]],",
        "“",
    ],
)
def test_repetition_takes_a_time_in_proportion(name: str, unit: str) -> None:
    """A model that repeats itself must not stop the judge: 0.1 MB in far less than a second."""
    many = unit * (100_000 // len(unit))
    wire = family(name).format_answer([]) if name != "klotski" else '{"solution":[]}'
    opening = wire[: wire.index(">") + 1] if ">" in wire else '{"solution":['
    closing = wire[wire.rindex("<") :] if "<" in wire else "]}"
    started = time.process_time()
    for text in (many, f"```{many}", opening + many, f'{opening}"{many}', opening + many + closing):
        assert not judged(name, text).feasible
    assert time.process_time() - started < 2.5


def test_the_tag_asked_for_counts_in_any_case() -> None:
    right, wrong = '["right","right"]', '["up"]'
    text = f"<ANSWER_JSON>{wrong}</ANSWER_JSON> wait: <answer_json>{right}</answer_json>"
    assert outcome("maze", text) == SOLVED
    assert not judged("maze", text).format_ok
    text = f"<ANSWER_JSON>{right}</ANSWER_JSON> <answer>the path is clear</answer>"
    assert outcome("maze", text) == SOLVED


def test_a_tag_that_is_cut_off_costs_the_format() -> None:
    right = CASES["maze"].right
    assert judged("maze", right + " or <ANSW").format_ok is False
    assert outcome("maze", right + " or <ANSW") == SOLVED
    assert judged("maze", right + " for 3 < 4").format_ok


@pytest.mark.parametrize(
    "thought",
    [
        "<think>{}</think>",
        '<think type="deep">{}</think>',
        "< Think >{}</ THINK >",
        "<thinking>{}</thinking>",
        "<think>{}",
        "{}</think>",
        "<think>a<think>b</think>{}</think>",
    ],
)
def test_every_form_of_thinking_is_no_answer(thought: str) -> None:
    assert outcome("maze", thought.format(CASES["maze"].right)) == NO_ANSWER


@pytest.mark.parametrize(
    "text",
    [
        '{"text":"I move T down twice","solution":[MOVES]}',
        'So: {"reasoning":"T at [0,0] moves {down}","solution":[MOVES]}',
        'So: {"cells":[1,2],"solution":[MOVES]}',
        'Well {"note":"a } b","solution":[MOVES]} is it.',
        "I don't know... {\"solution\":[MOVES]} isn't it?",
        '```json\n{"solution": [MOVES]}\n```',
        '{"solution":[MOVES]}' + ' {"solution":' * 70,
        '<ANSWER_JSON>{"solution":[MOVES]}</ANSWER_JSON>',
        "<answer>[MOVES]</answer>",
        "{'solution':[MOVES,],}",
    ],
)
def test_klotski_objects_are_found_wherever_they_stand(text: str) -> None:
    moves = '{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"}'
    assert outcome("klotski", text.replace("MOVES", moves)) == SOLVED


def test_ambiguous_objects_are_no_guess() -> None:
    twice = '{"solution":[{"from":[9,9],"From":[0,0],"direction":"DOWN"}]}'
    assert outcome("klotski", twice) == BAD_FORMAT
    for key in ("Steps", "moves", "cells", "count"):
        text = CASES["parking"].right.replace('"car":"B"', f'"{key}":2,"car":"B"', 1)
        assert outcome("parking", text) == BAD_FORMAT


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("maze", "right", "rıght"),  # dotless i
        ("maze", "ANSWER_JSON", "ANſWER_JSON"),  # long s
        ("path", "B,A", "В,А"),  # Cyrillic
        ("parking", '"R"', '"Ｒ"'),  # full width
    ],
)
def test_look_alikes_are_not_what_they_look_like(name: str, old: str, new: str) -> None:
    assert not judged(name, CASES[name].right.replace(old, new)).feasible


@pytest.mark.parametrize("text", ['Q,X ["B","A"]', "the labels are [B,A]"])
def test_words_around_labels_are_no_labels(text: str) -> None:
    assert outcome("path", f"<answer>{text}</answer>") == BAD_FORMAT
