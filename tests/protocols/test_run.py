"""puzzles run: every protocol driven to its end, and nothing asked twice, whatever happens."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest
import typer
from typer.testing import CliRunner

from cli.run import run
from protocols.episode import Episode
from protocols.journal import Journal
from protocols.judge import Options, judge_file
from protocols.messages import Reply
from protocols.models import ModelError
from protocols.protocol import PROTOCOLS, named
from protocols.replies import Key
from protocols.run import Runner
from protocols.selection import Selection
from puzzles import NAMES, Instance
from puzzles.content import Content
from puzzles.dataset import checked, write
from puzzles.generate import Recipe
from tests.protocols.endpoint import Loopback, Perfect

ROOT = Path(__file__).parents[2]
RIGHT = '<ANSWER_JSON>["right"]</ANSWER_JSON>'
app = typer.Typer()
app.command()(run)

# One, two and three cells to the right; boards of odd sizes.
CORRIDORS = ["#####\n#SG.#\n#####", "######\n#S.G.#\n######", "######\n#S..G#\n#..###\n######"]


def corridor(k: int, board: str, length: int) -> Instance:
    answer = f"<ANSWER_JSON>{json.dumps(['right'] * length)}</ANSWER_JSON>"
    return Instance(
        id=f"maze-easy-{k:016x}",
        family="maze",
        difficulty="easy",
        board=board,
        optimal_length=length,
        answer=answer,
    )


def save(folder: Path, instances: list[Instance]) -> Path:
    folder.mkdir(parents=True)
    lines = "".join(instance.line() for instance in instances)
    (folder / "metadata.jsonl").write_text(lines)
    return folder


@pytest.fixture
def data(tmp_path):
    return save(tmp_path / "data", [corridor(k, board, k + 1) for k, board in enumerate(CORRIDORS)])


@pytest.fixture(scope="session")
def suite(tmp_path_factory):
    """Two short instances of every family, without pictures on disk."""
    top = tmp_path_factory.mktemp("suite")
    for name in NAMES:
        write(Content(checked(Recipe(name, lengths=(2, 3))), 2, None), top / name, workers=1)
    return top


def puzzles_run(*arguments, code: int = 0):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.output


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def keys(path: Path) -> Counter:
    return Counter((a["id"], a["protocol"], a["model"], a["run"]) for a in lines(path))


def judged(path: Path, data: Path):
    report = judge_file(path, [data], path.with_suffix(".verdicts"), Options())
    assert report.error_count == 0, report.errors
    return lines(path.with_suffix(".verdicts"))


# Every protocol to its end.

HERE = [name for name in PROTOCOLS if not name.startswith("files-")]
VARIED = ["self-aug-vcot+budget", "oracle-vcot+last", "oracle-vcot+vgau", "self-vcot+last"]


def test_the_perfect_player_solves_everything_over_http(suite, tmp_path):
    protocols = ",".join([*HERE, *VARIED])
    out = tmp_path / "answers.jsonl"
    selection = Selection([suite], [named(name) for name in protocols.split(",")], 1, 1, cell=16)
    with Loopback(Perfect(selection)) as server:
        said = puzzles_run(
            *("--data", suite, "--protocol", protocols, "--model", "some/model", "--limit", 1),
            *("--base-url", server.url, "-o", out, "--cell", 16, "--retries", 0),
        )
        assert server.count == sum(line["usage"]["requests"] for line in lines(out))
    assert f"episodes: {len(HERE + VARIED) * len(NAMES):,}; requests: {server.count:,};" in said
    for verdict in judged(out, suite):
        assert verdict["optimal"] in (True, None), verdict
    assert set(keys(out).values()) == {1}
    for line in lines(out):
        for image in line.get("images", ()):
            assert PIL.Image.open(tmp_path / image).format == "PNG"


def test_both_ways_to_ask_for_drawings_come_to_the_same(suite, tmp_path):
    options = ["--data", suite, "--protocol", "self-gta,self-vcot", "--model", "m", "--limit", "1"]
    options += ["--cell", 16, "--retries", 0]
    selection = Selection([suite], [named("self-gta"), named("self-vcot")], 1, 1, cell=16)
    with Loopback(Perfect(selection)) as server:
        for way in ("chat", "edit"):
            puzzles_run(
                *options, "--base-url", server.url, "--images", way, "-o", tmp_path / f"{way}.jsonl"
            )
    chat, edit = (
        {
            line["id"] + line["protocol"]: line["response"]
            for line in lines(tmp_path / f"{way}.jsonl")
        }
        for way in ("chat", "edit")
    )
    assert chat == edit


def test_players_need_no_endpoint(data, tmp_path):
    out = tmp_path / "a.jsonl"
    said = puzzles_run(
        *("--data", data, "--protocol", "direct,self-vcot", "--model", "solver", "-o", out),
        *("--runs", 2, "--limit", 2),
    )
    assert "episodes: 8;" in said
    assert all(verdict["optimal"] for verdict in judged(out, data))
    assert {line["run"] for line in lines(out)} == {1, 2}
    assert not (tmp_path / "a.open").exists()


def test_stepwise_variants_go_by_options(data, tmp_path):
    out = tmp_path / "a.jsonl"
    puzzles_run(
        *("--data", data, "--protocol", "direct,oracle-vcot", "--model", "solver", "-o", out),
        *("--stopping", "budget", "--history", "last"),
    )
    assert {line["protocol"] for line in lines(out)} == {"direct", "oracle-vcot+budget+last"}


# What is asked for.


def test_a_selection_reads_the_first_of_each_bucket(suite):
    selection = Selection([suite], [named("direct")], 2, 1)
    jobs = list(selection.jobs())
    assert len(jobs) == len(selection) == 2 * len(NAMES)
    assert [job.run for job in jobs] == [1] * len(NAMES) + [2] * len(NAMES)
    assert len({job.instance.id for job in jobs}) == len(NAMES)
    one = Selection([suite, suite / "maze"], [named("direct")], families=["maze"])
    assert len(list(one.jobs())) == len(one) == 2


def test_donors_are_others_of_the_bucket_whatever_their_length(data):
    selection = Selection([data], [named("mismatch-gta")])
    instances = [job.instance for job in selection.jobs()]
    donor = next(selection.jobs()).aids.donor
    donors = {one.id: donor(one).id for one in instances}
    assert all(one != other for one, other in donors.items())
    longer = [one.model_copy(update={"optimal_length": 40, "answer": None}) for one in instances]
    assert {one.id: donor(one).id for one in longer} == donors


def test_a_board_is_no_donor_of_itself(tmp_path):
    board, other, turned = CORRIDORS[0], CORRIDORS[2], CORRIDORS[0].replace("SG.", ".GS")
    for k in range(8):  # whichever follows in the order of the hashes
        instances = [corridor(10 * k + at, b, 1) for at, b in enumerate((board, turned, other))]
        selection = Selection([save(tmp_path / str(k), instances)], [named("mismatch-vr")])
        donor = next(selection.jobs()).aids.donor
        assert [donor(one).board for one in instances] == [other, other, donor(instances[2]).board]
        assert donor(instances[2]).board != other


def test_cells_are_those_of_the_dataset(data):
    (data / "dataset.json").write_text('{"content": {"cell": 24}}')
    given = [next(Selection([data], [named("direct")], cell=cell).jobs()) for cell in (None, 32)]
    sizes = [
        PIL.Image.open(BytesIO(Episode(*job[:2], job.aids).request.images[0].png)).size
        for job in given
    ]
    assert sizes == [(5 * 24, 3 * 24), (5 * 32, 3 * 32)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--protocol", "direkt"], "did you mean direct"),
        (["--model", "gpt-9"], "--base-url"),
        (["--model", "noisy:2"], "noisy"),
        (["--model", "python:nowhere"], "python:MODULE:CLASS"),
        (["--model", "python:no_such_module:X"], "no_such_module"),
        (["--model", "python:json:loads"], "TypeError"),
        (["--model", "python:collections:Counter"], "no method reply"),
        (["--model", "m", "--base-url", "localhost"], "--base-url is an address"),
        (["--model", "m", "--base-url", "http://127.0.0.1:9/v1"], "nobody listens"),
        (["--family", "chess"], "no instance of family chess"),
        (["--difficulty", "hard"], "no instance of difficulty hard"),
        (["--images", "oil"], "--images is chat or edit or generate"),
        (["--price", "3"], "--price is IN,OUT"),
        (["--extra", "[1]"], "--extra is a JSON object"),
        (["--stopping", "budget"], "stepwise"),
        (["--protocol", "files-gta"], "--aids"),
        (["--data", "/nowhere"], "holds no dataset"),
        (["-o", "/nowhere/a.jsonl"], "there is no folder /nowhere"),
        (["-o", "/dev/null"], "no ordinary file"),
        (["--key-env", "NO_SUCH_KEY", "--model", "m", "--base-url", "http://x/v1"], "NO_SUCH_KEY"),
        (["--cell", "500", "--data", "DATA/wide"], "pixels"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_request_takes_one_sentence(arguments, sentence, data, tmp_path):
    save(data / "wide", [corridor(9, f"{'#' * 99}\n#SG{'.' * 95}#\n" + f"{'#' * 99}\n" * 97, 1)])
    given = {
        "--data": data,
        "--protocol": "direct",
        "--model": "solver",
        "-o": tmp_path / "a.jsonl",
    }
    given |= dict(zip(arguments[::2], arguments[1::2], strict=True))
    given["--data"] = str(given["--data"]).replace("DATA", str(data))
    said = puzzles_run(*(part for pair in given.items() for part in pair), code=2)
    assert sentence in said
    assert said.count("\n") == 1
    assert not list(tmp_path.glob("a.*"))


def test_a_lone_instance_has_no_donor(tmp_path):
    data = save(tmp_path / "one", [corridor(0, CORRIDORS[0], 1)])
    said = puzzles_run(
        *("--data", data, "--protocol", "mismatch-vr", "--model", "solver"),
        *("-o", tmp_path / "a.jsonl"),
        code=2,
    )
    assert "no other of maze easy" in said


# Nothing is asked twice.


class Scripted:
    """Counts what it is asked; after ``last`` requests no more are answered."""

    thread_safe = True
    name = "scripted"

    def __init__(self, last: int | None = None, answer: str = RIGHT):
        self.asked: Counter[tuple] = Counter()
        self.last, self.answer = last, answer
        self.mutex = threading.Lock()

    def reply(self, episode: Episode) -> Reply:
        with self.mutex:
            if self.last is not None and self.asked.total() >= self.last:
                raise ModelError("that was all")
            self.asked[episode.instance.id, episode.request.purpose, episode.request.round] += 1
        if episode.request.purpose == "action":
            return Reply('<STEP_JSON>"right"</STEP_JSON>')
        if episode.request.purpose == "probe":
            left = episode.instance.optimal_length - episode.request.round
            return Reply(f"<answer>{left}</answer>")
        if episode.request.due == "image":
            return Reply(images=(episode.request.images[0].png,))
        return Reply(self.answer)


def play(data: Path, out: Path, model, protocols: str = "direct", concurrency: int = 1, **more):
    selection = Selection([data], [named(name) for name in protocols.split(",")], **more)
    with Journal(out, selection.library, "scripted", {}) as journal:
        return Runner(journal, lambda run: model).run(selection.jobs(), concurrency)


def test_a_run_goes_on_in_the_middle_of_an_episode(data, tmp_path):
    """1 + 2 + 3 rounds of three requests each: stopped after every single one of the 18."""
    out, asked = tmp_path / "a.jsonl", Counter()
    for _ in range(18):
        model = Scripted(last=1)
        if len(lines(out) if out.exists() else ()) < 3:
            with contextlib.suppress(ModelError):
                play(data, out, model, "self-vcot")
            asked += model.asked
    assert asked.total() == 18
    assert set(asked.values()) == {1}
    totals = play(data, out, Scripted(last=0), "self-vcot")
    assert (totals.kept, totals.requests) == (3, 0)
    whole = tmp_path / "whole.jsonl"
    play(data, whole, Scripted(), "self-vcot")

    def bare(path):
        text = path.read_text().replace(f"{path.stem}.images", "images")
        found = [json.loads(line) for line in text.splitlines()]
        for line in found:
            line.pop("usage")
        return found

    assert bare(out) == bare(whole)
    assert not (tmp_path / "a.open").exists()


def test_torn_lines_are_cut_off(data, tmp_path):
    out = tmp_path / "a.jsonl"
    play(data, out, Scripted())
    whole = out.read_bytes()
    for cut in (1, 5, len(whole.splitlines()[-1]) - 1):
        out.write_bytes(whole[:-cut])
        model = Scripted()
        play(data, out, model)
        assert model.asked.total() == 1
        assert keys(out) == Counter(keys(out).keys())
        assert len(lines(out)) == 3


def test_torn_replies_are_asked_again(data, tmp_path):
    out = tmp_path / "a.jsonl"
    with pytest.raises(ModelError):
        play(data, out, Scripted(last=3), "oracle-vcot")
    (path,) = (tmp_path / "a.open").glob("*.jsonl")
    whole = path.read_bytes()
    for cut in range(0, len(whole), 7):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(whole[:cut])
        kept = max(0, whole[:cut].count(b"\n") - 1)
        model = Scripted()
        play(data, out, model, "oracle-vcot", limit=2)
        assert model.asked.total() == 4 - kept
        out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:1]))


def test_replies_of_a_finished_episode_are_cleared_away(data, tmp_path):
    out = tmp_path / "a.jsonl"
    play(data, out, Scripted())
    key = Key(lines(out)[0]["id"], "direct", "scripted", 1)
    (tmp_path / "a.open").mkdir()
    (tmp_path / "a.open" / f"{key.digest}.jsonl").write_text(json.dumps(key._asdict()) + "\n")
    play(data, out, Scripted(last=0))
    assert not (tmp_path / "a.open").exists()


def test_a_second_run_into_the_same_file_is_refused(data, tmp_path):
    selection = Selection([data], [named("direct")])
    with Journal(tmp_path / "a.jsonl", selection.library, "m", {}):
        said = puzzles_run(
            *("--data", data, "--protocol", "direct", "--model", "solver"),
            *("-o", tmp_path / "a.jsonl"),
            code=2,
        )
        assert (tmp_path / "a.jsonl").exists()
        assert (tmp_path / "a.run.json").exists()
    assert "another run is writing to this file" in said


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n",
        "no line break",
        "id",
        '"id":',
        '{"id": "x", "response": "y"}\n',
        "[]\n",
        "\x00\n",
        '"id"\n',
    ],
)
def test_a_file_of_something_else_is_left_alone(text, data, tmp_path):
    out = tmp_path / "a.jsonl"
    out.write_text(text)
    said = puzzles_run(
        "--data", data, "--protocol", "direct", "--model", "solver", "-o", out, code=2
    )
    assert "line 1 is no answer of `puzzles run`" in said
    assert out.read_text() == text


def test_a_folder_of_replies_that_holds_something_else_is_named(data, tmp_path):
    (tmp_path / "a.open").mkdir()
    (tmp_path / "a.open" / "notes.jsonl").write_text('{"text": "mine"}\n')
    words = ("--data", data, "--protocol", "direct", "--model", "solver")
    assert "notes.jsonl does not hold the replies" in puzzles_run(
        *words, "-o", tmp_path / "a.jsonl", code=2
    )
    assert (tmp_path / "a.open" / "notes.jsonl").exists()


def test_answers_about_other_data_are_refused(data, tmp_path):
    other = save(tmp_path / "other", [corridor(7, CORRIDORS[1], 2)])
    out = tmp_path / "a.jsonl"
    play(other, out, Scripted())
    before = out.read_bytes()
    said = puzzles_run(
        "--data", data, "--protocol", "direct", "--model", "solver", "-o", out, code=2
    )
    assert f"line 1 answers {corridor(7, '', 2).id}, which is not in the data" in said
    assert out.read_bytes() == before


@pytest.mark.parametrize("cut", range(1, 9))
def test_a_torn_first_line_is_cut_off(cut, data, tmp_path):
    out = tmp_path / "a.jsonl"
    play(data, out, Scripted())
    out.write_bytes(out.read_bytes()[:cut])
    play(data, out, Scripted())
    assert set(keys(out).values()) == {1}
    assert len(lines(out)) == 3


def test_blank_lines_are_none(data, tmp_path):
    out = tmp_path / "a.jsonl"
    play(data, out, Scripted())
    out.write_bytes(out.read_bytes().replace(b"\n", b"\n\n"))
    assert play(data, out, Scripted(last=0)).kept == 3


def test_files_that_would_share_what_lies_beside_them_are_refused(data, tmp_path):
    out = tmp_path / "answers"
    given = ["--data", data, "--protocol", "direct", "--model", "solver", "-o", out]
    assert "ends in .jsonl" in puzzles_run(*given, code=2)
    assert not out.exists()


def test_other_options_are_refused_once_there_are_answers(data, tmp_path):
    out = tmp_path / "a.jsonl"
    with Loopback(RIGHT) as server:
        given = ["--data", data, "--protocol", "direct", "--model", "m", "-o", out]
        given += ["--base-url", server.url, "--retries", 0]
        server.always = "401"
        puzzles_run(*given, "--temperature", 0.2, code=2)  # nothing came of it
        server.always = ""
        puzzles_run(*given, "--temperature", 0.5)
        said = puzzles_run(*given, "--temperature", 0.7, code=2)
        assert "was begun with temperature 0.5, not 0.7" in said
        puzzles_run(*given, "--temperature", 0.5, "--runs", 2)
        given[given.index("m")] = "another"
        puzzles_run(*given, "--temperature", 0.7)
    assert Counter(line["model"] for line in lines(out)) == {"m": 6, "another": 3}


def test_drawings_stay_in_their_folder(data, tmp_path):
    selection = Selection([data], [named("self-gta")])
    names = ["../../x", "a b", "a-b", ".", "é", "x" * 300, "maze-easy-0"]
    with Journal(tmp_path / "a.jsonl", selection.library, "m", {}) as journal:
        paths = [
            journal.drawn(Key(one, "self-gta", two, 1), [b"1", b"2"])
            for one in names
            for two in names
        ]
    places = [(tmp_path / path).resolve() for pair in paths for path in pair]
    assert len(set(places)) == 2 * len(names) ** 2
    assert all((tmp_path / "a.images").resolve() in place.parents for place in places)


# Bad replies.


def big(width: int, height: int) -> bytes:
    out = BytesIO()
    PIL.Image.new("L", (width, height)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("image", "problem"),
    [
        (big(8000, 5000), "8000x5000 pixels"),
        (b"GIF89a, but no more", "picture"),
        (b"<html>", "not an image"),
        (b"", "empty"),
        (big(7, 3), None),
        (big(4000, 1), None),
    ],
)
def test_drawings_of_any_kind_have_an_outcome(image, problem, data, tmp_path):
    out = tmp_path / "a.jsonl"
    with Loopback(lambda asked: Reply(RIGHT, (image,))) as server:
        puzzles_run(
            *("--data", data, "--protocol", "self-gta,self-vcot", "--model", "a/b", "-o", out),
            *("--base-url", server.url, "--limit", 1),
        )
    for line in lines(out):
        assert problem in line["problem"] if problem else line["images"]
        for name in line.get("images", ()):
            assert max(PIL.Image.open(tmp_path / name).size) <= 2048
    assert len(judged(out, data)) == 2


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("", ""),
        ("\x00\x1b[2J\r\n\u2028" + RIGHT, "\x00\x1b[2J\r\n\u2028" + RIGHT),
        ("\ud83d" + RIGHT + "\udc00", "\ufffd" + RIGHT + "\ufffd"),
        ("\U0001f600 é " + RIGHT, "\U0001f600 é " + RIGHT),
        ("y" * 1_000_000 + RIGHT, "y" * 1_000_000 + RIGHT),
    ],
)  # fmt: skip
def test_texts_of_any_kind_are_kept_and_judged(said, kept, data, tmp_path):
    out = tmp_path / "a.jsonl"
    play(data, out, Scripted(answer=said), limit=1)
    (line,) = lines(out)
    assert line["response"] == kept
    (verdict,) = judged(out, data)
    assert verdict["optimal"] == bool(said)


def test_one_bad_request_ends_no_run(data, tmp_path):
    out = tmp_path / "a.jsonl"
    given = ["--data", data, "--protocol", "direct", "--model", "m", "-o", out]
    given += ["--concurrency", 1, "--retries", 0]
    with Loopback(RIGHT, ["", "400:too long for me"]) as server:
        said = puzzles_run(*given, "--base-url", server.url, code=1)
    assert f"not answered: {corridor(1, '', 2).id}, direct: 400: too long for me" in said
    assert len(lines(out)) == 2
    with Loopback(RIGHT) as server:
        said = puzzles_run(*given, "--base-url", server.url)
        assert server.count == 1
    assert "episodes: 1 (2 more were there already)" in said


def test_a_run_without_any_success_gives_up(tmp_path):
    data = save(tmp_path / "d", [corridor(k, CORRIDORS[0], 1) for k in range(60)])
    with Loopback(always="400:no") as server:
        said = puzzles_run(
            *("--data", data, "--protocol", "direct", "--model", "m", "--concurrency", 2),
            *("--base-url", server.url, "-o", tmp_path / "a.jsonl"),
            code=2,
        )
        assert "20 requests in a row have failed, the last one: 400: no" in said
        assert 20 <= server.count <= 22


def test_refusals_in_a_row_end_no_run_that_has_had_an_answer(tmp_path):
    data = save(tmp_path / "d", [corridor(k, CORRIDORS[0], 1) for k in range(30)])
    out = tmp_path / "a.jsonl"
    given = ["--data", data, "--protocol", "direct", "--model", "m", "--concurrency", 1, "-o", out]
    with Loopback(RIGHT, ["", *["400:no"] * 26]) as server:
        said = puzzles_run(*given, "--base-url", server.url, code=1)
        assert (server.count, len(lines(out))) == (30, 4)
        server.plan(RIGHT, ["400:no"] * 25)
        puzzles_run(*given, "--base-url", server.url, code=1)
        assert (server.count, len(lines(out))) == (26, 5)
    assert "and 6 more" in said


@pytest.mark.parametrize(
    "usage", [{"prompt_tokens": 10**400}, {"cost": float("inf")}, {"cost": -1}]
)
def test_counts_that_are_none_are_left_out(usage, data, tmp_path):
    out = tmp_path / "a.jsonl"
    body = {"choices": [{"message": {"content": RIGHT}}], "usage": usage}
    with Loopback(always=f"body:{json.dumps(body)}") as server:
        puzzles_run(
            *("--data", data, "--protocol", "direct", "--model", "m", "-o", out),
            *("--base-url", server.url, "--price", "1,1"),
        )
    assert all(line["usage"].get("cost", 0) == 0 for line in lines(out))
    assert all("prompt_tokens" not in line["usage"] for line in lines(out))


# Models of one's own.

OWN = """
import asyncio, threading, time
from protocols.messages import Reply

