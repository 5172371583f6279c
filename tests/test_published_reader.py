"""How the published suite finds an answer, where it differs from our reader."""

import json
import time

import pytest

from protocols.outcome import outcome
from puzzles import Instance, Reason, family
from puzzles.published_reader import rewritten
from tests.judged import CASES, NAMES
from tests.test_answers import LONG


def judged(name: str, text: str, *, vgau: bool = True) -> Reason:
    case = CASES[name]
    board = Instance(family=name, board=case.board, rules=case.rules, optimal_length=case.optimum)
    verdict = outcome(board, None, text, vgau=vgau)
    assert verdict is not None
    assert verdict.reader.endswith("+vgau") is vgau
    return verdict.reason


def readings(name: str, text: str) -> tuple[bool, bool]:
    """Whether the published reader and ours see a solution in ``text``."""
    return judged(name, text) is Reason.SOLVED, judged(name, text, vgau=False) is Reason.SOLVED


@pytest.mark.parametrize("name", NAMES)
def test_what_both_read_alike(name: str) -> None:
    case = CASES[name]
    for text in (case.right, f"So: {case.right} Done.", json.dumps({"text": case.right})):
        assert readings(name, text) == (True, True)
    for text in (case.illegal, case.unsolved, ""):
        assert readings(name, text) == (False, False)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_object_counts_or_the_last_tag(name: str) -> None:
    case = CASES[name]
    first = family(name).answer_format.tag is None
    assert readings(name, f"{case.right} or {case.unsolved}") == (first, False)
    assert readings(name, f"{case.unsolved} or {case.right}") == (not first, True)


@pytest.mark.parametrize("name", NAMES)
def test_thinking_is_read_too(name: str) -> None:
    case = CASES[name]
    assert readings(name, f"<think>{case.right}</think>") == (True, False)
    tagged = family(name).answer_format.tag is not None
    assert readings(name, f"<think>{case.unsolved}</think>{case.right}") == (tagged, True)


@pytest.mark.parametrize(
    ("name", "text", "both"),
    [
        ("maze", '["right","right"]', (True, True)),
        ("maze", '```json\n["right","right"]\n```', (False, True)),
        ("maze", '<ANSWER_JSON>["right","right",]</ANSWER_JSON>', (False, True)),
        ("maze", "<ANSWER_JSON>['right','right']</ANSWER_JSON>", (False, True)),
        ("maze", '<answer_json>[" Right","RIGHT"]</Answer_JSON>', (True, True)),
        ("maze", '<answer>["right","right"]</answer>', (False, True)),
        ("maze", '<ANSWER_JSON>["r","r"]</ANSWER_JSON>', (False, True)),
        ("maze", '<ANSWER_JSON>["east","→"]</ANSWER_JSON>', (False, True)),
        ("maze", '"<ANSWER_JSON>[\\"right\\",\\"right\\"]</ANSWER_JSON>"', (False, True)),
        ("maze", '<ANSWER_JSON>[ <ANSWER_JSON>["right","right"]</ANSWER_JSON>', (False, True)),
        ("onet", '<answer_json>[[["0","1"],["0",2.0]],[[0,0],[0,3]]]</answer_json>', (True, False)),
        ("onet", "<answer_json>[[[0,1],[0,2]],[[0,0],[0,3]]]", (True, False)),
        ("onet", "[[[0,1],[0,2]],[[0,0],[0,3]]]", (True, True)),
        ("path", "B, A", (True, False)),
        ("path", "<answer>BA</answer>", (True, False)),
        ("path", "<answer>the labels are B and A</answer>", (True, False)),
        ("path", CASES["path"].shape, (True, False)),
        ("path", "B A\nThat is it.", (True, False)),
        ("path", "B A\nA sentence.", (False, False)),
        ("path", "<answer></answer> B -> A", (True, False)),
        ("path", "<answer>no<answer>B,A</answer>", (True, True)),
        ("klotski", CASES["klotski"].right.replace("DOWN", " down "), (True, True)),
        ("klotski", CASES["klotski"].right.replace("DOWN", "D"), (False, True)),
        ("klotski", CASES["klotski"].right.replace("}]", "},]"), (False, True)),
        ("klotski", "{'solution':[]} " + CASES["klotski"].right, (True, True)),
        ("klotski", CASES["klotski"].right[12:-1], (False, True)),
    ],
)
def test_where_they_differ(name: str, text: str, both: tuple[bool, bool]) -> None:
    assert readings(name, text) == both


