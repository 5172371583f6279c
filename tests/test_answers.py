"""Where the answer stands in a reply: prose, drafts, thinking and repetition around it."""

import json
import time

import pytest

from puzzles import Reason, family
from puzzles.answers import extract
from tests.judged import CASES, NO_ANSWER, SOLVED, judged, outcome

RIGHT, DRAFT = CASES["klotski"].right, CASES["klotski"].unsolved


@pytest.mark.parametrize(
    "text",
    [
        "RIGHT\nThis solution: one move.",
        "RIGHT {done} This solution: two moves",
        "RIGHT So the 'solution': good.",
        "DRAFT or better RIGHT This solution: two moves. solution:",
        "The solution: RIGHT",
        'Its bad_solution: none. RIGHT {"bad_solution":[]} {"my-solution":1}',
        "RIGHT {\"solution':[]}",
        "I'd use { here, don't you? RIGHT That's the solution: good.",
        "[ { 'tis it: RIGHT",
        "{\\text{it's} (RIGHT), }",
        '{"result": RIGHT}',
    ],
)
def test_prose_about_a_solution_is_no_answer(text: str) -> None:
    reply = text.replace("RIGHT", RIGHT).replace("DRAFT", DRAFT)
    assert outcome("klotski", reply) == SOLVED
    assert judged("klotski", reply).format_ok is ("DRAFT" not in text)


@pytest.mark.parametrize(
    "before",
    [
        '"board":{},"blocks":[{},{},{},{},{},{},{},{},{},{}],',
        '"note":"}}}}}}}}}}{",',
        "'note':'{{{{{{{{{{{{',",
        '"note":"so } \\" }",',
        '"draft":' + DRAFT + ",",
        '"note":"the solution: {}","bad_solution":[],',
    ],
)
def test_what_stands_before_the_key_does_not_hide_it(before: str) -> None:
    assert outcome("klotski", "{" + before + RIGHT[1:]) == SOLVED


@pytest.mark.parametrize("rest", ['{"solution":', '{"a":{},"solution":[{"from":', "{solution :"])
def test_an_object_that_stays_open_is_cut_off(rest: str) -> None:
    assert outcome("klotski", f"{RIGHT} No: {rest}") == SOLVED
    assert not judged("klotski", f"{RIGHT} No: {rest}").format_ok
    assert judged("klotski", f"No: {rest}").detail == "the answer is cut off"
    assert outcome("klotski", f"{rest} No: {RIGHT}") == SOLVED


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        ("```\nB,A\n```", ["B", "A"]),
        ("\n```text\nB, A\n```\n", ["B", "A"]),
        ("```B,A```", ["B", "A"]),
        ("```A\n```", ["A"]),
        ('```json\n["B","A"]\n```', ["B", "A"]),
        ("```[B, A]```", ["B", "A"]),
    ],
)
def test_a_fence_around_labels(content: str, answer: list[str]) -> None:
    reading = extract(f"<answer>{content}</answer>", family("path"))
    assert (reading.answer, reading.format_ok) == (answer, False)


@pytest.mark.parametrize("content", ["B,A", " B , A ", "\nB,\nA\n"])
def test_white_space_is_no_matter_of_format(content: str) -> None:
    assert judged("path", f"<answer>{content}</answer>").format_ok


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<ANS<think>hm</think>WER_JSON>[]</ANSWER_JSON>", NO_ANSWER),
        ("<think/>RIGHT", SOLVED),
        ("<think />RIGHT<thinking/>", SOLVED),
        (f'<think why="{"x" * 1000}">so</think>RIGHT', SOLVED),
        (f'<think why="{"x" * 1000}">RIGHT</think>', NO_ANSWER),
        (f'<think why="{"x" * 1000}">RIGHT', NO_ANSWER),
        ("<think>a <think> b</think>RIGHT", SOLVED),
        ("<think>a<think>RIGHT</think>", NO_ANSWER),
        ("<think>a<think>b</think>c</think>RIGHT", SOLVED),
        ("a</think>b</think>RIGHT", SOLVED),
    ],
)
def test_thinking_is_cut_out_with_a_seam(text: str, expected: tuple[bool, bool, Reason]) -> None:
    right = CASES["maze"].right
    assert outcome("maze", text.replace("RIGHT", right)) == expected


