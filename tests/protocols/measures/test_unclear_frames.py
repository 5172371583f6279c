"""Frames that can't be told, in part or at all: left open, or named for what they are."""

from pathlib import Path

import pytest
from PIL import Image

from protocols.measures import measure
from tests.protocols.measures.cases import Case


def test_two_agents(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    one, both = case.picture(case.states[1]), case.picture(case.start)
    both.paste(one.crop((128, 64, 192, 128)), (128, 64))
    frames = case.frames([both, case.picture(case.states[2])]).frames
    assert frames
    assert frames.frames[0].reason == "no_state"
    assert "second agent" in frames.frames[0].detail
    assert frames.frames[0].fidelity == pytest.approx(19 / 20)
    assert frames.drift == 1
    assert frames.frames[0].background is False
    assert frames.frames[0].legal is False


def test_what_a_smudge_hides_is_not_guessed(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    smudged = case.picture(case.states[1])
    smudged.paste((120, 60, 160), (66, 130, 126, 190))  # the floor at (2,1)
    frames = case.frames([smudged, case.picture(case.states[2])]).frames
    assert frames
    assert frames.frames[0].reason == "unclear"
    first = frames.frames[0]
    assert first.fidelity == pytest.approx(19 / 20)
    assert (first.exact, first.background, first.legal, first.solved) == (None,) * 4
    assert (frames.drift, frames.feasible, frames.agrees) == (None, None, None)
    assert frames.reason == "unreadable"
    assert "(2,1)" in frames.detail


@pytest.mark.parametrize("name", ["maze", "parking"])
def test_nothing_moves_below_the_grid(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    shown = [case.picture(case.start, aug=True)] * len(case.actions)
    frames = case.frames(shown, "self-aug-vcot", suffix="jpg", quality=70).frames
    assert frames
    assert frames.detail == "frame 1: nothing has moved"
    assert (frames.drift, frames.exact, frames.agrees) == (1, 0, False)


def test_what_is_wrong_beside_a_smudge(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    smudged = case.picture(case.start)
    smudged.paste((120, 60, 160), (66, 130, 126, 190))  # the floor at (2,1)
    frames = case.frames([smudged]).frames
    assert frames
    assert (frames.frames[0].reason, frames.frames[0].exact) == ("unclear", False)
    assert frames.drift == 1
    assert frames.drift_detail.startswith("other than the true state at (1,1), (1,2): what stands")
    assert frames.feasible is None


def test_a_round_without_a_picture_keeps_its_place(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    second = case.saved(case.picture(case.states[2]), "2.png")
    steps = [{"action": "right"}, {"action": "right", "image": second}, {"action": "left"}]
    frames = measure(case.instance, {"protocol": "mine", "steps": steps}, tmp_path).frames
    assert frames
    assert [frame.image for frame in frames.frames] == [None, "2.png"]
    assert [frame.reason for frame in frames.frames] == ["no_file", None]
    assert (frames.expected, frames.exact, frames.agrees) == (3, 1, False)
    assert frames.detail == "frame 1: no picture was drawn"


@pytest.mark.parametrize("count", [1, 2])
def test_pictures_after_an_illegal_action_are_no_frames(count: int, tmp_path: Path) -> None:
    """They would solve the board, but the actions that they stand beside don't."""
    case = Case("maze", tmp_path)
    names = [case.saved(case.picture(state), f"{k}.png") for k, state in enumerate(case.states[1:])]
    steps = [
        {"action": action, "image": name}
        for action, name in zip(("left", "right")[:count], names, strict=False)
    ]
    line = {"protocol": "self-vcot", "steps": steps, "images": names[:count]}
    found = measure(case.instance, line, tmp_path)
    assert found.problem == "no picture belongs to a legal action"
    assert found.passes is None
    assert found.frames
    assert found.frames.frames == []


def test_frames_that_stop_short_do_not_follow_the_instruction(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    name = case.saved(case.picture(case.states[1]), "1.png")
    steps = [{"action": "right", "image": name}, {"action": "right"}]
    found = measure(case.instance, {"protocol": "self-vcot", "steps": steps}, tmp_path)
    assert found.frames
    assert (found.frames.expected, found.frames.exact, found.frames.agrees) == (2, 1, False)
    assert found.checklist
    assert found.checklist.instruction_following == "medium"


def test_a_video_in_which_nothing_moves_does_not_pass(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    first = case.picture(case.start)
    rest = [Image.eval(first, lambda level, by=by: max(0, level - by)) for by in (1, 2, 3)]
    first.save(tmp_path / "still.webp", save_all=True, append_images=rest, lossless=True)
    line = {"response": case.instance.answer, "images": ["still.webp"]}
    found = measure(case.instance, line, tmp_path)
    assert found.problem == "the video shows no state but that of the board at its beginning"
    assert found.passes is False
    assert found.frames
    assert (found.frames.reason, found.frames.agrees) == ("unsolved", False)
