"""What completions are worth: parts by hand, exact distances, and what every mix keeps to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from io import BytesIO
from itertools import combinations, pairwise
from math import inf
from typing import Any

import pytest
from hypothesis import given as holds
from hypothesis import strategies as st

from protocols.completion import said
from protocols.given import given
from protocols.reward import MIX, REWARDS, Mix, Score, drawn, potential, score
from puzzles import NAMES, Instance, distances, family, make
from puzzles.answers import extract
from puzzles.draws import Draws
from puzzles.family import IllegalAction
from puzzles.replay import initial, optimal_actions
from solvers import Limit
from tests import plain
from tests.conformance import random_play

MAZE = Instance(family="maze", board="..S.G\n.####", optimal_length=2)
# Pushed up or down, the box stays at a wall for ever.
PUSH = Instance(family="sokoban", board="-----\n@-$-.\n-----", optimal_length=3)


def answer(words: str) -> str:
    return f"<ANSWER_JSON>{json.dumps(words.split())}</ANSWER_JSON>"


@pytest.mark.parametrize(
    ("words", "progress", "efficiency", "legal", "mixed"),
    [
        ("right right", 1, 1, True, 1),
        ("left right right right", 1, 1 / 2, True, 0.5 + 0.15 / 2 + 0.15 + 0.05),
        ("right left right right", 1, 1 / 2, True, 0.5 + 0.15 / 2 + 0.15 + 0.05),
        ("right", 1 / 2, 0, True, 0.15 / 2 + 0.05),
        ("right up right", 1 / 2, 0, False, 0.15 / 4 + 0.05),
        ("right right left", 1 / 2, 0, True, 0.15 / 2 + 0.05),
        ("right right up", 1, 0, False, 0.15 / 2 + 0.05),
        ("", 0, 0, True, 0.05),
        ("right left", 0, 0, True, 0.05),
        ("up", 0, 0, False, 0.05),
        ("left", -1 / 3, 0, True, 0.05),
        ("left left", -1 / 2, 0, True, 0.05),
        ("left left down", -3 / 5, 0, True, 0.05),
    ],
)
def test_parts_that_one_sees_at_once(
    words: str, progress: float, efficiency: float, legal: bool, mixed: float
) -> None:
    found = score(answer(words), MAZE)
    assert found.feasible == (efficiency > 0)
    assert found.optimal == (efficiency == 1)
    assert found.format
    assert (found.progress, found.efficiency) == (progress, efficiency)
    assert found.legal == legal
    assert MIX(found) == pytest.approx(mixed)


def test_a_reply_without_an_answer_is_worth_nothing() -> None:
    for reply in ("", "I give up", "<ANSWER_JSON>[", "<ANSWER_JSON>[7]</ANSWER_JSON>", None, []):
        found = score(reply, MAZE)
        assert not any(found.numbers().values())
        assert MIX(found) == 0


def test_a_dead_end_is_the_worst_progress() -> None:
    ways = {"up": -1 / 4, "up up": -1 / 4, "right": 1 / 3, "up right right down": -1}
    for way, progress in ways.items():
        found = score(answer(way), PUSH)
        assert found.progress == pytest.approx(progress)
        assert found.legal == (way != "up up")


def test_the_potential_falls_strictly_with_the_distance() -> None:
    for first in (1, 2, 7, 30):
        worth = [potential(left, first) for left in (*range(200), inf)]
        assert worth[0] == 1
        assert worth[first] == 0
        assert worth[-1] == -1
        assert all(a > b for a, b in pairwise(worth))


def far(room: Any, state: Any) -> float:
    """Return what a plain search says of a state."""
    left = plain.shortest_length(room, state)
    return inf if left is None else left


@pytest.mark.parametrize("name", ["maze", "sokoban", "onet"])
@pytest.mark.parametrize("whole", [True, False])
def test_progress_is_what_a_plain_search_says(
    name: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distances, "PATIENCE", 0 if whole else -1)
    room, draws = family(name), Draws("reward", name, whole)
    for instance in make(name, "easy", 3, seed=7 + whole):
        start = initial(instance)
        for _ in range(4):
            states = random_play(room, start, draws, 8)
            actions = _between(room, states)
            found = score(room.format_answer(actions), instance)
            wanted = potential(far(room, states[-1]), instance.optimal_length)
            assert found.progress == pytest.approx(wanted)


@pytest.mark.parametrize("name", NAMES)
def test_progress_depends_on_the_last_state_alone(name: str) -> None:
    room = family(name)
    for instance in make(name, "medium", 3, seed=3):
        solution = extract(instance.answer or "", room).answer
        assert solution is not None
        for cut in range(len(solution)):
            once = score(room.format_answer(solution[:cut]), instance)
            left = instance.optimal_length - cut
            if room.counts_actions:
                assert once.progress == pytest.approx(potential(left, instance.optimal_length))
            assert not once.feasible
            back = _to_and_fro(room, initial(instance), solution[:cut])
            if back is not None:
                again = score(room.format_answer(back), instance)
                assert again.progress == pytest.approx(once.progress)
                assert MIX(again) == pytest.approx(MIX(once))


def _to_and_fro(room: Any, state: Any, actions: Sequence[Any]) -> list[Any] | None:
    """Return the actions, and a step there and back before the last; None where there is none."""
    if not room.counts_actions:
        return None
    for action in actions:
        state = room.apply(state, action)
    for there in room.legal_actions(state):
        after = room.apply(state, there)
        for back in room.legal_actions(after):
            if room.apply(after, back) == state:
                return [*actions, there, back]
    return None


@pytest.mark.parametrize("name", [name for name in NAMES if family(name).counts_actions])
def test_an_illegal_action_never_pays_nor_does_what_follows_it(name: str) -> None:
    room, draws = family(name), Draws("illegal", name)
    for instance in make(name, "easy", 4, seed=13):
        states = random_play(room, initial(instance), draws, 6)
        every = {action for one in states for action in room.legal_actions(one)}
        actions = _between(room, states)
        for end in range(len(actions) + 1):
            refused = next((one for one in sorted(every) if _refuses(room, states[end], one)), None)
            if refused is None:
                continue
            honest = score(room.format_answer(actions[:end]), instance)
            broken = score(room.format_answer([*actions[:end], refused]), instance)
            further = score(room.format_answer([*actions[:end], refused, *actions[end:]]), instance)
            assert broken[:6] == further[:6]
            assert (broken.legal, broken.feasible) == (False, False)
            assert broken.progress == honest.progress
            assert MIX(broken) <= MIX(honest)


def _refuses(room: Any, state: Any, action: Any) -> bool:
    try:
        room.apply(state, action)
    except IllegalAction:
        return True
    return False


def _between(room: Any, states: Sequence[Any]) -> list[Any]:
    """Return actions that lead from each state to the next."""
    return [
        next(action for action in room.legal_actions(one) if room.apply(one, action) == after)
        for one, after in pairwise(states)
    ]


def test_distances_are_in_actions_whatever_the_instance_counts() -> None:
    # Two slides solve it, of the block T round three sides: eight actions, where six will do.
    board, rules = "AT.\nA..\nB..\nB..", {"goal": [3, 0]}
    told = {"board": board, "rules": rules, "optimal_length": 2, "metric": "slide"}
    one = Instance(family="klotski", **told)
    room = family("klotski")
    actions = optimal_actions(one.model_copy(update={"metric": "cell", "optimal_length": 6}))
    assert len(actions) == 6
    for cut in range(1, 6):
        found = score(room.format_answer(actions[:cut]), one)
        assert found.progress == pytest.approx(cut / 6)
    shortest = score(room.format_answer(actions), one)
    assert shortest.feasible
    assert shortest.efficiency == 2 / 3  # it takes three slides


def test_beyond_the_search_limit_nothing_is_recovered_or_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(distances, "SPACE", Limit(states=0))
    monkeypatch.setattr(distances, "SEARCH", Limit(states=2))
    one = PUSH.model_copy(update={"id": "another than those that were searched"})
    assert score(answer("up"), one).progress == 0
    assert score(answer("right right right"), one).progress == 1


def test_no_search_where_it_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> float:
        raise AssertionError("searched")

    monkeypatch.setattr("protocols.given.DISTANCES.of", refused)
    for words, progress in (("right", None), ("", 0), ("up", 0), ("right right", 1)):
        found = score(answer(words), MAZE, progress=False)
        assert found.progress == progress
        assert ("progress" in found.numbers()) == (progress is not None)
    with pytest.raises(ValueError, match="needs progress"):
        MIX(score(answer("right"), MAZE, progress=False))
    assert Mix(progress=0)(score(answer("right"), MAZE, progress=False)) == 0.05


SCORES = [
    Score(feasible, optimal, form, progress, efficiency, legal, "")
    for feasible, optimal, efficiency in (
        *((False, False, 0.0),),
        *((True, False, 1e-6), (True, False, 0.5), (True, False, 30 / 31)),
        (True, True, 1.0),
    )
    for form in (False, True)
    for legal in ((True,) if feasible else (False, True))
    for progress in ((1.0,) if feasible else (-1.0, -0.2, 0.0, 0.5, 0.97))
]
WEIGHTS = st.fixed_dictionaries({part.name: st.floats(0, 1) for part in fields(Mix)})


@holds(WEIGHTS)
def test_whatever_the_weights_the_better_is_paid_as_much(weights: dict[str, float]) -> None:
    whole = sum(weights.values()) - weights["illegal"]
    weights = {k: w if k == "illegal" or whole <= 1 else w / whole for k, w in weights.items()}
    weights["format"] = min(weights["format"], weights["feasible"], weights["optimal"])
    check_order(Mix(**weights))


def check_order(mix: Mix) -> None:
    near = 1e-9
    worth = [(one, mix(one)) for one in SCORES]
    assert all(0 <= paid <= 1 for _, paid in worth)
    for (one, paid), (other, paid_too) in combinations(worth, 2):
        if one[:2] < other[:2]:
            assert paid <= paid_too + near, (one, other)
        if one[:2] > other[:2]:
            assert paid >= paid_too - near, (one, other)
        parts = [(float(a), float(b)) for a, b in zip(one[:6], other[:6], strict=True)]
        if all(a <= b for a, b in parts):
            assert paid <= paid_too + near, (one, other)


def test_the_default_mix_tells_them_apart() -> None:
    check_order(MIX)
    groups: dict[tuple[bool, bool], list[float]] = {}
    for one in SCORES:
        groups.setdefault((one.feasible, one.optimal), []).append(MIX(one))
    unsolved, feasible, optimal = (groups[key] for key in sorted(groups))
    assert max(unsolved) < min(feasible)
    assert max(feasible) < min(optimal)
    assert max(optimal) == 1
    assert sum(getattr(MIX, part.name) for part in fields(MIX)) - MIX.illegal == 1


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (
            {"format": 1.0, "feasible": 0, "optimal": 0, "efficiency": 0, "progress": 0},
            "weighs less",
        ),
        ({"optimal": 0.01}, "optimal weighs less than format"),
        ({"feasible": 0.9}, "more than 1 in all"),
        ({"progress": -0.1}, "progress is a number from 0 to 1, not -0.1"),
        ({"progress": float("nan")}, "progress is a number"),
        ({"illegal": 2}, "illegal is a number"),
        ({"format": "0"}, "format is a number"),
    ],
)
def test_weights_that_cannot_be_meant(weights: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Mix(**weights)


def test_rewards_by_name() -> None:
    found = score(answer("right"), MAZE)
    assert {name: reward(found) for name, reward in REWARDS.items()} == {
        **{"mix": MIX(found), "feasible": 0, "optimal": 0, "efficiency": 0},
        **{"progress": 0.5, "format": 1},
    }


UP = [{"role": role, "content": answer("up")} for role in ("user", "tool", "system", "ipython")]


@pytest.mark.parametrize(
    "chat",
    [
        answer("right right"),
        [{"role": "assistant", "content": answer("right right")}],
        {"role": "assistant", "content": answer("right right")},
        [{"role": "assistant", "content": [{"type": "text", "text": answer("right right")}]}],
        [
            {"role": "assistant", "content": answer("left"), "tool_calls": []},
            {"role": "tool", "content": answer("up")},
            {"role": "assistant", "content": answer("right right"), "reasoning_content": "up"},
            {"role": "tool", "content": answer("left")},
        ],
        ({"content": answer("right right")},),
        [{"role": None, "content": answer("right right")}],
        [{"role": "Assistant", "content": {"type": "text", "text": answer("right right")}}],
        [{"role": "model", "content": [answer("right right"), {"type": "text", "text": ""}]}, *UP],
    ],
)
def test_completions_in_every_shape(chat: Any) -> None:
    assert score(chat, MAZE).optimal


def test_chats_that_say_nothing() -> None:
    for chat in (
        [],
        UP,
        [{"role": "assistant", "content": 5}],
        [{"role": "user", "content": answer("right right")}],
        {"role": "assistant"},
    ):
        assert said(chat) == ""
    for wrong in (5, b"text", [b"text"], ["text"], [None]):
        with pytest.raises(ValueError, match="a completion is text or a list of messages"):
            score(wrong, MAZE)


def test_only_parts_of_text_are_said() -> None:
    right = answer("right right")
    for kind in ("image", "image_url", "thinking", "reasoning", "tool_result", "input_text"):
        part = {"type": kind, "text": right, kind: right}
        assert said([{"role": "assistant", "content": [part]}]) == ""
    for part in ({"text": right}, {"type": None, "text": right}, {"type": "text", "text": right}):
        assert score([{"role": "assistant", "content": [part]}], MAZE).optimal


def test_instances_in_every_shape() -> None:
    (one,) = make("sokoban", "easy", 1)
    row = {**one.model_dump(), "prompt": "x", "image": None}
    nested = {"record": one.line(), "split": "train"}
    parsed, coded = {"record": json.loads(one.line())}, one.line().encode()
    for record in (one, one.line(), row, nested, {**row, "rules": "{}"}, parsed, coded):
        assert score(one.answer, record).optimal
        assert given(record) == given(one)


def picture(name: str, actions: Sequence[Any] | None, board: Instance) -> bytes:
    from render.encode import png

    room, state = family(name), initial(board)
    return png(room.draw(state, 48) if actions is None else room.draw_solution(state, actions, 48))


@pytest.mark.parametrize("name", NAMES)
def test_drawn_solutions(name: str) -> None:
    (one,) = make(name, "easy", 1, seed=2)
    found = drawn(picture(name, optimal_actions(one), one), one)
    assert found[:6] == (True, True, True, 1.0, 1.0, True)
    assert MIX(found) == 1
    bare = drawn(picture(name, None, one), one)
    assert bare[:6] == (False, False, False, 0.0, 0.0, False)
    assert bare.reason == "none_drawn"
    assert MIX(bare) == 0


def test_a_drawn_way_that_ends_too_early() -> None:
    from PIL import Image

    board = Instance(family="maze", board="S..G", optimal_length=3)
    found = drawn(picture("maze", ["right", "right"], board), board)
    assert found[:3] == (False, False, False)
    assert found.reason == "wrong_end"
    assert found.progress == pytest.approx(2 / 3)
    assert MIX(found) == pytest.approx(0.15 / 2 * 2 / 3)
    again = BytesIO()
    Image.open(BytesIO(picture("maze", ["right"] * 3, board))).save(again, "WEBP", lossless=True)
    assert drawn(again.getvalue(), board).optimal
    assert drawn(b"no picture", board).reason == "other_picture"
