"""Shards: the same records and pictures as a folder, whatever happens while they are made."""

import json
import os
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from protocols.library import Library
from puzzles import dataset, engine, load, make
from puzzles.content import Content
from puzzles.dataset import kin_of, write
from puzzles.exchange.formats import file_of
from puzzles.exchange.importing import Wanted, import_boards
from puzzles.generate import Recipe
from puzzles.records import DatasetError
from puzzles.shards.store import storage_of
from puzzles.store import Store
from tests.killed import killed
from tests.sharded import ENDS, FORMATS, content, shards
from tests.test_dataset import command, make_words
from tests.test_dataset import files as contents

parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra data")


@FORMATS
def test_shards_hold_what_a_folder_holds(tmp_path: Path, format: str) -> None:
    folder, kept = tmp_path / "d", tmp_path / "s"
    write(content(11, 32), folder)
    write(content(11, 32), kept, storage_of(format, size=4))
    assert [path.name for path in shards(kept)] == [
        f"data-{k:05}-of-00003.{ENDS[format]}" for k in range(3)
    ]
    assert [i.line() for i in load(kept)] == [i.line() for i in load(folder)]
    assert load(kept)[0].file_name == f"images/{load(kept)[0].id}.png"
    ours, theirs = (json.loads((one / "dataset.json").read_text()) for one in (kept, folder))
    assert ours.pop("format") == format
    assert (ours.pop("shards"), ours.pop("shard_size")) == (3, 4)
    assert ours.pop("layout", "plain") == "plain"
    assert ours == theirs


def test_a_parquet_row_is_the_record_with_its_pictures(tmp_path: Path) -> None:
    made = make("maze", "easy", 3, out=tmp_path / "d", cell=32, format="parquet")
    table = parquet.read_table(tmp_path / "d" / "data-00000-of-00001.parquet")
    assert table.column_names[:5] == ["id", "family", "difficulty", "board", "rules"]
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["image"] == features["aid"] == {"_type": "Image"}
    assert features["optimal_length"] == {"dtype": "int64", "_type": "Value"}
    assert list(features) == table.column_names
    for row, instance in zip(table.to_pylist(), made, strict=True):
        assert row["board"] == instance.board
        assert json.loads(row["stats"]) == instance.stats
        assert row["source"] is None
        assert Image.open(BytesIO(row["image"]["bytes"])).size == (320, 320)
        assert row["aid"]["path"] == f"aids/{instance.id}.png"
        assert row["aid"]["bytes"] != row["image"]["bytes"]


def test_rows_come_in_groups_of_256(tmp_path: Path) -> None:
    write(content(600), tmp_path / "d", storage_of("parquet"))
    file = parquet.ParquetFile(tmp_path / "d" / "data-00000-of-00001.parquet")
    groups = [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)]
    assert groups == [256, 256, 88]
    assert "image" not in file.schema_arrow.names  # there are no pictures


def test_a_tar_depends_on_nothing_but_its_instances(tmp_path: Path) -> None:
    made = make("maze", "easy", 2, out=tmp_path / "d", cell=32, format="webdataset")
    with tarfile.open(tmp_path / "d" / "data-00000-of-00001.tar") as tar:
        entries = tar.getmembers()
        held = [tar.extractfile(entry).read() for entry in entries]
    assert [entry.name for entry in entries] == [
        f"{one.id}.{end}" for one in made for end in ("png", "aid.png", "json")
    ]
    for entry in entries:
        assert (entry.mtime, entry.uid, entry.gid, entry.uname, entry.mode) == (0, 0, 0, "", 0o644)
    assert [data.decode() for data in held[2::3]] == [one.line() for one in made]
    assert held[0].startswith(b"\x89PNG")


@FORMATS
def test_a_pool_of_workers_changes_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    write(content(300, 16), tmp_path / "a", storage_of(format, shards=3), workers=1)
    monkeypatch.setattr(engine, "WORTH", 0.0)
    monkeypatch.setattr(dataset, "_TASK", 64)
    write(content(300, 16), tmp_path / "b", storage_of(format, shards=3), workers=2)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@FORMATS
