"""The command: what it writes, where it refuses, and what it says of bad input."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner, Result

from cli.report import report
from protocols.reports.folder import FolderError, _locked, replacing
from protocols.success import printable
from tests.protocols.reports.verdicts import verdict, written

HOSTILE = "<script>alert(1)</script> a|b_%\n\x1b[31m \ud800"
PROTOCOLS = ("direct", "text-cot", "oracle-vcot", "oracle-vcot+budget", "oracle-aug-vcot")

Command = Callable[..., Result]


@pytest.fixture
def command() -> Command:
    app = typer.Typer()
    app.command()(report)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


def some(**fields: Any) -> list[dict[str, Any]]:
    """Return two runs of five protocols on two families, with failures of several kinds."""
    made = []
    for protocol in PROTOCOLS:
        stepwise = {"rounds": 4, "stop": "claim"} if "vcot" in protocol else {}
        for run in (1, 2):
            for k in range(6):
                solved = (k + run + len(protocol)) % 3 > 0
                failed = {} if solved else {"at": 1, "legal_moves": 1, "reason": "blocked"}
                about = {"protocol": protocol, "run": run, "family": ("maze", "onet")[k % 2]}
                kinds = {**about, **stepwise, **fields}
                made.append({**verdict(k, solved, **kinds), **failed})
    return made


def test_every_format(tmp_path: Path, command: Command) -> None:
    path, out = written(tmp_path / "v.jsonl", some()), tmp_path / "out"
    result = command(path, "-o", out, "--title", "Mine & yours")
    assert result.exit_code == 0, result.output
    text = (out / "report.md").read_text("utf-8")
    assert text.startswith("# Mine \\& yours\n\n- ")
    assert "1 model, 5 protocols, 6 instances" in text
    tables = {file.stem for file in (out / "tables").iterdir()}
    assert tables >= {"success", "paired", "pass-at-k", "stopping", "reasons", "steps", "lengths"}
    assert "Mine &amp; yours" in (out / "report.html").read_text("utf-8")
    assert "\\toprule" in (out / "tables" / "success.tex").read_text("utf-8")
    frame = pd.read_csv(out / "tables" / "success.csv")
    assert frame["optimal"].iloc[-1] == pytest.approx(
        sum(row["optimal"] for row in some() if row["protocol"] == "oracle-aug-vcot") / 12
    )


def test_only_what_is_asked_for(tmp_path: Path, command: Command) -> None:
    path, out = written(tmp_path / "v.jsonl", some()), tmp_path / "out"
    assert command(path, "-o", out, "--format", "md, latex").exit_code == 0
    suffixes = {file.suffix for file in out.rglob("*") if file.is_file()}
    assert suffixes == {".md", ".json", ".tex", ".csv"}
    assert {file.stem for file in out.rglob("*.csv")} == {"steps", "lengths"}


def test_printed(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "v.jsonl", some())
    result = command(path)
    assert result.exit_code == 0
    assert "## Success" in result.output
    assert "\\toprule" in command(path, "--format", "latex").output
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "v.jsonl", some())
    for out in ("one", "two"):
        assert command(path, "-o", tmp_path / out, "--format", "md,csv,latex").exit_code == 0
    one, two = (
        {file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()}
        for out in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two


def test_a_report_is_replaced_whole(tmp_path: Path, command: Command) -> None:
    path, out = written(tmp_path / "v.jsonl", some()), tmp_path / "out"
    assert command(path, "-o", out, "--format", "md,csv").exit_code == 0
    written(path, [verdict(0, True)])
    assert command(path, "-o", out, "--format", "csv").exit_code == 0
    assert not (out / "report.md").exists()
    assert not (out / "tables" / "paired.csv").exists()
    assert pd.read_csv(out / "tables" / "success.csv")["optimal"].tolist() == [1.0]
    assert {file.name for file in tmp_path.iterdir()} == {"v.jsonl", "out"}


@pytest.mark.parametrize("mine", ["notes.txt", "tables/notes.csv", ".hidden", "report.json"])
def test_what_is_not_a_report_is_left_alone(tmp_path: Path, command: Command, mine: str) -> None:
    path, out = written(tmp_path / "v.jsonl", [verdict(0, True)]), tmp_path / "out"
    if mine != "report.json":
        assert command(path, "-o", out, "--format", "csv").exit_code == 0
    (out / mine).parent.mkdir(parents=True, exist_ok=True)
    (out / mine).write_text("[]")
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    result = command(path, "-o", out)
    assert result.exit_code == 2
    assert f"holds something other than a report ({mine})" in result.stderr
    assert before == {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}


def test_a_file_and_an_empty_folder_as_the_place(tmp_path: Path, command: Command) -> None:
    path, out = written(tmp_path / "v.jsonl", [verdict(0, True)]), tmp_path / "out"
    assert "it is no folder" in command(path, "-o", path).stderr
    out.mkdir()
    assert command(path, "-o", out, "--format", "md").exit_code == 0
    assert (out / "report.md").exists()


def test_an_end_half_way_leaves_the_old_report(tmp_path: Path, command: Command) -> None:
    path, out = written(tmp_path / "v.jsonl", [verdict(0, True)]), tmp_path / "out"
    assert command(path, "-o", out, "--format", "md").exit_code == 0
    before = (out / "report.md").read_bytes()
    with pytest.raises(KeyboardInterrupt), replacing(out) as new:
        (new / "report.md").write_text("half")
        raise KeyboardInterrupt
    with pytest.raises(FolderError), replacing(out) as new:
        (out / "mine").write_text("meanwhile")
    assert (out / "report.md").read_bytes() == before
    assert {file.name for file in tmp_path.iterdir()} == {"v.jsonl", "out"}


def test_broken_lines_are_counted_and_said(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "v.jsonl", some())
    with path.open("a") as file:
        file.write("{\n{\n" + json.dumps({**verdict(0), "error": "unknown id 'x'"}) + "\n")
    result = command(path, "-o", tmp_path / "out", "--format", "md")
    assert result.exit_code == 0
    for text in (result.stderr, (tmp_path / "out" / "report.md").read_text("utf-8")):
        assert f"the line is not JSON: 2, the first in {path} line 61" in text
        assert "unknown id 'x': 1, the first" in text


def test_drawings_without_a_verdict_are_said(tmp_path: Path, command: Command) -> None:
    none = {"feasible": None, "optimal": None, "reason": None}
    drawn = [verdict(k, protocol="draw-true", **none) for k in range(3)]
    told = command(written(tmp_path / "verdicts.jsonl", [verdict(0, True), *drawn])).stdout
    assert "- 3 answers that no verdict is given on: drawings alone\n" in told


def test_the_markdown_has_the_totals_of_long_tables(tmp_path: Path, command: Command) -> None:
    """13 models, two families, two difficulties: 13 * (3 + 3 + 1) rows, and 13 totals of all."""
    made = [
        verdict(k, True, model=f"model {m}", family=family, difficulty=difficulty)
        for m in range(13)
        for family in ("maze", "onet")
        for difficulty in ("easy", "hard")
        for k in range(2)
    ]
    out = tmp_path / "out"
    path = written(tmp_path / "v.jsonl", made)
    command(path, "-o", out, "--format", "md")
    assert "tables/" not in command(path).stdout
    shown = (out / "report.md").read_text("utf-8").split("## Success\n")[1].split("\n## ")[0]
    assert "Totals; all 91 rows are in tables/success.csv." in shown
    body = [line for line in shown.splitlines() if line.startswith("| model ")][1:]
    assert len(body) == 13
    assert all("| all      | all " in line for line in body)
    assert len(pd.read_csv(out / "tables" / "success.csv")) == 91


def test_drawings_need_not_be_measured(tmp_path: Path, command: Command) -> None:
    made = [verdict(k, True, protocol="self-vr") for k in range(2)]
    path = written(tmp_path / "verdicts.jsonl", made)
    lines = [{"id": row["id"], "response": "", "images": ["a.png"]} for row in made]
    written(tmp_path / "answers.jsonl", lines)
    title = "## Drawings against the true ones"
    assert title in command(path).stdout
    assert title not in command(path, "--no-drawings").stdout


def test_answers_that_are_not_found_are_said(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "mine.jsonl", [verdict(0, True, protocol="self-vr")])
    answers = written(tmp_path / "a.jsonl", [{"id": verdict(0)["id"], "response": ""}])
    said = command(path).stderr
    assert said.startswith(f"{path}: its answers don't stand beside it")
    assert "--answers" in said
    assert said.count("\n") == 1
    assert command(path, "--answers", answers).stderr == ""


def test_ctrl_c_while_drawings_are_measured_leaves_the_rest(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    path = written(tmp_path / "verdicts.jsonl", [verdict(0, True, protocol="self-vr")])
    written(tmp_path / "answers.jsonl", [{"id": verdict(0)["id"], "response": ""}])
    monkeypatch.setattr("protocols.reports.analyses.drawn.fidelities", interrupted)
    result = command(path, "-o", tmp_path / "out")
    said = "interrupted while drawings were measured: this report has no tables of them"
    assert (result.exit_code, result.stderr) == (130, f"puzzles: {said}\n")
    tables = {file.stem for file in (tmp_path / "out" / "tables").iterdir()}
    assert "success" in tables
    assert "drawings" not in tables
    for name in ("report.md", "report.html"):
        assert said in (tmp_path / "out" / name).read_text("utf-8")


def test_what_killed_runs_have_left_is_removed(tmp_path: Path, command: Command) -> None:
    """Not what may be somebody else's, is in use, or is the only report that there is."""
    names = [f".report-{digit * 16}.new" for digit in "0123"] + [f".report-{'3' * 16}.old"]
    names += [f".report-{'4' * 16}.old", ".report-mine.new"]
    for name in names:
        (tmp_path / name / "tables").mkdir(parents=True)
        (tmp_path / name / "tables" / "success.csv").write_text("model\n")
    (tmp_path / names[1] / "notes.txt").write_text("mine")
    path = written(tmp_path / "v.jsonl", [verdict(0, True)])
    with _locked(tmp_path / names[2]):
        assert command(path, "-o", tmp_path / "out", "--format", "csv").exit_code == 0
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {"v.jsonl", "out", *names[1:5], names[6]}


