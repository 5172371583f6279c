"""Verdicts: a table of answers for each family, with the verdict and the reason expected."""

import json
import time
from dataclasses import dataclass
from typing import Any

import pytest

from puzzles import Instance, Reason, family, verify
from puzzles.answers import extract
from puzzles.replay import WrongInstance
from puzzles.solve import solve


@dataclass(frozen=True)
class Case:
    """A small board, its optimum, and answers that a reader can check by eye."""

    board: str
    rules: dict[str, Any]
    optimum: int
    right: str
    longer: str | None
    illegal: str
    illegal_at: int
    illegal_reason: Reason
    beyond: str | None
    unsolved: str
    shape: str


def slides(*moves: str) -> str:
    named = [dict(zip(("car", "direction"), move.split(), strict=True)) for move in moves]
    return f"<ANSWER_JSON>{json.dumps(named, separators=(',', ':'))}</ANSWER_JSON>"


CASES = {
    # The goal is two steps to the right.
    "maze": Case(
        board="#####\n#S.G#\n#...#\n#####",
        rules={},
        optimum=2,
        right='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
        longer='<ANSWER_JSON>["down","right","right","up"]</ANSWER_JSON>',
        illegal='<ANSWER_JSON>["right","up","right"]</ANSWER_JSON>',
        illegal_at=1,
        illegal_reason=Reason.HITS_WALL,
        beyond='<ANSWER_JSON>["right","right","left"]</ANSWER_JSON>',
        unsolved='<ANSWER_JSON>["right"]</ANSWER_JSON>',
        shape='<ANSWER_JSON>[["right"],["right"]]</ANSWER_JSON>',
    ),
    # One push to the right.
    "sokoban": Case(
        board="######\n#@$.-#\n#----#\n######",
        rules={},
        optimum=1,
        right='<ANSWER_JSON>["right"]</ANSWER_JSON>',
        longer='<ANSWER_JSON>["down","up","right"]</ANSWER_JSON>',
        illegal='<ANSWER_JSON>["right","right","right"]</ANSWER_JSON>',
        illegal_at=2,
        illegal_reason=Reason.BLOCKED,
        beyond='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
        unsolved='<ANSWER_JSON>["down"]</ANSWER_JSON>',
        shape='<ANSWER_JSON>{"moves":["right"]}</ANSWER_JSON>',
    ),
    # The route passes B, then A; C lies on a side branch.
    "path": Case(
        board="SBAG\n.###\nC###",
        rules={},
        optimum=3,
        right="<answer>B,A</answer>",
        longer=None,
        illegal="<answer>B,C</answer>",
        illegal_at=1,
        illegal_reason=Reason.WRONG_LABELS,
        beyond=None,
        unsolved="<answer>B</answer>",
        shape="<answer>first B then A</answer>",
    ),
    # The two b lie side by side, the a behind them.
    "onet": Case(
        board="abba",
        rules={"max_turns": 0},
        optimum=2,
        right="<answer_json>[[[0,1],[0,2]],[[0,0],[0,3]]]</answer_json>",
        longer=None,
        illegal="<answer_json>[[[0,0],[0,3]],[[0,1],[0,2]]]</answer_json>",
        illegal_at=0,
        illegal_reason=Reason.NO_LINK,
        beyond=None,
        unsolved="<answer_json>[[[0,1],[0,2]]]</answer_json>",
        shape="<answer_json>[[0,1],[0,2]]</answer_json>",
    ),
    # B goes down twice, out of the row, then R has two cells to go.
    "parking": Case(
        board="...B\nRR.B\n....\n....",
        rules={},
        optimum=4,
        right=slides("B down", "B down", "R right", "R right"),
        longer=slides("R right", "R left", "B down", "B down", "R right", "R right"),
        illegal=slides("R right", "R right"),
        illegal_at=1,
        illegal_reason=Reason.BLOCKED,
        beyond=slides("B down", "B down", "R right", "R right", "R left"),
        unsolved=slides("B down"),
        shape='<ANSWER_JSON>["R right"]</ANSWER_JSON>',
    ),
    # T goes down twice.
    "klotski": Case(
        board="TTA\nTTA\n..B\n..B",
        rules={"goal": [2, 0]},
        optimum=2,
        right=(
            '{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"}]}'
        ),
        longer=(
            '{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"UP"},'
            '{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"}]}'
        ),
        illegal='{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[0,2],"direction":"DOWN"}]}',
        illegal_at=1,
        illegal_reason=Reason.BLOCKED,
        beyond=(
            '{"solution":[{"from":[0,0],"direction":"DOWN"},{"from":[1,0],"direction":"DOWN"},'
            '{"from":[2,0],"direction":"UP"}]}'
        ),
        unsolved='{"solution":[{"from":[0,0],"direction":"DOWN"}]}',
        shape='{"solution":["down","down"]}',
    ),
}


