"""Answers to a few mazes, judged for tests."""

import json
from pathlib import Path
from typing import Any

from protocols.judge import Options, judge_file, verdicts_path
from protocols.success import Report
from puzzles import Instance, make


def mazes(folder: Path) -> Path:
    """Make two data sets, and return their folder."""
    make("maze", "easy", 10, out=folder / "maze-easy", images=False)
    make("maze", "medium", 5, out=folder / "maze-medium", images=False)
    return folder


def instances(folder: Path) -> list[Instance]:
    lines = (folder / "metadata.jsonl").read_text().splitlines()
    return [Instance.model_validate_json(line) for line in lines]


def right(instance: Instance, **more: Any) -> dict[str, Any]:
    return {"id": instance.id, "response": instance.answer, **more}


def judge(path: Path, lines: list[Any], *data: Path, **options: bool) -> tuple[Report, list[dict]]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts))
    out = verdicts_path(path)
    report = judge_file(path, data, out, Options(**options))
    return report, [json.loads(line) for line in out.read_text().splitlines()]
