"""puzzles run: every protocol driven to its end, and nothing asked twice, whatever happens."""

import json
import resource
import signal
import time
from io import BytesIO

import PIL.Image
import pytest

from protocols.messages import Reply
from protocols.protocol import PROTOCOLS, named
from protocols.selection import Selection
from puzzles import NAMES
from tests.protocols.endpoint import Loopback, Perfect
from tests.protocols.playing import (
    CORRIDORS,
    RIGHT,
    Scripted,
    corridor,
    judged,
    keys,
    lines,
    play,
    puzzles_run,
    save,
    start,
    wait_for,
)

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
