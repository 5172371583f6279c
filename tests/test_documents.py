"""The documents keep up with the code: links lead somewhere, files are named, commands exist."""

import json
import re
import sys
from inspect import signature
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cli
from cli.run import run
from cli.serve import serve
from oracle.page.games import Game
from oracle.page.ledger import line
from oracle.page.participants import Attempt
from protocols.answer_line import Answer
from protocols.protocol import PROTOCOLS, VARIANTS
from protocols.verdicts import FIELDS
from puzzles import NAMES, Instance, Reason, family, make, replay
from puzzles.verdict import Stop

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / name / "README.md" for name in ("benchmarks", "examples")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


PACKAGES = ["puzzles", "puzzles/exchange", "puzzles/shards", "puzzles/sights", "protocols"]
PACKAGES += ["protocols/measures", "protocols/training"]
PACKAGES += ["solvers", "render", "render/boards", "render/drawings", "render/fidelity"]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_architecture_names_every_file(package: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    for path in (ROOT / package).glob("*.py"):
        assert path.stem == "__init__" or f"`{path.name}`" in page, path.name


def test_the_architecture_names_every_file_of_the_oracle_beside_its_folder() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    told = page.partition("## Serving the truth, in `oracle/`")[2].partition("\n## ")[0]
    top, *parts = re.split(r"^\| `(\w+)/` \|", told, flags=re.MULTILINE)
    rows = {".": top, **dict(zip(parts[::2], parts[1::2], strict=True))}
    files: dict[str, set[str]] = {}
    for path in (ROOT / "oracle").rglob("*.py"):
        folder = str(path.parent.relative_to(ROOT / "oracle"))
        files.setdefault(folder, set()).update({path.name} - {"__init__.py"})
    assert {folder: set(re.findall(r"`(\w+\.py)`", row)) for folder, row in rows.items()} == files


def test_the_formats_name_every_reason() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    for reason in Reason:
        assert f"| `{reason}` | {reason.sentence} |" in page


def test_the_formats_name_every_stop_and_field() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    for stop in Stop:
        assert f"| `{stop}` |" in page
    _, answers, verdicts = re.split("^## (?:answers|verdicts).jsonl$", page, flags=re.MULTILINE)
    for field in Answer.model_fields:
        assert f"| `{field}`" in answers or f", `{field}`" in answers, field
    for field in FIELDS:
        assert f"`{field}`" in verdicts, field


def test_the_formats_name_what_people_s_games_hold() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    instance = Instance(family="maze", board="SG", optimal_length=1)
    for field in line("key", "Ada", Attempt(Game(instance, 0.0), 0.0, None), 1):
        assert re.search(rf"^\|.*`{field}`.*\|.*\|$", page, re.MULTILINE), field


def test_the_protocols_are_named() -> None:
    page = (ROOT / "docs" / "protocols.md").read_text()
    for protocol in PROTOCOLS.values():
        if protocol.source in ("noise", "mismatch", "files"):  # in the place of self and oracle
            assert f"`{protocol.source}`" in page
        else:
            assert f"`{protocol.name}`" in page
    for variant in VARIANTS:
        assert f"| `+{variant}` |" in page


def test_the_readme_names_every_command() -> None:
    page = (ROOT / "README.md").read_text()
    for command in cli.app.registered_commands:
        assert command.callback is not None
        assert f"| `puzzles {command.name or command.callback.__name__}` |" in page


def test_running_names_every_option() -> None:
    page = "".join((ROOT / name).read_text() for name in ("docs/running.md", "README.md"))
    for name in signature(run).parameters:
        assert f"`-{'o' if name == 'out' else '-' + name.replace('_', '-')}" in page, name


@pytest.mark.parametrize("name", ["README.md", "docs/serving.md"])
def test_the_first_step_that_is_shown_with_curl_is_legal(name: str) -> None:
    page = (ROOT / name).read_text()
    shown = re.findall(r"^curl .*(?:-d|--json) '(\{.*?\})'", page, re.MULTILINE)
    opening, step = map(json.loads, shown)
    (board,) = make(opening["family"], opening["difficulty"], 1, seed=opening.get("seed", 0))
    assert replay(board, [step["action"]["move"]]).legal == step["round"]


def test_serving_names_every_option() -> None:
    page = "".join((ROOT / name).read_text() for name in ("docs/serving.md", "docs/page.md"))
    for name in set(signature(serve).parameters) - {"page"}:
        assert f"--{name.replace('_', '-')}" in page, name
    assert "--no-page" in page


def test_the_model_of_your_own_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "running.md").read_text()
    code = re.findall(r"```python\n# mine.py\n(.*?)```", page, re.DOTALL)[0]
    command = re.findall(r"^puzzles (run .*python:mine.*)$", page, re.MULTILINE)[0]
    (tmp_path / "mine.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    made = ["make", "--family", "maze", "--difficulty", "easy", "-n", "2", "--no-images"]
    for arguments in (made, command.split()):
        done = CliRunner().invoke(cli.app, arguments)
        assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in Path("answers.jsonl").read_text().splitlines()]
    assert len(lines) == 4
    assert all(re.fullmatch(r"I was told \d+ characters\.", line["response"]) for line in lines)
    drawn = [line for line in lines if line["protocol"] == "self-gta"]
    assert all(Path(name).is_file() for line in drawn for name in line["images"])


@pytest.mark.parametrize("name", NAMES)
def test_every_family_has_its_words(name: str) -> None:
    room = family(name)
    words = room.words(room.rule_options)
    for text in (words.title, words.legend, words.rules, words.goal):
        assert text == text.strip()
        assert text


def test_what_a_billion_costs_is_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from billion import PAGE, RATES, page

    found = json.loads(RATES.read_text())
    assert page(PAGE.read_text(), found) == PAGE.read_text()
    assert list(found["buckets"]) == [
        f"{name} {bucket}" for name in NAMES for bucket in family(name).buckets
    ]
