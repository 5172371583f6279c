"""Reports as one HTML file, made and read for tests."""

import base64
import json
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from protocols.judge import Options, judge_file
from protocols.reports.analyses.success import optimal, success
from protocols.reports.page import write
from protocols.reports.rows import load
from protocols.reports.sources import Sources

EVIL = '</script><script>alert("x")</script><img src=https://example.org/x.png onerror=alert(1)>'
MAZE = {"family": "maze", "board": "#####\n#S.G#\n#####", "optimal_length": 2}
PATH = {"family": "path", "board": "S.A.BG", "optimal_length": 5}
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in its turn."""

    def __init__(self, path: Path):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.words = ""
        self.feed(path.read_text("utf-8"))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            self.scripts[-1] = self.scripts[-1][0], self.scripts[-1][1] + data
        elif self.open[-1:] != ["style"]:
            self.words += data

    @property
    def data(self) -> Any:
        (found,) = [text for attrs, text in self.scripts if attrs.get("id") == "data"]
        return json.loads(found)

    @property
    def episodes(self) -> list[Any]:
        """The episodes in the order of the list."""
        chunks = [
            json.loads(zlib.decompress(base64.b64decode(text)))
            for attrs, text in self.scripts
            if attrs.get("class") == "chunk"
        ]
        index = self.data["index"]
        return [chunks[c][p] for c, p in zip(index["chunk"], index["place"], strict=True)]

    def boards(self, episode: Any) -> list[str]:
        """The boards of an episode as text, one for each frame."""
        film = episode["film"]
        characters = self.data["sheets"][film["sheet"]]["characters"]
        glyphs, found = list(film["board"]), []
        for change in [[], *film["changes"]]:
            for cell, glyph in zip(change[::2], change[1::2], strict=True):
                glyphs[cell] = glyph
            text = "".join(characters[glyph] for glyph in glyphs)
            rows = range(0, len(text), film["columns"])
            found.append("\n".join(text[at : at + film["columns"]] for at in rows))
        return found


def report(folder: Path, lines: list[dict[str, Any]], **how: Any) -> Page:
    """The page on ``lines`` of answers."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "answers.jsonl").write_text(text, "utf-8")
    return page_of(folder, **how)


def page_of(folder: Path, name: str = "report.html", *, images: bool = False, **how: Any) -> Page:
    """The page on the answers in ``folder``; ``images``: their drawings are read."""
    verdicts = folder / "verdicts.jsonl"
    judge_file(folder / "answers.jsonl", [], verdicts, Options(images=images))
    rows = load([verdicts])
    tables = [table for table in (optimal(rows), success(rows)) if table]
    write(rows, tables, Sources.beside([verdicts]), folder / name, **how)
    return Page(folder / name)


def said(response: str, instance: dict[str, Any] = MAZE, **fields: Any) -> dict[str, Any]:
    return {"id": "one", "response": response, "instance": instance, **fields}
