"""The report as one HTML file: tables, plots, and every episode to be played again.

The file needs no network and no build step, and the same input gives the same bytes.
"""

from __future__ import annotations

import json
import os
import secrets
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from protocols.reports.analyses.intervals import DIGITS
from protocols.reports.analyses.paired import BASELINE
from protocols.reports.analyses.success import rates
from protocols.reports.columns import unpacked
from protocols.reports.page.episodes import Episodes, Written
from protocols.reports.page.plots import plots
from protocols.reports.page.svg import present
from protocols.reports.rows import judged
from protocols.reports.sources import Sources
from protocols.reports.tables import Table, cells, repeated
from protocols.success import fared

BUDGET = 40_000_000
"""Bytes that episodes and drawings may take in a page."""
_MOST_BEST = 4
_HERE = Path(__file__).parent


def write(
    rows: Any,
    tables: Sequence[Table],
    sources: Sources | None,
    path: Path,
    title: str = "Puzzles report",
    remarks: Sequence[str] = (),
    budget: int = BUDGET,
    progress: Callable[[int], None] = lambda done: None,
) -> Written:
    """Write the page to ``path``, all at once; return what became of the episodes.

    rows
        As ``rows.load`` returns them.
    sources
        Where answers and boards are; None for a page whose episodes show only their verdicts.
    remarks
        What is to be known of the whole, in sentences.
    budget
        Bytes for episodes. Long texts are cut in their middle, drawings past an eighth of it
        are linked instead of embedded, and episodes that find no room are left out, of every group
        alike; the page says how many.
    progress
        Is told the number of rows that are done.
    """
    with TemporaryFile("w+", encoding="ascii") as spool:
        written = Episodes(rows, sources, path, budget).write(spool, progress)
        spool.seek(0)
        about = {"title": title, "remarks": remarks, "facts": _facts(rows), "models": plots(rows)}
        _replace(path, _page(about, tables, written, spool))
    return written


def _replace(path: Path, parts: Iterator[str]) -> None:
    new = path.with_name(f".{path.name}-{secrets.token_hex(8)}.new")
    try:
        with new.open("x", encoding="utf-8", errors="replace", newline="\n") as out:
            out.writelines(parts)
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _page(
    about: Mapping[str, Any], tables: Sequence[Table], written: Written, spool: IO[str]
) -> Iterator[str]:
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    loader = FileSystemLoader(_HERE)
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    script = _joined("player.js", "page.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return environment.get_template("template.html.j2").generate(
        **about,
        tables=[_shown(table) for table in tables if not table.long],
        notes=_notes(written),
        chunks=(chunk.rstrip("\n") for chunk in spool),
        data=script_json({"index": written.listed, "sheets": written.sheets}),
        style=Markup(_joined("player.css", "style.css")),
        script=Markup(script),
        script_hash=f"'sha256-{digest}'",
    )


def _joined(*names: str) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


def script_json(value: Any) -> str:
    """Return JSON that stays inert inside a script element."""
    written = json.dumps(value, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace("&", "\\u0026")


def _facts(rows: Any) -> list[dict[str, Any]]:
    """Return what was judged in a few numbers, and each model's best protocol."""
    shown, broken = judged(rows), int(rows["error"].notna().sum())
    facts = [
        _fact("answers", f"{len(rows):,}", _unjudged(broken, len(rows) - broken - len(shown))),
        _fact("instances", f"{rows['id'].nunique():,}"),
        *(_named(rows, name) for name in ("model", "protocol", "family")),
    ]
    facts += _pictures(rows[rows["error"].isna()])
    if len(present(shown["protocol"])) > 1:
        facts += [_best(shown, model) for model in present(shown["model"])[:_MOST_BEST]]
    return facts


def _pictures(rows: Any) -> list[dict[str, str]]:
    """Return of how many answers the pictures are right, where some have been measured."""
    passed = Counter(unpacked(one).get("pass") for one in rows["measured"].dropna())
    count = passed.total()
    return [_fact("pictures right", f"{passed[True] / count:.0%}", fared(passed))] if count else []


def _best(rows: Any, model: str) -> dict[str, str]:
    """Return which protocol solves most, of those that have been put to the same instances."""
    found = rates(_alike(rows[rows["model"] == model]), ["protocol"])["optimal"].round(DIGITS)
    best = [str(name) for name in found.index[found == found.max()]]
    if len(found) == 1:
        note = f"{best[0]}; no other protocol has as many instances"
    elif len(best) == 1:
        note = f"{best[0]} solves most optimally"
        if BASELINE in found.index and best[0] != BASELINE:
            note += f"; {BASELINE} {found[BASELINE]:.0%}"
    else:
        note = "all protocols alike" if len(best) == len(found) else f"{', '.join(best)} alike"
    return _fact(model, f"{found.max():.0%}", note)


def _alike(rows: Any) -> Any:
    """Return the answers under the protocol with most instances, and those with the very same."""
    instances = rows.groupby("protocol", observed=True)["id"].agg(frozenset)
    most = max(instances, key=len)
    return rows[rows["protocol"].isin(instances.index[instances == most])]


def _fact(name: str, value: str, note: str = "") -> dict[str, str]:
    return {"name": name, "value": value, "note": note}


def _unjudged(broken: int, drawings: int) -> str:
    kinds = {"without a verdict": broken, "that are drawings": drawings}
    return ", ".join(f"{n:,} {kind}" for kind, n in kinds.items() if n)


def _named(rows: Any, name: str) -> dict[str, str]:
    found = present(rows[name])
    plural = {"family": "families"}.get(name, f"{name}s")
    most = ", ".join(found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")
    return _fact(plural if len(found) != 1 else name, str(len(found)), most)


def _notes(written: Written) -> list[str]:
    """Return what the page leaves out, in sentences."""
    notes = []
    if written.shown < written.total:
        notes.append(
            f"This page holds {written.shown:,} of {written.total:,} episodes, the first of every "
            "model, protocol, family and difficulty; the rest found no room in it."
        )
    if written.cut:
        notes.append(f"Long texts, cut in their middle where they say so: {written.cut:,}.")
    if written.linked:
        notes.append(f"Drawings in files beside the answers, not in this page: {written.linked:,}.")
    return notes


def _shown(table: Table) -> dict[str, Any]:
    """Return a table as the template lays it out: every cell whole, so that it can be sorted."""
    shown = cells(table)
    percent = [head.endswith(" %") for head in shown.heads]
    again = repeated(shown, shown.names - 1)
    lines = [
        [_cell(words, shown.numeric[at], percent[at], at < n) for at, words in enumerate(row)]
        for n, row in zip(again, shown.rows, strict=True)
    ]
    columns = [
        {"head": head, "number": number}
        for head, number in zip(shown.heads, shown.numeric, strict=True)
    ]
    return {**table._asdict(), "columns": columns, "rows": lines}


def _cell(words: str, number: bool, percent: bool, again: bool) -> dict[str, Any]:
    value, bracket, interval = words.partition(" [") if number else (words, "", "")
    try:
        share = min(100.0, max(0.0, float(value))) if percent else None
    except ValueError:
        share = None
    kind = " ".join(["number"] * number + ["again"] * again + ["share"] * (share is not None))
    return {"text": value, "interval": bracket[1:] + interval, "share": share, "kind": kind}
