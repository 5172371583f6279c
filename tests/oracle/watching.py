"""A page of its own for tests: boards are made in this process, and answers stand in a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from oracle.limits import Limits
from oracle.page import PageContext, router
from oracle.page.study import Study
from oracle.server.trouble import handle_errors
from oracle.store import Store
from oracle.workshop import Workshop
from protocols.judge import Options, judge_file
from protocols.selection import Selection
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance, identity

BOARD = "#####\n#S.G#\n#...#\n#####"
MAZE = Instance(
    id=identity("maze", "easy", BOARD, {}),
    family="maze",
    difficulty="easy",
    board=BOARD,
    optimal_length=2,
    answer='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
    split="train",
)


class Bench(Workshop):
    """A workshop without a worker."""

    async def make(self, family: str, difficulty: str, seed: int, index: int) -> Instance:
        return generate(Recipe(family, seed, difficulty), index).instance


def page(
    folder: Path,
    data: Sequence[Path] = (),
    verdicts: Sequence[Path] = (),
    study: Study | None = None,
) -> FastAPI:
    """Return an application that holds the page alone; its store is in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    limits = Limits()
    context = PageContext(
        Store(folder / "store.sqlite"),
        Bench(limits),
        limits,
        data=Selection(data, ()) if data else None,
        verdicts=tuple(verdicts),
        study=study,
        answers=folder / "answers.jsonl",
    )
    app = FastAPI()
    handle_errors(app)
    app.include_router(router(context))
    return app


def client(app: FastAPI) -> TestClient:
    return TestClient(app, raise_server_exceptions=False)


def written(folder: Path, instances: Sequence[Instance]) -> Path:
    """Write a dataset's lines into ``folder``, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metadata.jsonl").write_text("".join(one.line() for one in instances))
    return folder


def another(number: int, **fields: Any) -> Instance:
    """Return the small maze under an id of its own."""
    return MAZE.model_copy(update={"id": f"maze-easy-{number:016x}", **fields})


def judged(folder: Path, lines: Sequence[dict[str, Any]], data: Sequence[Path] = ()) -> Path:
    """Write answers into ``folder``, judge them, and return the file of verdicts."""
    folder.mkdir(parents=True, exist_ok=True)
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    judge_file(answers, data, folder / "verdicts.jsonl", Options(images=False))
    return folder / "verdicts.jsonl"
