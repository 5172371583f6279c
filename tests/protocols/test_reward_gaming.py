"""Attempts to be paid for something else than solving the puzzle."""

from __future__ import annotations

import json
import random
import re
import time
from typing import Any

import pytest

from protocols import prompts
from protocols.adapters.easyr1_reward import compute_score as easyr1
from protocols.adapters.reasoning_gym import PuzzleConfig, PuzzleDataset
from protocols.adapters.swift_reward import ORMS
from protocols.adapters.trl_rewards import mix
from protocols.adapters.verl_reward import compute_score as verl
from protocols.reward import MIX, MOST_CHARACTERS, drawn, score
from puzzles import NAMES, Instance, family, make, verify
from puzzles.replay import WrongInstance

MAZE = Instance(family="maze", board="..S.G\n.####", optimal_length=2)
RIGHT = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
WRONG = '<ANSWER_JSON>["left"]</ANSWER_JSON>'


def worth(reply: Any, instance: Any = MAZE, **options: Any) -> float:
    return MIX(score(reply, instance, **options))


@pytest.fixture(scope="module")
def boards() -> dict[str, Instance]:
    return {name: make(name, "medium", 1, seed=5)[0] for name in NAMES}


@pytest.mark.parametrize(
    "reply",
    [
        f"<think>{RIGHT}",
        f"<think>{RIGHT}</think>",
        f"<THINK >{RIGHT}</THINK >I am done.",
        f"{RIGHT}</think>",
        f"<thinking>{RIGHT}</thinking>",
        f"<think>a</think><think>{RIGHT}</think>",
        f"<think>{RIGHT}</think>{WRONG}",
        f"<think><think>a</think>{RIGHT}</think>",
        f"[THINK]{RIGHT}[/THINK]",
        f"[THINK]{RIGHT}",
        f"◁think▷{RIGHT}◁/think▷",
        f"{RIGHT}◁/think▷",
        f"<seed:think>{RIGHT}</seed:think>{WRONG}",
        f"<|begin_of_thought|>{RIGHT}<|end_of_thought|>",
        f"<|channel>thought\n{RIGHT}<channel|>{WRONG}",
        f"<|open|>think<|sep|>{RIGHT}<|close|>think<|sep|>{WRONG}",
        f"<|START_THINKING|>{RIGHT}<|END_THINKING|>{WRONG}",
        f"<|channel|>analysis<|message|>{RIGHT}<|end|>",
        f"<|channel|>analysis<|message|>{RIGHT}<|end|><|start|>assistant<|channel|>final<|message|>-",
    ],
)
def test_an_answer_inside_a_thought_is_none(reply: str) -> None:
    assert not score(reply, MAZE).feasible
    assert worth(reply) <= worth(WRONG)


def test_a_thought_that_the_prompt_has_opened() -> None:
    assert score(RIGHT, MAZE, thinking=True).reason == "no_answer"
    assert score(f"{RIGHT} hmm", MAZE, thinking=True).reason == "no_answer"
    assert score(f"{WRONG} hmm</think>{RIGHT}", MAZE, thinking=True).optimal
    assert not score(f"{RIGHT}</think>{WRONG}", MAZE, thinking=True).feasible


@pytest.mark.parametrize(
    "around",
    [
        *("<!-- {} -->", "> {}", "```\n{}\n```", "~~{}~~", "For example: {}", "It is not {}."),
        *("<reasoning>{}</reasoning>", "<scratchpad>{}", "<tool_call>{}</tool_call>", "&lt;{}&gt;"),
        "<|channel|>analysis<|message|>-<|end|><|start|>assistant<|channel|>final<|message|>{}",
        *("<|channel>thought\n-<channel|>{}<turn|>", "<|START_THINKING|>-<|END_THINKING|>{}"),
    ],
)
def test_an_answer_counts_whatever_text_is_around_it(around: str) -> None:
    assert worth(around.format(RIGHT)) == 1
    assert worth(around.format(RIGHT) + WRONG) == worth(WRONG + WRONG)
    assert worth(WRONG + around.format(RIGHT)) == pytest.approx(1 - MIX.format)
    assert not score(around.format(RIGHT) + WRONG, MAZE).feasible


def test_of_many_answers_the_last_counts_and_the_format_is_missed() -> None:
    every = [f'<ANSWER_JSON>["{a}","{b}"]</ANSWER_JSON>' for a in WAYS for b in WAYS]
    solving = every.index(RIGHT)
    for shown in (every, every[::-1], [*every[solving + 1 :], *every[: solving + 1]]):
        found = score("\n".join(shown), MAZE)
        assert found.feasible == (shown[-1] == RIGHT)
        assert not found.format
    assert worth("\n".join([*every, RIGHT])) < worth(RIGHT)
    in_one = f"<ANSWER_JSON>[{RIGHT}, {WRONG}]</ANSWER_JSON>"
    assert not score(in_one, MAZE).feasible


WAYS = ("up", "right", "down", "left")


