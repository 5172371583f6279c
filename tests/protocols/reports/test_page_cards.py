"""The cards and the plots at the top of the page of a report."""

import re
from pathlib import Path

import pytest

from protocols.reports.page import write
from protocols.reports.page.plots import plots
from protocols.reports.rows import load
from tests.protocols.reports.measures import drawn, measured
from tests.protocols.reports.pages import report, said
from tests.protocols.reports.verdicts import rows_of, verdict


def test_the_plots_say_what_the_verdicts_say(tmp_path: Path) -> None:
    moves = {"right": '["right","right"]', "wall": '["right","up"]', "short": '["right"]'}
    lines = [
        said(f"<ANSWER_JSON>{moves[how]}</ANSWER_JSON>", id=str(at), protocol="text-cot", model="m")
        for at, how in enumerate(["right", "right", "wall", "short"])
    ] + [said("none", id="4", protocol="text-cot", model="m")]
    report(tmp_path, lines)
    ((model, figures),) = plots(load([tmp_path / "verdicts.jsonl"]))
    difficulty, length, step = figures
    assert model == "m"
    assert "text-cot, maze, easy: optimal 40% (" in difficulty.svg
    assert "text-cot, maze, 2 steps: 40% (" in length.svg
    titles = re.findall(r"<title>(.*?)</title>", step.svg)
    assert sorted(titles) == [
        "text-cot, end, unsolved: 20.0%",
        "text-cot, none, no_answer: 20.0%",
        "text-cot, step 2, hits_wall: 20.0%",
    ]
    assert ">60% fail<" in step.svg


@pytest.mark.parametrize(
    ("solved", "note"),
    [
        (("direct",), "direct solves most optimally; text-cot 0%"),
        (("text-cot",), "text-cot solves most optimally"),
        (("direct", "text-cot"), "direct, text-cot alike"),
        ((), "all protocols alike"),
    ],
)
def test_no_protocol_is_called_the_best_of_equals(
    tmp_path: Path, solved: tuple[str, ...], note: str
) -> None:
    right = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    page = report(
        tmp_path,
        [
            said(right if name in solved else "none", protocol=name, model="m")
            for name in ("direct", "text-cot", "oracle-gta")
        ],
    )
    assert note in page.words
    assert page.words.count("solves most") == (len(solved) == 1)


def card(folder: Path, solved: dict[str, str]) -> tuple[str, str]:
    """The card of a model; for each protocol, which instances it has solved (1) and not (0)."""
    made = [
        verdict(at, digit == "1", protocol=protocol)
        for protocol, digits in solved.items()
        for at, digit in enumerate(digits)
        if digit != "-"
    ]
    write(rows_of(folder, made), [], None, folder / "report.html")
    text = (folder / "report.html").read_text("utf-8")
    found = re.search("<dt>m</dt><dd>(.*?)</dd><dd class=.note.>(.*?)</dd>", text)
    assert found is not None
    return found[1], found[2]


@pytest.mark.parametrize(
    ("solved", "value", "note"),
    [
        ({"direct": "1100", "text-cot": "1000"}, "50%",
         "direct solves most optimally; text-cot 25%"),
        ({"direct": "1110", "text-cot": "0111"}, "75%",
         "all protocols alike"),
        ({"direct": "11--", "text-cot": "1000", "oracle-gta": "1100"}, "50%",
         "oracle-gta solves most optimally; text-cot 25%"),
        ({"direct": "11--", "text-cot": "1000"}, "25%",
         "text-cot; no other protocol has as many instances"),
        ({"direct": "--11", "text-cot": "01--"}, "100%",
         "direct; no other protocol has as many instances"),
    ],
)  # fmt: skip
def test_the_best_protocol_is_one_of_those_put_to_the_same_instances(
    tmp_path: Path, solved: dict[str, str], value: str, note: str
) -> None:
    assert card(tmp_path, solved) == (value, note)


def test_pictures_that_were_measured_have_a_card(tmp_path: Path) -> None:
    said = [drawn(True), drawn(True), drawn(False), measured(problem="no picture"), None]
    made = [verdict(at, False, measured=one) for at, one in enumerate(said)]
    write(rows_of(tmp_path, made), [], None, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    note = "2 right, 1 wrong, 1 unclear"
    assert f'<dt>pictures right</dt><dd>50%</dd><dd class="note">{note}</dd>' in text
    write(rows_of(tmp_path, made[-1:]), [], None, tmp_path / "report.html")
    assert "pictures right" not in (tmp_path / "report.html").read_text("utf-8")


def test_lines_that_coincide_are_drawn_side_by_side(tmp_path: Path) -> None:
    names = ("direct", "text-cot", "oracle-gta")
    made = [
        verdict(at, at < 8 or name == "direct", protocol=name, optimal_length=1 + at % 2 * 3)
        for name in names
        for at in range(16)
    ]
    ((_, (_, length, _)),) = plots(rows_of(tmp_path, made))
    found = re.findall('<polyline points="([^"]*)" class="curve"', length.svg)
    curves = [[tuple(map(float, point.split(","))) for point in line.split()] for line in found]
    assert [x for x, _ in curves[0]] == [x for x, _ in curves[1]] == [x for x, _ in curves[2]]
    assert [y for _, y in curves[0]] == [34, 34]
    assert [y for _, y in curves[1]] == [112, 112]
    assert [y for _, y in curves[2]] == [116, 116]


def test_what_has_no_verdict_is_a_drawing_or_broken(tmp_path: Path) -> None:
    none = {"feasible": None, "optimal": None, "reason": None}
    made = [verdict(at, protocol="draw-true", **none) for at in range(3)]
    rows = rows_of(tmp_path, [verdict(0, True), *made, verdict(9, error="broken")])
    write(rows, [], None, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert ">1 without a verdict, 3 that are drawings<" in text
