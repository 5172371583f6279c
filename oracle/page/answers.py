"""Games as lines of answers.jsonl, so that people are judged as models are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from oracle.page.games import Game
from oracle.page.locking import locked
from puzzles.instance import identity
from puzzles.log import Log, json_line

PROTOCOL = "human"
"""The label of a person's games: none of the protocols, so the response is what is judged."""


def line(name: str, game: Game, model: str, protocol: str = PROTOCOL) -> dict[str, Any]:
    """Return a game as a line without its run; ``model`` is the person's name for themselves.

    name
        Of the game: who saves it twice has saved it once.
    """
    instance = game.instance
    essence = instance.family, instance.difficulty, instance.board, instance.rules
    known = instance.id or identity(*essence, instance.metric)
    return {
        "id": known,
        "protocol": protocol,
        "model": model,
        "response": game.room.format_answer(game.answer),
        "instance": {**instance.told(), "id": known},
        "seconds": round(game.seconds, 1),
        "actions": len(game.actions),
        "undos": game.undos,
        "restarts": game.restarts,
        "hints": game.hints,
        "assisted": game.assisted,
        "end": game.end,
        "game": name,
    }


def numbered(
    lines: Iterable[dict[str, Any]], before: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return those ``lines`` that are not among those ``before``, each with its run.

    Runs count up, so that (id, protocol, model, run) is never met twice.
    """
    runs: dict[tuple[Any, ...], int] = {}
    met = set()
    for old in before:
        run = old.get("run")
        runs[_key(old)] = max(runs.get(_key(old), 0), run if type(run) is int else 1)
        met.add((str(old.get("game")), str(old.get("model"))))
    new = []
    for one in lines:
        if (one["game"], one["model"]) in met:
            continue
        runs[_key(one)] = runs.get(_key(one), 0) + 1
        new.append({**one, "run": runs[_key(one)]})
    return new


def _key(one: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(one.get(name)) for name in ("id", "protocol", "model"))


async def save(path: Path, lines: Sequence[dict[str, Any]]) -> int:
    """Append ``lines`` to the answers at ``path``; return how many of them were new.

    A lock is held meanwhile, so that other workers wait. Raises Conflict where it can't be had,
    for example because a run is being written to that file.
    """
    busy = f"{path.name} is being written to by another process; try again later"
    descriptor = await locked(path, busy)
    try:
        return _append(path, lines)
    finally:
        os.close(descriptor)


def _append(path: Path, lines: Sequence[dict[str, Any]]) -> int:
    log = Log(path)
    log.open()
    try:
        new = numbered(lines, _objects(path))
        log.append([json_line(one) for one in new])
    finally:
        log.close()
    return len(new)


def _objects(path: Path) -> Iterable[dict[str, Any]]:
    """Yield what the lines of a file hold; those that hold no object are the judge's to name."""
    with path.open("rb") as file:
        for written in file:
            try:
                value = json.loads(written)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value
