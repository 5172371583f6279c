"""Our folders load as Hugging Face image folders, boards and aids as images."""

from pathlib import Path

import pytest

from puzzles import NAMES, family, make

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("name", NAMES)
def test_a_dataset_loads_as_an_image_folder(name: str, tmp_path: Path) -> None:
    from datasets import load_dataset

    made = make(name, "easy", 5, out=tmp_path / "d", cell=32)
    (tmp_path / "d" / "answers.jsonl").write_text('{"id": "x", "response": "y"}\n')
    loaded = load_dataset(
        "imagefolder", data_dir=str(tmp_path / "d"), cache_dir=str(tmp_path / "cache")
    )["train"]
    rows, columns = family(name).size
    assert loaded.num_rows == 5
    for row, instance in zip(loaded, made, strict=True):
        assert row["id"] == instance.id
        assert row["board"] == instance.board
        assert row["optimal_length"] == instance.optimal_length
        assert row["image"].size == row["aid"].size == (32 * columns, 32 * rows)
        assert row["image"].convert("RGB").tobytes() != row["aid"].convert("RGB").tobytes()
