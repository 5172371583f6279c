"""One action of a stepwise protocol, written and read."""

import json
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols import prompts
from protocols.episode import Episode
from protocols.messages import Reply
from puzzles import NAMES, Reason, family, steps, verify
from puzzles.answers import StepReading, read_step
from puzzles.family import MalformedAnswer
from puzzles.generate import Recipe, generate_block
from puzzles.instance import Instance
from puzzles.replay import initial

MEGABYTE = 1_000_000


def step(content: str) -> str:
    return f"<STEP_JSON>{content}</STEP_JSON>"


def read(name: str, text: str) -> StepReading:
    return read_step(text, family(name))


def made(name: str, difficulty: str) -> list[Instance]:
    return [board.instance for board in generate_block(Recipe(name, 5, difficulty), 0)]


@pytest.mark.parametrize("difficulty", ["easy", "medium"])
@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_read_as_it_is_written(name: str, difficulty: str) -> None:
    room, rng = family(name), random.Random(name)
    for instance in made(name, difficulty)[:4]:
        state = initial(instance)
        for _ in range(8):
            actions = room.legal_actions(state)
            for action in actions:
                items = room.answer_of(state, [action]) if room.step.items else []
                text = f"So I choose this one.\n{step(room.step.format(action, items))}"
                assert read(name, text) == StepReading(action, items, True)
            if not actions:
                break
            state = room.apply(state, rng.choice(actions))


@pytest.mark.parametrize("name", NAMES)
def test_an_action_can_be_written_alone(name: str) -> None:
    room, state = family(name), initial(made(name, "easy")[0])
    for action in room.legal_actions(state):
        alone = room.step.format(action, None)
        assert "label" not in alone
        assert read(name, step(alone)).action == action


@pytest.mark.parametrize("name", NAMES)
def test_the_value_of_an_action_names_it_alone(name: str) -> None:
    room, state = family(name), initial(made(name, "easy")[0])
    form = room.step
    for action in room.legal_actions(state):
        value = steps.written(form, action)
        assert value == json.loads(json.dumps(value))
        assert form.same(steps.read(form, value)) == form.same(action)
        with pytest.raises(MalformedAnswer, match="names 2 actions, not one"):
            steps.read(form, [value, value])


def test_a_drawer_is_told_the_move_alone() -> None:
    episode = Episode(made("path", "easy")[0], "self-aug-vcot")
    action = family("path").legal_actions(episode.play.state)[0]
    episode.take(Reply(step(f'{{"move":"{action}","hit_labels":["A"]}}')))
    request = episode.request
    assert request is not None
    assert request.purpose == "frame"
    text = request.messages[0].text
    assert f'after this action: {{"move":"{action}"}}\n' in text
    assert "keep the grid, the walls" in text


EXACT = [
    ("maze", '{"move":"up"}', "up", []),
    ("sokoban", ' { "move" : "left" }\n', "left", []),
    ("path", '{"move":"up","hit_labels":["A"]}', "up", ["A"]),
    ("path", '{"hit_labels":[],"move":"down"}', "down", []),
    ("onet", "[[0,0],[2,1]]", ((0, 0), (2, 1)), []),
    ("onet", "[[10, 0],\n[2, 11]]", ((10, 0), (2, 11)), []),
    ("parking", '{"car":"a","direction":"up"}', ("a", "up"), []),
    ("klotski", '{"from":[3,0],"direction":"UP"}', ((3, 0), "up"), []),
]


@pytest.mark.parametrize(("name", "content", "action", "items"), EXACT)
def test_the_form_that_is_asked_for(name: str, content: str, action: Any, items: list[Any]) -> None:
    wanted = StepReading(action, items, True)
    assert read(name, step(content)) == wanted
    assert read(name, f"<think>{step('nothing')}</think>I see. {step(content)} Done.") == wanted
    loose = wanted._replace(format_ok=False)
    for text in (
        step(content).lower().replace(content.lower(), content),
        f"< STEP_JSON >{content}< /step_json >",
        step(f"```json\n{content}\n```"),
        step(content.rstrip()[:-1] + "," + content.rstrip()[-1]),
        step(content) + step(content),
        step(content) + "<STEP_JSON>",
        step(content) + "<answer>3</answer>",
        step(f"[{content}]"),
        step(f"<think>hm</think>{content}"),
        step(f'{{"action":{content}}}'),
        json.dumps({"text": f"I see.\n{step(content)}", "images": []}).replace("STEP", "step"),
        content,
        f"```json\n{content}\n```",
    ):
        assert read(name, text) == loose, text


