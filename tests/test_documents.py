"""The documents keep up with the code: links lead somewhere, files are named, commands exist."""

import re
from pathlib import Path

import pytest

import cli
from puzzles import NAMES, Reason, family

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / "benchmarks" / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("package", ["puzzles", "puzzles/exchange", "protocols", "solvers"])
def test_the_architecture_names_every_file(package: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    for path in (ROOT / package).glob("*.py"):
        assert path.stem == "__init__" or f"`{path.name}`" in page, path.name


def test_the_formats_name_every_reason() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    for reason in Reason:
        assert f"| `{reason}` | {reason.sentence} |" in page


def test_the_readme_names_every_command() -> None:
    page = (ROOT / "README.md").read_text()
    for command in cli.app.registered_commands:
        assert command.callback is not None
        assert f"| `puzzles {command.name or command.callback.__name__}` |" in page


@pytest.mark.parametrize("name", NAMES)
def test_every_family_has_its_words(name: str) -> None:
    room = family(name)
    words = room.words(room.rule_options)
    for text in (words.title, words.legend, words.rules, words.goal):
        assert text == text.strip()
        assert text
