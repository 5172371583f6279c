"""The report as one HTML file: what it holds, what it leaves out, and what can't hurt it."""

import base64
import json
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from protocols.aids import Aids
from protocols.episode import Episode
from protocols.models.players import player
from protocols.reports.page import write
from protocols.reports.page.frames import CELL, SMALL_CELL, Sheets
from protocols.reports.page.played import marked
from protocols.reports.rows import load
from protocols.reports.sources import Sources
from puzzles import NAMES, family, make
from puzzles.replay import initial, optimal_actions
from tests.protocols.reports.pages import EVIL, MAZE, PATH, Page, page_of, report, said

PROTOCOLS = ("text-cot", "self-gta", "self-vcot")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Answers on all families under protocols that write, draw and go step by step."""
    folder: Path = tmp_path_factory.mktemp("played")
    (folder / "images").mkdir()
    lines = []
    for instance in [one for name in NAMES for one in make(name, "easy", 2)]:
        for protocol in PROTOCOLS:
            episode = Episode(instance, protocol, Aids(cell=24))
            while episode.request is not None:
                episode.take(player("noisy:0.2").reply(episode))
            names = []
            for at, drawing in enumerate(episode.play.drawings):
                names.append(f"images/{instance.id}-{protocol}-{at}.png")
                (folder / names[-1]).write_bytes(drawing)
            line = episode.answer(names) | {"model": EVIL, "run": 1}
            lines.append({**line, "instance": instance.model_dump(mode="json")})
    report(folder, lines)
    return folder


def test_the_page_is_well_formed_and_asks_for_nothing_outside(played: Path) -> None:
    page = Page(played / "report.html")
    for tag, attributes in page.elements:
        assert not {"onerror", "onload", "onclick"} & set(attributes)
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "#").startswith("#"), (tag, attributes)
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    heads = [attributes for tag, attributes in page.elements if tag == "th"]
    assert heads
    assert all(attributes["scope"] == "col" for attributes in heads)
    drawings = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(drawings) == 3
    assert all(attributes["aria-labelledby"] in ids for attributes in drawings)
    assert [tag for tag, _ in page.elements].count("caption") == 2


def test_what_a_model_is_called_or_says_is_never_markup(played: Path, tmp_path: Path) -> None:
    page = Page(played / "report.html")
    kinds = [attributes.get("type") for attributes, _ in page.scripts]
    assert set(kinds) == {"text/plain", "application/json", "module"}
    assert "img" not in [tag for tag, _ in page.elements]
    assert EVIL in page.words
    assert page.data["index"]["model"]["words"] == [EVIL]
    hostile = report(tmp_path, [said(f'{EVIL}\ud800\0\u202e <ANSWER_JSON>["up"]</ANSWER_JSON>')])
    assert hostile.episodes[0]["text"][0].startswith(EVIL + "\ud800\0\u202e")
    assert len(hostile.scripts) == 3


def test_the_same_input_gives_the_same_bytes(played: Path) -> None:
    page_of(played, "again.html")
    assert (played / "again.html").read_bytes() == (played / "report.html").read_bytes()


def test_the_script_is_the_one_that_the_policy_allows(played: Path) -> None:
    page = Page(played / "report.html")
    policy = next(a["content"] for t, a in page.elements if t == "meta" and "http-equiv" in a)
    (script,) = [text for attributes, text in page.scripts if attributes.get("type") == "module"]
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert len(script.splitlines()) < 550


def test_every_family_is_shown_as_its_rules_play_it(played: Path) -> None:
    page = Page(played / "report.html")
    lines = [json.loads(line) for line in (played / "answers.jsonl").read_text().splitlines()]
    assert len(page.episodes) == len(lines) == len(NAMES) * 2 * len(PROTOCOLS)
    stepwise = 0
    for line, episode in zip(lines, page.episodes, strict=True):
        room = family(line["instance"]["family"])
        state = room.parse(line["instance"]["board"], line["instance"]["rules"])
        assert page.boards(episode)[0] == room.format(state)
        if "steps" in line:
            stepwise += 1
            legal = sum(step["legal"] for step in line["steps"])
            assert len(episode["film"]["changes"]) == legal
            assert [one["reply"] for one in episode["rounds"]] == [
                step["reply"] for step in line["steps"]
            ]
            frames = episode.get("frames", [None] * len(line["steps"]))
            drawn = [one is not None for one in frames]
            assert drawn == [step["image"] is not None for step in line["steps"]]
        else:
            assert "".join(episode["text"]) == line["response"]
            assert episode["text"][1] == line["response"][-len(episode["text"][1]) :]
        if "images" in line:
            shown = episode.get("frames") or episode["drawings"]
            sources = [one["src"] for one in shown if one]
            assert all(source.startswith("data:image/webp;base64,") for source in sources)
    assert stepwise == len(NAMES) * 2


@pytest.mark.parametrize("name", NAMES)
def test_tiles_give_the_picture_that_the_family_draws(name: str) -> None:
    (instance,) = make(name, "easy", 1)
    room, state = family(name), initial(instance)
    states = [state, *(state := room.apply(state, a) for a in optimal_actions(instance))]
    sheets = Sheets()
    film = sheets.film(room, states)
    sheet = json.loads(json.dumps(sheets.record()))[film["sheet"]]
    data = base64.b64decode(sheet["png"].partition(",")[2])
    tiles = np.asarray(Image.open(BytesIO(data)).convert("RGB"))
    glyphs = list(film["board"])
    for change in film["changes"]:
        for cell, glyph in zip(change[::2], change[1::2], strict=True):
            glyphs[cell] = glyph
    picture = room.draw(states[-1], CELL)
    expected = picture.palette[picture.pixels]
    for at, glyph in enumerate(glyphs):
        (y, x), (r, c) = (
            divmod(sheet["tiles"][glyph], sheet["columns"]),
            divmod(at, film["columns"]),
        )
        tile = tiles[y * CELL : (y + 1) * CELL, x * CELL : (x + 1) * CELL]
        own = expected[r * CELL : (r + 1) * CELL, c * CELL : (c + 1) * CELL]
        assert np.array_equal(tile, own)


def test_large_boards_have_smaller_tiles() -> None:
    board = "\n".join(["#" * 31, "#S" + "." * 27 + "G#", "#" * 31])
    room, sheets = family("maze"), Sheets()
    film = sheets.film(room, [room.parse(board, {})])
    assert sheets.record()[film["sheet"]]["cell"] == SMALL_CELL
    assert film["columns"] == 31


def test_frames_end_before_the_first_illegal_action(tmp_path: Path) -> None:
    page = report(tmp_path, [said('<ANSWER_JSON>["right","up","right"]</ANSWER_JSON>')])
    (episode,) = page.episodes
    assert page.boards(episode) == ["#####\n#S.G#\n#####", "#####\n#.SG#\n#####"]
    assert episode["actions"] == ["right", "up", "right"]
    assert "runs into the wall" in episode["detail"]
    assert page.data["index"]["at"] == [1]


def test_labels_move_the_marker_along(tmp_path: Path) -> None:
    page = report(
        tmp_path,
        [
            said("<answer>A,B</answer>", PATH, model="right"),
            said("<answer>A,C</answer>", PATH, model="wrong"),
        ],
    )
    right, wrong = page.episodes
    assert page.boards(right) == ["S.A.BG", "..a.BG", "..A.B*"]
    assert page.boards(wrong) == ["S.A.BG", "..a.BG"]
    assert wrong["actions"] == ["A", "C"]


def test_a_long_answer_is_shown_in_part(tmp_path: Path) -> None:
    moves = json.dumps(["right", "left"] * 400)
    (episode,) = report(tmp_path, [said(f"<ANSWER_JSON>{moves}</ANSWER_JSON>")]).episodes
    assert len(episode["actions"]) == len(episode["film"]["changes"]) == 500
    assert episode["left_out"] == 300


def test_nothing_to_play(tmp_path: Path) -> None:
    page = report(
        tmp_path,
        [
            said("I can't tell.", model="silent"),
            said("", model="empty"),
            said("<ANSWER_JSON>[]</ANSWER_JSON>", model="lost", id="maze-easy-0000000000000000"),
        ],
    )
    silent, empty, lost = page.episodes
    assert silent["text"] == ["I can't tell.", "", ""]
    assert empty["text"] == ["", "", ""]
    assert page.boards(silent) == [MAZE["board"]]
    assert "is not the one that the id" in lost["error"]
    assert page.data["index"]["outcome"]["words"] == ["failed", "not judged"]


def test_without_the_answers_the_verdicts_are_still_listed(tmp_path: Path) -> None:
    report(tmp_path, [said('<ANSWER_JSON>["right","right"]</ANSWER_JSON>', model="m")])
    (tmp_path / "answers.jsonl").unlink()
    rows = load([tmp_path / "verdicts.jsonl"])
    for sources in (Sources.beside([tmp_path / "verdicts.jsonl"]), None):
        write(rows, [], sources, tmp_path / "report.html")
        page = Page(tmp_path / "report.html")
        assert page.data["index"]["outcome"]["words"] == ["optimal"]
        assert page.episodes[0]["problem"] == "The answer of this verdict is not at hand."


@pytest.mark.parametrize(
    ("name", "response", "expected"),
    [
        ("maze", 'a <ANSWER_JSON>["up"]</ANSWER_JSON> b', '<ANSWER_JSON>["up"]</ANSWER_JSON>'),
        (
            "maze",
            "<answer>[\"up\"]</answer> no: <answer>['left']</answer>.",
            "<answer>['left']</answer>",
        ),
        ("path", "so <answer>A, C</answer>", "<answer>A, C</answer>"),
        (
            "klotski",
            'thus {"solution":[{"from":[1,2],"direction":"UP"}]} done',
            '{"solution":[{"from":[1,2],"direction":"UP"}]}',
        ),
        ("maze", '<think><answer>["up"]</answer></think> none', ""),
        ("maze", "no answer here", ""),
    ],
)
def test_the_answer_is_marked_where_it_stands(name: str, response: str, expected: str) -> None:
    parts = marked(response, family(name))
    assert "".join(parts) == response
    assert parts[1] == expected


def test_long_texts_are_cut_in_their_middle_and_say_so(tmp_path: Path) -> None:
    answer = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    page = report(tmp_path, [said("a" * 70_000 + answer)])
    before, middle, _ = page.episodes[0]["text"]
    assert middle == answer
    assert "[… 10,000 characters left out …]" in before
    assert len(before) < 61_000
    assert "where they say so: 1." in page.words


def test_what_finds_no_room_is_left_out_of_every_group_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    lines = [
        said(rng.bytes(6000).hex(), id="", model=model, run=run)
        for model in ("a", "b")
        for run in range(60)
    ]
    page = report(tmp_path, lines, budget=500_000)
    index = page.data["index"]
    kept = len(index["id"])
    assert 0 < kept < 120
    assert abs(index["model"]["at"].count(0) - index["model"]["at"].count(1)) <= 1
    assert f"This page holds {kept} of 120 episodes" in page.words
    assert (tmp_path / "report.html").stat().st_size < 600_000


def test_a_report_on_nothing_but_errors(tmp_path: Path) -> None:
    page = report(tmp_path, [{"id": "x", "response": "y"}, {"id": "x"}])
    assert page.data["index"]["outcome"]["words"] == ["not judged"]
    assert "svg" not in [tag for tag, _ in page.elements]
    assert "2 without a verdict" in page.words


def test_boards_too_large_to_show_leave_the_text(tmp_path: Path) -> None:
    def corridor(length: int) -> dict[str, Any]:
        board = "\n".join(["#" * length, "#S" + "." * (length - 4) + "G#", "#" * length])
        return {"family": "maze", "board": board, "optimal_length": length - 3}

    moves = '<ANSWER_JSON>["right","left"]</ANSWER_JSON>'
    large, huge = (
        report(tmp_path, [said(moves, corridor(length))]).episodes[0] for length in (200, 201)
    )
    assert len(large["film"]["changes"]) == 2
    assert huge["text"][1] == moves
    assert huge["problem"] == "This answer can't be shown: a board of 3x201 cells is too large"