def test_a_killed_run_is_resumed_to_the_same_bytes(tmp_path: Path, format: str) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    made, kept = content(250, 16, difficulty="hard"), storage_of(format, size=50)
    write(made, whole, kept)
    form = ("--format", format, "--shard-size", "50", "--cell", "16")
    for _ in range(2):
        killed(
            3,
            *make_words(torn, 250, "--resume", *form),
            written=lambda: len(shards(torn)) if torn.exists() else 0,
        )
    assert not json.loads((torn / "dataset.json").read_text())["complete"]
    assert 0 < len(load(torn)) < 250
    assert len(load(torn)) % 50 == 0
    write(made, torn, kept, resume=True)
    assert contents(whole) == contents(torn)


@FORMATS
def test_what_a_kill_leaves_of_a_shard_is_made_again(tmp_path: Path, format: str) -> None:
    kept = storage_of(format, size=4)
    write(content(10), tmp_path / "d", kept)
    before = contents(tmp_path / "d")
    last = shards(tmp_path / "d")[-1]
    os.replace(last, last.with_name(f".{last.name}.new"))
    with pytest.raises(DatasetError, match=rf"{last.name} is missing"):
        load(tmp_path / "d")
    write(content(10), tmp_path / "d", kept, resume=True)
    assert contents(tmp_path / "d") == before


@FORMATS
def test_shards_are_not_overwritten(tmp_path: Path, format: str) -> None:
    folder, kept = tmp_path / "d", storage_of(format, size=4)
    write(content(10), folder, kept)
    before = contents(folder)
    for storage, more, sentence in (
        (kept, {}, "already holds a dataset; --resume completes it"),
        (storage_of("folder"), {}, "already holds a dataset"),
        (storage_of("folder"), {"resume": True}, f'was begun with format "{format}", not "folder"'),
        (storage_of(format, size=5), {"resume": True}, "was begun with shards 3, not 2"),
        (kept, {"resume": True, "force": True}, "give one of them"),
    ):
        with pytest.raises(ValueError, match=sentence):
            write(content(10), folder, storage, **more)
    with pytest.raises(DatasetError, match="was begun with seed 0, not 7"):
        write(content(10, seed=7), folder, kept, resume=True)
    assert contents(folder) == before


@FORMATS
@pytest.mark.parametrize("complete", [True, False])
def test_another_format_is_no_reason_to_overwrite(
    tmp_path: Path, format: str, complete: bool
) -> None:
    folder = tmp_path / "d"
    write(content(10), folder, storage_of(format, size=4))
    if not complete:  # as a kill leaves it
        shards(folder)[-1].unlink()
        header = json.loads((folder / "dataset.json").read_text())
        kept = ("format", "layout", "shards", "shard_size", "content")
        header = {"complete": False} | {name: header[name] for name in kept if name in header}
        (folder / "dataset.json").write_text(json.dumps(header))
    before = contents(folder)
    for other in {"folder", "parquet", "webdataset"} - {format}:
        with pytest.raises(DatasetError, match="already holds a dataset"):
            write(content(10), folder, storage_of(other))
        with pytest.raises(DatasetError, match=f'begun with format "{format}", not "{other}"'):
            write(content(10), folder, storage_of(other), resume=True)
    assert contents(folder) == before


def test_force_takes_away_no_shards_of_others(tmp_path: Path) -> None:
    write(content(3), tmp_path / "d", storage_of("webdataset"))
    (tmp_path / "d" / "model-00001-of-00002.parquet").write_text("weights")
    before = contents(tmp_path / "d")
    for format in ("folder", "webdataset"):
        with pytest.raises(DatasetError, match=r"holds something else .model-00001"):
            write(content(3), tmp_path / "d", storage_of(format), force=True)
    assert contents(tmp_path / "d") == before