def slide(car: str, direction: str, **repeats: object) -> dict[str, object]:
    return {"car": car, "direction": direction, **repeats}


DOWN, RIGHT = slide("B", "down", steps=2), slide("R", "right", steps=2)


@pytest.mark.parametrize(
    ("items", "both"),
    [
        ([slide("B", "d", steps=2), slide("R", "r", distance=2)], (True, True)),
        ([slide("b", "D", steps="2"), RIGHT], (True, False)),
        (["B twice down", DOWN, RIGHT], (True, False)),
        ([slide("B", "south", steps=2), RIGHT], (False, True)),
        ([slide("B", "down", steps=10**30), RIGHT], (False, False)),
        ([slide("B", "down", steps=0), slide("B", "down", steps=-3), RIGHT], (True, False)),
    ],
)
def test_repeats_of_slides(items: list[object], both: tuple[bool, bool]) -> None:
    assert readings("parking", f"<ANSWER_JSON>{json.dumps(items)}</ANSWER_JSON>") == both


def test_an_object_around_slides() -> None:
    case = CASES["parking"]
    inner = case.right[13:-14]
    assert readings("parking", f'{{"solution":{inner}}}') == (True, True)
    tagged = f'<ANSWER_JSON>{{"solution":{inner}}}</ANSWER_JSON>'
    assert readings("parking", tagged) == (True, True)
    assert readings("parking", f'<ANSWER_JSON>{{"moves":{inner}}}</ANSWER_JSON>') == (False, False)


def test_the_format_is_told_by_our_reader() -> None:
    case = CASES["maze"]
    board = Instance(family="maze", board=case.board, optimal_length=2)
    for text in (case.right, case.right.lower()):
        ours, published = outcome(board, None, text), outcome(board, None, text, vgau=True)
        assert ours is not None
        assert published is not None
        assert (published.feasible, published.format_ok) == (ours.feasible, ours.format_ok)


NONSENSE = ["{", "[", "<answer>", "<ANSWER_JSON>[", "<answer_json>[[", '{"solution":[', "A ", "\n"]
NONSENSE += ['{"text":', "<answer>A</answer>", "[]", "]", '{"solution":1}', "<ANSWER_JSON>[]", "{}"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unit", NONSENSE)
def test_repetition_takes_a_time_in_proportion(name: str, unit: str) -> None:
    started = time.process_time()
    many = unit * (200_000 // len(unit))
    for text in (many, f"<ANSWER_JSON>{many}</ANSWER_JSON>", f'{{"solution":{many}'):
        rewritten(text, family(name))
    assert time.process_time() - started < 2.5


@pytest.mark.parametrize("shape", LONG)
def test_a_megabyte_is_read_in_a_moment(shape: str) -> None:
    name, text = LONG[shape]
    started = time.process_time()
    rewritten(text, family(name))
    assert time.process_time() - started < 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "value", ["NaN", "[NaN]", "[null]", "[true]", "[1e999]", "[" + "9" * 5000 + "]", "[{}]", "[[]]"]
)
def test_nonsense_solves_nothing(name: str, value: str) -> None:
    tag = family(name).answer_format.tag
    text = f"<{tag}>{value}</{tag}>" if tag else f'{{"solution":{value}}}'
    assert not readings(name, text)[0]