LOOSE = [
    ("onet", step("[[2,1],[0,0]]") + step("[[0,0],[2,1]]"), ((0, 0), (2, 1)), []),
    ("maze", step('{"direction":"UP"}'), "up", []),
    ("maze", step('{"Action":"↑"}'), "up", []),
    ("maze", step("{'move':'north'}"), "up", []),
    ("maze", step('"u"'), "up", []),
    ("maze", step("up"), "up", []),
    ("maze", step("I move up."), "up", []),
    ("maze", step('{"move":["up"]}'), "up", []),
    ("maze", step('{"move":"up","why":"the way is clear"}'), "up", []),
    ("maze", step('{"action":"move","direction":"up"}'), "up", []),
    ("maze", step('{"move":"up","steps":1}'), "up", []),
    ("maze", step('{"move":"DIRECTION"}') + step('{"move":"up"}'), "up", []),
    ("maze", '["up"]', "up", []),
    ("maze", '"up"', "up", []),
    ("maze", '<ANSWER_JSON>["up"]</ANSWER_JSON>', "up", []),
    ("maze", '<answer>{"move":"up"}</answer>', "up", []),
    ("maze", f'<answer>["left"]</answer> {step("up")}', "up", []),
    ("path", step('{"move":"up"}'), "up", []),
    ("path", step('{"move":"up","hit_labels":null}'), "up", []),
    ("path", step('{"direction":"Up","Hit_Labels":"a"}'), "up", ["A"]),
    ("path", step('[{"move":"up","hit_labels":["B"]}]'), "up", ["B"]),
    ("path", "I move up.", "up", []),
    ("onet", step("[0,0,2,1]"), ((0, 0), (2, 1)), []),
    ("onet", step('{"a":[0,0],"b":[2,1]}'), ((0, 0), (2, 1)), []),
    ("onet", step('{"pair":[[0,0],[2,1]]}'), ((0, 0), (2, 1)), []),
    ("onet", "[[[0,0],[2,1]]]", ((0, 0), (2, 1)), []),
    ("onet", "<answer_json>[[[0,0],[2,1]]]</answer_json>", ((0, 0), (2, 1)), []),
    ("parking", step('{"Car":" A ","move":"U"}'), ("A", "up"), []),
    ("parking", step('{"car":"A","direction":"up","steps":1}'), ("A", "up"), []),
    ("parking", '{"solution":[{"car":"A","direction":"up"}]}', ("A", "up"), []),
    ("klotski", step('{"from":[3,0],"move":"up"}'), ((3, 0), "up"), []),
    ("klotski", 'It is {"solution":[{"from":[3,0],"direction":"UP"}]}.', ((3, 0), "up"), []),
    ("klotski", step('["from":[3,0],"direction":"UP"]'), ((3, 0), "up"), []),
]


@pytest.mark.parametrize(("name", "text", "action", "items"), LOOSE)
def test_other_forms_are_read_too(name: str, text: str, action: Any, items: list[Any]) -> None:
    assert read(name, text) == StepReading(action, items, False)


