"""Table: what an analysis returns, as Markdown, CSV or LaTeX; the page lays out its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from puzzles.printable import printable

DASH = "–"
"""Stands for a number that there is not."""
_ROWS_ON_A_PAGE = 40
_MOST_ROWS = 60
"""Rows of a table that Markdown prints; of a longer one only the totals."""
_WIDEST = 100
"""Characters of a cell in Markdown."""
_DETAIL = ("family", "difficulty")
"""The columns that totals are over."""

_LATEX = {
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"{\char34}"},
    **{"`": r"\textasciigrave{}", "–": "--", "−": "$-$", "×": r"$\times$"},
    **{"[": "{[}", "]": "{]}", "≥": r"$\geq$", "≤": r"$\leq$", "κ": r"$\kappa$", "τ": r"$\tau$"},
    **{"α": r"$\alpha$", "ρ": r"$\rho$"},
}
_MARKDOWN = re.compile(r"[\\`*\[\]<>|&~]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would read as more than a sign; an underscore inside a word is none of that."""


class Table(NamedTuple):
    """What an analysis has found.

    name
        Of its files: lower-case letters and hyphens.
    note
        How it was computed, in a sentence or two.
    frame
        A DataFrame of raw numbers: rates are fractions. Columns ``x_low`` and ``x_high`` after
        ``x`` are its interval, and stand beside it in one cell wherever people read.
    percent
        The columns that are shown in percent.
    long
        For plots and machines: people are told where its CSV is.
    tenths
        The columns that have one decimal and are shown with it.
    """

    name: str
    title: str
    note: str
    frame: Any
    percent: Collection[str] = ()
    long: bool = False
    tenths: Collection[str] = ()


class Cells(NamedTuple):
    """A table as people read it: texts, and for each column whether it holds numbers."""

    heads: list[str]
    numeric: list[bool]
    rows: list[list[str]]

    @property
    def names(self) -> int:
        """How many columns stand before the first one with numbers."""
        return next((at for at, number in enumerate(self.numeric) if number), len(self.heads))


def cells(table: Table, *, escape: Callable[[str], str] = lambda text: text) -> Cells:
    """Return ``table`` as texts, ``escape`` applied to each; intervals stand with their value."""
    frame = table.frame
    names = [name for name in frame.columns if not _is_bound(str(name), frame.columns)]
    numeric = [_is_number(frame[name].dtype) for name in names]
    columns = []
    for name in names:
        percent = name in table.percent
        digits = 1 if percent or name in table.tenths else 2
        texts = [escape(_text(value, percent, digits)) for value in frame[name]]
        if f"{name}_low" in frame.columns:
            bounds = zip(texts, frame[f"{name}_low"], frame[f"{name}_high"], strict=True)
            texts = [_with_interval(*one, percent, digits) for one in bounds]
        columns.append(texts)
    heads = [escape(_head(str(name), name in table.percent)) for name in names]
    return Cells(heads, numeric, [list(row) for row in zip(*columns, strict=True)])


def markdown(table: Table, *, stored: bool = True) -> str:
    """Return ``table`` in the Markdown of GitHub, with its title and note.

    stored
        Its CSV is written too, so that of a table of many rows the totals are enough.
    """
    from tabulate import tabulate

    parts = [f"## {escape_markdown(table.title)}", escape_markdown(table.note)]
    if table.long:
        where = f"in tables/{table.name}.csv" if stored else "which -o DIR writes as CSV"
        return "\n\n".join([*parts, f"{len(table.frame):,} rows, {where}."])
    brief = totals(table) if stored else table
    if len(brief.frame) < len(table.frame):
        parts.append(f"Totals; all {len(table.frame):,} rows are in tables/{table.name}.csv.")
    shown = cells(brief, escape=lambda text: escape_markdown(_shortened(text)))
    sides = ["right" if number else "left" for number in shown.numeric]
    body = tabulate(
        _grouped(shown), shown.heads, "pipe", colalign=sides, disable_numparse=True, missingval=""
    )
    return "\n\n".join([*parts, body])


def totals(table: Table) -> Table:
    """Return ``table``, of a long one only the rows that come last by family and difficulty."""
    frame = table.frame
    if len(frame) <= _MOST_ROWS or _DETAIL[0] not in frame:
        return table
    for name in (name for name in _DETAIL if name in frame):
        labels = [*frame.columns[: frame.columns.get_loc(name)]]
        last = frame.groupby(labels, observed=True, sort=False)[name].transform("last")
        frame = frame[frame[name].astype(str) == last.astype(str)]
    return table._replace(frame=frame)


