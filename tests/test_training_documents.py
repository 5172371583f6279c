"""The scripts in the documents on training data run as they stand, in processes of their own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from puzzles import Instance, load, make

pytest.importorskip("pyarrow")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the scripts run, with workers however few rows there are in data/maze."""
    made = tmp_path_factory.mktemp("scripts")
    make("maze", "easy", 100, out=made / "data" / "maze", cell=16, workers=1)
    eager = "import puzzles.engine\npuzzles.engine.WORTH = -1.0\n"
    (made / "sitecustomize.py").write_text(eager)
    return made


def ran(page: str, word: str, folder: Path) -> None:
    """Run the one script of a page that has a word in it."""
    shown = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    [code] = [one for one in shown if word in one]
    (folder / "script.py").write_text(code.replace("5000", "50"))
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def records(folder: Path) -> list[Instance]:
    return [*load(folder)]


@pytest.mark.parametrize(
    ("page", "word", "place"),
    [("training-data.md", "Layout(", "mine"), ("training-rows.md", "Training(", "rows")],
)
def test_a_dataset_is_turned_into_rows(page: str, word: str, place: str, folder: Path) -> None:
    ran(page, word, folder)
    assert records(folder / "data" / place) == records(folder / "data" / "maze")


def test_a_dataset_is_made(folder: Path) -> None:
    ran("training-data.md", "make(", folder)
    assert len(records(folder / "data" / "onet")) == 50
    assert len([*(folder / "data" / "onet").glob("*.parquet")]) == 4
