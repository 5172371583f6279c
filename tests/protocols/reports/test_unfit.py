"""Verdicts whose `measured` nobody but a hand, or another version, has written."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cli.report import report
from oracle.page.verdicts import Verdicts
from protocols.measures.record import DrawnAid, DrawnSolution, Frame, Frames
from protocols.reports.columns import unpacked
from protocols.reports.rows import load
from tests.oracle.watching import MAZE, judged
from tests.protocols.reports.measures import aid, drawn, frames
from tests.protocols.reports.verdicts import rows_of, verdict, written

HUGE = 10**400


def changed(said: dict[str, Any], part: str, **fields: Any) -> dict[str, Any]:
    return {**said, part: {**said[part], **fields}}


def nested(depth: int) -> Any:
    return {"drawing": nested(depth - 1)} if depth else None


HOSTILE: dict[str, tuple[Any, str]] = {
    "another field": (changed(drawn(True), "drawing", colour="red"), "drawing.colour: Extra"),
    "a field is missing": ({"drawing": {"image": "a.png"}}, "drawing.reason: Field required"),
    "no text": (changed(drawn(True), "drawing", image=5), "drawing.image: Input should be"),
    "a reason of one's own": (
        changed(drawn(True), "drawing", reason="<script>alert(1)</script>"),
        "drawing.reason: String should match",
    ),
    "a number beyond all": (changed(aid(), "aid", labels=HUGE), "aid.labels: Input should be less"),
    "a negative number": (changed(aid(), "aid", stray=-1), "aid.stray: Input should be greater"),
    "no number": (
        changed(aid(), "aid", correlation=float("inf")),
        "aid.correlation: Input should be a finite number",
    ),
    "a picture that no video has": (
        changed(frames("x"), "frames", frames=[{"image": "a.mp4", "at": HUGE}]),
        "frames.frames.0.at: Input should be less",
    ),
    "a list": (changed(frames("x"), "frames", frames={"0": 1}), "frames.frames: Input should be"),
    "a mark above all": ({"process": {"visual_quality": 1e9}}, "process.visual_quality: Input"),
    "a pass that is a word": ({"pass": "yes"}, "pass: Input should be a valid boolean"),
    "deep": (nested(300), "drawing.image: Field required"),
    "a name that steers a terminal": ({"\x1b[31m": 1}, r"measured.\x1b[31m: Extra"),
    "a long name": ({"x" * 10_000: 1}, "xxx: Extra inputs"),
}


@pytest.mark.parametrize(("said", "why"), HOSTILE.values(), ids=HOSTILE)
def test_it_is_left_out_and_the_first_is_named(said: Any, why: str, tmp_path: Path) -> None:
    lines = [verdict(0, True, measured=drawn(True)), verdict(1, True, measured=said)]
    path = written(tmp_path / "v.jsonl", [*lines, verdict(2, False, measured=said)])
    rows = load([path])
    sentence = rows.attrs["unfit"]
    assert f"is not ours: 2, the first in {path} line 2 (measured." in sentence
    assert why in sentence
    assert len(sentence) < 400 + len(str(path))
    assert rows["feasible"].tolist() == [True, True, False]
    assert "shape" in unpacked(rows["measured"][1])["problem"]
    assert unpacked(rows["measured"][0])["drawing"]["feasible"] is True


def test_reports_and_pages_say_so(tmp_path: Path) -> None:
    solved = {"instance": MAZE.model_dump(mode="json"), "response": MAZE.answer}
    path = judged(tmp_path, [{**solved, "model": name} for name in HOSTILE])
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    written(path, [row | {"measured": HOSTILE[row["model"]][0]} for row in rows])
    app = typer.Typer()
    app.command()(report)
    done = CliRunner().invoke(app, [str(path), "-o", str(tmp_path / "out")])
    assert (done.exit_code, done.exception) == (0, None)
    sentence = (
        f"what is measured of pictures is left out where its shape is not ours: {len(rows)}, the "
        f"first in {path} line 1 (measured.drawing.colour: Extra inputs are not permitted)"
    )
    assert done.stderr.splitlines() == [sentence]
    assert sentence in (tmp_path / "out" / "report.html").read_text()
    page = Verdicts([path], [], lambda read: None)
    for at, (_, why) in enumerate(HOSTILE.values()):
        assert why in page.episode(at, str)["episode"]["read"]


def test_what_we_write_is_all_read(tmp_path: Path) -> None:
    said = [drawn(True), drawn(None), aid(), frames("x.?-")]
    rows = rows_of(tmp_path, [verdict(at, True, measured=one) for at, one in enumerate(said)])
    assert rows.attrs["unfit"] == ""
    kept = [unpacked(one) for one in rows["measured"]]
    assert kept == json.loads(json.dumps(said))
    shapes = {"drawing": DrawnSolution, "aid": DrawnAid, "frames": Frames}
    held = {part: set(one[part]) for one in kept for part in shapes if one[part]}
    assert held == {part: set(shape.model_fields) for part, shape in shapes.items()}
    assert set(kept[3]["frames"]["frames"][0]) == set(Frame.model_fields)