class Slow:
    inside = most = 0

    def reply(self, request):
        type(self).inside += 1
        type(self).most = max(self.most, self.inside)
        time.sleep(0.02)
        type(self).inside -= 1
        return '<ANSWER_JSON>["right"]</ANSWER_JSON>'

class Several:
    thread_safe = True
    together = threading.Barrier(3)

    def reply(self, request):
        self.together.wait(10)  # for the other two
        return "up"

class Failing:
    def reply(self, request):
        raise KeyError("weights")

class Steering:
    def reply(self, request):
        raise ValueError("\x1b[2J")

class Leaving:
    def reply(self, request):
        raise SystemExit("enough")

class Wrong:
    def reply(self, request):
        return 7

class Halves:
    def reply(self, request):
        return Reply(None)

class NoImages:
    def reply(self, request):
        return Reply("up", None)

class Cancelled:
    def reply(self, request):
        raise asyncio.CancelledError("enough")

class Interrupting:
    def reply(self, request):
        raise KeyboardInterrupt

class Costly:
    def reply(self, request):
        return Reply("up", usage={"cost": "abc", "prompt_tokens": 10**400, "x": object()})

class Ending:
    def reply(self, request):
        return "up"

    def close(self):
        raise OSError("gone")
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "own_models.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("own_models", None)
    sys.path.remove(str(tmp_path))


