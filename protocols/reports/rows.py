"""Files of verdicts read into one table, a row a line, in memory that stays small."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from protocols.reports.columns import COLUMNS, FLAGS, LARGEST, NUMBERS, OBJECTS, WORDS, Columns
from protocols.reports.unfit import Unfit
from puzzles.instance import ID

NONE = "-"
"""Stands for a protocol, model or run that a line does not name."""
REPEATED = "a second verdict for the same id, protocol, model and run"

_REQUIRED = ("id", "feasible", "optimal", "reason")
_NAMED = ("protocol", "model", "run")


class RowsError(ValueError):
    """A file holds no verdicts; the message names it, and the first line that is none."""


class NotAVerdict(ValueError):
    """The line is no verdict; the message says why."""


def load(paths: Sequence[Path], progress: Callable[[int], None] = lambda read: None) -> Any:
    """Return the verdicts in ``paths`` as a DataFrame with the ``COLUMNS``, a row a line.

    Text is categorical, in the order of a table where there is one; flags are ``boolean`` and
    numbers ``Int32``, both with missing values; ``scores`` holds dicts or None, ``measured`` what
    ``columns.unpacked`` takes; where it has a shape that is not ours its ``problem`` says so, and
    ``attrs["unfit"]`` says where the first such line is ("" without any).
    ``file`` counts in ``paths`` from 0, ``line`` is that of the verdict and ``answer_line`` that of
    its answer, from 1. A missing protocol, model or run is ``-``. A line that is no verdict, or
    that repeats an earlier id, protocol, model and run, is a row whose ``error`` says so. Answers,
    which may be long, are left in the files.

    progress
        Is told the number of bytes read.

    Raises RowsError where a file holds no verdict at all.
    """
    columns, unfit = Columns(), Unfit()
    before = 0
    for number, path in enumerate(paths):
        for read in _read(path, number, columns, unfit):
            progress(before + read)
        before += path.stat().st_size
    rows = _without_repeats(columns.frame())
    rows.attrs["unfit"] = unfit.told(paths)
    return rows


def judged(rows: Any) -> Any:
    """Return the rows that hold a verdict, with feasible, optimal and format_ok as plain bools."""
    kept = rows[rows["error"].isna() & rows["optimal"].notna() & rows["feasible"].notna()]
    flags = {name: kept[name].fillna(False).astype(bool) for name in FLAGS[:3]}
    return kept.assign(**flags)


def errors(rows: Any) -> dict[str, tuple[int, Any]]:
    """Return, for each error, how many rows it has and the first of them."""
    broken = rows[rows["error"].notna()]
    groups = broken.groupby("error", observed=True, sort=False)
    return {str(error): (len(group), group.iloc[0]) for error, group in groups}


def _read(path: Path, number: int, columns: Columns, unfit: Unfit) -> Iterator[int]:
    """Add the lines of ``path``; yield from time to time how many bytes have been read."""
    if not path.exists() or path.is_dir():
        raise RowsError(f"there is no file {path}")
    read, found, first = 0, False, ""
    with path.open("rb") as file:
        for at, line in enumerate(file, 1):
            read += len(line)
            if at % 1024 == 0:
                yield read
            if not line.strip():
                continue
            try:
                row, found = _verdict(line), True
                row["measured"] = unfit.checked(row.get("measured"), number, at)
            except NotAVerdict as error:
                first = first or f"line {at}: {error}"
                row = {"error": str(error)}
            columns.add(number, at, row)
    if not found:
        raise RowsError(
            f"{path} holds no verdicts: {first or 'it is empty'}; `puzzles verify` makes them of "
            "answers"
        )
    yield read


def _verdict(line: bytes) -> dict[str, Any]:
    """Return the fields in ``line``, each of its kind or None."""
    try:
        row = json.loads(line)
    except UnicodeDecodeError:
        raise NotAVerdict("the line is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise NotAVerdict("the line is not JSON") from None
    if not isinstance(row, dict):
        raise NotAVerdict("the line is not a JSON object")
    for name in _REQUIRED:
        if name not in row:
            raise NotAVerdict(f"the line is no verdict: it has no {name}")
    _check(row)
    for name in _NAMED:
        row[name] = NONE if row.get(name) in (None, "") else str(row[name])
    if row.get("error") is None:
        _place_in_family(row)
    return row


def _place_in_family(row: dict[str, Any]) -> None:
    """Fill in family and difficulty, which earlier versions have only written into the id."""
    if not row.get("family"):
        known = row["id"] and ID.fullmatch(row["id"])
        row["family"], row["difficulty"] = row["id"].split("-")[:2] if known else (NONE, NONE)
    row["difficulty"] = row.get("difficulty") or NONE


def _check(row: dict[str, Any]) -> None:
    """Raise NotAVerdict where a field is of another kind than a verdict's."""
    for name in WORDS:
        value = row.get(name)
        if value is not None and type(value) is not str and not _is_run(name, value):
            raise NotAVerdict(f"the line is no verdict: {name} is not text")
    for name in FLAGS:
        if row.get(name) not in (None, True, False) or type(row.get(name)) in (int, float):
            raise NotAVerdict(f"the line is no verdict: {name} is neither true nor false")
    for name in NUMBERS:
        value = row.get(name)
        if value is not None and (type(value) is not int or not 0 <= value <= LARGEST):
            raise NotAVerdict(f"the line is no verdict: {name} is not a number of steps")
    for name in OBJECTS:
        if not isinstance(row.get(name), dict | None):
            raise NotAVerdict(f"the line is no verdict: {name} is not an object")


def _is_run(name: str, value: Any) -> bool:
    return name == "run" and type(value) is int


def _without_repeats(frame: Any) -> Any:
    """Return ``frame`` with an error in each row that repeats a question of an earlier one."""
    clean = frame["error"].isna()
    repeated = clean & frame[clean].duplicated(["model", "protocol", "run", "id"]).reindex(
        frame.index, fill_value=False
    )
    if repeated.any():
        frame["error"] = frame["error"].cat.add_categories([REPEATED])
        frame.loc[repeated, "error"] = REPEATED
    return frame


__all__ = ["COLUMNS", "NONE", "REPEATED", "RowsError", "errors", "judged", "load"]
