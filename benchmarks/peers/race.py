"""The races: our code and that of others at the same work, in one run on one core of one machine.

make race                                        all rows
.venv/bin/python -m benchmarks.peers.race maze   rows whose name has this word

Every contestant is a process of its own (see contest.py), warmed up before the first clock starts.
They take turns: a round of ours, one of each peer, five times over; the medians count. The exit
code is 1 where a floor is missed, or where a peer has found something shorter than we have.
"""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.peers import environments, mazes
from benchmarks.peers.contestant import Contestant, Failed
from benchmarks.peers.rows import ROWS, Row

ROUNDS = 5
SIDE = 1000
"""Cells a side of the mazes that paths are looked for in."""
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REFERENCE = Path(os.environ.get("PUZZLES_REFERENCE", ROOT.parent / "shared" / "data"))


class Result(NamedTuple):
    """What the table says of a contestant: units of work a second, and a remark."""

    name: str
    rate: float
    remark: str
    answers: list[Any]


def commands(names: Iterable[str]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return how contestants are started, and why the others can't be."""
    own = {"ours": "ours.py", "plain-python": "with_plain_python.py"}
    found = {name: [sys.executable, str(HERE / program)] for name, program in own.items()}
    absent: dict[str, str] = {}
    for name in dict.fromkeys(names):
        try:
            found[name] = found.get(name) or environments.command(name)
        except environments.Absent as reason:
            absent[name] = str(reason)
    return found, absent


def race(
    row: Row, file: Path | None, found: Mapping[str, list[str]]
) -> tuple[dict[str, Result], dict[str, str]]:
    """Return the results by name, and why others have none; raise Failed where ours has none."""
    arguments = [row.task, str(row.span), *([str(file)] if file else [])]
    taking_part: dict[str, Contestant] = {}
    failed: dict[str, str] = {}
    with ExitStack() as stack:
        for turn in range(-1, ROUNDS):
            for name in ("ours", *row.peers):
                try:
                    if turn < 0 and name in found:
                        taking_part[name] = Contestant(name, [*found[name], *arguments])
                        stack.callback(taking_part[name].end)
                    elif name in taking_part:
                        taking_part[name].play()
                except (Failed, OSError) as reason:
                    if name == "ours":
                        raise
                    failed[name] = str(reason)
                    taking_part.pop(name, None)
    return {name: _result(row, one) for name, one in taking_part.items()}, failed


def _result(row: Row, contestant: Contestant) -> Result:
    share, remark = row.judge(contestant.answers) if row.judge else (1.0, "")
    build = contestant.ready.get("build")
    if build:
        remark = f"graph built in {build:.1f} s"
    if share < 1:
        remark = f"{contestant.rate:,.0f} /s, of which {remark}"
    return Result(contestant.ready["version"], contestant.rate * share, remark, contestant.answers)


class Line(NamedTuple):
    """A line of the table; ``held`` says whether its floor was, None where there is none."""

    cells: tuple[str, ...]
    held: bool | None


def lines(row: Row, results: Mapping[str, Result], absent: Mapping[str, str]) -> Iterator[Line]:
    """Yield a line for each contestant of a race, ours first."""
    ours = results["ours"]
    floor = f"{row.floor:,.0f} {row.unit}/s" if row.floor else ""
    held = ours.rate >= row.floor if row.floor else None
    yield Line((row.work, ours.name, _rate(ours, row), "", floor, ours.remark), held)
    for name, times in row.peers.items():
        if name not in results:
            yield Line(("", name, "", "", "", absent[name]), None)
            continue
        peer = results[name]
        ratio, remark = ours.rate / peer.rate, peer.remark
        held = ratio >= times if times else None
        if row.lengths:
            remark, wrong = _compared(ours, peer, remark)
            held = False if wrong else held
        floor = f"{times:g} times" if times else ""
        shown = f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2f}"
        yield Line(("", peer.name, _rate(peer, row), shown, floor, remark), held)


def _rate(result: Result, row: Row) -> str:
    digits = 0 if result.rate >= 100 else 1 if result.rate >= 1 else 3
    return f"{result.rate:,.{digits}f} {row.unit}/s"


def _compared(ours: Result, peer: Result, remark: str) -> tuple[str, bool]:
    """Return the remark with what is to be said of the lengths, and whether ours are too long."""
    pairs = list(zip(ours.answers, peer.answers, strict=False))
    if any(their < own for own, their in pairs):
        return "SHORTER THAN OURS", True
    longer = sum(their > own for own, their in pairs) / len(pairs)
    said = f"longer than ours in {longer:.0%}" if longer else ""
    return ", ".join(filter(None, (remark, said))), False


def _input(row: Row, folder: Path) -> Path | None:
    """Return the file that a race reads, written to ``folder`` where it is a maze."""
    kind = row.file.removeprefix("maze:")
    if kind == row.file:
        return REFERENCE / row.file if row.file else None
    path = folder / f"{kind.replace(' ', '-')}.txt"
    path.write_text(mazes.board(kind, SIDE, seed=1))
    return path


def main(words: list[str]) -> int:
    """Run the races whose name has one of ``words``, all without any; return the exit code."""
    rows = [row for row in ROWS if not words or any(word in row.work for word in words)]
    found, absent = commands(name for row in rows for name in row.peers)
    # One core for all that follows: what is started inherits it.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    table = Table("work", "who", "rate", "ours to theirs", "floor", "remark", title="races")
    all_held = True
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            file = _input(row, Path(folder))
            if file and not file.is_file():
                table.add_row(row.work, "", "", "", "", f"not run: {file} is absent")
                continue
            results, failed = race(row, file, found)
            for line in lines(row, results, {**absent, **failed}):
                mark = {None: "", True: " (held)", False: " (MISSED)"}[line.held]
                cells = [*line.cells[:4], line.cells[4] + mark, line.cells[5]]
                print(*cells, sep=" | ", file=sys.stderr, flush=True)
                table.add_row(*cells)
                all_held = all_held and line.held is not False
    Console(width=None if sys.stdout.isatty() else 180).print(table)
    return 0 if all_held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
