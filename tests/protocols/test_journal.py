"""What a run keeps on disk: nothing is asked twice, and nothing of others is touched."""

import contextlib
import json
from collections import Counter

import pytest

from protocols.journal import Journal
from protocols.models import ModelError
from protocols.protocol import named
from protocols.replies import Key
from protocols.selection import Selection
from tests.protocols.endpoint import Loopback
from tests.protocols.playing import (
    CORRIDORS,
    RIGHT,
    Scripted,
    corridor,
    keys,
    lines,
    play,
    puzzles_run,
    save,
)


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
