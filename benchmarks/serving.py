"""The step server's speed: 16 clients step through solved episodes, the load generator included."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.load import Plan
from protocols.aids import CELL
from protocols.episode import Episode
from protocols.models.players import player
from puzzles import NAMES, Instance, family, make
from puzzles.answers import read_count
from tests.oracle.serving import Server

CLIENTS, STEPS, INSTANCES = 16, 4_000, 20
WAYS = {
    "PNG in base64": ("inline", "application/json"),
    "PNG alone": ("inline", "image/png"),
    "no picture": ("link", "application/json"),
}
"""How the pictures of the steps come: ``images`` of the opening, and what the steps ask for."""
LARGE = 640
"""Pixels a side of the pictures that the floors are about."""
Row = tuple[str, str, str]


def rows() -> Iterator[Row]:
    """Measure, and yield the rows of the speed table."""
    with tempfile.TemporaryDirectory() as folder:
        made = {
            name: make(name, "hard", INSTANCES, out=Path(folder, "data", name), images=False)
            for name in NAMES
        }
        large = [name for name in NAMES if family(name).size == (LARGE // CELL,) * 2]
        with Server(Path(folder), "--data", Path(folder, "data")) as server:
            for way in WAYS:
                yield from _rows(server, large, made, way, f"{LARGE}x{LARGE}")
            yield from _rows(server, NAMES, made, "PNG in base64", "all families")


def _rows(
    server: Server, names: Sequence[str], made: dict[str, Any], way: str, what: str
) -> Iterator[Row]:
    images, accept = WAYS[way]
    episodes, steps = [], 0
    for instance in cycle(mixed([made[name] for name in names])):
        played = solved(instance)
        episodes.append(({"id": instance.id, "images": images}, played))
        steps += len(played)
        if steps >= STEPS:
            break
    found = load(Plan(server.port, CLIENTS, accept, episodes), server.log.parent)
    speed, floors = found["steps"] / found["seconds"], ("400 /s", "100 ms")
    if what == "all families":
        floors = ("", "")
    own = 1000 * found["cpu"] / found["steps"]
    name = f"steps served, {what}, {way}, {CLIENTS} clients"
    yield f"{name} (generator {own:.2f} ms CPU a step)", f"{speed:,.0f} /s", floors[0]
    p50, p99 = 1000 * found["p50"], 1000 * found["p99"]
    yield f"{name}: median and p99", f"{p50:.0f}, {p99:.0f} ms", floors[1]


def mixed(groups: Sequence[Sequence[Instance]]) -> list[Instance]:
    """Return the instances of all groups, one of each in turn."""
    return [instance for turn in zip(*groups, strict=True) for instance in turn]


def solved(instance: Instance) -> list[dict[str, Any]]:
    """Return the steps of a shortest solution as the server takes them."""
    episode, solver = Episode(instance, "oracle-vcot"), player("solver")
    steps: list[dict[str, Any]] = []
    while (request := episode.request) is not None:
        reply = solver.reply(episode)
        episode.take(reply)
        if request.purpose == "action":
            action = reply.text.removeprefix("<STEP_JSON>").removesuffix("</STEP_JSON>")
            steps.append({"round": request.round, "action": json.loads(action)})
        else:
            steps[-1]["remaining"] = read_count(reply.text)[0]
    return steps


def load(plan: Plan, folder: Path) -> dict[str, Any]:
    """Have a process of its own play ``plan``; return what it has measured."""
    file = folder / "plan.json"
    file.write_text(json.dumps(plan._asdict()))
    command = [sys.executable, "-m", "benchmarks.load", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
