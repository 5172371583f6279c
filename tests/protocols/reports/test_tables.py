"""Tables as people and machines read them, whatever models are called."""

import csv as csv_reader
import io
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from protocols.reports.tables import Table, cells, csv, escape_latex, latex, markdown
from protocols.success import printable

HOSTILE = [
    "<script>alert(1)</script>",
    "a|b_%",
    r"\input{/etc/passwd}",
    "two\nlines\r\x1b[31m",
    "[click](http://example.org)",
    "`code` *bold* _it_ ~~gone~~ <!-- --> &amp;",
    "$x^2$ #1 {~} \"quoted\" 'q'",
    "snake_case_name",
    "",
]


def made(names: list[str], long: bool = False) -> Table:
    frame = pd.DataFrame({"model": names, "n": range(len(names))})
    frame["rate"] = [1 / 3] * len(names)
    frame["rate_low"], frame["rate_high"] = 0.1, 2 / 3
    frame["mean"] = [1.5] + [None] * (len(names) - 1)
    return Table("made", "A & B_C <i>", "50% of _all_.", frame, ("rate",), long)


def columns_of(line: str) -> int:
    """Count the columns as Markdown does: bars that no backslash stands before."""
    return len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) - 1


def test_numbers_are_rounded_and_intervals_stand_beside_them() -> None:
    shown = cells(made(["m", "k"]))
    assert shown.heads == ["model", "n", "rate %", "mean"]
    assert shown.rows == [
        ["m", "0", "33.3 [10.0, 66.7]", "1.50"],
        ["k", "1", "33.3 [10.0, 66.7]", "–"],
    ]
    assert shown.numeric == [False, True, True, True]


def test_a_name_that_goes_on_is_said_once() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": ["p", "p", "p"], "k": [1, 2, 1]})
    lines = markdown(Table("t", "T", "N", frame)).splitlines()[-3:]
    assert [re.split(r"\s*\|\s*", line)[1:-1] for line in lines] == [
        ["x", "p", "1"],
        ["", "", "2"],
        ["y", "p", "1"],
    ]


def test_markdown_keeps_its_columns() -> None:
    lines = [line for line in markdown(made(HOSTILE)).splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(HOSTILE)
    assert {columns_of(line) for line in lines} == {4}
    assert len({len(line) for line in lines}) == 1
    text = "\n".join(lines)
    assert "snake_case_name" in text
    assert r"\<script\>" in text
    assert not re.search(r"(?<!\\)[<`*]", text)
    assert "\x1b" not in text


def test_markdown_as_a_parser_reads_it() -> None:
    markdown_it = pytest.importorskip("markdown_it")
    parsed = markdown_it.MarkdownIt("commonmark").enable("table").render(markdown(made(HOSTILE)))
    assert "<script>" not in parsed
    assert "<a href" not in parsed
    assert not re.search("<(em|strong|code|del|i)>", parsed)
    said = re.findall(r"<tr>\s*<td[^>]*>(.*?)</td>", parsed, re.DOTALL)
    assert said[1] == "a|b_%"
    assert len(said) == len(HOSTILE)


def test_csv_holds_the_raw_numbers() -> None:
    table = made(HOSTILE)
    lines = list(csv_reader.reader(io.StringIO(csv(table), newline="")))
    assert lines[0] == ["model", "n", "rate", "rate_low", "rate_high", "mean"]
    assert [line[0] for line in lines[1:]] == [printable(name) for name in HOSTILE]
    assert lines[4][0] == r"two\nlines\r\x1b[31m"
    assert float(lines[1][2]) == 1 / 3
    assert lines[2][5] == ""


def test_latex_escapes_what_is_special() -> None:
    text = latex(made(HOSTILE))
    body = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0].strip().splitlines()
    assert len(body) == len(HOSTILE)
    for line in body:
        assert line.endswith(r" \\")
        assert len(re.findall(r"(?<!\\)&", line)) == 3
        plain = line.replace(r"\textbackslash{}", "")
        assert not re.search(r"(?<!\\)[%$#_^~]|[|<>]", plain)
        assert not re.search(r"\\(input|x1b)", plain)
    assert escape_latex("100% a_b & {c}") == r"100\% a\_b \& \{c\}"


def test_a_negative_number_has_a_minus_in_latex_and_a_name_its_hyphen() -> None:
    frame = pd.DataFrame({"model": ["model-1"], "d": [-0.5], "d_low": [-1.0], "d_high": [0.25]})
    assert "model-1 & $-$0.50 [$-$1.00, 0.25]" in latex(Table("t", "T", "N", frame))


@pytest.mark.parametrize("rows", [3, 60])
def test_latex_compiles(tmp_path: Path, rows: int) -> None:
    if not shutil.which("pdflatex"):
        pytest.skip("no pdflatex here")
    names = (HOSTILE[:7] + [f"model-{k}" for k in range(rows)])[-max(rows, 10) :]
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs,longtable}\\begin{document}\n"
        + latex(made(names))
        + "\\end{document}\n",
        "utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_a_long_name_is_shortened_in_markdown_alone() -> None:
    names = [f"{'x' * 290}{end}" for end in ("-instruct", "-chat")]
    lines = [line for line in markdown(made(names)).splitlines() if line.startswith("| x")]
    assert [line.split(" | ")[0][-9:] for line in lines] == ["-instruct", "xxxx-chat"]
    assert max(map(len, lines)) < 160
    assert all(name in csv(made(names)) for name in names)
    assert names[0][:100] in markdown(made([names[0][:100]]))


def test_a_long_table_is_left_to_its_csv() -> None:
    text = markdown(made(["m"] * 1234, long=True))
    assert "|" not in text
    assert "1,234 rows, in tables/made.csv" in text
