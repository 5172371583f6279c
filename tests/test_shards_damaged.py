"""What is wrong with a shard is one sentence that names it."""

import json
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from protocols.training import Training, storage_for
from puzzles import load, make
from puzzles.conversion import convert, copied
from puzzles.dataset import write
from puzzles.records import DatasetError, files
from puzzles.shards.store import storage_of
from tests.sharded import FORMATS, content, shards

pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs the extra data")
parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra data")


def damaged(folder: Path, format: str, how: str) -> Path:
    make("maze", "easy", 6, out=folder, cell=32, format=format, shards=2)
    path = shards(folder)[1]
    data = path.read_bytes()
    changed = {
        "empty": b"",
        "half": data[: len(data) // 2],
        "end": data[: len(data) * 3 // 4],
        "beginning": b"x" * 600 + data[600:],
        "text": b"this is no shard\n" * 100,
    }
    path.write_bytes(changed[how])
    return path


@FORMATS
@pytest.mark.parametrize("how", ["empty", "half", "end", "beginning", "text"])
def test_a_damaged_shard_is_named(tmp_path: Path, format: str, how: str) -> None:
    path = damaged(tmp_path, format, how)
    with pytest.raises(DatasetError, match=r"damaged") as caught:
        list(everything(tmp_path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("format", ["folder", "parquet", "webdataset"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_changed_byte_in_a_picture_is_noticed(tmp_path: Path, format: str, number: int) -> None:
    made = make("maze", "easy", 1, out=tmp_path, cell=16, format=format)
    places = (tmp_path / made[0].file_name, tmp_path / made[0].aid_file_name)
    path = places[number] if format == "folder" else shards(tmp_path)[0]
    whole = path.read_bytes()
    start = whole.index(b"IDAT", 0 if format == "folder" or number == 0 else whole.index(b"IEND"))
    for at in (start + 20, start + 2, start - 2):
        data = bytearray(whole)
        data[at] ^= 1
        path.write_bytes(data)
        assert load(tmp_path) == made
        with pytest.raises(DatasetError, match=r"damaged") as caught:
            list(everything(tmp_path))
        assert str(tmp_path) in str(caught.value)
    path.write_bytes(whole)
    assert len(list(everything(tmp_path))) == 1


def test_a_picture_that_is_cut_off_is_noticed(tmp_path: Path) -> None:
    (made,) = make("maze", "easy", 1, out=tmp_path, cell=16)
    path = tmp_path / made.file_name
    data = path.read_bytes()
    for other in (
        *(data[:at] for at in range(0, len(data), 7)),
        data[:-1],
        data + b"\0",
    ):
        path.write_bytes(other)
        with pytest.raises(DatasetError, match="line 1: its picture is damaged"):
            list(everything(tmp_path))


def everything(folder: Path) -> Iterator[tuple[object, ...]]:
    """Read the records and the pictures."""
    from puzzles.records import pictures

    for path in files(folder):
        yield from pictures(path)


def test_a_tar_without_its_end_is_cut_off(tmp_path: Path) -> None:
    make("maze", "easy", 3, out=tmp_path, images=False, format="webdataset")
    (path,) = shards(tmp_path)
    with tarfile.open(path) as tar:
        last = tar.getmembers()[-1]
    path.write_bytes(path.read_bytes()[: last.offset])  # two whole samples, and no end
    with pytest.raises(DatasetError, match=rf"{path.name} is cut off or damaged"):
        load(tmp_path)


def test_a_tar_may_end_with_what_is_no_file(tmp_path: Path) -> None:
    make("maze", "easy", 3, out=tmp_path, images=False, format="webdataset")
    (path,) = shards(tmp_path)
    with tarfile.open(path, "a") as tar:
        for kind in (tarfile.DIRTYPE, tarfile.SYMTYPE):
            entry = tarfile.TarInfo("end")
            entry.type, entry.linkname = kind, "/etc/passwd"
            tar.addfile(entry)
    assert len(load(tmp_path)) == 3


def test_a_column_of_pictures_that_holds_none(tmp_path: Path) -> None:
    made = make("maze", "easy", 3, out=tmp_path, cell=16, format="parquet")
    (path,) = shards(tmp_path)
    table = parquet.read_table(path)
    place = table.schema.get_field_index("image")
    parquet.write_table(table.set_column(place, "image", pyarrow.array(["x"] * 3)), path)
    assert [one.board for one in load(tmp_path)] == [one.board for one in made]
    places = {"layout": "x", "record": "", "image": "image.zz", "aid": "list.zz"}
    told = table.append_column("list", pyarrow.array([["x"]] * 3)).replace_schema_metadata(
        {"puzzles": json.dumps(places)}
    )
    parquet.write_table(told, path)
    assert [pictures for _, *pictures in everything(tmp_path)] == [[None, None]] * 3


def test_foreign_parquet_is_named(tmp_path: Path) -> None:
    table = pyarrow.table({"image": ["x"], "board": ["y"]})
    parquet.write_table(table, tmp_path / "train-00000-of-00001.parquet")
    with pytest.raises(DatasetError, match="has no column family and none optimal_length"):
        load(tmp_path)


def test_foreign_tar_is_named(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "images-00000.tar", "w") as tar:
        tar.addfile(tarfile.TarInfo("cat.jpg"), BytesIO())
    with pytest.raises(DatasetError, match=r"sample 1 is no instance .* there is no cat.json"):
        load(tmp_path)


def test_a_broken_record_is_named_by_its_row(tmp_path: Path) -> None:
    make("maze", "easy", 3, out=tmp_path, images=False, format="parquet")
    (path,) = shards(tmp_path)
    table = parquet.read_table(path)
    for column, value, sentence in (
        ("rules", "{", "row 2: the line: Invalid JSON"),
        ("optimal_length", -1, "row 2: optimal_length: Input should be greater"),
    ):
        rows = table.to_pylist()
        rows[1][column] = value
        parquet.write_table(pyarrow.Table.from_pylist(rows, table.schema), path)
        with pytest.raises(DatasetError, match=sentence):
            load(tmp_path)


@FORMATS
def test_a_missing_shard_is_named(tmp_path: Path, format: str) -> None:
    make("maze", "easy", 6, out=tmp_path, images=False, format=format, shards=3)
    missing = shards(tmp_path)[1]
    missing.unlink()
    with pytest.raises(DatasetError, match=f"{missing.name} is missing"):
        load(tmp_path)
    with pytest.raises(DatasetError, match=f"{missing.name} is missing"):
        write(content(6), tmp_path, storage_of(format, shards=3), resume=True)


def test_parquet_that_others_have_written_again_is_read(tmp_path: Path) -> None:
    made = make("maze", "easy", 3, out=tmp_path / "d", cell=16, format="parquet")
    (path,) = shards(tmp_path / "d")
    table = parquet.read_table(path).replace_schema_metadata(None).drop_columns(["seed"])
    (tmp_path / "e").mkdir()
    parquet.write_table(table, tmp_path / "e" / "train-00000-of-00001.parquet")
    assert load(tmp_path / "e") == [one.model_copy(update={"seed": None}) for one in made]


@pytest.mark.parametrize("name", ["trl", "verl", "easyr1"])
def test_rows_for_training_that_others_have_written_again_are_read(
    tmp_path: Path, name: str
) -> None:
    made = make("maze", "easy", 3, out=tmp_path / "d", cell=16)
    convert(copied(tmp_path / "d"), tmp_path / "rows", storage_for(Training(name)))
    (path,) = shards(tmp_path / "rows")
    held = parquet.read_table(path)
    (tmp_path / "e").mkdir()
    new = tmp_path / "e" / "train-00000-of-00001.parquet"
    parquet.write_table(held.replace_schema_metadata(None).slice(1), new)
    assert load(tmp_path / "e") == made[1:]
    pictures = [image for _, image, _ in everything(tmp_path / "e")]
    assert pictures == [(tmp_path / "d" / str(one.file_name)).read_bytes() for one in made[1:]]
