"""Sessions: steps taken, known again or refused, and built anew from what is kept."""

import json
from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import puzzles
from oracle.errors import Conflict, Refused
from oracle.messages import Step
from oracle.session import Opening, Session
from tests.oracle.solving import (
    SERVED,
    STEPWISE,
    aids,
    boards,
    corridor,
    left,
    opening,
    right,
    session,
    solved,
)

VARIANTS = ["oracle-vcot+budget", "oracle-aug-vcot+last", "self-vcot+last", "self-vcot+budget"]


def taken(opening: Opening, steps: list[Step]) -> Session:
    played = session(opening)
    for step in steps:
        played.take(step)
    return played


def kept(opening: Opening) -> Opening:
    """Return the opening as a store gives it back."""
    return Opening.of(json.loads(json.dumps(opening.record())))


def state(played: Session) -> Any:
    """Return all that can be seen of a session, its pictures included."""
    pictures = {name: image.png for name, image in played.pictures.items()}
    return played.taken, pictures, played.due, played.round, played.done, played.answer("/e")


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("protocol", [*SERVED, *VARIANTS])
def test_a_solver_plays_to_an_optimal_verdict_and_the_rebuilt_session_is_the_same(
    protocol: str, family: str
) -> None:
    begun = opening(family, protocol)
    steps = solved(begun)
    played = session(begun)
    for step in steps:
        assert not played.done
        first = played.take(step)
        assert played.take(step) is first
        assert (first.due is None) == played.done
    assert played.done
    assert played.verdict()["optimal"]
    texts = [step.model_dump_json() for step in steps]
    again = Session(kept(begun), aids(begun))
    for text in texts:
        again.take(Step.model_validate_json(text))
    assert state(again) == state(played)


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("protocol", ["oracle-vcot", "self-vcot", "self-gta", "noise-aug-vcot"])
def test_what_a_round_takes_may_come_at_once_or_piece_by_piece(protocol: str, family: str) -> None:
    begun = opening(family, protocol)
    piecewise = taken(begun, solved(begun))
    at_once = taken(begun, solved(begun, together=True))
    assert len(at_once.taken) < len(piecewise.taken)
    assert at_once.verdict() == piecewise.verdict()
    assert at_once.answer("/e") == piecewise.answer("/e")
    assert at_once.pictures == piecewise.pictures


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("protocol", ["oracle-vcot", "oracle-vcot+budget"])
def test_an_action_as_json_and_in_a_reply_are_the_same(protocol: str, family: str) -> None:
    begun = opening(family, protocol)
    in_json, in_words = (solved(begun, in_json=choice) for choice in (True, False))
    assert any(step.action for step in in_json)
    for one, other in zip(taken(begun, in_json).taken, taken(begun, in_words).taken, strict=True):
        assert replace(one, step=other.step) == other


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_the_question_for_the_rest_may_be_left_out(family: str) -> None:
    begun = opening(family, "oracle-vcot")
    steps = [step for step in solved(begun, in_json=True) if step.action is not None]
    played = taken(begun, steps)
    assert not played.done
    assert played.due == "remaining"
    assert played.take(Step(round=len(steps), remaining=0)).due is None
    assert played.verdict()["optimal"]
    assert [step["remaining"] for step in played.answer("/e")["steps"][:-1]] == [None] * (
        len(steps) - 1
    )


# A corridor: S.G. within walls, two steps to the right.


def test_the_corridor_is_played_as_one_can_see() -> None:
    played = session(corridor())
    first = played.take(right(1, remaining=1))
    assert (first.legal, first.reason, first.image, first.due) == (True, None, 1, "action")
    last = played.take(right(2, remaining=0))
    assert (last.legal, last.reason, last.image, last.due) == (True, "solved", 2, None)
    assert played.verdict()["optimal"]


MISFITS = [
    (Step(round=1, remaining=1), "waits for action or reply"),
    (right(2), "round 2 has not come; round 1 is on"),
    (right(1, drawing="AAAA"), "the step brings said, drawing"),
]


@pytest.mark.parametrize(("step", "sentence"), MISFITS)
def test_what_is_not_due_is_a_conflict(step: Step, sentence: str) -> None:
    with pytest.raises(Conflict, match=sentence):
        session(corridor()).take(step)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (right(1), "round 1 is past; round 2 is on"),
        (left(2), "round 2 waits for remaining"),
        (right(4), "round 4 has not come; round 2 is on"),
    ],
)
def test_stale_other_and_skipped_steps_are_conflicts(step: Step, sentence: str) -> None:
    played = taken(corridor(), [right(1, remaining=1), right(2)])
    before = state(played)
    with pytest.raises(Conflict, match=sentence):
        played.take(step)
    assert state(played) == before


