"""One action alone as JSON: its value, and the forms in which models write it."""

from __future__ import annotations

import json
from collections.abc import Callable, Container
from typing import Any, Protocol, TypeVar

from puzzles.directions import STEPS, parse_direction, quoted
from puzzles.family import IllegalAction, MalformedAnswer, StepFormat
from puzzles.verdict import Reason

_DIRECTION_KEYS = ("direction", "move", "action")
_WRAPPERS = {*_DIRECTION_KEYS, "step", "solution", "answer", "actions", "moves", "pair", "tiles"}
_REPEATS = ("steps", "distance")


A = TypeVar("A")


def written(step: StepFormat[A], action: A) -> Any:
    """Return the JSON value of ``action`` alone; ``read`` takes it back."""
    return json.loads(step.format(action, None))


def read(step: StepFormat[A], value: Any) -> A:
    """Return the one action that a JSON value names; raise MalformedAnswer, or IllegalAction."""
    named = step.parse(value)
    if len(named) != 1:
        raise MalformedAnswer(f"{quoted(value)} names {len(named)} actions, not one")
    return named[0]


def listed(value: Any) -> list[Any]:
    """Return the items that ``value`` holds: those of a list, or itself.

    The list or the item may be the value of an object's only key, such as ``action``.
    """
    for _ in range(2):
        if isinstance(value, dict) and len(value) == 1:
            ((key, inner),) = value.items()
            if key.strip().lower() in _WRAPPERS and isinstance(inner, list | dict):
                value = inner
    return value if isinstance(value, list) else [value]


def keyed(item: Any, key: str) -> Any:
    """Return an object with its keys in lower case and its direction under ``key``.

    Direction, move and action are taken for each other. What is no object comes back as it is.
    Raises MalformedAnswer where keys contradict each other.
    """
    if not isinstance(item, dict):
        return item
    fields = {name.strip().lower(): value for name, value in item.items()}
    if len(fields) < len(item):
        raise MalformedAnswer("the action has a key twice")
    said = {name: fields.pop(name) for name in (key, *_DIRECTION_KEYS) if name in fields}
    known = {parse_direction(word) for word in said.values() if isinstance(word, str)} & {*STEPS}
    if len(known) > 1:
        raise MalformedAnswer(f"the action names two directions: {' and '.join(sorted(known))}")
    if said:
        fields[key] = known.pop() if known else next(iter(said.values()))
    return fields


def times(item: dict[str, Any], keys: Container[str]) -> int:
    """Return how often the action of ``item`` is to be taken; 2 stands for any larger number.

    Raises MalformedAnswer for a number under a key that is none of ``keys``: it may be another.
    """
    for key, value in item.items():
        if key not in keys and key not in _REPEATS and isinstance(value, int | float):
            raise MalformedAnswer(f"the action has a number {quoted(key)} that means nothing here")
    for key in _REPEATS:
        count = item.get(key, 1)
        if type(count) is not int or count < 1:
            raise MalformedAnswer(f"{key} is {quoted(count)}, not a number of cells")
        if count > 1:
            return 2
    return 1


def known(word: str) -> str:
    """Return the direction ``word``; raise IllegalAction where it is none."""
    if word not in STEPS:
        raise IllegalAction(Reason.UNKNOWN_ACTION, f"{quoted(word)} is not a direction")
    return word


class _Slide(Protocol):
    @property
    def direction(self) -> str: ...


S = TypeVar("S", bound=_Slide)


def slides(parse_answer: Callable[[Any], list[S]]) -> Callable[[Any], list[S]]:
    """Return what reads the slides that a JSON value names, in objects with ``direction``.

    parse_answer
        Reads a list of such objects.
    """

    def parse(value: Any) -> list[S]:
        named = parse_answer([keyed(item, "direction") for item in listed(value)])
        return [slide for slide in named if known(slide.direction)]

    return parse