NAMES = list(CASES)


def judged(name: str, text: str, **options: bool) -> Any:
    case = CASES[name]
    instance = Instance(
        family=name, board=case.board, rules=case.rules, optimal_length=case.optimum
    )
    return verify(instance, text, **options)


def outcome(name: str, text: str, **options: bool) -> tuple[bool, bool, Reason]:
    verdict = judged(name, text, **options)
    return verdict.feasible, verdict.optimal, verdict.reason


SOLVED = (True, True, Reason.SOLVED)
UNSOLVED = (False, False, Reason.UNSOLVED)
NO_ANSWER = (False, False, Reason.NO_ANSWER)
BAD_FORMAT = (False, False, Reason.BAD_FORMAT)


def test_every_family_has_a_case() -> None:
    from puzzles import NAMES as ALL

    assert set(CASES) == set(ALL)


@pytest.mark.parametrize("name", NAMES)
def test_the_optimum_is_the_optimum(name: str) -> None:
    case, room = CASES[name], family(name)
    assert len(solve(room, room.parse(case.board, case.rules)).actions) == case.optimum


@pytest.mark.parametrize("name", NAMES)
def test_right(name: str) -> None:
    verdict = judged(name, CASES[name].right)
    assert (verdict.feasible, verdict.optimal, verdict.reason) == SOLVED
    assert verdict.format_ok
    assert verdict.answer == CASES[name].right
    assert verdict.at is None
    assert verdict.legal_moves == verdict.moves


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[name].longer])
def test_right_but_longer(name: str) -> None:
    assert outcome(name, str(CASES[name].longer)) == (True, False, Reason.SOLVED)


@pytest.mark.parametrize("name", NAMES)
def test_illegal_at_a_step(name: str) -> None:
    case = CASES[name]
    verdict = judged(name, case.illegal)
    assert (verdict.feasible, verdict.optimal, verdict.reason) == (
        False,
        False,
        case.illegal_reason,
    )
    assert verdict.at == verdict.legal_moves == case.illegal_at
    assert verdict.detail


@pytest.mark.parametrize("name", [name for name in NAMES if CASES[name].beyond])
def test_past_the_goal_and_on_is_judged_by_where_it_ends(name: str) -> None:
    assert outcome(name, str(CASES[name].beyond)) == UNSOLVED


@pytest.mark.parametrize("name", NAMES)
def test_legal_but_unsolved(name: str) -> None:
    verdict = judged(name, CASES[name].unsolved)
    expected = Reason.WRONG_LABELS if name == "path" else Reason.UNSOLVED
    assert (verdict.feasible, verdict.reason, verdict.at) == (False, expected, None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "  \n", "I can't solve this.", "up, right, A, C"])
def test_no_answer(name: str, text: str) -> None:
    assert outcome(name, text) == NO_ANSWER


