"""The cut into shards, and layouts: a shard says where the record stands in a row of it."""

import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from protocols.library import Library
from puzzles import engine, load, make
from puzzles.conversion import convert, copied
from puzzles.dataset import write
from puzzles.pictures import Pictured
from puzzles.records import DatasetError, datasets, files, lines
from puzzles.shards.cut import Cut
from puzzles.shards.layouts import IMAGE, TEXT, WHOLE, Layout, listed, picture
from puzzles.shards.store import storage_of
from tests.sharded import FORMATS, content, shards
from tests.test_dataset import files as contents

parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra data")


@pytest.mark.parametrize(("n", "shards"), [(10, 3), (9, 6), (7, 7), (100_000, 10), (1, 1)])
def test_shards_are_as_even_as_may_be(n: int, shards: int) -> None:
    cut = Cut(n, shards, None)
    ends = [0, *(cut.end(k) for k in range(shards))]
    sizes = [end - start for start, end in pairwise(ends)]
    assert sum(sizes) == n
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) > 0


def test_the_number_of_shards_may_be_unknown() -> None:
    cut = Cut(None, None, 10)
    assert cut.name(3, "tar") == "data-00003.tar"
    assert cut.end(3) == 40


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"format": "csv"}, "unknown format 'csv' (known: folder, parquet, webdataset)"),
        ({"format": "folder", "shards": 3}, "a folder has no shards"),
        ({"format": "parquet", "shards": 3, "size": 4}, "exclude each other"),
        ({"format": "webdataset", "shards": 0}, "--shards is 1 or more, not 0"),
        ({"format": "webdataset", "shards": 21}, "--shards 21: there are 20 rows to cut"),
    ],
)
def test_what_can_not_be_meant_is_refused(tmp_path: Path, arguments: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        write(content(20), tmp_path / "d", storage_of(**arguments))
    assert sentence in str(caught.value)
    assert not (tmp_path / "d").exists()


def test_parquet_without_pyarrow_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("maze", "easy", 2, out=tmp_path, images=False, format="parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    sentence = r"Parquet needs pyarrow: pip install 'puzzles\[data\]'"
    with pytest.raises(ValueError, match=sentence):
        load(tmp_path)
    with pytest.raises(ValueError, match=sentence):
        storage_of("parquet")


def test_a_number_that_no_column_holds_is_one_sentence(tmp_path: Path) -> None:
    for seed in (2**70, -(2**70)):
        said = rf"/d/data-00000-of-00001.parquet: the column seed holds .* 64 bits, not {seed}: a "
        with pytest.raises(DatasetError, match=said):
            write(content(3, seed=seed), tmp_path / "d", storage_of("parquet"))
        assert not (tmp_path / "d").exists()
    write(content(3, seed=2**70), tmp_path / "d", storage_of("webdataset"))
    assert {one.seed for one in load(tmp_path / "d")} == {2**70}


@FORMATS
def test_one_shard_is_a_dataset_too(tmp_path: Path, format: str) -> None:
    made = make("maze", "easy", 9, out=tmp_path, cell=16, format=format, shards=3)
    assert load(shards(tmp_path)[1]) == made[3:6]
    assert len(load(tmp_path)) == 9


def nested(one: Pictured) -> dict[str, object]:
    return {
        "prompt": [{"role": "user", "content": "<image>Solve it."}],
        "images": [picture(one.image, None)],
        "extra": {"index": one.instance.index, "record": one.instance.line()},
    }


NESTED = Layout(
    "nested",
    {
        "prompt": listed({"role": TEXT, "content": TEXT}),
        "images": listed(IMAGE),
        "extra": {"index": WHOLE, "record": TEXT},
    },
    nested,
    record="extra.record",
    image="images.0",
    aid="",
)


def test_any_layout_reads_back(tmp_path: Path) -> None:
    write(content(9, 16), tmp_path / "d")
    write(content(9, 16), tmp_path / "n", storage_of("parquet", layout=NESTED))
    assert load(tmp_path / "n") == load(tmp_path / "d")
    assert json.loads((tmp_path / "n" / "dataset.json").read_text())["layout"] == "nested"
    (path,) = shards(tmp_path / "n")
    schema = parquet.read_schema(path)
    assert str(schema.field("images").type) == "list<element: struct<bytes: binary, path: string>>"
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert features["images"] == {"feature": {"_type": "Image"}, "_type": "List"}
    library = Library.below([tmp_path / "n"])
    assert library.get(load(tmp_path / "n")[7].id) == load(tmp_path / "d")[7]


def test_rows_are_made_by_workers_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = storage_of("parquet", layout=NESTED, shards=2)
    for cell in (16, None):
        write(content(200, cell), tmp_path / f"a{cell}", kept, workers=1)
    monkeypatch.setattr(engine, "WORTH", 0.0)
    with engine.Local(2) as tasked:
        for cell in (16, None):
            write(content(200, cell), tmp_path / f"b{cell}", kept, engine=tasked)
        write(content(200, 16), tmp_path / "d", workers=1)
        convert(copied(tmp_path / "d"), tmp_path / "c16", kept, engine=tasked)
    assert contents(tmp_path / "a16") == contents(tmp_path / "b16") == contents(tmp_path / "c16")
    assert contents(tmp_path / "aNone") == contents(tmp_path / "bNone")


def test_datasets_are_found_in_any_format(tmp_path: Path) -> None:
    for format in ("webdataset", "folder", "parquet"):
        write(content(3), tmp_path / "all" / format, storage_of(format))
    assert [path.name for path in datasets(tmp_path)] == ["folder", "parquet", "webdataset"]
    assert {len(list(lines(file))) for one in datasets(tmp_path) for file in files(one)} == {3}