UP, LEFT = step('{"move":"up"}'), step('{"move":"left"}')
REFUSED = [
    ("maze", "", "no_answer", "names no action"),
    ("maze", "Let me see.", "no_answer", "names no action"),
    ("maze", f"<think>{UP}</think>", "no_answer", "names no action"),
    ("maze", f"{UP[:-1]}", "no_answer", "cut off"),
    ("maze", '<STEP_JSON>{"move":"u', "no_answer", "cut off"),
    ("maze", "I move up. <STEP_", "no_answer", "cut off"),
    ("maze", '<ANSWER_JSON>["up"', "no_answer", "cut off"),
    ("maze", step("[]"), "no_answer", "names no action"),
    ("maze", step("{}"), "bad_format", "has no 'move'"),
    ("maze", step("7"), "bad_format", "is 7, not a direction"),
    ("maze", step('{"move":["up",1]}'), "bad_format", "is 1, not a direction"),
    ("maze", step('{"move":"up","direction":"left"}'), "bad_format", "two directions"),
    ("maze", step('{"move":"up","Move":"up"}'), "bad_format", "key twice"),
    ("maze", step('{"move":"up","move":"up"}'), "bad_format", "stands twice"),
    ("maze", step('{"move":"up","steps":0}'), "bad_format", "not a number of cells"),
    ("maze", step('{"move":NaN}'), "bad_format", "NaN"),
    ("maze", UP + step("{}"), "bad_format", "has no 'move'"),
    ("maze", step("[" * 100), "bad_format", "deep"),
    ("maze", step('{"move":"jump"}'), "unknown_action", "'jump' is not a direction"),
    ("maze", step('{"move":"DIRECTION"}'), "unknown_action", "'DIRECTION'"),
    ("maze", "<answer>N</answer>", "bad_format", "not JSON"),
    ("maze", UP + LEFT, "several_actions", "more than one"),
    ("maze", step('["up","up"]'), "several_actions", "more than one"),
    ("maze", step('{"move":"up","count":3}'), "bad_format", "a number 'count'"),
    ("maze", step('{"move":"up","steps":9999999999}'), "several_actions", "more than one"),
    ("maze", '<ANSWER_JSON>["up","up"]</ANSWER_JSON>', "several_actions", "more than one"),
    ("maze", "I move up. I move left.", "several_actions", "more than one"),
    ("path", "<answer>A,C</answer>", "bad_format", "not JSON"),
    ("path", step('{"hit_labels":["D"]}'), "bad_format", "has no 'move'"),
    ("path", step('"D"'), "bad_format", "may be a label or a direction"),
    ("path", '["D"]', "bad_format", "may be a label or a direction"),
    ("path", "D", "no_answer", "names no action"),
    ("path", '"D"', "no_answer", "names no action"),
    ("maze", "N", "no_answer", "names no action"),
    ("path", step('{"move":"up","hit_labels":["AB"]}'), "bad_format", "'AB'"),
    ("path", step('{"move":"up","hit_labels":7}'), "bad_format", "not 7"),
    (
        "path",
        step('{"move":"up","hit_labels":["A"]}') + step('{"move":"up"}'),
        "bad_format",
        "different labels",
    ),
    ("onet", step("[[0,0],[2,1]]") + step("[[2,1],[0,2]]"), "several_actions", "more than one"),
    ("onet", step("[[0,0],[2]]"), "bad_format", "not a pair of cells"),
    ("onet", step("[[0,0],[2,true]]"), "bad_format", "not a pair of cells"),
    ("onet", step("[[0,0],[2,1.0]]"), "bad_format", "not a pair of cells"),
    ("onet", step('"up"'), "bad_format", "not a pair of cells"),
    ("onet", step("[[[0,0],[2,1]],[[3,3],[4,4]]]"), "several_actions", "more than one"),
    ("onet", step("[[0,0,2,1],[3,3,4,4]]"), "several_actions", "more than one"),
    ("onet", "I remove [0,0] and [2,1].", "no_answer", "names no action"),
    ("parking", step('{"car":"A"}'), "bad_format", "direction of item 0 is missing"),
    ("parking", step('{"car":1,"direction":"up"}'), "bad_format", "car of item 0 is 1"),
    ("parking", step('{"car":"A","direction":"up","steps":2}'), "several_actions", "more than"),
    ("parking", step('{"car":"A","direction":"up","steps":null}'), "bad_format", "None"),
    ("parking", step('{"car":"A","direction":"in"}'), "unknown_action", "'in'"),
    ("parking", "Car A moves up.", "no_answer", "names no action"),
    ("klotski", step('{"from":[3],"direction":"UP"}'), "bad_format", "not [row, column]"),
    ("klotski", step('{"direction":"UP"}'), "bad_format", "has no 'from'"),
    ("klotski", step('{"from":[3,0],"direction":"IN"}'), "unknown_action", "'IN'"),
    ("klotski", '{"solution":[{"from":[3,0],"direction":', "no_answer", "cut off"),
]


@pytest.mark.parametrize(("name", "text", "reason", "detail"), REFUSED)
def test_what_names_no_action_has_its_reason(
    name: str, text: str, reason: str, detail: str
) -> None:
    reading = read(name, text)
    assert (reading.action, reading.items, reading.format_ok) == (None, [], False)
    assert reading.reason == Reason(reason)
    assert detail in reading.detail


