"""The replay: verdicts found, and their answers played as the judge has played them."""

import json
import time
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from oracle.errors import Refused
from oracle.page.loading import Loading, StillReading
from protocols.aids import Aids
from protocols.episode import Episode
from protocols.models.players import player
from puzzles import NAMES, Instance, family, make
from puzzles.replay import initial
from tests.oracle.watching import MAZE, client, judged, page, written

PROTOCOLS = ("text-cot", "self-gta", "self-vcot")
WALL = '<ANSWER_JSON>["right","up","right"]</ANSWER_JSON>'


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every request wait for the files to be read, on a machine that is busy too."""
    monkeypatch.setattr("oracle.page.loading._PATIENCE", 60.0)


def said(response: str, **fields: Any) -> dict[str, Any]:
    inline = MAZE.model_dump(mode="json")
    return {"response": response, "model": "m", "protocol": "direct", "instance": inline, **fields}


def played(instance: Instance, protocol: str, folder: Path) -> dict[str, Any]:
    """Return the answer of a player that errs, its drawings in files."""
    episode = Episode(instance, protocol, Aids(cell=24))
    while episode.request is not None:
        episode.take(player("noisy:0.3").reply(episode))
    names = []
    for at, drawing in enumerate(episode.play.drawings):
        names.append(f"{instance.id}-{protocol}-{at}.png")
        (folder / names[-1]).write_bytes(drawing)
    inline = instance.model_dump(mode="json")
    return {**episode.answer(names), "model": "noisy", "instance": inline}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("answers")
    lines = [
        played(instance, protocol, folder)
        for name in NAMES
        for instance in make(name, "easy", 2)
        for protocol in PROTOCOLS
    ]
    return judged(folder, lines)


@pytest.fixture(scope="module")
def replay(verdicts: Path, tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return client(page(tmp_path_factory.mktemp("page"), verdicts=[verdicts]))


def boards(shown: dict[str, Any]) -> list[str]:
    """Return the frames of a film as text."""
    film, characters = shown["episode"]["film"], shown["sheet"]["characters"]
    glyphs, frames = list(film["board"]), []
    for changes in [[], *film["changes"]]:
        for at, glyph in zip(changes[::2], changes[1::2], strict=True):
            glyphs[at] = glyph
        text = "".join(characters[glyph] for glyph in glyphs)
        width = film["columns"]
        frames.append("\n".join(text[k : k + width] for k in range(0, len(text), width)))
    return frames


def test_every_verdict_is_listed_and_opens(replay: TestClient, verdicts: Path) -> None:
    rows = [json.loads(line) for line in verdicts.read_text().splitlines()]
    lines = (verdicts.parent / "answers.jsonl").read_text().splitlines()
    listed = replay.get("/page/replay").json()
    assert listed["all"] == listed["total"] == len(rows) == len(NAMES) * 2 * len(PROTOCOLS)
    assert [row["line"] for row in listed["rows"]] == list(range(1, len(rows) + 1))
    for row, verdict, line in zip(listed["rows"], rows, lines, strict=True):
        assert (row["file"], row["id"], row["reason"]) == (1, verdict["id"], verdict["reason"])
        shown = replay.get(f"/page/replay/1/{row['line']}").json()
        assert shown["row"] == row
        instance = Instance.model_validate(json.loads(line)["instance"])
        room, state = family(instance.family), initial(instance)
        frames = boards(shown)
        assert frames[0] == room.format(state)
        # One frame for the start, one after each legal action; an illegal one follows them.
        assert len(frames) == verdict["legal_moves"] + 1 or not room.counts_actions
        if verdict["at"] is not None and room.counts_actions:
            assert len(shown["episode"]["actions"]) > verdict["at"]
            assert shown["episode"]["detail"] == verdict["detail"]


def test_filters_find_the_failures(replay: TestClient, verdicts: Path) -> None:
    rows = [json.loads(line) for line in verdicts.read_text().splitlines()]
    failed = [row for row in rows if not row["feasible"]]
    assert 0 < len(failed) < len(rows)
    found = replay.get("/page/replay?outcome=failed").json()
    assert found["total"] == len(failed)
    assert {row["outcome"] for row in found["rows"]} == {"failed"}
    counts = dict(map(tuple, found["counts"]["outcome"]))
    assert counts["failed"] == len(failed)
    assert sum(counts.values()) == len(rows)
    some = failed[0]
    query = f"family={some['family']}&protocol={some['protocol']}&reason={some['reason']}"
    found = replay.get(f"/page/replay?{query}").json()["rows"]
    assert some["line"] in [row["line"] for row in found]
    found = replay.get(f"/page/replay?id={some['id'][-6:]}").json()
    assert {row["id"] for row in found["rows"]} == {some["id"]}


def test_the_first_illegal_action_comes_with_its_sentence(tmp_path: Path) -> None:
    verdicts = judged(tmp_path / "a", [said(f"I think so.\n{WALL} Done.")])
    shown = client(page(tmp_path, verdicts=[verdicts])).get("/page/replay/1/1").json()
    assert shown["row"]["reason"] == "hits_wall"
    assert (shown["row"]["at"], shown["row"]["outcome"]) == (1, "failed")
    assert boards(shown) == ["#####\n#S.G#\n#...#\n#####", "#####\n#.SG#\n#...#\n#####"]
    assert shown["episode"]["actions"] == ["right", "up", "right"]
    assert "wall" in shown["episode"]["detail"]
    assert shown["episode"]["text"] == ["I think so.\n", WALL, " Done."]


def test_rounds_come_with_reply_probe_and_drawing(replay: TestClient) -> None:
    row = replay.get("/page/replay?protocol=self-vcot").json()["rows"][0]
    episode = replay.get(f"/page/replay/1/{row['line']}").json()["episode"]
    assert len(episode["rounds"]) == row["rounds"]
    assert "<STEP_JSON>" in episode["rounds"][0]["reply"]
    assert "<answer>" in episode["rounds"][0]["probe"]
    drawn = next(one for one in episode["frames"] if one)
    reply = replay.get(drawn["src"])
    assert reply.headers["content-type"] == "image/png"
    with Image.open(BytesIO(reply.content)) as image:
        assert image.width >= 100


def test_two_files_and_a_link_to_each(tmp_path: Path) -> None:
    one = judged(tmp_path / "one", [said("a"), said(WALL, run=2)])
    two = judged(tmp_path / "two", [said("b", model="other")])
    replay = client(page(tmp_path, verdicts=[one, two]))
    assert replay.get("/page/replay").json()["total"] == 3
    assert replay.get("/page/replay/2/1").json()["row"]["model"] == "other"
    assert replay.get("/page/replay/2/1").json()["episode"]["text"][0] == "b"
    assert replay.get("/page/replay/1/2").json()["row"]["reason"] == "hits_wall"
    for place in ("1/3", "2/2", "3/1", "0/1", "1/0", "-1/1"):
        reply = replay.get(f"/page/replay/{place}")
        assert reply.status_code == 404
        file, line = place.split("/")
        assert reply.json() == {"error": f"there is no verdict in line {line} of file {file}"}


def test_lines_without_a_verdict_open_too(tmp_path: Path) -> None:
    verdicts = judged(tmp_path / "a", [said("x"), {"id": "nobody", "response": "x"}])
    replay = client(page(tmp_path, verdicts=[verdicts]))
    row = replay.get("/page/replay?outcome=not judged").json()["rows"][0]
    assert (row["line"], row["outcome"]) == (2, "not judged")
    assert "unknown id nobody" in replay.get("/page/replay/1/2").json()["episode"]["error"]


def test_a_text_that_is_none_is_shown_all_the_same(tmp_path: Path) -> None:
    line = said("\ud800 [", protocol="self-gta", images=["\ud800.png"])
    replay = client(page(tmp_path, verdicts=[judged(tmp_path / "a", [line])]))
    reply = replay.get("/page/replay/1/1")
    assert reply.status_code == 200
    assert "".join(reply.json()["episode"]["text"]) == "? ["


def test_verdicts_without_answers_say_so(tmp_path: Path) -> None:
    verdicts = judged(tmp_path / "a", [said(WALL)])
    (tmp_path / "a" / "answers.jsonl").unlink()
    shown = client(page(tmp_path, verdicts=[verdicts])).get("/page/replay/1/1").json()
    assert shown["episode"]["problem"] == "The answer of this verdict is not at hand."
    assert shown["sheet"] is None


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "other.png", "", "a\0.png"])
def test_only_pictures_that_the_answer_names_are_sent(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "a"
    line = said("x", protocol="self-gta", images=["../secret.png", "a\0.png", "gone.png"])
    verdicts = judged(folder, [line])
    picture = BytesIO()
    Image.new("RGB", (8, 8)).save(picture, "PNG")
    for place in (tmp_path / "secret.png", folder / "other.png"):
        place.write_bytes(picture.getvalue())
    replay = client(page(tmp_path, verdicts=[verdicts]))
    reply = replay.get("/page/replay/1/1/picture", params={"name": name})
    assert reply.status_code == 404
    assert set(reply.json()) == {"error"}


def test_a_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    verdicts = judged(folder, [said("x", protocol="self-gta", images=["a.png"])])
    (folder / "a.png").write_text("no picture")
    replay = client(page(tmp_path, verdicts=[verdicts]))
    reply = replay.get("/page/replay/1/1/picture?name=a.png")
    assert reply.status_code == 422
    assert reply.json()["error"].startswith("the picture can't be shown: ")


def test_new_verdicts_are_read_when_they_come(tmp_path: Path) -> None:
    verdicts = judged(tmp_path / "a", [said("x")])
    replay = client(page(tmp_path, verdicts=[verdicts]))
    assert replay.get("/page/replay").json()["total"] == 1
    judged(tmp_path / "a", [said("x"), said(WALL, run=2)])
    assert replay.get("/page/replay").json()["total"] == 2


@pytest.mark.parametrize("content", [None, "", "{}\n", "no json\n"])
def test_files_that_hold_no_verdicts_are_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "verdicts.jsonl"
    if content is not None:
        path.write_text(content)
    reply = client(page(tmp_path, verdicts=[path])).get("/page/replay")
    assert reply.status_code == 422
    assert str(path) in reply.json()["error"]


def test_while_files_are_read_the_page_is_told_how_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oracle.page.loading._PATIENCE", 0.01)
    (tmp_path / "a").write_text("x" * 100)
    going, done = Event(), Event()

    def read(files: Any, told: Any) -> str:
        told(25)
        going.set()
        assert done.wait(10)
        return f"{len(files)} file"

    loading = Loading(lambda: [tmp_path / "a"], read)
    assert loading.get() in (0.0, 0.25)
    assert going.wait(10)
    assert loading.get() == 0.25
    monkeypatch.setattr("oracle.page.loading._LONG", 0.01)
    with pytest.raises(StillReading, match="still being read"):
        loading.whole()
    done.set()
    end = time.monotonic() + 10
    while loading.get() == 0.25:
        assert time.monotonic() < end
    assert loading.get() == loading.whole() == "1 file"


def test_what_can_not_be_read_is_tried_again_once_it_has_changed(tmp_path: Path) -> None:
    tried = []

    def read(files: Any, told: Any) -> str:
        tried.append(files[0].read_text())
        if tried[-1] == "bad":
            raise ValueError("line 1 is bad")
        return tried[-1]

    place = tmp_path / "a"
    place.write_text("bad")
    loading = Loading(lambda: [place], read)
    for _ in range(2):
        with pytest.raises(Refused, match="line 1 is bad"):
            loading.get()
    place.write_text("good")
    assert loading.get() == "good"
    assert tried == ["bad", "good"]


def test_boards_are_found_in_the_data_when_no_answer_holds_them(tmp_path: Path) -> None:
    data = written(tmp_path / "data", [MAZE])
    line = {"id": MAZE.id, "model": "m", "protocol": "direct", "response": MAZE.answer}
    verdicts = judged(tmp_path / "far" / "answers", [line], [data])
    served = client(page(tmp_path / "page", data=[data], verdicts=[verdicts]))
    assert boards(served.get("/page/replay/1/1").json())[0] == MAZE.board
