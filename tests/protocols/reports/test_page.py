"""The report as one HTML file: what it holds, what it leaves out, and what can't hurt it."""

import base64
import json
import re
import zlib
from hashlib import sha256
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from protocols.aids import Aids
from protocols.episode import Episode
from protocols.judge import Options, judge_file
from protocols.models.players import player
from protocols.reports.analyses.success import optimal, success
from protocols.reports.page import write
from protocols.reports.page.frames import CELL, SMALL_CELL, Sheets
from protocols.reports.page.played import marked
from protocols.reports.page.plots import plots
from protocols.reports.rows import load
from protocols.reports.sources import Sources
from puzzles import NAMES, family, make
from puzzles.replay import initial, optimal_actions
from tests.protocols.reports.verdicts import rows_of, verdict

EVIL = '</script><script>alert("x")</script><img src=https://example.org/x.png onerror=alert(1)>'
MAZE = {"family": "maze", "board": "#####\n#S.G#\n#####", "optimal_length": 2}
PATH = {"family": "path", "board": "S.A.BG", "optimal_length": 5}
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in its turn."""

    def __init__(self, path: Path):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.words = ""
        self.feed(path.read_text("utf-8"))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            self.scripts[-1] = self.scripts[-1][0], self.scripts[-1][1] + data
        elif self.open[-1:] != ["style"]:
            self.words += data

    @property
    def data(self) -> Any:
        (found,) = [text for attrs, text in self.scripts if attrs.get("id") == "data"]
        return json.loads(found)

    @property
    def episodes(self) -> list[Any]:
        """The episodes in the order of the list."""
        chunks = [
            json.loads(zlib.decompress(base64.b64decode(text)))
            for attrs, text in self.scripts
            if attrs.get("class") == "chunk"
        ]
        index = self.data["index"]
        return [chunks[c][p] for c, p in zip(index["chunk"], index["place"], strict=True)]

    def boards(self, episode: Any) -> list[str]:
        """The boards of an episode as text, one for each frame."""
        film = episode["film"]
        characters = self.data["sheets"][film["sheet"]]["characters"]
        glyphs, found = list(film["board"]), []
        for change in [[], *film["changes"]]:
            for cell, glyph in zip(change[::2], change[1::2], strict=True):
                glyphs[cell] = glyph
            text = "".join(characters[glyph] for glyph in glyphs)
            rows = range(0, len(text), film["columns"])
            found.append("\n".join(text[at : at + film["columns"]] for at in rows))
        return found


def report(folder: Path, lines: list[dict[str, Any]], **how: Any) -> Page:
    """The page on ``lines`` of answers."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "answers.jsonl").write_text(text, "utf-8")
    return page_of(folder, **how)


def page_of(folder: Path, name: str = "report.html", *, images: bool = False, **how: Any) -> Page:
    """The page on the answers in ``folder``; ``images``: their drawings are read."""
    verdicts = folder / "verdicts.jsonl"
    judge_file(folder / "answers.jsonl", [], verdicts, Options(images=images))
    rows = load([verdicts])
    tables = [table for table in (optimal(rows), success(rows)) if table]
    write(rows, tables, Sources.beside([verdicts]), folder / name, **how)
    return Page(folder / name)


def said(response: str, instance: dict[str, Any] = MAZE, **fields: Any) -> dict[str, Any]:
    return {"id": "one", "response": response, "instance": instance, **fields}


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
