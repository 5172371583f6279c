"""Verdicts as `puzzles verify` writes them, made up for tests."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from protocols.reports.rows import load
from protocols.verdicts import FIELDS

USUAL = {
    **dict.fromkeys(FIELDS),
    **{"protocol": "direct", "model": "m", "run": 1, "format_ok": True, "feasible": False},
    **{"optimal": False, "moves": 4, "optimal_length": 4, "legal_moves": 4, "reason": "unsolved"},
    **{"detail": "", "reader": "2"},
}


def name(at: int, family: str = "maze", difficulty: str = "easy") -> str:
    return f"{family}-{difficulty}-{at:016x}"


def verdict(at: int, solved: bool | None = None, /, **fields: Any) -> dict[str, Any]:
    """Return the verdict on instance number ``at``; ``solved`` is feasible and optimal."""
    family, difficulty = fields.get("family", "maze"), fields.get("difficulty", "easy")
    row = {**USUAL, "id": name(at, family, difficulty), "line": at + 1}
    row |= {"family": family, "difficulty": difficulty}
    if solved is not None:
        row |= {"feasible": solved, "optimal": solved, "reason": "solved" if solved else "unsolved"}
    return {**row, **fields}


def written(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def rows_of(path: Path, rows: Iterable[dict[str, Any]]) -> Any:
    return load([written(path / "verdicts.jsonl", rows)])