def test_the_order_of_keys_makes_no_other_step() -> None:
    lot = opening("parking", "oracle-vcot")
    played = session(lot)
    action = solved(lot, in_json=True)[0].action
    assert len(action) > 1
    turned = dict(reversed(action.items()))
    assert list(turned) != list(action)
    first = played.take(Step(round=1, action=turned))
    assert played.take(Step(round=1, action=action)) is first
    assert list(played.taken[0].step.action) == list(turned)  # as it was sent
    for other in ({**action, "more": 1}, {**action, "more": {}}):
        with pytest.raises(Conflict):
            played.take(Step(round=1, action=other))


def test_a_step_that_is_known_is_told_from_one_that_says_the_same_otherwise() -> None:
    played = taken(corridor(), [right(1, remaining=1)])
    assert played.take(right(1, remaining=1)) is played.taken[0]
    for other in (
        right(1),
        right(1, remaining=2),
        Step(round=1, action="right", remaining=1),
        Step(round=1, reply='{"move": "right"}', remaining=1),
    ):
        with pytest.raises(Conflict, match="round 1 is past"):
            played.take(other)


def test_an_episode_that_is_over_takes_no_more_and_knows_its_own() -> None:
    steps = [right(1, remaining=1), right(2, remaining=0)]
    played = taken(corridor(), steps)
    with pytest.raises(Conflict, match="the episode is over"):
        played.take(right(3))
    assert [played.take(step) for step in steps] == played.taken


def test_a_budget_takes_no_remaining_and_ends_by_itself() -> None:
    played = session(corridor("oracle-vcot+budget"))
    with pytest.raises(Conflict, match="the step brings said, remaining"):
        played.take(right(1, remaining=1))
    assert played.take(right(1)).due == "action"
    assert played.take(right(2)).reason == "solved"


@pytest.mark.parametrize("protocol", STEPWISE)
def test_the_cap_ends_an_episode_that_goes_to_and_fro(protocol: str) -> None:
    """The bucket of easy mazes ends at 6, so the cap is 12."""
    begun = replace(corridor(protocol), donor=boards("maze")[0])
    drawing = {"drawing": PICTURE} if protocol.startswith("self") else {}
    played = session(begun)
    for number in range(1, 13):
        assert not played.done
        step = (right if number % 2 else left)(number, **drawing)
        end = played.take(step)
    assert (end.due, end.reason) == (None, "round_cap")
    assert played.verdict()["feasible"] is False


def test_the_cap_ends_an_episode_at_the_goal_as_solved() -> None:
    played = session(corridor())
    for number in range(1, 11):
        played.take((right if number % 2 else left)(number))
    played.take(right(11))
    end = played.take(right(12))
    assert (end.due, end.reason) == (None, "solved")
    verdict = played.verdict()
    assert (verdict["feasible"], verdict["optimal"], verdict["moves"]) == (True, False, 12)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"move": "up"}, "hits_wall"),
        ({"move": "sideways"}, "unknown_action"),
        ([{"move": "right"}, {"move": "right"}, {"move": "left"}], "several_actions"),
        ({"go": "right"}, "bad_format"),
        ({"move": "</STEP_JSON>"}, "unknown_action"),
        ({"move": None}, "bad_format"),
        ("", "unknown_action"),
        (0, "bad_format"),
        ([], "no_answer"),
        (True, "bad_format"),
    ],
)
def test_an_action_that_cannot_be_taken_ends_the_episode(action: Any, reason: str) -> None:
    played = session(corridor())
    end = played.take(Step(round=1, action=action, remaining=3))
    assert (end.legal, end.reason, end.image, end.due) == (False, reason, None, None)
    assert played.verdict()["legal_moves"] == 0


@pytest.mark.parametrize("action", [{"move": "right"}, "right", ["right"], {"move": "R"}, "→"])
def test_an_action_may_be_written_in_every_way_that_its_family_reads(action: Any) -> None:
    played = session(corridor())
    assert played.take(Step(round=1, action=action)).legal
    assert played.episode.play.walk is not None
    assert played.episode.play.walk.actions == ["right"]


def test_a_step_brings_something_and_not_two_things_in_one_place() -> None:
    for step, sentence in (
        (Step(round=1), "brings nothing"),
        (Step(round=1, action="right", reply="right"), "an action or a reply, not both"),
        (Step(round=1, action=None, reply=None), "brings nothing"),
    ):
        with pytest.raises(Refused, match=sentence):
            session(corridor()).take(step)