def test_force_replaces_one_format_by_another_without_a_trace(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    write(content(6, 16), folder)
    (folder / "answers.jsonl").write_text("mine")
    for format in ("parquet", "webdataset", "folder"):
        write(content(6, 16), folder, storage_of(format), force=True)
        write(content(6, 16), tmp_path / format, storage_of(format))
        expected = contents(tmp_path / format) | {"answers.jsonl": b"mine"}
        assert contents(folder) == expected


@FORMATS
def test_two_runs_do_not_share_a_folder(tmp_path: Path, format: str) -> None:
    kept = storage_of(format)
    with kept(tmp_path, content()) as store:
        assert list(store.open(resume=False, force=False)) == []
        with pytest.raises(DatasetError, match="another run is writing"):
            write(content(), tmp_path, kept)


@FORMATS
def test_a_run_that_makes_nothing_leaves_nothing(tmp_path: Path, format: str) -> None:
    impossible = Content(Recipe("maze", difficulty="hard", size=(4, 4)), 5, 32)
    with pytest.raises(ValueError, match="4x4"):
        write(impossible, tmp_path / "d", storage_of(format))
    assert list(tmp_path.iterdir()) == []


@FORMATS
def test_a_full_disk_loses_no_whole_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    kept = storage_of(format, size=100)
    write(content(300), tmp_path / "whole", kept)
    put, written = Store.append, []

    def full(self: Store, chunk: list) -> None:
        written.append(len(chunk))
        if sum(written) > 256:
            raise OSError(28, "No space left on device", str(self.path))
        put(self, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", full)
        with pytest.raises(OSError, match="No space left on device"):
            write(content(300), tmp_path / "d", kept)
    assert len(load(tmp_path / "d")) == 200
    assert not list((tmp_path / "d").glob(".*"))
    write(content(300), tmp_path / "d", kept, resume=True)
    assert contents(tmp_path / "d") == contents(tmp_path / "whole")


def test_excluded_boards_may_be_in_shards(tmp_path: Path) -> None:
    for format in ("folder", "parquet", "webdataset"):
        write(content(30), tmp_path / format, storage_of(format))
    write(content(30), tmp_path / "b", exclude=[tmp_path / "parquet"])
    write(content(30), tmp_path / "c", exclude=[tmp_path / "webdataset"])
    assert contents(tmp_path / "b") == contents(tmp_path / "c")
    first, second = ({kin_of(i) for i in load(tmp_path / name)} for name in ("folder", "b"))
    assert not first & second


@FORMATS
def test_a_library_finds_each_instance_again(tmp_path: Path, format: str) -> None:
    write(content(600), tmp_path / "d", storage_of(format, size=280))
    library = Library.below([tmp_path])
    assert library.buckets == {("maze", "easy"): 600}
    made = load(tmp_path / "d")
    for instance in (*made[250:300], made[599], made[0]):
        assert library.get(instance.id) == instance


@FORMATS
def test_verify_reads_shards_beside_the_answers(tmp_path: Path, format: str) -> None:
    made = make("maze", "easy", 4, out=tmp_path / "d", images=False, format=format)
    with (tmp_path / "d" / "answers.jsonl").open("w") as file:
        for one in made:
            file.write(json.dumps({"id": one.id, "response": one.answer}) + "\n")
    run = command("verify", str(tmp_path / "d" / "answers.jsonl"))
    out, errors = run.communicate()
    assert run.returncode == 0, errors
    assert b"100" in out


@FORMATS
def test_an_import_into_shards_is_resumed_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    boards = [f"S{'.' * k}G" if k % 3 else f"S#{'.' * k}G" for k in range(1, 60)]
    wanted = Wanted(
        (file_of("\n\n".join(boards).encode(), Path("a"), "a"),), family="maze", cell=16
    )
    kept = storage_of(format, size=8)
    import_boards(wanted, tmp_path / "whole", kept, workers=1)
    assert [path.name for path in shards(tmp_path / "whole")] == [
        f"data-{k:05}.{ENDS[format]}" for k in range(5)
    ]
    append, count = Store.append, []

    def killed(self: Store, chunk: list) -> None:
        count.append(chunk)
        if len(count) == 3:
            raise KeyboardInterrupt
        append(self, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", killed)
        with pytest.raises(KeyboardInterrupt):
            import_boards(wanted, tmp_path / "torn", kept, workers=1)
    assert len(load(tmp_path / "torn")) == 16
    import_boards(wanted, tmp_path / "torn", kept, workers=1, resume=True)
    assert contents(tmp_path / "torn") == contents(tmp_path / "whole")
    with pytest.raises(ValueError, match="--shards 3: there are an unknown number of rows"):
        import_boards(wanted, tmp_path / "n", storage_of(format, shards=3))
