"""The boards of the reference data; only stdlib."""

import csv
import json
from pathlib import Path
from typing import Any

FEW = 5
"""Klotski boards whose states are all visited: npm's package takes half a minute for them."""


def rush_hour(file: str) -> list[str]:
    """Return the boards of rushhour.csv, 36 characters each."""
    with Path(file).open(newline="") as lines:
        return [row["board"] for row in csv.DictReader(lines)]


def klotski(file: str) -> list[str]:
    """Return the boards of klotski.csv, rows joined by a slash."""
    with Path(file).open(newline="") as lines:
        return [row["board"] for row in csv.DictReader(lines)]


def sokoban(file: str) -> list[dict[str, Any]]:
    """Return the records of sokoban.jsonl."""
    return [json.loads(line) for line in Path(file).read_text().splitlines()]