@pytest.mark.parametrize("protocol", ["direct", "text-cot", "oracle-gta", "noise-gta"])
def test_a_single_turn_takes_the_whole_answer_as_text(protocol: str) -> None:
    played = session(corridor(protocol))
    assert played.due == "answer"
    with pytest.raises(Refused, match="takes a whole answer"):
        played.take(right(1))
    end = played.take(Step(round=1, reply='<ANSWER_JSON>["right","right"]</ANSWER_JSON>'))
    assert (end.legal, end.reason, end.due) == (None, "solved", None)


@pytest.mark.parametrize("wrong", [False, True, 0.0, 1.0, [], -1])
def test_a_number_is_not_guessed_from_something_else(wrong: Any) -> None:
    """A false that were read as 0 would end the episode."""
    for fields in ({"round": wrong, "remaining": 1}, {"round": 1, "remaining": wrong}):
        with pytest.raises(ValidationError, match=r"a valid integer|greater than"):
            Step.model_validate(fields)


# Drawings.

PICTURE = b64encode(session(corridor()).pictures[0].png).decode()


def test_a_drawing_that_is_no_base64_is_refused_and_one_that_is_no_picture_ends_it() -> None:
    begun = corridor("self-vcot")
    played = taken(begun, [right(1)])
    assert played.due == "drawing"
    for wrong in ("A", "!", "-_-_", "iVBO*Rw0"):
        with pytest.raises(Refused, match="drawing is not base64"):
            played.take(Step(round=1, drawing=wrong))
    assert played.due == "drawing"
    end = played.take(Step(round=1, drawing=b64encode(b"no picture").decode()))
    assert (end.reason, end.due) == ("no_image", None)


IN_LINES = "\r\n".join(PICTURE[at : at + 76] for at in range(0, len(PICTURE), 76))


@pytest.mark.parametrize("drawing", [PICTURE, f"data:image/png;base64,{PICTURE}", IN_LINES])
def test_a_drawing_may_be_a_data_uri_or_come_in_lines(drawing: str) -> None:
    played = session(corridor("self-vcot"))
    assert played.take(right(1, drawing=drawing, remaining=1)).due == "action"
    assert played.answer("/e") is None
    played.take(right(2, drawing=drawing, remaining=0))
    answer = played.answer("/e")
    assert answer is not None
    assert answer["images"] == ["/e/images/1", "/e/images/2"]


def test_an_answer_holds_its_instance_and_no_solution() -> None:
    played = taken(corridor(answer="secret"), [right(1, remaining=1), right(2, remaining=0)])
    answer = played.answer("/e")
    assert answer is not None
    assert answer["instance"]["board"] == corridor().instance.board
    assert "secret" not in json.dumps(answer)


def test_an_instance_that_contradicts_itself_has_no_verdict_but_says_so() -> None:
    begun = corridor(optimal_length=5)
    played = taken(begun, [right(1, remaining=1), right(2, remaining=0)])
    assert list(played.verdict()) == ["error"]
    assert "solved in 2" in played.verdict()["error"]


# Any steps at all.

PARTS = {
    "action": st.sampled_from([{"move": "right"}, {"move": "left"}, "up", 3]),
    "reply": st.sampled_from(["right", "", '<STEP_JSON>{"move":"left"}</STEP_JSON>']),
    "remaining": st.integers(0, 3),
    "drawing": st.sampled_from([PICTURE, "AAAA", "!"]),
}
STEP = st.builds(
    lambda number, parts: Step(round=number, **parts),
    st.integers(1, 6),
    st.fixed_dictionaries({}, optional=PARTS),
)


@given(
    st.sampled_from(["oracle-vcot", "self-vcot", "oracle-vcot+budget", "self-gta", "direct"]),
    st.lists(STEP, max_size=20),
)
def test_whatever_comes_is_taken_or_refused_and_never_half_taken(
    protocol: str, steps: list[Step]
) -> None:
    played, good = session(corridor(protocol)), []
    for step in steps:
        before = played.due, played.round, len(played.taken), played.done
        try:
            played.take(step)
        except Refused:
            assert before == (played.due, played.round, len(played.taken), played.done)
            continue
        if len(played.taken) > len(good):
            good.append(step)
    assert [one.step for one in played.taken] == good
    assert state(taken(corridor(protocol), good)) == state(played)
