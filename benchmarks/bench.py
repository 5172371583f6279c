"""The speed table: every figure that we promise, measured here; medians, one core unless said.

make bench                            all of it
.venv/bin/python -m benchmarks.bench generation pictures      some of it
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from protocols.episode import Episode
from protocols.models.players import player
from puzzles import NAMES, family, make
from puzzles.answers import extract
from puzzles.generate import Recipe, generate_block
from puzzles.replay import initial
from render.encode import png

CLI = [sys.executable, "-m", "cli"]
FLOORS = {
    "maze": 10_000,
    "path": 10_000,
    "onet": 3_000,
    "sokoban": 3_000,
    "parking": 150,
    "klotski": 300,
}
REPLAY_FLOORS = {"maze": 100_000}

Row = tuple[str, str, str]


def seconds(function: Callable[[], Any], repeat: int = 5) -> float:
    """Return the median time of a call."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        function()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def rate(function: Callable[[], int], span: float = 1.0, repeat: int = 5) -> float:
    """Return the median over ``repeat`` spans of how much work a second ``function`` does."""
    function()
    rates = []
    for _ in range(repeat):
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < span / repeat:
            done += function()
        rates.append(done / (time.perf_counter() - started))
    return statistics.median(rates)


def command(*words: str, cache: str | None = None) -> None:
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    subprocess.run([*CLI, *words], check=True, capture_output=True, env=environment)


def commands() -> Iterator[Row]:
    yield "puzzles --help", f"{seconds(lambda: command('--help')):.2f} s", "0.3 s"
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            words = ["make", "--family", name, "--difficulty", "hard", "-n", "10", "--force"]
            words += ["--out", f"{folder}/{name}"]
            cold = seconds(lambda w=words, n=name: command(*w, cache=f"{folder}/c-{n}"), 1)
            warm = seconds(lambda w=words, n=name: command(*w, cache=f"{folder}/c-{n}"), 3)
            yield f"first make -n 10, {name} hard", f"{cold:.1f} s", "15 s"
            yield f"second make -n 10, {name} hard", f"{warm:.1f} s", "2 s"
        answers = _answers(Path(folder), 10_000)
        verify = seconds(lambda: command("verify", str(answers)), 3)
        yield "verify of 10,000 answers, all families", f"{verify:.2f} s", "3 s"


def _answers(folder: Path, n: int) -> Path:
    """Write reference answers of hard instances of every family; return the file."""
    path = folder / "answers.jsonl"
    per_family = 100
    with path.open("w") as file:
        made = [
            instance
            for name in NAMES
            for instance in make(
                name, "hard", per_family, out=folder / f"{name}-hard-data", images=False
            )
        ]
        for k in range(n):
            instance = made[k % len(made)]
            answer = {"id": instance.id, "response": instance.answer, "run": k // len(made)}
            file.write(json.dumps(answer) + "\n")
    return path


def generation() -> Iterator[Row]:
    for name in NAMES:
        recipe, block = Recipe(name, difficulty="hard"), iter(range(1 << 40))
        speed = rate(lambda r=recipe, b=block: len(generate_block(r, next(b))), span=5.0)
        floor = f"{FLOORS[name]:,} /s" if name in FLOORS else ""
        yield f"generation, {name} hard", f"{speed:,.0f} /s", floor


def pictures() -> Iterator[Row]:
    for name in NAMES:
        room = family(name)
        states = [initial(instance) for instance in make(name, "hard", 20)]

        def draw(room: Any = room, states: list[Any] = states) -> int:
            return sum(len(png(room.draw(state, 64))) > 0 for state in states)

        yield f"draw + PNG, {name} hard, 64 px a cell", f"{rate(draw):,.0f} /s", "1,000 /s"


def replays() -> Iterator[Row]:
    for name in NAMES:
        room = family(name)
        pairs = []
        for instance in make(name, "hard", 50):
            answer = extract(str(instance.answer), room).answer
            pairs.append((initial(instance), answer or []))

        def play(room: Any = room, pairs: list[Any] = pairs) -> int:
            return sum(room.replay(state, answer).reason is None for state, answer in pairs)

        floor = REPLAY_FLOORS.get(name, 20_000)
        yield f"replay of hard answers, {name}", f"{rate(play):,.0f} /s", f"{floor:,} /s"


def episodes() -> Iterator[Row]:
    solver = player("solver")
    instances = [instance for name in NAMES for instance in make(name, "hard", 5)]

    def play(name: str) -> int:
        requests = 0
        for instance in instances:
            episode = Episode(instance, name)
            while episode.request is not None:
                requests += bool(episode.request.images[-1].png)
                episode.take(solver.reply(episode))
        return requests

    for name in ("direct", "oracle-vcot", "oracle-aug-vcot"):
        speed = rate(lambda name=name: play(name), span=10.0)
        yield f"requests of {name}, latest picture drawn, solved", f"{speed:,.0f} /s", ""


def serving() -> Iterator[Row]:
    from benchmarks.serving import rows  # needs the server's packages

    yield from rows()


def learning() -> Iterator[Row]:
    from benchmarks.environments import environments  # needs gymnasium

    yield from environments()


def readings() -> Iterator[Row]:
    from benchmarks.reading_speed import rows

    yield from rows()


def formats() -> Iterator[Row]:
    from benchmarks.formats import rows  # needs pyarrow

    yield from rows()


def rewards() -> Iterator[Row]:
    from benchmarks.rewards import rows

    yield from rows()


def memory() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        words = ["make", "--difficulty", "hard", "-n", "100000", "--no-images"]
        started = time.perf_counter()
        command(*words, "--out", f"{folder}/d")
        took = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        yield "making 100,000 hard mazes, all cores: time", f"{took:.0f} s", ""
        yield "making 100,000 hard mazes: largest process", f"{peak:.2f} GB", "1 GB"


PARTS = {
    "commands": commands,
    "generation": generation,
    "pictures": pictures,
    "replays": replays,
    "episodes": episodes,
    "serving": serving,
    "environments": learning,
    "readings": readings,
    "formats": formats,
    "rewards": rewards,
    "memory": memory,
}


def main(names: list[str]) -> None:
    table = Table("work", "measured", "floor", title="puzzles, speed")
    for name in names or PARTS:
        for row in PARTS[name]():
            print(*row, sep="  |  ", file=sys.stderr, flush=True)
            table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
