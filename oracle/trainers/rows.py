"""Rows of datasets turned into instances; and rows that name one to be made on the spot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from puzzles.dataset import checked
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance

_FIELDS = ("id", "family", "difficulty", "board", "rules", "optimal_length", "metric", "answer")
_PLACE = ("seed", "index")


def instance_of(row: Mapping[str, Any], family: str | None = None) -> Instance:
    """Return the instance that ``row`` holds, or names.

    It holds one as ``record``, a line of metadata.jsonl, or as the fields of such a line, of which
    ``board`` and ``optimal_length`` are needed. It names one by ``difficulty``, with ``seed`` and
    ``index`` (0 unless given) and ``split``: the instance that ``puzzles make`` makes there, before
    duplicates are redrawn. What else it holds isn't looked at, and None counts as absent, since
    tables fill their gaps with it.

    family
        What is meant where the row doesn't say it; a row of another family is refused.

    Raises ValueError with one sentence, and GenerationError where there is no such board.
    """
    record = row.get("record")
    held = _read(record, "record") if record is not None else row
    fields = {name: held[name] for name in _FIELDS if held.get(name) is not None}
    fields.setdefault("family", family)
    if family is not None and fields["family"] != family:
        raise ValueError(f"the row is of family {fields['family']!r}, not of {family!r}")
    if "board" in fields:
        return _held(fields)
    if fields["family"] is None or "difficulty" not in fields:
        raise ValueError(
            "the row holds no instance: it needs a record, or a board with its optimal_length, or "
            "a family and a difficulty"
        )
    seed, index = (_whole(held, name) for name in _PLACE)
    split = held.get("split")
    return made(fields["family"], fields["difficulty"], seed, index, split or "any")


@lru_cache(maxsize=1024)
def made(family: str, difficulty: str, seed: int, index: int, split: str = "any") -> Instance:
    """Return the instance of that place; the same row comes once for each of several rollouts."""
    recipe = checked(Recipe(family, seed, difficulty, split=split))
    return generate(recipe, index).instance


def _held(fields: dict[str, Any]) -> Instance:
    rules = fields.get("rules")
    if isinstance(rules, str):
        rules = _read(rules, "rules")
    if isinstance(rules, Mapping):  # a table gives each row the rules of all
        fields["rules"] = {name: value for name, value in rules.items() if value is not None}
    try:
        return Instance.model_validate(fields)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        raise ValueError(f"the row holds no instance: {where}: {problem['msg']}") from None


def _read(text: Any, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ValueError(f"{name}: it is not a JSON object")
    return value


def _whole(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    if value is None:
        return 0
    if type(value) is not int or value < 0:
        raise ValueError(f"{name}: a whole number from 0 is needed, not {value!r}")
    return value