def test_lines_in_error_alone_are_a_report_of_these(tmp_path: Path, command: Command) -> None:
    bad = {**dict.fromkeys(verdict(0)), "line": 1, "error": "the line is not JSON"}
    result = command(written(tmp_path / "v.jsonl", [bad]), "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "the line is not JSON: 1" in (tmp_path / "out" / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["none.jsonl"], "there is no file"),
        (["empty.jsonl"], "empty.jsonl holds no verdicts: it is empty"),
        (["answers.jsonl"], "answers.jsonl holds no verdicts: line 1: the line is no verdict"),
        (["v.jsonl", "--format", "pdf"], "unknown format 'pdf'"),
        (["v.jsonl", "--format", ","], "--format names no format"),
        (["v.jsonl", "--format", "html"], "the format html needs a folder"),
        (["v.jsonl", "--format", "md,csv"], "several formats need a folder"),
        (["v.jsonl", "--names", "mine"], "unknown names 'mine'"),
        (["v.jsonl", "--against", "none.jsonl"], "there is no file"),
        (["v.jsonl", "--answers", "none.jsonl"], "there is no file none.jsonl"),
        (["v.jsonl", "--answers", "v.jsonl", "--answers", "v.jsonl"], "--answers is given 2 times"),
        (["v.jsonl", "--data", "empty"], "holds no dataset"),
    ],
    ids=str,
)
def test_bad_input_is_one_sentence(
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("v.jsonl"), [verdict(0, True)])
    Path("empty.jsonl").touch()
    Path("empty").mkdir()
    Path("answers.jsonl").write_text('{"id": "x", "response": "up"}\n')
    result = command(*arguments)
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1


