"""The gallery: what is found, what is drawn, and what isn't told before it is asked for."""

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from oracle.page.facets import Column, Facets
from puzzles import NAMES, family, make
from render.encode import image
from tests.oracle.watching import MAZE, another, client, page, written


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every request wait for the files to be read, on a machine that is busy too."""
    monkeypatch.setattr("oracle.page.loading._PATIENCE", 60.0)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two boards of every family, the easy and the hard ones in folders of their own."""
    folder = tmp_path_factory.mktemp("suite")
    for difficulty in ("easy", "hard"):
        boards = [one for name in NAMES for one in make(name, difficulty, 1)]
        written(folder / difficulty, boards)
    return folder


@pytest.fixture(scope="module")
def gallery(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    return client(page(tmp_path_factory.mktemp("page"), [suite]))


def test_choices_narrow_each_other_down_but_not_themselves() -> None:
    columns = {
        "colour": Column(np.array([0, 0, 1, 1, 1]), ["red", "blue"]),
        "shape": Column(np.array([0, 1, 0, 0, -1]), ["disc", "cube"]),
    }
    names = Column(np.arange(5), ["anna", "bert", "cleo", "dora", "Ed"])
    facets = Facets(columns, names)
    everything = facets.find({})
    assert everything.rows.tolist() == [0, 1, 2, 3, 4]
    assert everything.counts == {
        "colour": [("red", 2), ("blue", 3)],
        "shape": [("disc", 3), ("cube", 1)],
    }
    blue = facets.find({"colour": "blue"})
    assert blue.rows.tolist() == [2, 3, 4]
    assert blue.counts == {"colour": [("red", 2), ("blue", 3)], "shape": [("disc", 2)]}
    assert facets.find({"colour": "blue", "shape": "cube"}).counts == {
        "colour": [("red", 1), ("blue", 0)],
        "shape": [("disc", 2), ("cube", 0)],
    }
    assert facets.find({}, "E").rows.tolist() == [1, 2, 4]
    assert facets.find({"colour": "green"}).rows.tolist() == []
    assert facets.find({}).page(1, 2).tolist() == [2, 3]
    assert facets.find({}).page(9, 2).tolist() == []


def test_what_is_chosen_is_found(gallery: TestClient) -> None:
    everything = gallery.get("/page/gallery").json()
    assert everything["all"] == everything["total"] == len(NAMES) * 2
    assert everything["counts"]["family"] == [[name, 2] for name in NAMES]
    assert everything["counts"]["difficulty"] == [["easy", 6], ["hard", 6]]
    hard = gallery.get("/page/gallery?difficulty=hard").json()
    assert [one["family"] for one in hard["instances"]] == list(NAMES)
    assert {one["difficulty"] for one in hard["instances"]} == {"hard"}
    known = hard["instances"][3]["id"]
    found = gallery.get(f"/page/gallery?id={known[-9:].upper()}").json()
    assert [one["id"] for one in found["instances"]] == [known]
    assert gallery.get("/page/gallery?family=chess").json()["total"] == 0


def test_pages_hold_every_board_once(tmp_path: Path) -> None:
    boards = [another(k) for k in range(1, 101)]
    written(tmp_path / "a", boards[:70])
    written(tmp_path / "b", boards[50:])  # twenty of them are in both
    gallery = client(page(tmp_path, [tmp_path / "a", tmp_path / "b"]))
    first = gallery.get("/page/gallery").json()
    assert (first["total"], len(first["instances"])) == (100, first["size"])
    pages = [gallery.get(f"/page/gallery?page={k}").json()["instances"] for k in range(4)]
    assert [one["id"] for page in pages for one in page] == [one.id for one in boards]
    assert pages[3] == []
    last = boards[-1].id
    assert gallery.get(f"/page/gallery/instance?id={last}").json()["id"] == last


@pytest.mark.parametrize("grid", [False, True])
def test_a_board_is_drawn_as_its_family_draws_it(gallery: TestClient, grid: bool) -> None:
    for one in gallery.get("/page/gallery").json()["instances"]:
        room = family(one["family"])
        reply = gallery.get(f"/page/gallery/board.png?id={one['id']}&grid={grid}")
        assert reply.headers["content-type"] == "image/png"
        assert "max-age" in reply.headers["cache-control"]
        record = gallery.get(f"/page/gallery/details?id={one['id']}").json()
        state = room.parse(record["board"], record["rules"])
        with Image.open(BytesIO(reply.content)) as drawn:
            cell = drawn.width // len(record["board"].split("\n")[0])
            assert drawn.width <= 320
            true = image((room.draw_aid if grid else room.draw)(state, cell))
            assert drawn.convert("RGB").tobytes() == true.convert("RGB").tobytes()


def test_nothing_tells_the_length_before_the_details_are_opened(tmp_path: Path) -> None:
    hidden = MAZE.model_copy(update={"optimal_length": 7654321, "stats": {"walls": 7654321}})
    gallery = client(page(tmp_path, [written(tmp_path / "data", [hidden])]))
    for way in ("", f"/instance?id={MAZE.id}"):
        assert "7654321" not in gallery.get(f"/page/gallery{way}").text
    details = gallery.get(f"/page/gallery/details?id={MAZE.id}")
    assert details.json()["optimal_length"] == 7654321
    assert "ANSWER" not in details.text


def test_an_instance_comes_with_its_rules(gallery: TestClient) -> None:
    for one in gallery.get("/page/gallery").json()["instances"]:
        told = gallery.get(f"/page/gallery/instance?id={one['id']}").json()
        room = family(one["family"])
        assert told["rules"] == room.words(room.rule_options).rules
        assert (told["rows"], told["columns"]) == room.size


def test_what_is_not_there_is_said_in_a_sentence(gallery: TestClient) -> None:
    for way in ("instance", "details", "board.png"):
        reply = gallery.get(f"/page/gallery/{way}?id=nobody")
        assert reply.status_code == 404
        assert reply.json() == {"error": "the data hold no instance 'nobody'"}


def test_broken_boards_and_lines_are_named(tmp_path: Path) -> None:
    data = written(tmp_path / "data", [MAZE, another(1, board="#####\n#S.?#\n#####")])
    gallery = client(page(tmp_path, [data]))
    assert gallery.get("/page/gallery").json()["total"] == 2
    reply = gallery.get(f"/page/gallery/board.png?id={another(1).id}")
    assert reply.status_code == 422
    assert reply.json()["error"].startswith(f"the instance {another(1).id} can't be shown: ")
    (data / "metadata.jsonl").write_text(MAZE.line() + '{"id": 3}\n')
    reply = gallery.get("/page/gallery")
    assert reply.status_code == 422
    assert reply.json()["error"].endswith("metadata.jsonl line 2 is not an instance")


def test_what_json_and_text_can_not_hold_breaks_no_list(tmp_path: Path) -> None:
    folder = written(tmp_path / "data", [another(1)])
    record = {**another(2).model_dump(mode="json"), "id": "\ud800", "stats": {"x": float("nan")}}
    odd = {**record, "id": "odd"}
    with (folder / "metadata.jsonl").open("a") as file:
        file.writelines(json.dumps(one) + "\n" for one in (record, odd))
    gallery = client(page(tmp_path, [folder]))
    ids = [one["id"] for one in gallery.get("/page/gallery").json()["instances"]]
    assert ids == [another(1).id, "?", "odd"]
    assert gallery.get("/page/gallery/details?id=odd").json()["stats"] == {"x": None}


def test_data_that_have_grown_are_read_anew(tmp_path: Path) -> None:
    data = written(tmp_path / "data", [MAZE])
    gallery = client(page(tmp_path, [data]))
    assert gallery.get("/page/gallery").json()["total"] == 1
    written(data, [MAZE, another(1), another(2)])
    assert gallery.get("/page/gallery").json()["total"] == 3


def test_without_data_there_is_no_gallery(tmp_path: Path) -> None:
    bare = client(page(tmp_path))
    assert bare.get("/page/gallery").status_code == 404
    assert bare.get("/page/about").json()["views"] == ["play"]


def test_large_boards_are_drawn_within_the_limits(tmp_path: Path) -> None:
    side = 120
    open_floor = "\n".join(["#" * side, *["#" + "." * (side - 2) + "#"] * (side - 2), "#" * side])
    board = open_floor.replace("..", "SG", 1)
    gallery = client(page(tmp_path, [written(tmp_path / "data", [another(1, board=board)])]))
    reply = gallery.get(f"/page/gallery/board.png?id={another(1).id}")
    with Image.open(BytesIO(reply.content)) as drawn:
        assert drawn.size == (8 * side, 8 * side)
    reply = gallery.get(f"/page/gallery/board.png?id={another(1).id}&size=large&grid=true")
    assert reply.status_code == 200


@pytest.mark.parametrize("format", ["parquet", "webdataset"])
def test_shards_are_looked_through_like_a_folder(tmp_path: Path, format: str) -> None:
    made = make("maze", "easy", 5, out=tmp_path / "d", images=False, format=format, shards=2)
    shown = client(page(tmp_path / "page", [tmp_path / "d"]))
    reply = shown.get("/page/gallery").json()
    assert [row["id"] for row in reply["instances"]] == [one.id for one in made]
    details = shown.get("/page/gallery/details", params={"id": made[4].id}).json()
    assert details["board"] == made[4].board
