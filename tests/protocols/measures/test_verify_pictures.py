"""``puzzles verify`` on answers with pictures: in order, whatever the number of workers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from protocols.judge import Options, judge_file
from protocols.measures import Measured
from protocols.measures.spread import _BATCH, Task, filled
from puzzles.engine import Local
from tests.protocols.measures.cases import Case, as_line

ROOT = Path(__file__).parents[3]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Drawings by four models, one of them without a file, between answers without pictures."""
    case = Case("maze", tmp_path)
    case.saved(case.solution(), "good.png")
    case.saved(case.picture(case.start), "plain.png")
    said = {"response": case.instance.answer}
    lines = [
        as_line(case, model="text", **said),
        as_line(case, model="good", protocol="self-vr", images=["good.png"], **said),
        "no JSON\n",
        as_line(case, model="plain", protocol="self-vr", images=["plain.png"], **said),
        as_line(case, model="gone", protocol="self-vr", images=["gone.png"], **said),
        as_line(case, model="true", protocol="draw-true", images=["good.png"]),
        as_line(case, model="none", protocol="self-vr", images=[], **said),
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(lines))
    return path


def rows(path: Path, options: Options | None = None, **more: Any) -> list[dict[str, Any]]:
    out = path.with_name("verdicts.jsonl")
    judge_file(path, (), out, options or Options(), **more)
    return [json.loads(line) for line in out.read_text().splitlines()]


def test_measured_is_filled_in(answers: Path) -> None:
    found = {row["model"]: row for row in rows(answers)}
    assert [row["line"] for row in found.values()] == [1, 2, 3, 4, 5, 6, 7]
    assert all(found[name]["measured"] is None for name in ("text", None, "none"))
    reasons = {
        name: found[name]["measured"]["drawing"]["reason"]
        for name in ("good", "plain", "gone", "true")
    }
    assert reasons == {
        "good": "solved",
        "plain": "none_drawn",
        "gone": "no_file",
        "true": "solved",
    }
    assert [found[name]["measured"]["pass"] for name in reasons] == [True, False, None, True]
    assert found["gone"]["error"] is None
    assert found["gone"]["optimal"] is True
    for name in reasons:
        again = Measured.model_validate(found[name]["measured"])
        assert again.model_dump(mode="json", by_alias=True) == found[name]["measured"]


def test_pictures_are_left_alone(answers: Path) -> None:
    assert all(row["measured"] is None for row in rows(answers, Options(images=False)))


def test_answers_without_pictures_need_no_numpy(tmp_path: Path) -> None:
    case = Case("maze", tmp_path)
    path = tmp_path / "answers.jsonl"
    path.write_text(as_line(case, response=case.instance.answer))
    code = (
        "import sys, cli\n"
        f"try: cli.app(['verify', {str(path)!r}])\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'numpy', 'scipy', 'numba', 'PIL', 'concurrent.futures'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_rows_without_pictures_do_not_wait_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("maze", Path())
    from protocols.answer_line import Answer

    task = Task(case.instance, Answer(images=["gone.png"]), Path())
    ahead = 0

    def lines() -> Any:
        nonlocal ahead
        yield {"measured": None}, task
        for ahead in range(10 * _BATCH):  # noqa: B007
            yield {"measured": None}, None

    out = filled(lines(), 1, Local(1))
    assert next(out)["measured"]["problem"] == "The file is not there."
    next(out)
    assert ahead <= _BATCH
    assert sum(1 for _ in out) == 10 * _BATCH - 1


def test_the_command(answers: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli", "verify", str(answers), "--workers", "1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "pictures of 4 answers: 2 right, 1 wrong, 1 unclear" in done.stdout
    assert f"{answers} line 3: the line is not JSON" in done.stderr
    written = [json.loads(line) for line in answers.with_name("verdicts.jsonl").open()]
    assert sum(row["measured"] is not None for row in written) == 4


def test_the_command_without_pictures(answers: Path) -> None:
    words = ["verify", str(answers), "--no-images", "--json"]
    code = f"import sys, cli\ntry: cli.app({words!r})\nexcept SystemExit as end: pass\n"
    code += "print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "False"
    written = [json.loads(line) for line in answers.with_name("verdicts.jsonl").open()]
    assert [row["measured"] for row in written] == [None] * 7
