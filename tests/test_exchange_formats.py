"""Boards of others are recognised: which format a file is of, and what is no record of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from puzzles import NAMES, family, load, make
from puzzles.exchange import Entry, Format, NotWritable, formats
from puzzles.exchange.exporting import Exported, export
from puzzles.exchange.formats import known, recognise
from puzzles.exchange.listing import UnknownFormat
from puzzles.exchange.plain import PLAIN
from puzzles.replay import initial
from tests.exchanging import file_named, imported


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (b"\0\1", {}, "a.txt is no text: it holds a zero byte"),
        ("", {}, "a.txt is empty"),
        (" \n\n", {}, "a.txt is empty"),
        ("Dear all,\nhello\n", {}, "a.txt: no known format (csv, "),
        ("[]", {}, "a.txt is JSON of no known format (known: "),
        ('{"a": 1}\n', {}, "a.txt is JSON of no known format (known: "),
        ("S.G", {"format": "chess"}, "unknown format 'chess' (known: csv, "),
        ("S.G", {"format": "vgau"}, "a.txt is not in the format vgau of any family"),
        ("S.G", {"format": "rush", "family": "maze"}, "maze: there is no format rush (known: csv"),
        ("board,cells\n", {}, "a.txt holds no board"),
    ],
)
def test_a_file_that_nobody_reads(
    text: str | bytes, options: dict, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(UnknownFormat) as caught:
        imported(tmp_path / "d", text, **options)
    assert str(caught.value).startswith(sentence)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "options", "sentences"),
    [
        ('{"board": "S.G"}\n[]\n{"board": 5}\nnope\n', {}, 3),
        ("board\nS.G\nS.G,too,many\n\n,\n", {}, 2),
        ("S.G\n\n" + "y" * 3_000_000 + "\n", {"format": "notation"}, 1),
        ("S.G\n\n\x1b[31m\n", {"format": "notation"}, 1),
        ('{"board": "S.G"}\n{"board": "S.G", "family": 7}\n', {}, 1),
        ('{"board": "S.G"}\n{"board": "S.G", "family": "chess"}\n', {}, 1),
        ('{"board": "S.G"}\n{"board": "\\ud800"}\n' + "[" * 100_000 + "\n", {}, 2),
    ],
)
def test_a_bad_record_does_not_stop_the_others(
    text: str, options: dict, sentences: int, tmp_path: Path
) -> None:
    outcome, said = imported(tmp_path / "d", text, family="maze", **options)
    assert [instance.board for instance in load(tmp_path / "d")] == ["S.G"]
    assert len(said) == outcome.left_out == sentences
    assert all(len(sentence) < 600 for sentence in said)


def readable(board: str) -> Format:
    """A format of one board a line that claims what begins with its name."""
    room = family("maze")

    def read(source):
        for number, line in enumerate(source.text.splitlines(keepends=True), 1):
            yield Entry(number, line, room.parse(board, {}), optimum={"cell": len(line)})

    return Format(lambda text: text.startswith("zig"), read, None)


def test_two_formats_that_claim_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fakes = {
        name: replace(family(name), formats={"zig": readable("S.G"), f"z{name}": readable("S..G")})
        for name in ("maze", "onet")
    }
    monkeypatch.setattr(formats, "room_of", lambda name: fakes.get(name, family(name)))
    file = file_named("a.txt", "zigzag\n")
    with pytest.raises(UnknownFormat, match="say which: --format or --family") as caught:
        recognise(file, None, None)
    assert "zig (maze) and as zig (onet) and as zmaze (maze)" in str(caught.value)
    with pytest.raises(
        UnknownFormat, match=r"as zig \(maze\) and as zig \(onet\); say which: --fa"
    ):
        recognise(file, "zig", None)
    assert recognise(file, "zig", "maze").format == "zig"
    assert recognise(file, "zmaze", None).format == "zmaze"
    assert recognise(file_named("a.txt", "other"), "zmaze", None).format == "zmaze"
    with pytest.raises(UnknownFormat, match="is not in the format zig of any family"):
        recognise(file_named("a.txt", "other"), "zig", None)
    make("maze", "easy", 1, out=tmp_path / "d", images=False)
    with pytest.raises(NotWritable, match="zig is only read, not written"):
        export([tmp_path / "d"], "zig", exported=Exported())


def test_no_reference_file_is_claimed_twice(reference: Path) -> None:
    claims = {
        f"{name} {one}": room_format.claims
        for name in NAMES
        for one, room_format in family(name).formats.items()
    }
    for path in sorted(reference.rglob("*.*")):
        if path.suffix in (".jsonl", ".csv", ".map"):
            text = path.read_text()
            assert len([name for name, claim in claims.items() if claim(text)]) <= 1, path


def test_every_format_is_known() -> None:
    names = known()
    assert set(PLAIN) < set(names)
    assert {"vgau", "rush"} <= set(names)
    for name in NAMES:
        assert set(family(name).formats) <= set(names)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_formats_of_others_write_is_recognised_and_the_same_board(
    name: str, tmp_path: Path
) -> None:
    room = family(name)
    made = make(name, "medium", 3, out=tmp_path / "d", images=False)
    for format, one in room.formats.items():
        counts = Exported()
        if one.write is None:
            continue
        text = b"".join(export([tmp_path / "d"], format, exported=counts))
        if not counts.written:
            continue
        outcome, said = imported(tmp_path / format, text)
        if not outcome.summary.count:
            assert name == "path"  # the suite's records of it don't hold the board
            continue
        assert said == []
        back = load(tmp_path / format)
        assert {instance.source["format"] for instance in back} == {format}
        for before, after in zip(made, back, strict=True):
            states = [initial(instance) for instance in (before, after)]
            assert len({room.canonical(state) for state in states}) == 1
            assert before.rules == after.rules
            assert before.optimal_length == after.optimal_length
