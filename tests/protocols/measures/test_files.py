"""The files that answers name: missing, elsewhere, too large, no pictures, videos."""

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from protocols.measures import Measured, measure
from puzzles.rooms import NAMES
from tests.protocols.measures.cases import ACTIONS, Case


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case("maze", tmp_path)


def bomb() -> bytes:
    """Return the head of a PNG of 60,000 by 60,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        code = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + code

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(100_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def file(case: Case, what: str) -> str:
    """Put a file that is no picture into the folder; return its name."""
    place = case.folder / f"{what}.png"
    if what == "bomb":
        place.write_bytes(bomb())
    elif what == "text":
        place.write_text("Here is the picture that you asked for.")
    elif what == "empty":
        place.touch()
    elif what == "half":
        case.picture(case.start).save(place)
        place.write_bytes(place.read_bytes()[:300])
    elif what == "huge":
        with place.open("wb") as out:
            out.truncate(65 << 20)
    elif what == "folder":
        place.mkdir()
    elif what == "outside":
        inside = case.folder / "inner"
        inside.mkdir()
        case.saved(case.solution(), "outside.png")
        return "../outside.png"
    elif what in ("link", "ring"):
        case.saved(case.solution(), "linked.png")
        inside = case.folder / "inner"
        inside.mkdir()
        (inside / place.name).symlink_to(place if what == "ring" else case.folder / "linked.png")
        if what == "ring":
            place.symlink_to(inside / place.name)
    elif what == "long":
        return "x" * 5000
    elif what == "nul":
        return "a\0b.png"
    elif what == "absolute":
        return str(case.folder / case.saved(case.solution(), "absolute.png"))
    elif what == "surrogate":
        return "\ud800.png"
    return place.name


KINDS = {
    "missing": "no_file",
    "folder": "no_file",
    "long": "no_file",
    "nul": "no_file",
    "surrogate": "no_file",
    "ring": "no_file",
    "outside": "outside",
    "link": "outside",
    "absolute": "outside",
    "bomb": "unusable",
    "text": "unusable",
    "empty": "unusable",
    "half": "unusable",
    "huge": "unusable",
}


@pytest.mark.parametrize("what", KINDS)
def test_a_file_that_gives_no_picture(what: str, case: Case) -> None:
    name = file(case, what)
    folder = case.folder / "inner" if what in ("outside", "link", "ring") else case.folder
    said = {"response": case.instance.answer, "images": [name]}
    drawn = measure(case.instance, {"protocol": "self-vr", **said}, folder)
    assert drawn.drawing
    assert drawn.drawing.reason == KINDS[what]
    assert drawn.drawing.detail.strip()
    assert drawn.drawing.feasible is None
    assert drawn.passes is None
    assert drawn.result is None
    assert drawn.rubric is None
    aid = measure(case.instance, {"protocol": "self-gta", **said}, folder).aid
    assert aid
    assert aid.reason == KINDS[what]
    assert aid.lines is None
    other = measure(case.instance, {"protocol": "mine", **said}, folder)
    assert other.problem == drawn.drawing.detail
    steps = [{"action": value, "image": name} for value in ACTIONS["maze"]]
    line = {"protocol": "self-vcot", "steps": steps, "images": [name]}
    frames = measure(case.instance, line, folder).frames
    assert frames
    assert [frame.reason for frame in frames.frames] == [KINDS[what]] * 2
    assert (frames.feasible, frames.drift, frames.agrees) == (None, None, None)
    assert all(frame.quality is None for frame in frames.frames)


def test_one_frame_is_missing(case: Case) -> None:
    frames = case.frames(["gone.png", case.picture(case.states[2])]).frames
    assert frames
    assert frames.frames[0].reason == "no_file"
    assert frames.frames[1].exact is True
    assert frames.frames[1].solved is True
    assert frames.reason == "unreadable"
    assert frames.detail == "frame 1: The file is not there."


@pytest.mark.parametrize("images", ["a.png", {"a": 1}, [1], ["a.png", None], 7])
def test_images_that_are_no_names(images: Any, case: Case) -> None:
    found = measure(case.instance, {"response": "", "images": images}, case.folder)
    assert found.problem == "images: it is not a list of names of files"


def test_an_instance_that_contradicts_itself(case: Case) -> None:
    wrong = case.instance.model_copy(update={"optimal_length": 5})
    name = case.saved(case.solution(), "d.png")
    found = measure(wrong, {"protocol": "draw-true", "images": [name]}, case.folder)
    assert found.problem
    assert "solved in 2" in found.problem
    assert found.drawing is None


def played(case: Case, states: list[Any], **options: Any) -> str:
    """Save the states as one moving picture; return its name."""
    first, *rest = [case.picture(state) for state in states]
    name = options.pop("name", "play.gif")
    first.save(case.folder / name, save_all=True, append_images=rest, duration=200, **options)
    return str(name)


def filmed(case: Case, pictures: list[Image.Image]) -> None:
    """Save a video in which each picture stays for half a second."""
    av = pytest.importorskip("av", reason="the extra video is not installed")
    with av.open(str(case.folder / "play.mp4"), "w") as out:
        stream = out.add_stream("mpeg4", rate=8)
        stream.width, stream.height, stream.pix_fmt = 320, 256, "yuv420p"
        stream.bit_rate = 4_000_000
        for picture in pictures:
            for _ in range(4):
                frame = av.VideoFrame.from_ndarray(np.asarray(picture), format="rgb24")
                out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


@pytest.mark.parametrize("name", NAMES)
def test_an_animation_is_a_frame_for_each_state(name: str, tmp_path: Path) -> None:
    case = Case(name, tmp_path)
    options: dict[str, Any] = {"name": "play.webp", "lossless": True}
    image = played(case, [case.start, case.start, *case.states[1:], case.states[-1]], **options)
    line = {"protocol": "video", "response": case.instance.answer, "images": [image]}
    found = measure(case.instance, line, tmp_path)
    frames = found.frames
    assert frames
    assert frames.video
    assert frames.exact == frames.expected == len(case.actions)
    assert frames.agrees is True
    assert frames.optimal is True
    assert found.passes is True
    assert [frame.at for frame in frames.frames] == sorted(frame.at or 0 for frame in frames.frames)


def test_a_gif_that_goes_another_way_than_its_text(case: Case) -> None:
    below = case.state("#####\n#..G#\n#S#.#\n#####")
    image = played(case, [case.start, below, case.start, *case.states[1:]])
    line = {"response": case.instance.answer, "images": [image]}
    frames = measure(case.instance, line, case.folder).frames
    assert frames
    assert (frames.expected, frames.drift, frames.agrees) == (2, 1, False)
    assert (frames.feasible, frames.optimal, len(frames.frames)) == (True, False, 4)


def test_what_is_on_its_way_is_no_frame(case: Case) -> None:
    """A crossfade has pictures with two pale agents between the states."""
    pictures: list[Image.Image] = []
    for one, other in zip(case.states, case.states[1:], strict=False):
        a, b = (np.asarray(case.picture(state), float) for state in (one, other))
        pictures += [Image.fromarray(a.astype(np.uint8))] * 4
        pictures += [Image.fromarray((a + (b - a) * t).astype(np.uint8)) for t in (0.4, 0.6)]
    pictures += [case.picture(case.states[-1])] * 4
    first, *rest = pictures
    first.save(case.folder / "fade.webp", save_all=True, append_images=rest, lossless=True)
    line = {"response": case.instance.answer, "images": ["fade.webp"]}
    found: Measured = measure(case.instance, line, case.folder)
    assert found.frames
    assert found.frames.agrees is True
    assert len(found.frames.frames) == 2
    assert found.passes is True


def test_a_video_that_rests_on_a_blank_page(case: Case) -> None:
    pages = [Image.new("RGB", (320, 256), (level,) * 3) for level in (128, 127, 126, 125)]
    shown = [case.picture(case.start), *pages, case.picture(case.states[2])]
    first, *rest = shown
    first.save(case.folder / "b.webp", save_all=True, append_images=rest, lossless=True)
    line = {"response": case.instance.answer, "images": ["b.webp"]}
    frames = measure(case.instance, line, case.folder).frames
    assert frames
    assert [frame.reason for frame in frames.frames] == ["no_board", None]
    assert frames.feasible is False


def test_a_page_that_is_shown_once_is_not_passed_over(case: Case) -> None:
    """With nothing else in the video it can't be on the way from one state to the next."""
    page = Image.new("RGB", (320, 256), (128, 128, 128))
    first = case.picture(case.start)
    first.save(case.folder / "p.webp", save_all=True, append_images=[page], lossless=True)
    line = {"response": case.instance.answer, "images": ["p.webp"]}
    frames = measure(case.instance, line, case.folder).frames
    assert frames
    assert [frame.reason for frame in frames.frames] == ["no_board"]


