"""Rows of datasets turned into instances; and rows that name one to be made on the spot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from puzzles.asked import checked
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance
from puzzles.lenient import unique

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
    fields = _fields(row, family)
    if "board" in fields:
        return _held(fields)
    if fields["family"] is None or "difficulty" not in fields:
        raise ValueError(
            "the row holds no instance: it needs a record, or a board with its optimal_length, or "
            "a family and a difficulty"
        )
    named = _named(row)
    seed, index = (_whole(named, name) for name in _PLACE)
    split = named.get("split")
    return made(fields["family"], fields["difficulty"], seed, index, split or "any")


def held(row: Mapping[str, Any]) -> Instance:
    """Return the instance that ``row`` holds, as ``instance_of`` reads it; raise ValueError."""
    fields = _fields(row, None)
    if "board" not in fields:
        raise ValueError("the row holds no instance: it has no board")
    return _held(fields)


def _named(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the line of metadata.jsonl, or what stands in its place."""
    record = row.get("record")
    return _read(record, "record") if record is not None else row


def _fields(row: Mapping[str, Any], family: str | None) -> dict[str, Any]:
    """Return the fields of an instance that a row has; raise ValueError for another family's."""
    named = _named(row)
    fields = {name: named[name] for name in _FIELDS if named.get(name) is not None}
    fields.setdefault("family", family)
    if family is not None and fields["family"] != family:
        raise ValueError(f"the row is of family {fields['family']!r}, not of {family!r}")
    return fields


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


def _read(text: Any, name: str) -> Mapping[str, Any]:
    if isinstance(text, Mapping):  # a table may hold it in columns of its own
        return text
    try:
        value = json.loads(text, object_pairs_hook=unique)
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
