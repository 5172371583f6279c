"""What becomes of one record of a foreign file: an instance, or the reason why there is none."""

from __future__ import annotations

import json
from typing import Any, Literal, NamedTuple

from puzzles.exchange import Entry
from puzzles.family import Family
from puzzles.instance import Instance, bounded, identity, kinship, split_of
from puzzles.log import json_line
from puzzles.pictures import Pictured, draw
from puzzles.records import DatasetError
from puzzles.replay import check_solution
from puzzles.rooms import family as room_of
from puzzles.solve import CHOICES, choices, solve
from solvers import Limit, SearchLimit

Metric = Literal["cell", "slide"]
_COUNTED = Limit(50_000, 64 << 20)
"""What counting a board's shortest solutions may take."""
_LONGEST = 500
"""Characters of a sentence, which may quote what a file holds."""


class Item(NamedTuple):
    """A record: its number among all records, its file, and what it holds.

    ``problem`` says why it is left out; it is empty where the board remains to be solved.
    """

    ordinal: int
    number: int
    file: str
    encoding: str
    format: str
    family: str
    entry: Entry
    problem: str = ""


class How(NamedTuple):
    """How boards are solved, and drawn: not at all where ``cell`` is None."""

    metric: Metric
    limit: Limit
    cell: int | None


class Settled(NamedTuple):
    """What has become of a record; ``number`` is that of its file."""

    ordinal: int
    number: int
    file: str
    line: int
    instance: Instance | None
    problem: str = ""

    @classmethod
    def of(cls, instance: Instance) -> Settled:
        """Return what an instance that stands in a dataset once was."""
        source = instance.source or {}
        return cls(instance.index or 0, 0, source.get("file", ""), source.get("line", 0), instance)

    @classmethod
    def parse(cls, row: str, place: str) -> Settled:
        """Return what a line of left_out.jsonl says; raise DatasetError naming ``place``."""
        try:
            found = json.loads(row)
            one = cls(found["index"], 0, found["file"], found["line"], None, found["problem"])
        except (ValueError, TypeError, KeyError, RecursionError):
            one = None
        if one is None or type(one.ordinal) is not int:
            raise DatasetError(f"{place} is not what this run wrote")
        return one

    def row(self) -> str:
        """Return the line of left_out.jsonl."""
        row = {"index": self.ordinal, "file": self.file, "line": self.line, "problem": self.problem}
        # Half a surrogate pair is no text, and stays an escape.
        return json_line(row).encode("utf-8", "backslashreplace").decode()

    @property
    def difference(self) -> str | None:
        """How the optimum differs from the one that the record states: "" where it does not.

        None where the record states none in this metric.
        """
        if self.instance is None or not self.instance.source:
            return None
        metric = self.instance.metric
        stated = self.instance.source.get("stated", {}).get(metric)
        if stated is None:
            return None
        exact = self.instance.optimal_length
        if stated == exact:
            return ""
        return f"imported, but the file states an optimum of {stated} ({metric}); it is {exact}"


class Drawn(NamedTuple):
    """What has become of a record, and the instance with its pictures if there is one."""

    settled: Settled
    pictured: Pictured | None


def settle(task: tuple[How, list[Item]]) -> list[Drawn]:
    """Solve the boards of a task, and draw them."""
    how, items = task
    return [_drawn(_settle(item, how), how.cell) for item in items]


def _drawn(settled: Settled, cell: int | None) -> Drawn:
    if settled.instance is None:
        return Drawn(settled, None)
    if cell is None:
        return Drawn(settled, Pictured(settled.instance))
    (pictured,) = draw(([settled.instance], cell))
    return Drawn(settled._replace(instance=pictured.instance), pictured)


def _settle(item: Item, how: How) -> Settled:
    problem = item.problem
    instance = None
    if not problem:
        try:
            instance = _instance(item, how)
        except ValueError as error:  # Unsolvable and SearchLimit among them
            problem = str(error)
        except MemoryError:
            problem = "out of memory: give a smaller --memory, or fewer --workers"
    return Settled(
        item.ordinal, item.number, item.file, item.entry.line, instance, problem[:_LONGEST]
    )


def _instance(item: Item, how: How) -> Instance:
    room, state = room_of(item.family), item.entry.state
    found = solve(room, state, how.limit, metric=how.metric)
    answer = room.answer_of(state, found.actions)
    check_solution(room, state, answer)
    board, rules = room.format(state), room.rules_of(state)
    difficulty = room.difficulty(found.length) if how.metric == "cell" else "custom"
    return Instance(
        id=identity(item.family, difficulty, board, rules, how.metric),
        family=item.family,
        difficulty=difficulty,
        board=board,
        rules=rules,
        metric=how.metric,
        optimal_length=found.length,
        answer=room.format_answer(answer),
        index=item.ordinal,
        split=split_of(kinship(item.family, room.canonical(state))),
        stats=_stats(room, state, found.actions, how.metric),
        source=_source(item),
    )


def _stats(room: Family[Any, Any], state: Any, actions: list[Any], metric: str) -> dict[str, Any]:
    """Return the stats, and the number of shortest solutions also where the family leaves it out.

    It is None where counting would take too much.
    """
    stats = room.stats(state, actions)
    if metric != "cell" or "optimal_solutions" not in stats:
        try:
            stats |= choices(room, state, _COUNTED, metric=metric)
        except SearchLimit:
            stats |= dict.fromkeys(CHOICES)
    return bounded(stats)


def _source(item: Item) -> dict[str, Any]:
    """Return where the board comes from; what is as usual goes without saying.

    The record is text whatever the format, so that one import of many files is one table.
    """
    entry = item.entry
    source: dict[str, Any] = {"format": item.format, "file": item.file, "line": entry.line}
    if item.encoding != "utf-8":
        source["encoding"] = item.encoding
    if entry.optimum:
        source["stated"] = dict(entry.optimum)
    return {**source, "record": entry.record}