def test_an_answer_that_a_thought_interrupts_misses_the_format() -> None:
    text = '<ANSWER_JSON>["right",<think>and on</think>"right"]</ANSWER_JSON>'
    assert outcome("maze", text) == SOLVED
    assert not judged("maze", text).format_ok
    word = '<ANSWER_JSON>["right","ri<think>and on</think>ght"]</ANSWER_JSON>'
    assert judged("maze", word).reason is Reason.BAD_FORMAT
    assert judged("maze", f"<think>a</think>{CASES['maze'].right}<think>b</think>").format_ok


MEGABYTE = 1_000_000
LONG = {
    "nested objects": ("klotski", '{"solution":' * 80_000 + "1" + "}" * 80_000),
    "nested lists": ("klotski", '{"solution":' + "[" * 500_000 + "]" * 500_000 + "}"),
    "spaces between labels": ("path", f"<answer>A{' ' * MEGABYTE}B</answer>"),
    "spaces after labels": ("path", f"<answer>A,{' ' * MEGABYTE}</answer>"),
    "many keys": (
        "klotski",
        '{"solution":[{' + "".join(f'"k{at}":1,' for at in range(80_000)) + '"a":1,"a":1}]}',
    ),
    "tags and objects": ("klotski", "<answer></answer>" * 30_000 + "{solution:}" * 45_000),
    "objects and tags": ("klotski", "{solution:}" * 45_000 + "<answer></answer>" * 30_000),
    "keys": ("klotski", "\N{GRINNING FACE}" + "solution:" * 110_000),
    "open objects": ("klotski", "\N{GRINNING FACE}" + "{solution:" * 100_000),
    "keys in an object": ("klotski", "{\N{GRINNING FACE}" + "solution:" * 110_000),
    "quotes in an object": ("klotski", "{" + ' "' * 499_999 + "}"),
    "both quotes in an object": ("klotski", "{ '" + ' "x' * 330_000 + "}"),
    "backslashes in an object": ("klotski", '{ "' + "\\" * MEGABYTE),
    "white space after strings": ("klotski", "{" + ' ""' * 200_000 + " " * 400_000),
    "thoughts": ("maze", "<think " * 140_000),
    "nested thoughts": ("maze", "<think>" * 140_000),
    "seams": ("maze", "<think/>" * 60_000 + "<ANSWER_JSON></ANSWER_JSON>" * 18_000),
    "fences": ("path", f"<answer>{'``` ' * 250_000}</answer>"),
}


@pytest.mark.parametrize("shape", LONG)
def test_a_megabyte_is_read_in_a_moment(shape: str) -> None:
    name, text = LONG[shape]
    started = time.process_time()
    assert not judged(name, text).feasible
    assert time.process_time() - started < 3


def test_a_key_that_stands_twice_is_named_briefly() -> None:
    key = json.dumps("k" * 1000)
    verdict = judged("klotski", f'{{"solution":[{{{key}:1,{key}:2}}]}}')
    assert verdict.reason is Reason.BAD_FORMAT
    assert len(verdict.detail) < 100


@pytest.mark.parametrize(
    "content",
    [
        *('["up"]*3', '["up"] * 3', '3 * ["up"]', '["up"] x 3', '["up"] × 3', '2×["up"]'),
        *('["up"] + more', 'first + ["up"]', '["up"], "up"', '"up", ["up"]', "['up'], 'up'"),
    ],
)
def test_a_list_that_is_part_of_more_is_no_answer(content: str) -> None:
    reading = extract(f"<ANSWER_JSON>{content}</ANSWER_JSON>", family("maze"))
    assert (reading.answer, reading.reason) == (None, Reason.BAD_FORMAT)


@pytest.mark.parametrize(
    "content",
    [
        *('**["up"]**', '* ["up"]', '- ["up"],', 'Moves, by "up": ["up"].', '["up"] (x 1)'),
        *('1. ["up"]', '["up"] - 1 move', '["up"]\n\n* up', '["up"] +', "matrix ['up']"),
    ],
)
def test_marks_of_prose_around_a_list_are_no_matter(content: str) -> None:
    reading = extract(f"<ANSWER_JSON>{content}</ANSWER_JSON>", family("maze"))
    assert (reading.answer, reading.format_ok) == (["up"], False)