def test_own_models_are_asked_one_at_a_time(data, own):
    puzzles_run("--data", data, "--protocol", "direct", "--model", "python:own_models:Slow")
    assert sys.modules["own_models"].Slow.most == 1
    assert {line["model"] for line in lines(Path("answers.jsonl"))} == {"python:own_models:Slow"}


def test_own_models_that_say_so_are_asked_by_several_threads(data, own):
    puzzles_run("--data", data, "--protocol", "direct", "--model", "python:own_models:Several")
    assert [line["response"] for line in lines(Path("answers.jsonl"))] == ["up"] * 3


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Failing", "raised KeyError: 'weights'"),
        ("Steering", r"raised ValueError: \x1b[2J"),
        ("Leaving", "raised SystemExit: enough"),
        ("Wrong", "returned int '7'; Reply or str is wanted"),
        ("Halves", "Reply or str is wanted"),
        ("NoImages", "Reply or str is wanted"),
        ("Cancelled", "raised CancelledError: enough"),
        ("Interrupting", "KeyboardInterrupt"),
    ],
)
def test_what_goes_wrong_in_an_own_model_ends_its_episode(name, sentence, data, own):
    said = puzzles_run(
        "--data", data, "--protocol", "direct", "--model", f"python:own_models:{name}", code=1
    )
    assert said.count(sentence) == 3
    assert "judge them" not in said  # there is no file


