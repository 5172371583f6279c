"""What answers took: requests, tokens, money and time, where the files of answers say so."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from protocols.reports.analyses.groups import means, with_totals
from protocols.reports.rows import judged
from protocols.reports.tables import Table

FIELDS = ("requests", "prompt_tokens", "completion_tokens", "cost", "seconds")
_ANSWER = ["file", "answer_line", "name"]


def usage(rows: Any, answers: Sequence[Path | None]) -> Table | None:
    """Return what an answer took on average, and all answers together, by family.

    answers
        The file of answers of each file of verdicts, by the numbers of the column ``file``.
    """
    records = [
        record
        for file, path in enumerate(answers)
        if path is not None
        for record in _records(file, path)
    ]
    if not records:
        return None
    taken = pd.DataFrame.from_records(records, columns=[*_ANSWER, *FIELDS, "cut"])
    kept = judged(rows)
    merged = kept.assign(name=kept["id"].astype(object)).merge(taken, on=_ANSWER)
    if merged.empty:
        return None
    frame = with_totals(merged, ("family",), _summary).dropna(axis=1, how="all")
    note = (
        "Mean over the answers, and the sums, of what the files of answers say: requests, tokens "
        "in and out, cost and seconds. Cut off: the last reply ended because of its length."
    )
    return Table("usage", "Usage", note, frame, ("cut_off",))


def _summary(part: Any, keys: list[str]) -> Any:
    groups = part.groupby(keys, observed=True)
    frame = means(FIELDS)(part, keys)
    sums = groups[["completion_tokens", "cost"]].sum(min_count=1)
    frame[["all_completion_tokens", "all_cost"]] = sums
    frame["cut_off"] = groups["cut"].mean()
    return frame


def _records(file: int, path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield file, line, id, the ``FIELDS`` and whether the reply was cut off."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if b'"usage"' not in line:
                continue
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            said = record.get("usage") if isinstance(record, dict) else None
            if isinstance(said, dict) and isinstance(record.get("id"), str):
                amounts = [_amount(said.get(name)) for name in FIELDS]
                cut = float(record.get("finish") == "length")
                yield file, number, record["id"], *amounts, cut


def _amount(value: Any) -> float:
    return float(value) if type(value) in (int, float) and value >= 0 else math.nan
