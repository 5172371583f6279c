"""What is written as it is asked for is read by a shorter way, to what the long one finds."""

import random
from typing import Any

import pytest

from puzzles import NAMES, answers, family, lenient, make
from puzzles.answers import extract
from puzzles.family import MalformedAnswer
from puzzles.wire import wire_of

CHANGES = [
    *'[]{}",:<>/-0.',
    "\n",
    " ",
    "null",
    "NaN",
    "1e3",
    '"a":1,',
    '"solution":',
    "UP",
    "steps",
]


def changed(text: str, draws: random.Random) -> str:
    """Return ``text`` with a few places replaced."""
    parts = [*text]
    for _ in range(draws.randrange(3)):
        at = draws.randrange(len(parts))
        parts[at : at + draws.randrange(3)] = [draws.choice([*CHANGES, *parts])]
    return "".join(parts)


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_read_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of short answers; the audit has long ones."""
    check_both_ways(name, "easy", 2, monkeypatch)


def check_both_ways(name: str, tier: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Change the answers of a few instances in so many ways, and read them in both ways."""
    room, draws = family(name), random.Random(name)
    replies = [
        before + changed(str(one.answer), draws) + after
        for one in make(name, tier, 6, seed=2)
        for before in ("", "So I go. ", "{a} [b] ", "<think>{</think>", "a < b: ", "<answer>")
        for after in ("", "\n", " I think {so}.", f"\n{one.answer}", "</answer>", "\u2003")
        for _ in range(times)
    ]
    quickly = [extract(reply, room) for reply in replies]
    monkeypatch.setattr(answers, "wire_of", lambda room: None)
    monkeypatch.setattr(lenient, "_only_object", lambda key, text: None)
    slowly = [extract(reply, room) for reply in replies]
    assert quickly == slowly
    read = [one for one in slowly if one.answer is not None]
    assert all(one.wire == room.format_answer(one.answer or []) for one in read)
    assert len(read) > 100
    assert any(not one.format_ok for one in read)
    assert any(one.format_ok for one in read)


EDGES = ['["]', '[""]', "[[[]]]", "[{}]", "[]", '{"solution":[{}]}', '{"solution":[]}', '["",""]']
EDGES += ['["up\\",\\"up"]', '["up\\\\","up"]', '["UP","up"]', '[ "up"]', '["up" ]', '["\\u0075p"]']
EDGES += ['["é"]', '["up","","up"]', "[[[1,2],[3,4]],[]]", "[[[1,2],[3,4]],[[1,2],[3]]]", '["up",]']


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_read_the_same_at_the_edges(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    room = family(name)
    tag = room.answer_format.tag
    long = [room.format_answer(_read(room, str(one.answer)) * 300) for one in _boards(name)]
    replies = [edge if tag is None else f"<{tag}>{edge}</{tag}>" for edge in EDGES] + long
    quickly = [extract(reply, room) for reply in replies]
    monkeypatch.setattr(answers, "wire_of", lambda room: None)
    assert quickly == [extract(reply, room) for reply in replies]


@pytest.mark.parametrize("name", [name for name in NAMES if family(name).answer_format.joint])
def test_the_wire_format_is_that_of_its_items(name: str) -> None:
    room = family(name)
    wire = wire_of(room)
    assert wire is not None
    for one in _boards(name):
        answer = _read(room, str(one.answer))
        for cut in range(1, len(answer)):
            read = wire.read(wire._content(answer[:cut]))
            assert read == (answer[:cut], room.format_answer(answer[:cut]))
        alone = [wire._content([action])[len(wire.head) : -len(wire.tail)] for action in answer]
        joined = room.answer_format.joint.join(alone)
        assert wire._content(answer) == wire.head + joined + wire.tail


def _boards(name: str) -> list[Any]:
    return make(name, "easy", 3, seed=4)


def _read(room: Any, wire: str) -> list[Any]:
    return extract(wire, room).answer or []


ITEMS: dict[str, list[Any]] = {
    "onet": [[[0, 1], [2, 3]], [[0, True], [2, 3]], [[0, 1], [2, 3.0]], [0, 1, 2, 3], [[0, 1]]],
    "parking": [
        {"car": " A ", "direction": "UP"},
        {"car": "A", "direction": "up", "note": "x"},
        {"car": "A", "direction": 5},
        {"car": "A", "steps": 2},
    ],
    "klotski": [
        {"from": [0, 1], "direction": "Up"},
        {"from": [0, 1], "Direction": "UP"},
        {"from": [0, True], "direction": "UP"},
        {"from": [10**7, -(10**7)], "direction": "UP"},
        {"from": [10**1000, 0], "direction": "UP"},
        {"from": [0], "direction": "UP"},
    ],
}


@pytest.mark.parametrize("name", ITEMS)
def test_items_out_of_the_ordinary(name: str) -> None:
    room = family(name)
    told = []
    for item in ITEMS[name]:
        try:
            told.append(room.format_answer(room.parse_answer([item])))
        except MalformedAnswer as error:
            told.append(str(error))
    assert told == WANTED[name]


WANTED = {
    "onet": [
        "<answer_json>[[[0,1],[2,3]]]</answer_json>",
        "item 0 is [[0, True], [2, 3]], not a pair of cells [[r1,c1],[r2,c2]]",
        "item 0 is [[0, 1], [2, 3.0]], not a pair of cells [[r1,c1],[r2,c2]]",
        "<answer_json>[[[0,1],[2,3]]]</answer_json>",
        "item 0 is [[0, 1]], not a pair of cells [[r1,c1],[r2,c2]]",
    ],
    "parking": [
        '<ANSWER_JSON>[{"car":"A","direction":"up"}]</ANSWER_JSON>',
        '<ANSWER_JSON>[{"car":"A","direction":"up"}]</ANSWER_JSON>',
        "direction of item 0 is 5, not a string",
        "direction of item 0 is missing, not a string",
    ],
    "klotski": [
        '{"solution":[{"from":[0,1],"direction":"UP"}]}',
        '{"solution":[{"from":[0,1],"direction":"UP"}]}',
        "item 0: from is [0, True], not [row, column]",
        '{"solution":[{"from":[10000000,-10000000],"direction":"UP"}]}',
        "item 0: from holds a number of more than 1000 digits",
        "item 0: from is [0], not [row, column]",
    ],
}


def test_an_answer_of_too_many_slides() -> None:
    slide = {"car": "A", "direction": "up"}
    assert len(family("parking").parse_answer([slide] * 100_000)) == 100_000
    with pytest.raises(MalformedAnswer, match="item 100000 makes the answer longer than 100000"):
        family("parking").parse_answer([slide] * 100_001)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("parking", [("Ä", "up"), ('"', "up")]),
        ("parking", [("A", "sidé")]),
        ("parking", []),
        ("klotski", [((0, 1), 'up"')]),
        ("klotski", []),
        ("onet", []),
    ],
)
def test_wire_formats_that_need_escapes(name: str, answer: list[Any]) -> None:
    import json

    room = family(name)
    items: Any = [room.parse_answer([_item(name, one)])[0] for one in answer]
    wire = room.format_answer(items)
    tag = room.answer_format.tag
    written = wire if tag is None else wire.removeprefix(f"<{tag}>").removesuffix(f"</{tag}>")
    value = json.loads(written)
    assert room.parse_answer(value if tag else value["solution"]) == items


def _item(name: str, one: Any) -> Any:
    if name == "parking":
        return {"car": one[0], "direction": one[1]}
    return {"from": [*one[0]], "direction": one[1]}