def test_names_that_mean_something_to_a_format(tmp_path: Path, command: Command) -> None:
    made = [*some(model=HOSTILE), verdict(0, True, model="m", protocol=HOSTILE, reason="<b>")]
    path, out = written(tmp_path / "v.jsonl", made), tmp_path / "out"
    result = command(path, "-o", out, "--title", HOSTILE.replace("\ud800", ""))
    assert result.exit_code == 0, result.output
    for file in out.rglob("*"):
        if file.suffix in (".md", ".tex", ".html"):
            text = file.read_text("utf-8")
            assert "\x1b" not in text or file.suffix == ".html"
            assert "<script>alert" not in text.replace("\\<script", "")
    names = set(pd.read_csv(out / "tables" / "success.csv", keep_default_na=False)["model"])
    assert names == {printable(HOSTILE), "m"}
    assert not any("\x1b" in file.read_text("utf-8") for file in out.rglob("*.csv"))


def test_a_missing_extra_is_one_sentence(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tabulate", None)
    result = command(written(tmp_path / "v.jsonl", some()))
    assert result.exit_code == 2
    assert "puzzles report needs more packages (tabulate): pip install 'puzzles[report]'" in (
        result.stderr
    )


def test_a_second_set_of_judgements(tmp_path: Path, command: Command) -> None:
    path = written(tmp_path / "v.jsonl", some())
    other = written(tmp_path / "w.jsonl", some())
    result = command(path, "--against", other, "--format", "csv", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out" / "tables" / "agreement.csv").exists()
