"""Memory does not grow with the number of boards that are written or streamed."""

import subprocess
import sys
from pathlib import Path

import pytest

FEW, MANY = 600, 1800
BOUND = 20 << 10
"""KiB that more rows may take. Kept in memory, their pictures alone would be 48 MB."""
MEASURE = """
import resource, sys
from itertools import islice
from pathlib import Path

from protocols.training import Training, storage_for
from puzzles import Entry, stream
from puzzles.content import Content
from puzzles.conversion import convert, copied
from puzzles.dataset import write
from puzzles.generate import Recipe
from puzzles.shards.store import storage_of

out, what, (few, many) = Path(sys.argv[1]), sys.argv[2], map(int, sys.argv[3:])
training = Training("trl", protocol="oracle-gta")  # shows the board and its aid
boards = {"lengths": (12, 24)}
rows = stream(Entry("maze", **boards), cell=64, row=training.layout)


def written(n):
    content = Content(Recipe("maze", **boards), n, 64)
    write(content, out / str(n), storage_for(training, size=10 * many), workers=1)
    convert(copied(out / str(n)), out / f"{n}-tar", storage_of("webdataset"), workers=1)


def streamed(n):
    for row in islice(rows, n):
        pass


task = {"write": written, "stream": streamed}[what]
for n in (few, many):
    task(n)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize("what", ["write", "stream"])
def test_memory_does_not_grow_with_the_rows(tmp_path: Path, what: str) -> None:
    # A process of its own, since what is measured is the most that a process has ever had.
    command = [sys.executable, "-c", MEASURE, str(tmp_path), what, str(FEW), str(MANY)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    few, many = map(int, done.stdout.split())
    unit = 1024 if sys.platform == "darwin" else 1  # there it is bytes
    assert many - few < BOUND * unit, f"{few:,} for {FEW} rows, {many:,} for {MANY}"