@pytest.mark.parametrize("name", NAMES)
def test_an_echo_of_the_prompt_solves_nothing(name: str) -> None:
    for difficulty in family(name).buckets:
        for instance in make(name, difficulty, 4, seed=11):
            for echo in (
                prompts.example(instance),
                prompts.question(instance, prompts.DIRECT),
                family(name).words(instance.rules).step,
                instance.board,
                instance.id,
            ):
                found = score(echo, instance)
                assert not found.feasible
                assert MIX(found) <= 0.15 + 0.05


def test_huge_replies_cost_no_more_than_they_are_long() -> None:
    started = time.process_time()
    million = ",".join(['"left","right"'] * 500_000)
    found = score(f'<ANSWER_JSON>["right",{million},"right"]</ANSWER_JSON>'[:MOST_CHARACTERS], MAZE)
    assert not found.feasible  # cut off, as a server would
    fewer = ",".join(['"left","right"'] * 100_000)
    found = score(f'<ANSWER_JSON>["right",{fewer},"right"]</ANSWER_JSON>', MAZE)
    assert found.feasible
    assert not found.optimal
    assert found.efficiency == 2 / 200_002
    assert MIX(found) < worth('<ANSWER_JSON>["left","right","right","right"]</ANSWER_JSON>')
    assert score("so " * 1_000_000 + RIGHT, MAZE).optimal
    assert score(" " * MOST_CHARACTERS + RIGHT, MAZE).reason == "no_answer"
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "part",
    [
        *(
            "<think>",
            "</think>",
            "<ANSWER_JSON>",
            "</ANSWER_JSON>",
            "[",
            "{",
            '"',
            "[]",
            "\\",
            "\0",
        ),
        *('{"solution":', '["', "[[", "<answer>", "```", "'", "<", "👍", "٣"),
    ],
)
def test_a_long_reply_of_anything_is_read_in_a_moment(
    part: str, boards: dict[str, Instance]
) -> None:
    text = part * (150_000 // len(part))
    for instance in boards.values():
        started = time.process_time()
        assert MIX(score(text, instance)) == 0
        after = text + (instance.answer or "")
        assert score(after, instance).feasible == verify(instance, after).feasible
        assert time.process_time() - started < 2


def test_moving_on_after_the_goal_loses_it_again() -> None:
    over = '<ANSWER_JSON>["right","right","left"]</ANSWER_JSON>'
    assert score(over, MAZE).reason == "unsolved"
    assert worth(over) == worth('<ANSWER_JSON>["right"]</ANSWER_JSON>')
    back = '<ANSWER_JSON>["right","right","left","right"]</ANSWER_JSON>'
    assert score(back, MAZE).efficiency == 0.5
    crash = '<ANSWER_JSON>["right","right","up"]</ANSWER_JSON>'
    assert worth(crash) < worth(back) < worth(RIGHT)


def test_a_wall_is_no_way_to_stop() -> None:
    board = Instance(family="maze", board="S...\n###.\nG...", optimal_length=8)
    rush = f"<ANSWER_JSON>{json.dumps(['right'] * 50)}</ANSWER_JSON>"
    stop = '<ANSWER_JSON>["right","right","right"]</ANSWER_JSON>'
    assert score(rush, board).progress == score(stop, board).progress == 3 / 8
    assert worth(rush, board) < worth(stop, board)


HALF = [
    '<ANSWER_JSON>["right","right"',
    '<ANSWER_JSON>["right","right"]',
    '<ANSWER_JSON>["right" "right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right",["right"]]</ANSWER_JSON>',
    '<ANSWER_JSON>["right",{"right":"right"}]</ANSWER_JSON>',
    '<ANSWER_JSON>["right",null,"right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right",NaN,"right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right",Infinity]</ANSWER_JSON>',
    '<ANSWER_JSON>[1e999,"right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right\0","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right\\u0000","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>{"a":["up"],"a":["right","right"]}</ANSWER_JSON>',
    '<ANSWER_JSON>["right|left","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right or up","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>"right right"</ANSWER_JSON>',
    f"<ANSWER_JSON>{'[' * 100_000}</ANSWER_JSON>",
    f'<ANSWER_JSON>{"[" * 5000}"right"{"]" * 5000}</ANSWER_JSON>',
    f'<ANSWER_JSON>{"{" * 40}"right"{"}" * 40}</ANSWER_JSON>',
    '<ANSWER_JSON>["right","right"]</ANSWER>',
]
LOOK_ALIKES = [
    '<ANSWER_JSОN>["right","right"]</ANSWER_JSОN>',  # a Cyrillic O
    '＜ANSWER_JSON＞["right","right"]＜/ANSWER_JSON＞',
    '<ANſWER_JSON>["right","right"]</ANſWER_JSON>',
    '<ANSWER_JSON>["riɡht","riɡht"]</ANSWER_JSON>',
    '<ANSWER_JSON>["ｒｉｇｈｔ","ｒｉｇｈｔ"]</ANSWER_JSON>',
    '<ANSWER_JSON>["rіght","rіght"]</ANSWER_JSON>',  # a Ukrainian i
    '<ANSWER_JSON>["ri\u200bght","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["right\u202e","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["RİGHT","RİGHT"]</ANSWER_JSON>',
    '<ANSWER_JSON>["\ud800right","right"]</ANSWER_JSON>',
    '<ANSWER_JSON>［"right"，"right"］</ANSWER_JSON>',
]


@pytest.mark.parametrize("reply", [*HALF, *LOOK_ALIKES])
def test_what_only_looks_like_an_answer_is_none(reply: str) -> None:
    found = score(reply, MAZE)
    assert not found.feasible
    assert not found.format or found.reason == "unknown_action"
    assert MIX(found) <= 0.15 / 2 + 0.05


@pytest.mark.parametrize("name", NAMES)
def test_the_judge_and_the_reward_say_the_same(name: str, boards: dict[str, Instance]) -> None:
    instance, draws = boards[name], random.Random(name)
    right = instance.answer or ""
    marks = [*'[]{}",:<>/0', "\n", " ", "</", "null", right]
    for _ in range(300):
        text = [*right]
        for _ in range(draws.randrange(4)):
            at = draws.randrange(len(text))
            text[at : at + draws.randrange(3)] = [draws.choice([*marks, *text])]
        reply = "".join(text)
        verdict, found = verify(instance, reply), score(reply, instance)
        assert (found.feasible, found.optimal) == (verdict.feasible, verdict.optimal)
        assert (found.format, found.reason) == (verdict.format_ok, verdict.reason)
        assert (
            verify(instance, reply, strict=True).feasible
            == score(reply, instance, strict=True).feasible
        )


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_to_another_board(name: str) -> None:
    for one, other in zip(*(make(name, "hard", 6, seed=seed) for seed in (1, 2)), strict=True):
        found = score(other.answer, one)
        assert found.feasible == verify(one, other.answer or "").feasible
        assert not found.feasible
        assert MIX(found) <= 0.2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"optimal_length": 3}, "own answer contradicts it"),
        ({"optimal_length": 1}, "own answer is no shortest solution"),
        ({"optimal_length": 0, "answer": None}, "says that 0 actions solve it"),
        ({"optimal_length": -1}, "optimal_length"),
        ({"optimal_length": None}, "optimal_length"),
        ({"optimal_length": "two"}, "optimal_length"),
        ({"board": "....*\n.####"}, "solved already|contradicts|no shortest"),
        ({"board": "S.#.G\n.####"}, "no shortest solution|can't be solved"),
        ({"board": "..S.G\n.###"}, "row 1 has 4 cells"),
        ({"board": ""}, "the board is empty"),
        ({"board": None}, "no board"),
        ({"board": "..S.G\n.##?#"}, "is not one of"),
        ({"family": "chess"}, "unknown family 'chess'"),
        ({"family": None}, "family"),
        ({"answer": WRONG}, "own answer is no shortest solution"),
        ({"answer": "right right"}, "own answer is no shortest solution"),
        ({"rules": {"wind": 3}}, "unknown rule 'wind'"),
        ({"metric": "slide"}, "no metric 'slide'"),
        ({"metric": "miles"}, "metric"),
        ({"id": "maze-easy-0123456789abcdef"}, "not the one that its id stands for"),
    ],
)
def test_a_damaged_ground_truth_is_never_worth_anything(change: dict[str, Any], said: str) -> None:
    record = {**MAZE.model_dump(mode="json"), "answer": RIGHT, **change}
    check_refused(json.dumps(record), said)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "7", "{}", '{"board":"SG"}', "\0"])
