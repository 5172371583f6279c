"""The limits of the marks, one by one, as docs/judging-drawings.md has them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageFilter

from protocols.measures import marks, measure
from tests.protocols.measures.cases import Case, darker


@pytest.mark.parametrize(
    ("percent", "grade"),
    [(100, "good"), (90, "good"), (89.99, "medium"), (50, "medium"), (49.99, "bad"), (None, None)],
)
def test_grades(percent: float | None, grade: str | None) -> None:
    assert marks.grade(percent) == grade


@pytest.mark.parametrize(("quality", "clear"), [(60, True), (59.99, False), (None, None)])
def test_a_result_is_clear_from_60_on(quality: float | None, clear: bool | None) -> None:
    assert marks.result(marks.Marks(True, None, quality, False)).model_dump() == {
        "background_consistency": True,
        "rule_obedience": None,
        "visual_quality": clear,
        "reasoning_success": False,
    }


def test_reasoning_correctness() -> None:
    assert marks.correctness(True, True, None) == 5
    assert marks.correctness(True, False, None) == 4
    assert marks.correctness(False, False, 0.75) == 1.5
    assert marks.correctness(False, False, None) is None
    assert marks.correctness(None, None, 0.75) is None


def test_what_can_not_be_told_counts_on_neither_side() -> None:
    assert marks.percent([True, None, False, True]) == 66.67
    assert marks.percent([None]) is None
    assert marks.all_of([True, None]) is None
    assert marks.all_of([None, False]) is False
    assert marks.all_of([]) is True


def noisy(image: Image.Image, sigma: float) -> Image.Image:
    gaps = np.random.default_rng(7).normal(0, sigma, (*image.size[::-1], 3))
    return Image.fromarray(np.clip(np.asarray(image) + gaps, 0, 255).astype(np.uint8))


@pytest.mark.parametrize(
    ("how", "least", "most"),
    [
        (lambda image: noisy(image, 10), 100, 100),
        (lambda image: noisy(image, 25), 84, 95),
        (lambda image: darker(image, 0.9), 92, 99),
        (lambda image: darker(image, 0.8), 67, 94),
        (lambda image: image.filter(ImageFilter.GaussianBlur(1)), 100, 100),
        (lambda image: image.filter(ImageFilter.GaussianBlur(2)), 58, 82),
    ],
)
def test_quality_is_what_its_table_says(
    how: Any, least: float, most: float, tmp_path: Path
) -> None:
    case = Case("maze", tmp_path)
    found = case.frames([how(case.picture(case.states[1]))]).process
    assert found
    assert found.visual_quality is not None
    assert least <= found.visual_quality <= most


def test_what_can_not_be_told_lowers_quality(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    smudged = case.picture(case.states[1])
    smudged.paste((120, 60, 160), (66, 130, 126, 190))  # the floor at (2,1)
    frames = case.frames([smudged]).frames
    assert frames
    assert frames.frames[0].quality == 95


def test_what_has_gone_from_the_background_stays_amiss(tmp_path: Path) -> None:
    """The wall is gone in both frames: the second keeps what the first shows, not the board."""
    case = Case("maze", tmp_path)
    boards = ("#####\n#.SG#\n#...#\n#####", "#####\n#..*#\n#...#\n#####")
    found = case.frames([case.picture(case.state(board)) for board in boards])
    frames = found.frames
    assert frames
    assert [frame.background for frame in frames.frames] == [False, False]
    assert [frame.legal for frame in frames.frames] == [False, True]
    assert [frame.solved for frame in frames.frames] == [False, False]
    assert frames.feasible is False
    assert found.process
    assert found.process.background_consistency == 0


def test_a_drawing_that_takes_longer_passes(tmp_path: Path) -> None:
    case = Case("parking", tmp_path)
    down, right, last = case.actions
    up = down._replace(direction="up")
    actions = [down, up, down, right, last]
    found = case.drawing(case.solution(actions), case.room.format_answer(actions))
    assert found.drawing
    assert (found.drawing.feasible, found.drawing.optimal) == (True, False)
    assert found.drawing.agrees is True
    assert found.passes is True
    assert found.rubric
    assert found.rubric.reasoning_correctness == 4


def test_a_walk_that_is_drawn_alike_agrees(tmp_path: Path) -> None:
    case = Case("sokoban", tmp_path)
    walk = ["down", "up", "right", "right"]
    for times, agrees in ((1, True), (2, True), (0, False)):
        said = case.room.format_answer([*walk[:2] * times, *walk[2:]])
        drawn = case.drawing(case.solution(walk), said).drawing
        assert drawn
        assert drawn.answer == case.room.format_answer(walk)
        assert drawn.agrees is agrees, said


def aid(case: Case, image: Image.Image) -> Any:
    line = {"protocol": "self-gta", "response": "", "images": [case.saved(image, "aid.png")]}
    return measure(case.instance, line, case.folder)


def test_an_aid_without_one_line(tmp_path: Path) -> None:
    """4 rows and 5 columns have 3 * 5 + 4 * 4 = 31 pieces of line."""
    case = Case("maze", tmp_path)
    image = case.picture(case.start, aug=True)
    image.paste(case.picture(case.start).crop((0, 60, 320, 68)), (0, 60))
    found = aid(case, image)
    assert found.aid.lines == pytest.approx(26 / 31, abs=1e-4)
    assert (found.aid.complete, found.aid.preserved, found.passes) == (False, True, False)
    assert found.result.rule_obedience is True


def test_an_aid_with_a_line_too_many(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    image = case.picture(case.start, aug=True)
    image.paste((255, 0, 48), (95, 0, 97, 256))
    found = aid(case, image)
    assert (found.aid.lines, found.aid.stray) == (1, 1)
    assert (found.aid.complete, found.passes) == (False, False)
    assert found.result.rule_obedience is False


def test_an_aid_with_a_label_too_many(tmp_path: Path) -> None:
    """Sokoban's walls have no coordinates; that of the cell above is written again on one."""
    case = Case("sokoban", tmp_path)
    opened = case.state("######\n#@-$.#\n#----#\n###-##")
    image = case.picture(case.start, aug=True)
    image.paste(case.picture(opened, aug=True).crop((194, 194, 254, 254)), (194, 194))
    found = aid(case, image)
    assert found.aid.added == 1
    assert (found.aid.complete, found.passes) == (False, False)
    assert found.result.rule_obedience is False


def test_an_aid_that_is_whole_on_another_board_does_not_pass(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    other = case.state("#####\n#S.G#\n#...#\n#####")
    found = aid(case, case.picture(other, aug=True))
    assert (found.aid.complete, found.aid.preserved, found.passes) == (True, False, False)


def test_an_aid_with_a_label_that_can_not_be_read_is_left_open(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    image = case.picture(case.start, aug=True)
    ink = np.random.default_rng(3).integers(0, 2, (8, 20, 1), np.uint8) * 220
    image.paste(Image.fromarray(ink.repeat(2, 0).repeat(2, 1).repeat(3, 2)), (140, 88))
    found = aid(case, image)
    assert (found.aid.unclear, found.aid.wrong, found.aid.missing) == (1, 0, 0)
    assert (found.aid.complete, found.aid.preserved, found.passes) == (None, True, None)
