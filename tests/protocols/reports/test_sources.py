"""Sources: the line, the instance and the pictures behind a verdict."""

import json
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.lmms_samples import target_of
from protocols.judge import Options, judge_file
from protocols.library import Library
from protocols.reports.rows import load
from protocols.reports.sources import Sources, answers_path
from protocols.verdicts import verdicts_path
from puzzles.instance import Instance
from render.decode import MOST_BYTES, UnusablePicture
from tests.protocols.reports.verdicts import name

BOARD = "#####\n#S.G#\n#...#\n#####"
INSTANCE = Instance(id=name(0), family="maze", board=BOARD, optimal_length=2)


def sources(folder: Path, lines: list[Any], data: bool = True) -> Sources:
    if data:
        (folder / "metadata.jsonl").write_text(INSTANCE.line())
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / "answers.jsonl").write_bytes(BOM_UTF8 + "".join(f"{t}\n" for t in texts).encode())
    return Sources.beside([folder / "verdicts.jsonl"])


@pytest.mark.parametrize("answers", ["answers.jsonl", "mine.jsonl", "mine.txt", "a.b.jsonl"])
def test_answers_are_found_by_the_name_of_their_verdicts(tmp_path: Path, answers: str) -> None:
    verdicts = verdicts_path(tmp_path / answers)
    assert answers_path(verdicts) is None
    (tmp_path / answers).touch()
    assert answers_path(verdicts) == tmp_path / answers


def test_verdicts_of_another_name_have_no_answers(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").touch()
    assert answers_path(tmp_path / "elsewhere.jsonl") is None


def test_lines_are_found_by_their_number(tmp_path: Path) -> None:
    one, two = {"id": name(0), "response": "a"}, {"id": name(1), "response": "ö\u2028"}
    found = sources(tmp_path, [one, "", "{broken", two, "[1]"])
    assert found.record(0, 1, name(0)) == one
    assert found.record(0, 4, name(1)) == two
    for line in (-1, 0, 2, 3, 5, 6):
        assert found.record(0, line, name(0)) is None


def test_blank_lines_shift_no_answer(tmp_path: Path) -> None:
    """Three protocols for one id: each verdict is about its own answer."""
    (tmp_path / "metadata.jsonl").write_text(INSTANCE.line())
    said = ["direct", "text-cot", "oracle-gta"]
    lines = [json.dumps({"id": name(0), "protocol": one, "response": one}) for one in said]
    answers, verdicts = tmp_path / "answers.jsonl", tmp_path / "verdicts.jsonl"
    answers.write_text("\n" + "\n\n \n".join(lines))
    judge_file(answers, [], verdicts, Options())
    rows = load([verdicts])
    assert rows["answer_line"].tolist() == [2, 5, 8]
    found = Sources.beside([verdicts])
    records = [found.record(row.file, row.answer_line, row.id) for row in rows.itertuples()]
    assert [record and record["response"] for record in records] == said


def test_samples_of_lmms_eval_are_answers(tmp_path: Path) -> None:
    target = target_of("text-cot", INSTANCE.model_dump(mode="json"))
    sample = {"doc_id": 0, "target": target, "filtered_resps": ["left"], "input": "?"}
    record = sources(tmp_path, [sample]).record(0, 1, name(0))
    assert record is not None
    assert (record["protocol"], record["response"]) == ("text-cot", "left")


def test_a_line_that_answers_something_else_now_is_none(tmp_path: Path) -> None:
    found = sources(tmp_path, [{"id": name(1), "response": ""}])
    assert found.record(0, 1, name(0)) is None
    assert found.record(0, 1, name(1)) is not None


def test_an_instance_of_the_data_goes_before_an_inline_one(tmp_path: Path) -> None:
    inline = {"family": "maze", "board": BOARD.replace("...", "..#"), "optimal_length": 2}
    found = sources(tmp_path, [{"id": name(0), "instance": inline}, {"instance": inline}])
    record = found.record(0, 1, name(0))
    assert record is not None
    assert found.instance(0, name(0), record) == INSTANCE
    other = found.record(0, 2, name(7))
    assert other is not None
    known = found.instance(0, name(7), other)
    assert known is not None
    assert (known.board, known.id) == (inline["board"], name(7))
    assert found.instance(0, name(7), {"instance": {"family": "maze"}}) is None
    assert found.instance(0, name(7), {}) is None


def test_without_answers_there_is_nothing(tmp_path: Path) -> None:
    found = Sources([None], Library())
    assert found.record(0, 1, name(0)) is None
    assert found.folder(0) is None
    with pytest.raises(FileNotFoundError):
        found.picture(0, "a.png")


def test_each_file_has_its_own_data(tmp_path: Path) -> None:
    boards = [BOARD, BOARD.replace("...", "..#")]
    paths = []
    for at, board in enumerate(boards):
        folder = tmp_path / str(at)
        folder.mkdir()
        instance = INSTANCE.model_copy(update={"board": board})
        (folder / "metadata.jsonl").write_text(instance.line())
        (folder / "answers.jsonl").write_text(json.dumps({"id": name(0)}) + "\n")
        paths.append(folder / "verdicts.jsonl")
    found = Sources.beside(paths)
    known = [found.instance(file, name(0), {}) for file in range(2)]
    assert [instance and instance.board for instance in known] == boards


def test_pictures_stand_beside_the_answers(tmp_path: Path) -> None:
    found = sources(tmp_path, [])
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(b"picture")
    assert found.picture(0, "images/a.png") == b"picture"
    for bad in ("images/b.png", "images", "", "a\0b", "images/a.png/c"):
        with pytest.raises(FileNotFoundError):
            found.picture(0, bad)
    with (tmp_path / "large.png").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(UnusablePicture, match="bytes"):
        found.picture(0, "large.png")