def csv(table: Table) -> str:
    """Return the raw numbers of ``table`` in full precision, with their column names.

    Control characters are written as escapes, as everywhere: a terminal may show the file.
    """
    frame = table.frame.rename(columns=lambda name: printable(str(name)))
    for name in frame.columns[~frame.dtypes.map(_is_number)]:
        frame[name] = (
            frame[name]
            .astype(object)
            .map(lambda value: printable(value) if isinstance(value, str) else value)
        )
    return str(frame.to_csv(index=False, lineterminator="\n"))


_COLUMNS_AT_FULL_SIZE = 8
_SMALL = r"\scriptsize\setlength{\tabcolsep}{3pt}"


def latex(table: Table) -> str:
    """Return ``table`` for a document that loads booktabs and longtable."""
    shown = cells(table, escape=escape_latex)
    spec = "".join("r" if number else "l" for number in shown.numeric)
    caption = rf"\caption{{{escape_latex(table.title)}. {escape_latex(table.note)}}}"
    label = rf"\label{{tab:{table.name}}}"
    head = [r"\toprule", " & ".join(shown.heads) + r" \\", r"\midrule"]
    body = [" & ".join(map(_minus, row, shown.numeric)) + r" \\" for row in _grouped(shown)]
    needs = r"% needs \usepackage{booktabs,longtable}"
    small = [_SMALL] if len(shown.heads) > _COLUMNS_AT_FULL_SIZE else []
    if len(body) > _ROWS_ON_A_PAGE:
        begin = ["{", *small, rf"\begin{{longtable}}{{{spec}}}", caption + label + r" \\"]
        lines = [*begin, *head, r"\endhead", r"\bottomrule", r"\endlastfoot", *body]
        return "\n".join([needs, *lines, r"\end{longtable}", "}", ""])
    begin = [r"\begin{table}", r"\centering", caption, label, *small]
    begin.append(rf"\begin{{tabular}}{{{spec}}}")
    end = [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join([needs, *begin, *head, *body, *end, ""])


def _minus(text: str, number: bool) -> str:
    """Return a cell of LaTeX with the sign of a negative number as one."""
    return re.sub(r"-(?=\d)", "$-$", text) if number else text


def escape_markdown(text: str) -> str:
    return _MARKDOWN.sub(lambda sign: "\\" + sign[0], text)


def _shortened(text: str) -> str:
    """Return ``text``, of a long one its ends: a column is as wide as its longest cell."""
    if len(text) <= _WIDEST:
        return text
    return f"{text[: _WIDEST - 20]}…{text[-19:]}"


def escape_latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


def _is_bound(name: str, columns: Any) -> bool:
    stem = name.removesuffix("_low").removesuffix("_high")
    return stem != name and {stem, f"{stem}_low", f"{stem}_high"} <= set(columns)


def _is_number(kind: Any) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return bool(is_numeric_dtype(kind)) and not is_bool_dtype(kind)


def _head(name: str, percent: bool) -> str:
    return printable(name.replace("_", " ")) + " %" * percent


def _text(value: Any, percent: bool, digits: int) -> str:
    import pandas as pd

    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return DASH
    if isinstance(value, float):
        return f"{100 * value if percent else value:.{digits}f}"
    return printable(str(value))


def _with_interval(text: str, low: Any, high: Any, percent: bool, digits: int) -> str:
    bounds = _text(low, percent, digits), _text(high, percent, digits)
    return text if DASH in bounds else f"{text} [{', '.join(bounds)}]"


def _grouped(shown: Cells) -> list[list[str]]:
    """Return the rows with a leading name left out where it is that of the row above."""
    again = repeated(shown, shown.names)
    return [[""] * n + row[n:] for n, row in zip(again, shown.rows, strict=True)]


def repeated(shown: Cells, most: int) -> list[int]:
    """Return how many leading cells of each row, up to ``most``, are those of the row above."""
    counts = []
    previous: list[str] = []
    for row in shown.rows:
        again = 0
        while again < most and previous[: again + 1] == row[: again + 1]:
            again += 1
        counts.append(again)
        previous = row
    return counts
