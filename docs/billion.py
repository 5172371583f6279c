"""What 1 billion instances cost: measured, and written into docs/clusters.md as a table.

python docs/billion.py measure    measures, a few minutes, into docs/billion.json
python docs/billion.py            writes the table from what was measured

To measure takes ``pip install '.[data,ray]'``.
"""

import json
import os
import platform
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from puzzles import NAMES, family
from puzzles.content import Content
from puzzles.dataset import write
from puzzles.engine import Engine, Local
from puzzles.generate import Recipe
from puzzles.shards.store import storage_of

FOLDER = Path(__file__).parent
RATES, PAGE = FOLDER / "billion.json", FOLDER / "clusters.md"
BEGIN, END = "<!-- written by docs/billion.py -->", "<!-- so far -->"
N = 1_000_000_000
CELL = 64
_SECONDS, _LEAST = 2.0, 256


def measure() -> dict[str, Any]:
    """Return processor time and bytes of an instance, by family and difficulty.

    seconds
        Of all that is done: boards, pictures and aids of 64 pixels a cell, Parquet, in one process.
    driver
        Of what the process that writes does, where all tasks run on a Ray cluster.
    bytes
        Of the Parquet shards, and of them without pictures.
    """
    from puzzles.engine_ray import Ray

    found: dict[str, Any] = {"machine": _machine(), "buckets": {}}
    with Local(1) as here, Ray("local") as cluster:
        for name in NAMES:
            for difficulty in family(name).buckets:
                found["buckets"][f"{name} {difficulty}"] = _bucket(name, difficulty, here, cluster)
                print(name, difficulty, found["buckets"][f"{name} {difficulty}"])
    found["machine"]["load after"] = round(os.getloadavg()[0], 1)
    return found


def _machine() -> dict[str, Any]:
    said = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(": ")[2] for line in said.splitlines() if "model name" in line]
    return {
        "processor": models[0] if models else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load before": round(os.getloadavg()[0], 1),
    }


def _bucket(name: str, difficulty: str, here: Engine, cluster: Engine) -> dict[str, float]:
    _written(name, difficulty, _LEAST, CELL, here)  # compiles, and fills what is kept
    seconds, size = _written(name, difficulty, _LEAST, CELL, here)
    n = max(_LEAST, int(_SECONDS / seconds * _LEAST) // _LEAST * _LEAST)
    seconds, size = _written(name, difficulty, n, CELL, here)
    _, plain = _written(name, difficulty, n, None, here)
    _written(name, difficulty, _LEAST, CELL, cluster)
    driver, _ = _written(name, difficulty, n, CELL, cluster)
    return {
        "n": n,
        "seconds": seconds / n,
        "driver": driver / n,
        "bytes": size / n,
        "plain bytes": plain / n,
    }


def _written(
    name: str, difficulty: str, n: int, cell: int | None, engine: Engine
) -> tuple[float, int]:
    """Make a dataset; return the processor time that this process took, and its bytes."""
    with TemporaryDirectory() as folder:
        begun = time.process_time()
        content = Content(Recipe(name, difficulty=difficulty), n, cell)
        write(content, Path(folder), storage_of("parquet"), engine=engine)
        seconds = time.process_time() - begun
        size = sum(path.stat().st_size for path in Path(folder).glob("*.parquet"))
    return seconds, size


def table(found: Mapping[str, Any]) -> str:
    """Return the table of the page, and how it was measured."""
    machine = found["machine"]
    lines = [
        f"Measured on a shared machine ({machine['processor']}, {machine['cores']} cores, Python "
        f"{machine['python']}),",
        f"load {machine['load before']} before and {machine['load after']} after, in processor "
        "time of one process, kernels compiled.",
        "",
        "| | ms an instance | core hours | KB an instance | TB | TB without pictures | driver, ms "
        "| days of one driver | cores that it keeps busy |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for bucket, one in found["buckets"].items():
        cells = (
            bucket,
            f"{1e3 * one['seconds']:.2f}",
            f"{N * one['seconds'] / 3600:,.0f}",
            f"{one['bytes'] / 1e3:.1f}",
            f"{N * one['bytes'] / 1e12:.1f}",
            f"{N * one['plain bytes'] / 1e12:.2f}",
            f"{1e3 * one['driver']:.2f}",
            f"{N * one['driver'] / 86400:.1f}",
            f"{one['seconds'] / one['driver']:.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(text: str, found: Mapping[str, Any]) -> str:
    """Return the page with the table in its place."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table(found)}\n\n{END}{after}"


def main() -> None:
    if sys.argv[1:] == ["measure"]:
        RATES.write_text(json.dumps(measure(), indent=1) + "\n")
    PAGE.write_text(page(PAGE.read_text(), json.loads(RATES.read_text())))


if __name__ == "__main__":
    main()
