"""The folder that an import fills: its rules and pictures, and what interrupts it."""

import json
from pathlib import Path

import pytest

from puzzles import engine, load, make
from puzzles.exchange import importing
from puzzles.exchange.importing import Wanted, import_boards
from puzzles.folder import Folder
from puzzles.records import DatasetError
from puzzles.solve import CHOICES
from solvers import Limit
from tests.exchanging import ROOMS, contents, exported, file_named, imported


def test_rules_metric_and_kept_pictures(tmp_path: Path) -> None:
    imported(tmp_path / "d", "RR.\n...\n", family="parking", metric="slide", cell=20)
    (instance,) = load(tmp_path / "d")
    assert (instance.optimal_length, instance.metric, instance.difficulty) == (1, "slide", "custom")
    imported(tmp_path / "e", "RR...\n.....\n", family="parking", cell=20)
    (longer,) = load(tmp_path / "e")
    for one in (instance, longer):
        assert [one.stats[name] for name in CHOICES] == [1, 1.0]
    assert (longer.optimal_length, longer.metric) == (3, "cell")
    names = set(contents(tmp_path / "d"))
    assert names == {
        "metadata.jsonl",
        "dataset.json",
        f"images/{instance.id}.png",
        f"aids/{instance.id}.png",
    }


def test_a_board_with_more_solutions_than_64_bits_hold(tmp_path: Path) -> None:
    open_floor = [["."] * 40 for _ in range(40)]
    open_floor[0][0], open_floor[39][39] = "S", "G"
    imported(tmp_path / "d", "\n".join(map("".join, open_floor)), "GS\n", family="maze")
    first, second = load(tmp_path / "d")
    assert first.optimal_length == 78
    assert first.stats["optimal_solutions"] is None  # 78 over 39, about 2.7e22
    assert second.stats["optimal_solutions"] == 1


def test_a_family_without_slides(tmp_path: Path) -> None:
    _, said = imported(tmp_path / "d", "S.G\n", family="maze", metric="slide")
    assert said == ["a.txt:1: maze: there is no metric 'slide', only cell: no piece slides"]


def test_a_picture_that_is_too_large(tmp_path: Path) -> None:
    text = "S" + "." * 700 + "G\n" + ("." * 702 + "\n") * 699 + "\nS.G\n"
    _, said = imported(tmp_path / "d", text, family="maze", cell=64)
    assert len(load(tmp_path / "d")) == 1
    assert said[0].startswith("a.txt:1: a 700x702 board at 64 pixels a cell has ")
    assert said[0].endswith("take a smaller cell (--cell) or no pictures (--no-images)")
    imported(tmp_path / "e", text, family="maze")
    assert load(tmp_path / "e")[0].optimal_length == 701


def test_an_imported_dataset_is_a_dataset(tmp_path: Path) -> None:
    write_made = make("maze", "easy", 5, out=tmp_path / "d", images=False)
    imported(tmp_path / "e", exported(tmp_path / "d", "jsonl"))
    other = make("maze", "easy", 5, exclude=[tmp_path / "e"])
    assert not {i.board for i in write_made} & {i.board for i in other}


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    imported(tmp_path / "d", ROOMS, family="maze")
    before = contents(tmp_path / "d")
    for flags, wanted, sentence in (
        ({}, {}, "already holds a dataset; --resume completes it"),
        ({"resume": True}, {"limit": Limit(5)}, "was begun with limit "),
        ({"resume": True}, {"cell": 16}, "was begun with cell null, not 16"),
        ({"resume": True}, {"metric": "slide"}, "was begun with metric "),
        ({"resume": True, "force": True}, {}, "give one of them"),
    ):
        with pytest.raises(ValueError, match=sentence):
            imported(tmp_path / "d", ROOMS, family="maze", flags=flags, **wanted)
    with pytest.raises(DatasetError, match="was begun with files "):
        imported(tmp_path / "d", ROOMS + "\nG.S\n", family="maze", flags={"resume": True})
    with pytest.raises(DatasetError, match="was begun by another command"):
        make("maze", "easy", 1, out=tmp_path / "m", images=False)
        imported(tmp_path / "m", ROOMS, family="maze", flags={"resume": True})
    assert contents(tmp_path / "d") == before
    imported(tmp_path / "d", "S...G\n", family="maze", flags={"force": True})
    assert [instance.board for instance in load(tmp_path / "d")] == ["S...G"]
    assert set(contents(tmp_path / "d")) == {"dataset.json", "metadata.jsonl"}


