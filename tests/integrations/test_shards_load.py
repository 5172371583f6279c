"""Our shards in the readers that they are written for: `datasets` and `webdataset`."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from puzzles import NAMES, family, load, make
from puzzles.shards.layouts import IMAGE, REAL, TEXT, WHOLE, Layout, listed
from puzzles.shards.parquet import schema

pytestmark = pytest.mark.integration


def pixels(data: bytes) -> bytes:
    return Image.open(BytesIO(data)).convert("RGB").tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_parquet_loads_with_its_pictures_decoded(name: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    folder = make(name, "easy", 7, out=tmp_path / "d", cell=32)
    make(name, "easy", 7, out=tmp_path / "p", cell=32, format="parquet", shards=2)
    loaded = load_dataset(
        "parquet", data_files=str(tmp_path / "p" / "*.parquet"), cache_dir=str(tmp_path / "cache")
    )["train"]
    whole = load_dataset(str(tmp_path / "p"), cache_dir=str(tmp_path / "cache"))["train"]
    assert loaded.num_rows == whole.num_rows == 7
    rows, columns = family(name).size
    for row, instance in zip(loaded, folder, strict=True):
        assert row["id"] == instance.id
        assert row["optimal_length"] == instance.optimal_length
        assert json.loads(row["rules"]) == instance.rules
        assert row["image"].size == row["aid"].size == (32 * columns, 32 * rows)
        for column, file in (("image", instance.file_name), ("aid", instance.aid_file_name)):
            held = (tmp_path / "d" / str(file)).read_bytes()
            assert row[column].convert("RGB").tobytes() == pixels(held)


def test_what_datasets_writes_again_is_read_here(tmp_path: Path) -> None:
    from datasets import load_dataset

    made = make("maze", "easy", 6, out=tmp_path / "p", cell=16, format="parquet")
    loaded = load_dataset(str(tmp_path / "p"), cache_dir=str(tmp_path / "c"))
    (tmp_path / "e").mkdir()
    short = loaded["train"].filter(lambda row: row["index"] % 2 == 0)
    short.to_parquet(str(tmp_path / "e" / "train-00000-of-00001.parquet"))
    assert load(tmp_path / "e") == made[::2]


def test_types_are_those_that_datasets_would_write() -> None:
    from datasets import Features, Value
    from datasets import Image as Picture

    features = {
        "text": TEXT,
        "whole": WHOLE,
        "real": REAL,
        "image": IMAGE,
        "images": listed(IMAGE),
        "prompt": listed({"role": TEXT, "content": TEXT}),
        "extra": {"split": TEXT, "index": WHOLE},
    }
    ours = schema(Layout("all", features, lambda one: {}, record="extra.record"))
    text, whole = Value("string"), Value("int64")
    theirs = Features(
        {
            "text": text,
            "whole": whole,
            "real": Value("float64"),
            "image": Picture(),
            "images": [Picture()],
            "prompt": [{"role": text, "content": text}],
            "extra": {"split": text, "index": whole},
        }
    )
    assert Features.from_arrow_schema(ours) == theirs
    assert ours.equals(theirs.arrow_schema)


@pytest.mark.parametrize("name", NAMES)
def test_tars_load_as_web_datasets(name: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    made = make(name, "easy", 7, out=tmp_path / "w", cell=32, format="webdataset", shards=2)
    loaded = load_dataset(
        "webdataset", data_files=str(tmp_path / "w" / "*.tar"), cache_dir=str(tmp_path / "cache")
    )["train"]
    rows, columns = family(name).size
    for row, instance in zip(loaded, made, strict=True):
        assert row["__key__"] == row["json"]["id"] == instance.id
        assert row["json"]["answer"] == instance.answer
        assert row["png"].size == row["aid.png"].size == (32 * columns, 32 * rows)


def test_tars_are_read_by_webdataset_itself(tmp_path: Path) -> None:
    import webdataset as wds

    made = make("maze", "easy", 7, out=tmp_path / "w", cell=32, format="webdataset", shards=2)
    urls = str(tmp_path / "w" / "data-{00000..00001}-of-00002.tar")
    samples = list(wds.WebDataset(urls, shardshuffle=False).decode("pil"))
    assert [sample["json"]["board"] for sample in samples] == [one.board for one in made]
    for sample in samples:
        assert sample["png"].size == sample["aid.png"].size == (320, 320)
