"""What stands beside a drawing on the page: that which was read in it, in a few words."""

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from protocols.measures.record import DrawnAid, Frame, Frames, Trouble
from protocols.reports.page.drawings import Drawings
from protocols.reports.page.readings import Readings
from protocols.reports.sources import Sources
from tests.protocols.reports.measures import aid, drawn, frames, measured

WORDS = '<ANSWER_JSON>["up","left"]</ANSWER_JSON>'


def only(said: dict[str, Any], name: str = "a.png", family: str = "maze") -> dict[str, str]:
    return Readings(said, family).of(name)["reading"]


def frame(**fields: Any) -> dict[str, str]:
    one = Frames(reason="unsolved", drift=1, frames=[Frame(image="a.png", **fields)])
    return only(measured(frames=one.model_copy(update={"drift_detail": "a wall is new"})))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (drawn(True, answer=WORDS), ("good", "solves the board, optimally: up, left", None)),
        (
            drawn(True, optimal=False, answer=WORDS),
            ("good", "solves the board, not optimally: up, left", None),
        ),
        (
            drawn(False, reason="hits_wall", answer=WORDS, detail="up runs into a wall"),
            ("bad", "hits wall: up, left", "up runs into a wall"),
        ),
        (drawn(False, detail="broken at (1,2)"), ("bad", "The line is broken", "broken at (1,2)")),
        (
            drawn(None, reason="uncertain", detail="faint"),
            ("open", "What is drawn can't be told for certain", "faint"),
        ),
        (aid(complete=True), ("good", "lines 100%, labels 100 of 100, board kept", None)),
        (
            aid(complete=False, lines=0.999, stray=2, right=9, added=1, changed=1, preserved=False),
            ("bad", "lines 99% and 2 stray, labels 9 of 100 and 1 more, board changed in 1 cell",
             None),
        ),
        (
            aid(right=90, unclear=10, complete=None),
            ("open", "lines 100%, labels 90 of 100, 10 can't be told, board kept", None),
        ),
        (
            measured(aid=DrawnAid(image="a.png", reason=Trouble.NO_FILE, detail="it is not there")),
            ("open", "can't be looked at", "it is not there"),
        ),
    ],
)  # fmt: skip
def test_drawings_and_aids_in_words(said: Any, expected: tuple[str, str, str | None]) -> None:
    found = only(said)
    assert (found["tone"], found["said"], found.get("detail")) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"exact": True, "fidelity": 1.0}, ("good", "the true state")),
        ({"exact": False, "fidelity": 0.996}, ("bad", "99% of the cells true")),
        (
            {"exact": None, "fidelity": 0.9, "reason": "unclear"},
            ("open", "What stands in some cells can't be told"),
        ),
        ({"exact": False, "reason": "no_board"}, ("bad", "no state of the board")),
        ({"exact": False}, ("bad", "no such step")),
        ({"legal": True}, ("good", "one legal action on")),
        ({"legal": False}, ("bad", "no legal action leads here")),
    ],
)
def test_frames_in_words(fields: dict[str, Any], expected: tuple[str, str]) -> None:
    found = frame(**fields)
    assert (found["tone"], found["said"]) == expected


def test_what_a_frame_changes_is_said() -> None:
    assert frame(exact=False, fidelity=0.9)["detail"] == "a wall is new"
    changed = frame(exact=False, fidelity=0.9, background=False, detail="at (1,1)")
    assert changed["detail"] == "the board itself is changed; at (1,1)"
    assert len(frame(exact=False, fidelity=0.9, detail="x" * 999)["detail"]) == 300


def test_each_picture_has_its_own_reading() -> None:
    readings = Readings(frames("x.x"), "maze")
    tones = [readings.of(f"{at}.png")["reading"]["tone"] for at in (0, 1, 2)]
    assert tones == ["good", "bad", "good"]
    assert "reading" not in Readings(frames("-"), "maze").of(None)
    assert readings.of("other.png") == readings.of(None) == {}


def test_of_a_file_that_comes_again_the_readings_come_in_turn() -> None:
    said = frames("x.")
    for one in said["frames"]["frames"]:
        one["image"] = "same.png"
    readings = Readings(said, "maze")
    assert [readings.of("same.png")["reading"]["tone"] for _ in range(3)] == ["good", "bad", "bad"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (drawn(True, agrees=True), "Text and drawing agree."),
        (drawn(False), ""),
        (measured(problem="it is not a list of names"), "The pictures: it is not a list of names."),
        (
            frames("x.x", reason="illegal_change", detail="frame 2: a wall is new", agrees=False),
            "The frames by themselves: illegal change, frame 2: a wall is new. 2 of 3 show the "
            "true state; the first that does not is 2. Text and frames disagree.",
        ),
        (
            frames("xx", expected=4, detail="the frames lead to the goal"),
            "The frames by themselves: solved, the frames lead to the goal. 2 of 2 show the true "
            "state, 4 are expected.",
        ),
        (frames("", expected=2), ""),
        (None, ""),
    ],
)
def test_all_pictures_together(said: Any, expected: str) -> None:
    assert Readings(said, "maze").whole == expected


@pytest.mark.parametrize("said", [None, {}, measured()])
def test_without_a_reading_there_is_none(said: Any) -> None:
    assert Readings(said, "maze").of("a.png") == {}


def test_an_answer_of_no_known_family_is_as_it_was_written() -> None:
    assert only(drawn(False, answer="A,B"), family="chess")["said"] == "The line is broken: A,B"


COLOURS = [(230, 20, 20), (20, 200, 30), (30, 40, 220)]


def shown(src: str) -> Any:
    """Return the colour of an embedded picture."""
    data = base64.b64decode(src.removeprefix("data:image/webp;base64,"))
    return np.asarray(Image.open(BytesIO(data)).convert("RGB")).mean(axis=(0, 1))


def test_the_pictures_of_a_video_stand_beside_the_steps(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="needs the extra video")
    from tests.render.test_video import film, plain

    pictures = [np.full((32, 32, 3), colour, np.uint8) for colour in COLOURS for _ in range(4)]
    (tmp_path / "a.mp4").write_bytes(film(pictures))
    (tmp_path / "answers.jsonl").touch()
    drawings = Drawings(_sources(tmp_path), tmp_path / "report.html", 100_000)
    for order in ((0, 5, 11), (11, 0)):
        for at in order:
            found = drawings.record(0, "a.mp4", at)
            assert found["href"] == "a.mp4"
            assert np.abs(shown(found["src"]) - COLOURS[at // 4]).max() < 20
    last = drawings.record(0, "a.mp4")
    assert np.abs(shown(last["src"]) - COLOURS[2]).max() < 20
    assert drawings.record(0, "a.mp4", 12) == {"problem": "the video has no such picture"}
    full = Drawings(_sources(tmp_path), tmp_path / "report.html", 1)
    assert full.record(0, "a.mp4", 0) == {"problem": "a video", "href": "a.mp4"}
    (tmp_path / "b.mp4").write_bytes(film([plain(COLOURS[0])])[:99])
    assert "damaged" in drawings.record(0, "b.mp4", 0)["problem"]


def _sources(folder: Path) -> Sources:
    return Sources.beside([folder / "verdicts.jsonl"])