def test_what_an_own_model_says_of_its_cost_may_be_anything(data, own):
    given = ["--data", data, "--protocol", "direct", "--model", "python:own_models:Costly"]
    assert "episodes: 3; requests: 3\n" in puzzles_run(*given)
    assert all(
        set(line["usage"]) == {"requests", "seconds"} for line in lines(Path("answers.jsonl"))
    )


def test_an_own_model_that_fails_to_close_loses_no_answer(data, own):
    given = ["--data", data, "--protocol", "direct", "--model", "python:own_models:Ending"]
    assert "close raised OSError: gone; all answers are kept" in puzzles_run(*given, code=2)
    assert len(lines(Path("answers.jsonl"))) == 3


# From outside.


def start(*arguments, **more) -> subprocess.Popen:
    command = [sys.executable, "-m", "cli", "run", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **more,
    )


def wait_for(condition, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def test_a_killed_run_goes_on_with_nothing_asked_twice(tmp_path):
    data = save(tmp_path / "d", [corridor(k, CORRIDORS[k % 3], k % 3 + 1) for k in range(40)])
    out = tmp_path / "a.jsonl"
    given = ["--data", data, "--protocol", "oracle-vcot+budget", "--model", "m", "-o", out]

    def answer(asked):
        time.sleep(0.002)
        return Reply('<STEP_JSON>"right"</STEP_JSON>')

    with Loopback(answer, keep=False) as server:
        given += ["--base-url", server.url, "--concurrency", 4, "--cell", 16]
        process = start(*given)
        wait_for(lambda: server.count >= 20)
        process.kill()
        process.communicate()
        process = start(*given)
        said, _ = process.communicate(timeout=30)
        assert process.returncode == 0, said
        needed = sum(k % 3 + 1 for k in range(40))
        assert needed <= server.count <= needed + 4  # those under way at the kill
    assert len(lines(out)) == 40
    assert set(keys(out).values()) == {1}
    assert all(verdict["optimal"] for verdict in judged(out, data))


def test_an_interrupted_run_ends_soon_and_keeps_what_came(data, tmp_path):
    out = tmp_path / "a.jsonl"
    with Loopback(RIGHT, ["", ""], always="slow:20") as server:
        process = start(
            *("--data", data, "--protocol", "direct", "--model", "m", "--base-url", server.url),
            *("-o", out),
        )
        wait_for(lambda: server.count >= 3)
        time.sleep(0.1)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
        assert time.monotonic() - begin < 4
    assert process.returncode == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said
    assert len(lines(out)) == 2


def test_a_full_disk_takes_one_sentence_and_no_answer(data, tmp_path):
    """A limit on the size of files stands for the disk."""
    out = tmp_path / "a.jsonl"
    given = ["--data", data, "--protocol", "text-cot", "--model", "solver", "--runs", 10, "-o", out]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))

    process = start(*given, preexec_fn=limit)
    said, _ = process.communicate(timeout=30)
    assert process.returncode == 2, said
    assert "a.jsonl: File too large" in said
    assert said.count("\n") == 1
    puzzles_run(*given)
    assert len(lines(out)) == 30
    assert set(keys(out).values()) == {1}
