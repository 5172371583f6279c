"""Pictures of states against the true states, and by themselves."""

from pathlib import Path

import pytest
from PIL import Image

from protocols.measures import measure
from puzzles.rooms import NAMES
from tests.protocols.measures.cases import Case, blank


def perfect(percent: float) -> dict[str, float]:
    names = ("background_consistency", "rule_obedience", "visual_quality", "reasoning_success")
    return dict.fromkeys(names, percent)


@pytest.mark.parametrize("name", NAMES)
def test_right_frames(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = case.frames([case.picture(state) for state in case.states[1:]])
    frames = found.frames
    assert frames is not None
    assert found.problem is None
    assert frames.expected == frames.exact == len(case.actions)
    assert (frames.drift, frames.fidelity, frames.agrees) == (None, 1.0, True)
    assert (frames.feasible, frames.optimal, frames.reason) == (True, True, "solved")
    assert all(frame.legal and frame.background and frame.closer for frame in frames.frames)
    assert found.process
    assert found.process.model_dump() == perfect(100)
    assert found.result
    assert set(found.result.model_dump().values()) == {True}
    assert found.checklist
    assert set(found.checklist.model_dump().values()) == {"good"}
    assert found.rubric
    assert set(found.rubric.model_dump().values()) == {5.0}
    assert found.passes is True
    if case.room.counts_actions:
        assert frames.answer == case.instance.answer


@pytest.mark.parametrize("name", NAMES)
def test_right_frames_smaller_and_compressed(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    small = []
    for state in case.states[1:]:
        image = case.picture(state)
        half = image.resize((image.width * 5 // 8, image.height * 5 // 8), Image.Resampling.BOX)
        small.append(half.resize(image.size, Image.Resampling.BICUBIC))
    found = case.frames(small, suffix="jpg", quality=60)
    assert found.frames
    assert found.frames.agrees is True
    assert found.frames.optimal is True
    assert found.result
    assert found.result.visual_quality is True


@pytest.mark.parametrize("name", NAMES)
def test_right_frames_with_grid_and_coordinates(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    shown = [case.picture(state, aug=True) for state in case.states[1:]]
    found = case.frames(shown, "self-aug-vcot", suffix="jpg", quality=70)
    assert found.frames
    assert found.frames.agrees is True
    assert found.frames.optimal is True
    assert found.process
    assert found.process.visual_quality
    assert found.process.visual_quality > 80


@pytest.mark.parametrize("name", NAMES)
def test_nothing_ever_moves(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = case.frames([case.picture(case.start)] * len(case.actions))
    frames = found.frames
    assert frames
    assert frames.drift == 1
    assert frames.exact == 0
    assert frames.agrees is False
    assert frames.feasible is False
    assert frames.reason == "illegal_change"
    assert frames.detail == "frame 1: nothing has moved"
    assert found.process
    assert found.process.background_consistency == 100
    assert (found.process.rule_obedience, found.process.reasoning_success) == (0, 0)
    assert found.result
    assert found.result.reasoning_success is False
    assert found.checklist
    assert found.checklist.visual_consistency == "good"
    assert found.checklist.rule_coherence == "bad"
    assert found.rubric
    assert found.rubric.reasoning_correctness == 0
    assert found.passes is False


@pytest.mark.parametrize("name", NAMES)
def test_a_step_is_left_out(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    shown = [case.picture(state) for state in (case.states[2], *case.states[2:])]
    found = case.frames(shown)
    frames = found.frames
    assert frames
    assert frames.drift == 1
    assert frames.frames[0].legal is False
    assert frames.frames[1].exact is True
    assert frames.frames[1].fidelity == 1
    assert frames.agrees is False
    assert frames.feasible is False
    assert found.result
    assert found.result.rule_obedience is False
    assert found.result.background_consistency is True
    assert found.result.reasoning_success is case.room.is_solved(case.states[-1])


def test_the_agent_is_one_off(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    below = case.state("#####\n#..G#\n#S#.#\n#####")
    found = case.frames([case.picture(below), case.picture(case.states[2])])
    frames = found.frames
    assert frames
    assert frames.drift == 1
    assert frames.drift_detail == "other than the true state at (1,2), (2,1)"
    assert frames.frames[0].fidelity == pytest.approx(18 / 20)
    assert [frame.legal for frame in frames.frames] == [True, False]
    assert [frame.closer for frame in frames.frames] == [False, True]
    assert found.process
    assert found.process.reasoning_success == 50
    assert frames.detail.startswith("frame 2: no one legal action changes (1,3), (2,1)")


@pytest.mark.parametrize(
    ("name", "board", "what"),
    [
        ("maze", "#####\n#..*#\n#...#\n#####", "the wall at (2,2) is gone"),
        ("sokoban", "######\n#--@*#\n#---##\n######", "the wall at (2,4) is new"),
        ("path", "#####\n#.A*#\n#.###\n#####", "label B"),
        ("onet", "A..\n..A\nCC.", "kind C has appeared"),
        ("parking", "..B.\nRRB.\n..A.\n..A.", "vehicle B is new"),
        ("klotski", "TT.\nTT.\nbba", "2"),
    ],
)
def test_the_background_changes_in_the_second_frame(
    name: str, board: str, what: str, tmp_path: Path
) -> None:
    case = Case(name, tmp_path)
    shown = [case.picture(case.states[1]), case.picture(case.state(board))]
    frames = case.frames(shown).frames
    assert frames
    assert frames.drift == 2
    assert what in frames.drift_detail
    assert [frame.background for frame in frames.frames] == [True, False]
    assert [frame.legal for frame in frames.frames] == [True, False]
    assert frames.feasible is False
    assert frames.reason == "illegal_change"
    assert frames.frames[1].solved is False
    assert frames.frames[1].closer is False


@pytest.mark.parametrize("name", NAMES)
def test_a_blank_page(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    shown = [case.picture(state) for state in case.states[1:]]
    shown[0] = blank(shown[0].size)
    found = case.frames(shown)
    frames = found.frames
    assert frames
    assert frames.frames[0].reason == "no_board"
    first = frames.frames[0]
    assert (first.fidelity, first.exact, first.quality) == (0, False, 0)
    assert (first.background, first.legal, first.solved) == (False, False, False)
    assert frames.drift == 1
    assert frames.feasible is False
    assert frames.agrees is False
    assert frames.frames[1].exact is True
    assert frames.frames[1].legal is None


def test_a_detour_is_feasible_not_optimal(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    below, start = case.state("#####\n#..G#\n#S#.#\n#####"), case.start
    states = [below, start, *case.states[1:]]
    names = [case.saved(case.picture(state), f"{k}.png") for k, state in enumerate(states)]
    found = measure(case.instance, {"response": "", "images": names}, tmp_path)
    frames = found.frames
    assert frames
    assert (frames.feasible, frames.optimal) == (True, False)
    assert frames.answer == '<ANSWER_JSON>["down","up","right","right"]</ANSWER_JSON>'
    assert (frames.expected, frames.fidelity, frames.agrees) == (None, None, None)
    assert found.rubric
    assert found.rubric.reasoning_correctness == 4
    assert found.passes is True
    assert found.process
    assert found.process.reasoning_success == 75


def test_more_frames_than_actions(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    states = [*case.states[1:], case.states[1]]
    names = [case.saved(case.picture(state), f"{k}.png") for k, state in enumerate(states)]
    line = {"response": case.instance.answer, "images": names}
    frames = measure(case.instance, line, tmp_path).frames
    assert frames
    assert (frames.expected, frames.exact, frames.drift) == (2, 2, 3)
    assert frames.drift_detail == "the text has no such action"
    assert frames.agrees is False
    assert frames.feasible is False
    assert frames.reason == "unsolved"


def test_frames_that_beat_the_optimum(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    names = [case.saved(case.picture(state), f"{k}.png") for k, state in enumerate(case.states[1:])]
    wrong = case.instance.model_copy(update={"optimal_length": 3})
    found = measure(wrong, {"response": "", "images": names}, tmp_path)
    assert found.problem == (
        "the frames solve the board in 2, but the instance says that 3 are needed"
    )
