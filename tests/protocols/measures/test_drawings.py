"""Solutions drawn onto the board, and grids with coordinates: read, replayed and marked."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFilter

from protocols.measures import measure
from puzzles.rooms import NAMES
from tests.protocols.measures.cases import Case, blank, darker, pixels


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("protocol", ["self-vr", "draw-own", "draw-true"])
def test_a_right_drawing(name: str, protocol: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    response = "" if protocol == "draw-true" else None
    found = case.drawing(case.solution(), response, protocol)
    drawn = found.drawing
    assert drawn
    assert (drawn.feasible, drawn.optimal, drawn.reason) == (True, True, "solved")
    assert drawn.agrees is (None if protocol == "draw-true" else True)
    assert found.passes is True
    assert found.result
    assert set(found.result.model_dump().values()) == {True}
    assert found.process
    assert set(found.process.model_dump().values()) == {100}
    assert found.rubric
    assert set(found.rubric.model_dump().values()) == {5}
    assert found.checklist
    assert set(found.checklist.model_dump().values()) == {"good"}


WRONG: dict[str, str] = {
    "maze": '<ANSWER_JSON>["down"]</ANSWER_JSON>',
    "sokoban": '<ANSWER_JSON>["down","right"]</ANSWER_JSON>',
    "path": "<answer>B</answer>",
    "onet": "<answer_json>[[[0,0],[1,2]]]</answer_json>",
    "parking": '<ANSWER_JSON>[{"car":"R","direction":"right"}]</ANSWER_JSON>',
    "klotski": '{"solution":[{"from":[0,0],"direction":"RIGHT"}]}',
}


@pytest.mark.parametrize("name", NAMES)
def test_a_right_drawing_with_a_wrong_text_answer(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = case.drawing(case.solution(), WRONG[name])
    assert found.drawing
    assert found.drawing.feasible is True
    assert found.drawing.agrees is False
    assert found.passes is True


def test_pairs_named_in_another_order_are_the_same_drawing(tmp_path: Path) -> None:
    case = Case("onet", tmp_path)
    other = "<answer_json>[[[1,2],[0,0]],[[1,1],[0,1]]]</answer_json>"
    found = case.drawing(case.solution(), other).drawing
    assert found
    assert found.answer != other
    assert found.agrees is True


@pytest.mark.parametrize("name", NAMES)
def test_the_board_handed_back(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = case.drawing(case.picture(case.start))
    drawn = found.drawing
    assert drawn
    assert (drawn.feasible, drawn.optimal, drawn.reason) == (False, False, "none_drawn")
    assert found.result
    assert found.result.model_dump() == {
        "background_consistency": True,
        "rule_obedience": False,
        "visual_quality": True,
        "reasoning_success": False,
    }
    assert found.checklist
    assert found.checklist.instruction_following == "bad"
    assert found.rubric
    assert found.rubric.reasoning_correctness == 0
    assert found.rubric.structural_alignment == 5
    assert found.passes is False


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_on_nothing(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = case.drawing(blank(case.picture(case.start).size))
    assert found.drawing
    assert found.drawing.reason == "other_picture"
    assert found.drawing.feasible is False
    assert found.passes is False
    assert found.result
    assert set(found.result.model_dump().values()) == {False}
    assert found.rubric
    assert set(found.rubric.model_dump().values()) == {0}


def test_half_of_the_way(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    found = case.drawing(case.solution(["right"]))
    assert found.drawing
    assert found.drawing.reason == "wrong_end"
    assert found.drawing.answer == '<ANSWER_JSON>["right"]</ANSWER_JSON>'
    assert found.drawing.agrees is False
    assert found.rubric
    assert found.rubric.reasoning_correctness == 1
    assert found.checklist
    assert found.checklist.instruction_following == "medium"


def test_through_a_wall(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    image = case.solution()
    ImageDraw.Draw(image).line([(160, 96), (160, 160)], (230, 0, 18), 8)
    found = case.drawing(image)
    assert found.drawing
    assert found.drawing.reason in ("crosses_wall", "branch")
    assert found.result
    assert found.result.rule_obedience is False
    assert found.result.background_consistency is True
    assert found.passes is False


def test_hints_that_are_legal_but_stop_short(tmp_path: Path) -> None:
    case = Case("parking", tmp_path)
    found = case.drawing(case.solution(case.actions[:1]))
    assert found.drawing
    assert (found.drawing.feasible, found.drawing.reason) == (False, "unsolved")
    assert found.result
    assert found.result.rule_obedience is True
    assert found.result.reasoning_success is False
    assert found.rubric
    assert found.rubric.reasoning_correctness == pytest.approx(2 / 3, abs=1e-3)


def test_hints_of_an_illegal_move(tmp_path: Path) -> None:
    case = Case("parking", tmp_path)
    into = case.actions[1:]  # R runs into A
    found = case.drawing(case.solution(into))
    assert found.drawing
    assert (found.drawing.feasible, found.drawing.reason) == (False, "blocked")
    assert found.result
    assert found.result.rule_obedience is False


def spoilt(image: Image.Image, how: str) -> Image.Image:
    if how == "blurred":
        return image.filter(ImageFilter.GaussianBlur(5))
    return darker(image, 0.45)


@pytest.mark.parametrize("how", ["blurred", "dark"])
def test_quality_falls_with_sharpness_and_colour(how: str, tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    good = case.frames([case.picture(state) for state in case.states[1:]])
    bad = case.frames([spoilt(case.picture(state), how) for state in case.states[1:]])
    assert good.process
    assert bad.process
    assert good.process.visual_quality == 100
    assert bad.process.visual_quality is not None
    assert bad.process.visual_quality < 60
    assert bad.result
    assert bad.result.visual_quality is False


@pytest.mark.parametrize("name", NAMES)
def test_a_right_aid(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = _aid(case, case.picture(case.start, aug=True))
    aid = found.aid
    assert aid
    assert (aid.lines, aid.stray, aid.changed, aid.complete) == (1, 0, 0, True)
    assert aid.right == aid.labels
    assert (aid.wrong, aid.missing, aid.unclear) == (0, 0, 0)
    assert aid.preserved is True
    assert found.passes is True
    assert found.rubric
    assert found.rubric.structural_alignment == 5
    assert found.rubric.reasoning_correctness == 5
    assert found.rubric.visual_quality
    assert found.rubric.visual_quality > 4.9
    assert found.checklist
    assert set(found.checklist.model_dump().values()) == {"good"}


@pytest.mark.parametrize("name", NAMES)
def test_an_aid_that_is_not_there(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = _aid(case, case.picture(case.start))
    aid = found.aid
    assert aid
    assert (aid.lines, aid.right, aid.complete) == (0, 0, False)
    assert aid.missing == aid.labels
    assert aid.preserved is True
    assert found.passes is False
    assert found.checklist
    assert found.checklist.instruction_following == "bad"
    assert found.checklist.visual_consistency == "good"


def test_an_aid_of_another_board(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    other = case.state("#####\n#S.G#\n#...#\n#####")
    found = _aid(case, case.picture(other, aug=True))
    assert found.aid
    assert found.aid.changed == 1
    assert found.aid.preserved is False
    assert found.result
    assert found.result.background_consistency is False
    assert found.rubric
    assert found.rubric.structural_alignment == pytest.approx(5 * 19 / 20)


def test_a_wrong_label(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    image = case.picture(case.start, aug=True)
    floor = image.crop((70, 134, 122, 186))  # the label of (2,1)
    image.paste(floor, (134, 70))
    found = _aid(case, image)
    assert found.aid
    assert found.aid.wrong == 1
    assert found.aid.complete is False
    assert found.result
    assert found.result.rule_obedience is False


@pytest.mark.parametrize("name", NAMES)
def test_a_bare_board_is_no_bad_picture_for_want_of_a_grid(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    found = _aid(case, case.picture(case.states[0]))
    assert found.passes is False
    assert found.aid.lines == 0
    assert found.process.visual_quality == 100


def _aid(case: Case, image: Image.Image) -> Any:
    line = {"protocol": "self-gta", "response": "", "images": [case.saved(image, "aid.png")]}
    return measure(case.instance, line, case.folder)


def test_a_drawing_under_a_name_of_ones_own(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    for name, image in (("solved", case.solution()), ("moved", case.picture(case.states[1]))):
        case.saved(image, f"{name}.png")
    line = {"protocol": "mine", "response": case.instance.answer}
    drawn = measure(case.instance, {**line, "images": ["solved.png"]}, tmp_path)
    assert drawn.drawing
    assert drawn.drawing.feasible is True
    moved = measure(case.instance, {**line, "images": ["moved.png"]}, tmp_path)
    assert moved.drawing is None
    assert moved.frames is None
    assert moved.problem
    assert moved.problem.startswith("one picture of a state")


def test_pictures_are_of_any_size(tmp_path: Path) -> None:
    case = Case("klotski", tmp_path)
    small = pixels(case.room.draw_solution(case.start, case.actions, 100))
    found = case.drawing(small.resize((411, 405)))
    assert found.drawing
    assert found.drawing.optimal is True