@pytest.mark.parametrize("name", NAMES)
def test_cut_off(name: str) -> None:
    right = CASES[name].right
    assert outcome(name, right[: len(right) * 2 // 3]) == NO_ANSWER
    stands = judged(name, right + " No, wait: " + right[: len(right) * 2 // 3])
    assert (stands.feasible, stands.optimal, stands.reason) == SOLVED
    assert not stands.format_ok


@pytest.mark.parametrize("name", NAMES)
def test_wrong_shape(name: str) -> None:
    verdict = judged(name, CASES[name].shape)
    assert (verdict.feasible, verdict.optimal, verdict.reason) == BAD_FORMAT
    assert verdict.answer is None
    assert verdict.moves is None


@pytest.mark.parametrize("name", NAMES)
def test_the_last_complete_answer_wins(name: str) -> None:
    case = CASES[name]
    assert outcome(name, f"{case.unsolved} or rather {case.right}") == SOLVED
    assert outcome(name, f"{case.right} or rather {case.illegal}")[2] == case.illegal_reason
    assert outcome(name, f"{case.right} or rather {case.shape}") == BAD_FORMAT
    assert not judged(name, f"{case.unsolved} or rather {case.right}").format_ok


@pytest.mark.parametrize("name", NAMES)
def test_thinking_is_no_answer(name: str) -> None:
    right, unsolved = CASES[name].right, CASES[name].unsolved
    assert outcome(name, f"<think>{right}</think>") == NO_ANSWER
    assert outcome(name, f"<think>perhaps {unsolved}</think>So: {right}") == SOLVED
    assert judged(name, f"<think>perhaps {unsolved}</think>So: {right}").format_ok
    assert outcome(name, f"{unsolved}</think>{right}") == SOLVED
    assert outcome(name, f"{right}</THINK>I give up") == NO_ANSWER
    assert outcome(name, f"<think>endless {right}") == NO_ANSWER


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


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("path", "onet")])
def test_ten_thousand_moves(name: str) -> None:
    case, room = CASES[name], family(name)
    there = extract(case.right, room).answer
    assert there is not None
    back = extract(case.beyond or "", room).answer
    assert back is not None
    if name == "sokoban":
        walk = ["down", "up"] * 5000
        assert outcome(name, room.format_answer([*walk, "right"])) == (True, False, Reason.SOLVED)
        return
    swing = [back[-1], there[-1]] * 5000
    verdict = judged(name, room.format_answer([*there, *swing]))
    assert (verdict.feasible, verdict.optimal) == (True, False)
    assert verdict.moves == case.optimum + 10_000


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


@pytest.mark.parametrize("name", NAMES)
def test_distance(name: str) -> None:
    case = CASES[name]
    solved = judged(name, case.right, distance=True)
    assert (solved.distance, solved.dead) == (0, False)
    none = judged(name, "", distance=True)
    assert (none.distance, none.dead) == (case.optimum, False)
    assert judged(name, case.right).distance is None


def test_dead() -> None:
    # The box is pushed into the corner, away from its target.
    instance = Instance(family="sokoban", board="######\n#-@$-#\n#-.--#\n######", optimal_length=9)
    verdict = verify(instance, '<ANSWER_JSON>["right"]</ANSWER_JSON>', distance=True)
    assert (verdict.reason, verdict.distance, verdict.dead) == (Reason.UNSOLVED, None, True)


def test_an_instance_that_an_answer_beats_is_wrong() -> None:
    instance = Instance(family="maze", board="SG", optimal_length=3)
    with pytest.raises(WrongInstance, match="solved in 1, but the instance says that 3"):
        verify(instance, '<ANSWER_JSON>["right"]</ANSWER_JSON>')


def test_feasible_and_optimal_coincide_where_all_solutions_are_equally_long() -> None:
    instance = Instance(family="onet", board="AABB", optimal_length=1)
    with pytest.raises(WrongInstance, match="solved in 2, but the instance says that 1"):
        verify(instance, "<answer_json>[[[0,0],[0,1]],[[0,2],[0,3]]]</answer_json>")


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