def told(instance: Instance, protocol: str) -> list[str]:
    """What a model is told in the first two rounds of an episode, request by request."""
    episode, room = Episode(instance, protocol), family(instance.family)
    texts: list[str] = []
    while episode.request is not None and episode.request.round < 3:
        request = episode.request
        texts.append("\n\n".join(m.text for m in request.messages if m.role == "user"))
        action = room.legal_actions(episode.play.state)[0]
        written = step(room.step.format(action, []))
        episode.take(Reply(written if request.purpose == "action" else "<answer>9</answer>"))
    return texts


@pytest.mark.parametrize("protocol", ["oracle-vcot", "oracle-aug-vcot", "oracle-vcot+budget"])
@pytest.mark.parametrize("name", NAMES)
def test_an_echo_of_the_prompt_names_no_action(name: str, protocol: str) -> None:
    for instance in made(name, "medium")[:2]:
        texts = [*told(instance, protocol), family(name).words(instance.rules).step]
        assert len(texts) >= 3
        for text in texts:
            for echo in (text, text.lower(), text.partition("<STEP_JSON>")[0], f"{text} I see."):
                assert read(name, echo).action is None, echo


@pytest.mark.parametrize("name", NAMES)
def test_an_echo_of_the_question_solves_nothing(name: str) -> None:
    for instance in made(name, "easy")[:12]:
        for text in (
            prompts.question(instance, prompts.REASON),
            prompts.question_with_aid(instance),
            prompts.question_with_drawing(instance),
            prompts.draw_solution(instance),
        ):
            assert not verify(instance, text).feasible


PIECES = [
    *(
        "<STEP_JSON>",
        "</STEP_JSON>",
        "<step_json >",
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
    ),
    *('{"move":"up"}', '{"car":"A","direction":"up"}', '{"from":[1,2],"direction":"UP"}'),
    *("[[0,0],[1,1]]", '"hit_labels":["A"]', "up", "right", "I go", "or", "and", ", ", ". ", "not"),
    *("{", "}", "[", "]", '"', "'", ",", ":", "\\", "```", "\n", "\0", "\ud800", "NaN", "1e999"),
    *("9" * 5000, '"solution":', '"steps":2', "null", "\N{GRINNING FACE}", "\u202e", "the agent "),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=14).map("".join))
def test_no_text_raises(text: str) -> None:
    for name in NAMES:
        room, reading = family(name), read(name, text)
        assert (reading.action is None) == (reading.reason is not None)
        assert isinstance(reading.detail, str)
        if reading.action is not None:
            written = step(room.step.format(reading.action, reading.items))
            assert read(name, written) == reading._replace(format_ok=True)


LONG = {
    "tags": "<STEP_JSON>" * 90_000,
    "pairs of tags": UP * 30_000,
    "different tags": "".join(step(f'{{"why":{at}}}') for at in range(28_000)),
    "angle brackets": "<" * MEGABYTE,
    "brackets": step("[" * MEGABYTE),
    "open brackets": "[" * MEGABYTE,
    "braces": "{" * MEGABYTE + "}",
    "quotes": step('"' * MEGABYTE),
    "nested": step('{"move":' * 120_000 + "1" + "}" * 120_000),
    "spaces": step(" " * MEGABYTE),
    "digits": step("9" * MEGABYTE),
    "a list": step("[" + '"up",' * 200_000 + '"up"]'),
    "phrases": "I go up, " * 110_000,
    "fillers": "I move the agent one cell by " * 34_000 + "up",
    "options": "up or " * 160_000,
    "moves": "move " * 200_000 + "up",
    "words": "wall on the right of it " * 40_000,
    "sentences": "I go up. " * 110_000,
    "full stops": "." * MEGABYTE + "up",
    "gaps": "up." + (" " * 1000 + "\n") * 1000 + "up",
    "consequences": "so thus " * 120_000 + "up",
}


SHAPES = [("path", shape) for shape in LONG] + [("klotski", "tags"), ("klotski", "braces")]


@pytest.mark.parametrize(("name", "shape"), SHAPES)
def test_a_megabyte_is_read_in_a_moment(name: str, shape: str) -> None:
    started = time.process_time()
    read(name, LONG[shape])
    assert time.process_time() - started < 6
