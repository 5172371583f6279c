"""The file of verdicts: what it may replace, and what is left of runs that were killed."""

import json
import os
from pathlib import Path

import pytest

from protocols.judge import AnswersError, Options, judge_file, verdicts_path
from protocols.verdicts import FIELDS
from puzzles.lock import taken
from tests.protocols.judging import instances, judge, mazes, right


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mazes(tmp_path_factory.mktemp("data"))


def test_verdicts_replace_verdicts_only(tmp_path: Path, data: Path) -> None:
    line = right(instances(data / "maze-easy")[0])
    judge(tmp_path / "answers.jsonl", [line], data)
    judge(tmp_path / "answers.jsonl", [line, line], data)
    assert len((tmp_path / "verdicts.jsonl").read_text().splitlines()) == 2
    other = tmp_path / "other.jsonl"
    other.write_text('{"precious": 1}\n')
    answers = tmp_path / "answers.jsonl"
    with pytest.raises(AnswersError, match="holds something other than verdicts"):
        judge_file(answers, [data], other, Options())
    with pytest.raises(AnswersError, match="it is the file of answers"):
        judge_file(answers, [data], answers, Options())
    with pytest.raises(AnswersError, match="there is no folder"):
        judge_file(answers, [data], tmp_path / "no" / "v.jsonl", Options())
    assert other.read_text() == '{"precious": 1}\n'
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "answers.jsonl",
        "other.jsonl",
        "verdicts.jsonl",
    ]


def test_names_of_verdicts() -> None:
    assert verdicts_path(Path("x/answers.jsonl")) == Path("x/verdicts.jsonl")
    assert verdicts_path(Path("x/gpt.jsonl")) == Path("x/gpt.verdicts.jsonl")


def test_no_file_but_that_of_the_verdicts_is_touched(tmp_path: Path, data: Path) -> None:
    line = json.dumps(right(instances(data / "maze-easy")[0])) + "\n"
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / ".linked.jsonl.new").symlink_to(precious)
    (tmp_path / ".kept.jsonl.new").write_text("mine")
    answers = tmp_path / ".mine.jsonl.new"
    answers.write_text(line)
    for name in ("linked.jsonl", "kept.jsonl", "mine.jsonl"):
        report = judge_file(answers, [data], tmp_path / name, Options())
        assert report.record()["judged"] == 1
    assert precious.read_text() == "precious"
    assert (tmp_path / ".kept.jsonl.new").read_text() == "mine"
    assert answers.read_text() == line
    assert len(list(tmp_path.iterdir())) == 7


def test_what_killed_runs_have_left_is_removed(tmp_path: Path, data: Path) -> None:
    """Not what another run is writing, nor what another has named."""
    names = [f".verdicts-{digit * 16}.new" for digit in "012"] + [".verdicts-mine.new"]
    for name in names:
        (tmp_path / name).write_text("{}")
    (tmp_path / names[2]).unlink()
    (tmp_path / names[2]).mkdir()
    with (tmp_path / names[1]).open() as busy:
        assert taken(busy.fileno())
        judge(tmp_path / "answers.jsonl", [right(instances(data / "maze-easy")[0])], data)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"answers.jsonl", "verdicts.jsonl", *names[1:]}


def test_a_list_of_names_is_no_verdict(tmp_path: Path, data: Path) -> None:
    (tmp_path / "answers.jsonl").write_text("")
    (tmp_path / "names.json").write_text(json.dumps(FIELDS) + "\n")
    with pytest.raises(AnswersError, match="holds something other than verdicts"):
        judge_file(tmp_path / "answers.jsonl", [data], tmp_path / "names.json", Options())


def test_a_ring_of_links_takes_no_verdicts(tmp_path: Path, data: Path) -> None:
    (tmp_path / "answers.jsonl").write_text("")
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(AnswersError, match="it is a link that leads nowhere"):
        judge_file(tmp_path / "answers.jsonl", [data], tmp_path / "a", Options())


def test_only_ordinary_files_take_verdicts(tmp_path: Path, data: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text("")
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(AnswersError, match="it is no ordinary file"):
        judge_file(answers, [data], tmp_path / "fifo", Options())
    with pytest.raises(AnswersError, match="it is no ordinary file"):
        judge_file(answers, [data], Path("/dev/null"), Options())
    (tmp_path / "link").symlink_to(tmp_path / "target.jsonl")
    judge_file(answers, [data], tmp_path / "link", Options())
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target.jsonl").is_file()
