"""Files of verdicts read: types, order, what is missing, broken or repeated."""

import json
from pathlib import Path
from typing import Any

import pytest

from protocols.reports.rows import COLUMNS, REPEATED, RowsError, errors, judged, load
from tests.protocols.reports.verdicts import name, rows_of, verdict, written


def test_a_row_for_each_line_with_its_place(tmp_path: Path) -> None:
    first = written(tmp_path / "a.jsonl", [verdict(0), verdict(1, at=2, legal_moves=2)])
    second = written(tmp_path / "b.jsonl", [verdict(0, model="other", scores={"pass": True})])
    rows = load([first, second])
    assert tuple(rows.columns) == COLUMNS
    assert rows[["file", "line"]].values.tolist() == [[0, 1], [0, 2], [1, 1]]
    assert rows["answer_line"].tolist() == [1, 2, 1]
    assert rows["at"].tolist()[1] == 2
    assert rows["at"].isna().tolist() == [True, False, True]
    assert rows["scores"].tolist() == [None, None, {"pass": True}]
    assert rows["feasible"].tolist() == [False] * 3


@pytest.mark.parametrize(("said", "found"), [(7, 7), (None, 2), (0, 2), ("7", 2), (True, 2)])
def test_the_line_of_an_answer_is_what_its_verdict_says(
    tmp_path: Path, said: Any, found: int
) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text("\n" + json.dumps(verdict(0, line=said)))
    [row] = load([path]).to_dict("records")
    assert (row["line"], row["answer_line"]) == (2, found)


def test_what_a_line_does_not_name(tmp_path: Path) -> None:
    rows = rows_of(
        tmp_path,
        [verdict(0, model=None, protocol="", run=None), verdict(1, run=2), verdict(2, run="2")],
    )
    assert rows[["model", "protocol", "run"]].values.tolist()[0] == ["-", "-", "-"]
    assert rows["run"].tolist()[1:] == ["2", "2"]


def test_old_files_have_the_family_in_the_id_alone(tmp_path: Path) -> None:
    old: list[dict[str, Any]] = [verdict(0, family="onet", difficulty="hard"), verdict(1)]
    for row in old:
        for field in ("family", "difficulty", "rounds", "stop", "scores"):
            del row[field]
    old[1]["id"] = "mine"
    rows = rows_of(tmp_path, old)
    assert rows[["family", "difficulty"]].values.tolist() == [["onet", "hard"], ["-", "-"]]


def test_categories_stand_in_the_order_of_a_table(tmp_path: Path) -> None:
    rows = rows_of(
        tmp_path,
        [
            verdict(0, family="klotski", difficulty="custom", protocol="oracle-vcot+budget"),
            verdict(0, family="maze", difficulty="hard", protocol="oracle-vcot", run=10),
            verdict(0, family="sokoban", difficulty="medium", protocol="mine", run=9),
            verdict(0, family="path", difficulty="easy", protocol="direct", run=1),
        ],
    )
    columns = ("family", "difficulty", "protocol", "run")
    order = {column: list(rows[column].cat.categories) for column in columns}
    assert order["family"] == ["maze", "sokoban", "path", "klotski"]
    assert order["difficulty"] == ["easy", "medium", "hard", "custom"]
    assert order["protocol"] == ["direct", "oracle-vcot", "oracle-vcot+budget", "mine"]
    assert order["run"] == ["1", "9", "10"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "the line is not JSON"),
        (b"[1]", "the line is not a JSON object"),
        (b'"\xff"', "the line is not UTF-8 text"),
        (b"[" * 100_000, "the line is not JSON"),
        (b'{"id": "x", "response": "up"}', "it has no feasible"),
        (json.dumps(verdict(1, feasible=1)).encode(), "feasible is neither true nor false"),
        (json.dumps(verdict(1, moves=-1)).encode(), "moves is not a number of steps"),
        (json.dumps(verdict(1, moves=2**40)).encode(), "moves is not a number of steps"),
        (json.dumps(verdict(1, moves=True)).encode(), "moves is not a number of steps"),
        (json.dumps(verdict(1, model=["m"])).encode(), "model is not text"),
        (json.dumps(verdict(1, scores=[])).encode(), "scores is not an object"),
    ],
    ids=str,
)
def test_a_line_that_is_no_verdict_is_a_row_that_says_so(
    tmp_path: Path, line: bytes, why: str
) -> None:
    good = json.dumps(verdict(0)).encode()
    path = tmp_path / "v.jsonl"
    path.write_bytes(good + b"\n\n" + line + b"\n")
    rows = load([path])
    assert len(rows) == 2
    assert len(judged(rows)) == 1
    [(text, (count, first))] = errors(rows).items()
    assert why in text
    assert (count, first["line"]) == (1, 3)


def test_the_first_verdict_on_a_question_counts(tmp_path: Path) -> None:
    path = written(tmp_path / "v.jsonl", [verdict(0, True), verdict(0, False, run=2)])
    rows = load([path, written(tmp_path / "w.jsonl", [verdict(0, False), verdict(1, True)])])
    assert rows["error"].tolist()[2] == REPEATED
    assert judged(rows)["optimal"].tolist() == [True, False, True]


def test_lines_that_verify_could_not_judge_are_kept_apart(tmp_path: Path) -> None:
    bad = {**dict.fromkeys(verdict(0)), "line": 1, "error": "unknown id"}
    drawn = verdict(3, feasible=None, optimal=None, format_ok=None, reason=None)
    rows = rows_of(tmp_path, [bad, bad, verdict(1), drawn])
    assert [count for count, _ in errors(rows).values()] == [2]
    assert judged(rows)["id"].tolist() == [name(1)]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"\n \n", "it is empty"),
        (b"once\nupon\n", "line 1: the line is not JSON"),
        (b'{"id": "x", "response": "up"}\n', "line 1: .* it has no feasible"),
    ],
)
def test_a_file_without_any_verdict_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(content)
    with pytest.raises(RowsError, match=f"v.jsonl holds no verdicts: {why}"):
        load([path])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(RowsError, match="there is no file"):
            load([path])


def test_half_a_surrogate_pair_is_kept_as_its_escape(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, [verdict(0, model="m\ud800"), verdict(1, model="模型")])
    assert rows["model"].tolist() == ["m\\ud800", "模型"]


def test_progress_ends_with_all_bytes(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{k}.jsonl", [verdict(k)]) for k in range(2)]
    told: list[int] = []
    load(paths, told.append)
    assert told[-1] == sum(path.stat().st_size for path in paths)
