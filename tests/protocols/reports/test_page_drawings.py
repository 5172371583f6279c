"""What the page of a report shows of the pictures in answers."""

import base64
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from puzzles import family
from tests.protocols.reports.pages import MAZE, report, said


def test_drawings_are_embedded_linked_or_said_to_be_missing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    noise = np.random.default_rng(1).integers(0, 256, (600, 900, 3), np.uint8)
    Image.fromarray(noise).save(folder / "a%20b #1.png")
    (folder / "broken.png").write_bytes(b"no picture")
    secret = tmp_path / "secret.png"
    Image.new("RGB", (9, 9)).save(secret)
    names = ["a%20b #1.png", "broken.png", "../secret.png", str(secret)]
    answer = said("<ANSWER_JSON>[]</ANSWER_JSON>", protocol="self-gta", images=names)
    (episode,) = report(folder, [answer]).episodes
    first, *others = episode["drawings"]
    data = base64.b64decode(first["src"].removeprefix("data:image/webp;base64,"))
    assert Image.open(BytesIO(data)).size == (320, 213)
    assert first["href"] == "a%2520b%20%231.png"
    assert [set(one) for one in others] == [{"problem"}] * 3
    page = report(folder, [answer | {"images": ["a%20b #1.png", "missing.png"]}], budget=6000)
    assert page.episodes[0]["drawings"] == [
        {"src": "a%2520b%20%231.png", "href": "a%2520b%20%231.png"},
        {"problem": "the picture is not there"},
    ]
    assert "not in this page: 1." in page.words


def test_what_was_read_stands_beside_each_drawing(tmp_path: Path) -> None:
    room, start = family("maze"), family("maze").parse(str(MAZE["board"]), {})
    true = room.draw_solution(start, ["right", "right"], 64)
    Image.fromarray(true.palette[true.pixels]).save(tmp_path / "a.png")
    answer = said('<ANSWER_JSON>["right"]</ANSWER_JSON>', protocol="self-vr", images=["a.png"])
    (episode,) = report(tmp_path, [answer], images=True).episodes
    reading = {"tone": "good", "said": "solves the board, optimally: right, right"}
    assert [one["reading"] for one in episode["drawings"]] == [reading]


def test_pictures_of_states_are_shown_step_by_step(tmp_path: Path) -> None:
    pytest.importorskip("av", reason="needs the extra video")
    from tests.render.test_video import film

    room, state = family("maze"), family("maze").parse(str(MAZE["board"]), {})
    states = [state, room.apply(state, "right")]
    drawn = [room.draw(one, 64) for one in [*states, room.apply(states[1], "right")]]
    still = [one.palette[one.pixels] for one in drawn for _ in range(5)]
    (tmp_path / "a.mp4").write_bytes(film(still))
    for at in (5, 10):
        Image.fromarray(still[at]).save(tmp_path / f"{at}.png")
    answer = said('<ANSWER_JSON>["right","right"]</ANSWER_JSON>', images=["a.mp4"])
    (episode,) = report(tmp_path, [answer], images=True).episodes
    assert "drawings" not in episode
    assert [one["reading"]["said"] for one in episode["frames"]] == ["the true state"] * 2
    assert len({one["src"] for one in episode["frames"]}) == 2
    assert {one["href"] for one in episode["frames"]} == {"a.mp4"}
    (episode,) = report(tmp_path, [answer | {"images": ["5.png", "10.png"]}], images=True).episodes
    assert [one["href"] for one in episode["frames"]] == ["5.png", "10.png"]
    assert [one["reading"]["said"] for one in episode["frames"]] == ["the true state"] * 2