def test_a_video_that_changes_without_end_shows_no_states(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocols.measures.shots.MOST_READ", 2)
    image = played(case, case.states)
    found = measure(case.instance, {"response": "", "images": [image]}, case.folder)
    assert found.problem == "the video changes more than 2 times"


def test_a_video_under_a_protocol_of_one_drawing_ends_with_it(case: Case) -> None:
    filmed(case, [case.picture(case.start), case.solution()])
    line = {"protocol": "self-vr", "response": case.instance.answer, "images": ["play.mp4"]}
    found = measure(case.instance, line, case.folder)
    assert found.drawing
    assert found.drawing.optimal is True


def test_an_animation_under_a_protocol_of_one_drawing_ends_with_it(case: Case) -> None:
    first, last = case.picture(case.start), case.solution()
    first.save(case.folder / "d.gif", save_all=True, append_images=[last])
    line = {"protocol": "self-vr", "response": case.instance.answer, "images": ["d.gif"]}
    found = measure(case.instance, line, case.folder)
    assert found.drawing
    assert found.drawing.optimal is True


def test_a_video_file(case: Case) -> None:
    filmed(case, [case.picture(state) for state in case.states])
    line = {"response": case.instance.answer, "images": ["play.mp4"]}
    found = measure(case.instance, line, case.folder)
    assert found.frames
    assert found.frames.video
    assert found.frames.agrees is True
    assert found.result
    assert found.result.visual_quality is True


def test_answers_with_hundreds_of_pictures_are_not_looked_at(case: Case) -> None:
    line = {"protocol": "mine", "response": case.instance.answer, "images": ["a.png"] * 601}
    found = measure(case.instance, line, case.folder)
    assert found.problem == "more than 600 pictures are not looked at"
    assert measure(case.instance, {**line, "images": ["a.png"] * 3}, case.folder).frames


@pytest.mark.parametrize("protocol", ["draw-true", "self-gta", "self-vcot", "direct", "mine"])
@pytest.mark.parametrize("images", [None, []])
def test_an_answer_without_pictures_has_nothing_to_be_measured(
    protocol: str, images: list[str] | None, case: Case
) -> None:
    line = {"protocol": protocol, "response": case.instance.answer, "images": images}
    assert measure(case.instance, line, case.folder) == Measured(problem="it names no picture")