def test_nothing_is_replaced_by_nothing(tmp_path: Path) -> None:
    imported(tmp_path / "d", ROOMS, family="maze")
    before = contents(tmp_path / "d")
    outcome, said = imported(tmp_path / "d", "Sx\n", family="maze", flags={"force": True})
    assert (outcome.total, outcome.left_out, len(said)) == (1, 1, 1)
    assert contents(tmp_path / "d") == before


def test_two_imports_do_not_share_a_folder(tmp_path: Path) -> None:
    wanted = Wanted((file_named("a.txt", ROOMS),), family="maze", cell=None)
    with Folder(tmp_path / "d", wanted) as folder:
        assert list(folder.open(resume=False, force=False)) == []
        with pytest.raises(DatasetError, match="another run is writing"):
            imported(tmp_path / "d", ROOMS, family="maze")


MANY = "\n\n".join(f"S{'.' * k}{'G' if k % 3 else '#'}" for k in range(200)) + "\n"
"""Mazes of which every third is none."""


@pytest.mark.parametrize("cell", [None, 16])
def test_any_prefix_of_both_logs_is_completed(tmp_path: Path, cell: int | None) -> None:
    text = MANY[:2600]
    imported(tmp_path / "whole", text, family="maze", cell=cell)
    whole = contents(tmp_path / "whole")
    header = json.loads(whole["dataset.json"])
    begun = {"complete": False, "content": header["content"]}
    sizes = [len(whole[name]) for name in ("metadata.jsonl", "left_out.jsonl")]
    for share in (0, 0.003, 0.4, 0.9, 1):
        for other in (0, 0.02, 0.5, 1):
            folder = tmp_path / f"{share}-{other}"
            folder.mkdir()
            (folder / "dataset.json").write_text(json.dumps(begun, indent=2))
            for name, part, size in zip(
                ("metadata.jsonl", "left_out.jsonl"), (share, other), sizes, strict=True
            ):
                (folder / name).write_bytes(whole[name][: int(part * size)])
            outcome, said = imported(folder, text, family="maze", cell=cell, flags={"resume": True})
            assert contents(folder) == whole, (share, other)
            assert outcome.left_out == len(said) == header["left_out"]


def test_a_pool_of_workers_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(tmp_path / "a", MANY, family="maze")
    monkeypatch.setattr(engine, "WORTH", 0.0)
    monkeypatch.setattr(importing, "_AHEAD", 32)  # so that nobody knows how many there are
    wanted = Wanted((file_named("a.txt", MANY),), family="maze", cell=None)
    told: list[int] = []
    import_boards(wanted, tmp_path / "b", workers=2, progress=told.append)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert told == sorted(told)
    assert told[-1] == MANY.count("\n")


def test_lines_that_this_run_did_not_write_are_refused(tmp_path: Path) -> None:
    imported(tmp_path / "d", ROOMS, family="maze")
    folder = tmp_path / "d"
    for name, old, new, sentence in (
        ("metadata.jsonl", '"line":9', '"line":8', "has been changed since it was completed"),
        ("metadata.jsonl", '"file":"a.txt"', '"file":"z.txt"', "line 1 is not what this run wrote"),
        ("metadata.jsonl", '"board":"S.G"', '"board":"S#G"', "line 1 is not what this run wrote"),
        ("left_out.jsonl", '"index":1', '"index":"x"', "line 1 is not what this run wrote"),
        ("left_out.jsonl", '"index":1', '"index":3', "record 3 stands there twice"),
        ("left_out.jsonl", '{"index":1', "nope", "left_out.jsonl line 1 is not what this run"),
    ):
        path = folder / name
        before = path.read_text()
        path.write_text(before.replace(old, new))
        with pytest.raises(DatasetError, match=sentence):
            imported(folder, ROOMS, family="maze", flags={"resume": True})
        path.write_text(before)
    before = contents(folder)
    (folder / "left_out.jsonl").unlink()
    imported(folder, ROOMS, family="maze", flags={"resume": True})
    assert contents(folder) == before
