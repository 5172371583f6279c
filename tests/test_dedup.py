"""Boards that datasets share: found whatever the format, the symmetry, or who wrote them."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from puzzles import Instance, dedup, engine, load, make, mixture, stream
from puzzles.dedup import Comparison, Shared, WrongSplit, scan, sides
from puzzles.engine import Local
from puzzles.records import DatasetError
from puzzles.symmetry import all_eight
from tests.test_cli import run

SMALL = {"size": (4, 4), "lengths": (3, 5), "options": {"border": False}}


def compared(*tops: Path, workers: int = 1) -> Comparison:
    comparison = Comparison(sides(tops))
    with Local(workers) as engine:
        for side in comparison.sides:
            scan(side, engine, side.count())
    return comparison


def write(folder: Path, records: Sequence[dict[str, Any]]) -> Path:
    """Write a dataset by other hands: nothing but these fields."""
    folder.mkdir(parents=True)
    text = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "metadata.jsonl").write_text(text)
    return folder


def maze(board: str, **more: Any) -> dict[str, Any]:
    return {"family": "maze", "board": board, "optimal_length": 2, **more}


def test_a_turned_board_is_the_same_board(tmp_path: Path) -> None:
    boards = ["\n".join(rows) for rows in all_eight(("S.G", "##."))]
    one = write(tmp_path / "one", [maze("S.G\n..."), maze(boards[0], id="mine")])
    other = write(tmp_path / "other", [maze("S.G\n#.#"), *map(maze, boards[1:])])
    comparison = compared(one, other)
    pairs = list(comparison.named())
    assert comparison.tallies[0, 1]["maze"].__dict__ == {"boards": 1, "first": 1, "second": 7}
    assert {pair.first for pair in pairs if isinstance(pair, Shared)} == {
        (str(one), "mine", f"{one / 'metadata.jsonl'} line 2")
    }
    places = [pair.second.place for pair in pairs if isinstance(pair, Shared)]
    assert places == [f"{other / 'metadata.jsonl'} line {line}" for line in range(2, 9)]


def test_a_board_that_is_there_often_is_named_once_a_record(tmp_path: Path) -> None:
    one = write(tmp_path / "one", [maze("S.G"), maze("G.S"), maze("S..G"), maze("S.G")])
    other = write(tmp_path / "other", [maze("S\n.\nG"), maze("S.G"), maze("S...G")])
    third = write(tmp_path / "third", [maze("S.G"), maze("G...S"), maze("G...S")])
    comparison = compared(one, other, third)
    lines = defaultdict(list)
    for pair in comparison.named():
        assert isinstance(pair, Shared)
        names = Path(pair.first.data).name, Path(pair.second.data).name
        numbers = (int(side.place.split()[-1]) for side in (pair.first, pair.second))
        lines[names].append(tuple(numbers))
    assert lines == {
        ("one", "other"): [(1, 1), (2, 1), (4, 1), (1, 2)],
        ("one", "third"): [(1, 1), (2, 1), (4, 1)],
        ("other", "third"): [(1, 1), (2, 1), (3, 2), (3, 3)],
    }
    tallies = {pair: vars(tally["maze"]) for pair, tally in comparison.tallies.items()}
    assert tallies == {
        (0, 1): {"boards": 1, "first": 3, "second": 2},
        (0, 2): {"boards": 1, "first": 3, "second": 1},
        (1, 2): {"boards": 2, "first": 3, "second": 3},
    }
    assert (comparison.shared, comparison.found) == (4, 11)
    alone = compared(one)
    assert [
        pair.second.place.split()[-1] for pair in alone.named() if isinstance(pair, Shared)
    ] == [*("2", "4")]
    assert vars(alone.tallies[0, 0]["maze"]) == {"boards": 1, "first": 0, "second": 2}


def key(instance: Instance) -> tuple[str, tuple[str, ...]]:
    """The board up to symmetry, told by trying all eight: another way than ours."""
    return instance.family, min(all_eight(tuple(instance.board.split("\n"))))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_shared_is_what_trying_all_pairs_says(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("maze", n=40, seed=1, out=tmp_path / "a" / "m", images=False, format="parquet", **SMALL)
    make("onet", "easy", 5, seed=1, out=tmp_path / "a" / "o", images=False)
    make("maze", n=60, seed=2, out=tmp_path / "b", images=False, format="webdataset", **SMALL)
    monkeypatch.setattr(engine, "WORTH", -1)  # start workers, however little there is to do
    monkeypatch.setattr(dedup, "_TASK", 15)
    comparison = compared(tmp_path / "a", tmp_path / "b", workers=workers)
    first, second = load(tmp_path / "a" / "m"), load(tmp_path / "b")
    expected = {(one.id, other.id) for one in first for other in second if key(one) == key(other)}
    found = {(p.first.id, p.second.id) for p in comparison.named() if isinstance(p, Shared)}
    assert found == expected
    assert len(found) > 2  # so there is something to find
    assert comparison.sides[0].families == Counter(maze=40, onet=5)
    assert list(compared(tmp_path / "a").named()) == []


def test_what_is_imported_is_compared_too(tmp_path: Path) -> None:
    made = make("sokoban", "easy", 6, seed=3, out=tmp_path / "made", images=False)
    turned = ["\n".join(row[::-1] for row in one.board.split("\n")) for one in made[:4]]
    (tmp_path / "levels.txt").write_text("\n\n".join(turned) + "\n")
    words = ["import", str(tmp_path / "levels.txt"), "--family", "sokoban", "--no-images"]
    assert run(*words, "--out", str(tmp_path / "imported")).returncode == 0
    done = run("dedup", str(tmp_path / "made"), str(tmp_path / "imported"), "--json")
    assert done.returncode == 1
    (shared,) = json.loads(done.stdout)["shared"]
    assert shared["families"] == {"sokoban": {"boards": 4, "first": 4, "second": 4}}


def test_train_and_eval_never_share_a_board(tmp_path: Path) -> None:
    """Whatever the seeds, the formats and the sizes; made, streamed or imported."""
    formats = ("folder", "parquet", "webdataset")
    for split, n, seeds in (("train", 60, (0, 1, 2)), ("eval", 8, (3, 4, 0))):
        for seed, format in zip(seeds, formats, strict=True):
            for rows in (4, 5):
                options = {**SMALL, "size": (rows, 4), "seed": seed, "split": split}
                out = tmp_path / split / f"{format}-{rows}"
                make("maze", n=n, out=out, images=False, format=format, **options)
        kinds = mixture(["maze"], lengths=[(3, 5)], sizes=[(4, 4)], options={"border": False})
        streamed = stream(kinds, seed=7, split=split)
        records = [json.loads(one.line()) for one in islice(streamed, 3 * n)]
        write(tmp_path / split / "streamed", records)
    for split in ("train", "eval"):
        boards = {one["board"]: one for one in map(json.loads, _lines(tmp_path / split))}
        text = "\n\n".join(boards) + "\n"
        (tmp_path / f"{split}.txt").write_text(text)
        words = ["import", str(tmp_path / f"{split}.txt"), "--family", "maze", "--no-images"]
        assert run(*words, "--out", str(tmp_path / split / "imported")).returncode == 0
    comparison = compared(tmp_path / "train", tmp_path / "eval")
    assert list(comparison.named(splits=True)) == []
    # The sets are dense: each has boards many times, only never one of the other split.
    assert all(side.boards < 0.8 * len(side.kin) for side in comparison.sides)


def _lines(folder: Path) -> list[str]:
    return (folder / "streamed" / "metadata.jsonl").read_text().splitlines()


def test_a_split_that_is_not_the_board_s_is_named(tmp_path: Path) -> None:
    made = make("maze", "easy", 20, seed=1, out=tmp_path / "made", images=False)
    records = [json.loads(one.line()) for one in made]
    records[4]["split"] = "eval" if made[4].split == "train" else "train"
    records[7]["split"] = "test"
    records[9]["split"] = None
    changed = write(tmp_path / "changed", records)
    comparison = compared(changed)
    found = [one for one in comparison.named(splits=True) if isinstance(one, WrongSplit)]
    assert [(one.found.id, one.split, one.expected) for one in found] == [
        (made[4].id, records[4]["split"], made[4].split),
        (made[7].id, "test", made[7].split),
    ]
    assert list(comparison.named()) == []
    done = run("dedup", str(changed), "--split")
    assert done.returncode == 1
    assert f"{made[7].id} ({changed / 'metadata.jsonl'} line 8) says test" in done.stdout
    assert run("dedup", str(changed)).returncode == 0


def test_the_command_says_what_is_shared(tmp_path: Path) -> None:
    one = write(tmp_path / "one", [maze("S.G", id="a"), maze("S..G", id="b")])
    other = write(tmp_path / "other", [maze("G.S", id="c")])
    out = tmp_path / "found.jsonl"
    done = run("dedup", str(one), str(other), "-o", str(out))
    assert done.returncode == 1
    assert f"{one}: 2 instances, 2 boards" in done.stdout
    assert f"a ({one / 'metadata.jsonl'} line 1) = c ({other / 'metadata.jsonl'} line 1)" in (
        done.stdout
    )
    assert json.loads(out.read_text()) == {
        "problem": "shared",
        "family": "maze",
        "first": {"data": str(one), "id": "a", "place": f"{one / 'metadata.jsonl'} line 1"},
        "second": {"data": str(other), "id": "c", "place": f"{other / 'metadata.jsonl'} line 1"},
    }
    again = run("dedup", str(one), str(other), "-o", str(out))
    assert (again.returncode, again.stderr) == (
        *(2, f"puzzles: {out} is there already; --force replaces it\n"),
    )
    alone = run("dedup", str(one), "-o", str(out), "--force")
    assert (alone.returncode, out.read_text()) == (0, "")
    assert "no board is there twice, up to symmetry" in alone.stdout


def test_many_findings_are_counted_and_written(tmp_path: Path) -> None:
    words = [maze("S" + "." * random.Random(k).randrange(4) + "G") for k in range(60)]
    data, out = write(tmp_path / "d", words), tmp_path / "out.jsonl"
    done = run("dedup", str(data), "-o", str(out))
    assert len(out.read_text().splitlines()) == 56
    assert done.stdout.count(" = ") == 20
    assert "and 36 more\n" in done.stdout
    assert "-o FILE" in run("dedup", str(data)).stdout


def test_what_can_t_be_compared_is_one_sentence(tmp_path: Path) -> None:
    good = write(tmp_path / "all" / "good", [maze("S.G")])
    bad = write(tmp_path / "bad", [maze("S.G"), maze("S.?")])
    said = f"{bad / 'metadata.jsonl'} line 2: "
    for words, message in (
        ([str(bad)], said),
        ([str(tmp_path / "nowhere")], "nowhere holds no dataset"),
        ([str(good), str(tmp_path / "all")], "give each dataset once"),
        ([str(good), str(good)], "give each dataset once"),
        ([str(good), "-o", str(tmp_path)], "is a folder"),
        ([str(good), "--engine", "cloud"], "--engine is local or ray, not 'cloud'"),
        ([str(good), "--address", "here:1"], "give --engine ray"),
    ):
        done = run("dedup", *words)
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_dataset_that_changes_meanwhile_is_noticed(tmp_path: Path) -> None:
    data = write(tmp_path / "d", [maze("S.G"), maze("S.G")])
    for text in ("S..G", "S.G"):
        comparison = compared(data)
        lines = [json.dumps(maze(board)) + "\n" for board in ("S.G", text, "S.G")]
        (data / "metadata.jsonl").write_text("".join(lines))
        with pytest.raises(DatasetError, match="has changed while it was compared"):
            list(comparison.named())
        (data / "metadata.jsonl").write_text("".join(lines[:1] * 2))


def test_progress_counts_records(tmp_path: Path) -> None:
    data = write(tmp_path / "d", [maze("S.G")] * 2500)
    comparison, seen = Comparison(sides([data])), list[int]()
    with Local(1) as engine:
        scan(comparison.sides[0], engine, comparison.sides[0].count(), seen.append)
    assert seen == [1000, 2000, 2500]
    assert sum(1 for _ in comparison.named(progress=seen.append)) == 2499
    assert seen[3:] == [1000, 2000, 2500]