def test_what_is_no_record_is_never_worth_anything(text: str) -> None:
    check_refused(text, "record|no board|family|optimal_length")


def check_refused(record: str, said: str) -> None:
    entry = {"metadata": {"record": record}}
    gym = PuzzleDataset(PuzzleConfig("maze"))
    ways = [
        lambda: score(RIGHT, record),
        lambda: drawn(b"", record),
        lambda: mix(completions=[RIGHT], record=[record]),
        lambda: verl("maze", RIGHT, record),
        lambda: easyr1([{"response": RIGHT, "ground_truth": record}]),
        lambda: ORMS["puzzles_mix"]()([RIGHT], record=[record]),
        lambda: gym.score_answer(RIGHT, entry),
    ]
    for way in ways * 2:  # nor the second time
        with pytest.raises(WrongInstance) as error:
            way()
        assert re.search(said, str(error.value)), error.value
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 400


def test_an_optimum_that_only_a_search_can_refute() -> None:
    false = MAZE.model_copy(update={"optimal_length": 4})
    for reply in (RIGHT, '<ANSWER_JSON>["right"]</ANSWER_JSON>'):
        with pytest.raises(WrongInstance, match=r"2 actions, not 4|solved in 2"):
            score(reply, false)
    walled = Instance(family="maze", board="S..#G", optimal_length=4)
    with pytest.raises(WrongInstance, match="can't be solved"):
        score('<ANSWER_JSON>["right"]</ANSWER_JSON>', walled)
