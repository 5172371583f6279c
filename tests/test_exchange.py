"""Boards of others: recognised, solved, kept with their records, and given back unchanged."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from puzzles import NAMES, engine, family, load, make, verify
from puzzles.exchange import Entry, Format, NotWritable, formats, importing
from puzzles.exchange.exporting import Exported, export
from puzzles.exchange.formats import File, file_of, known, recognise
from puzzles.exchange.importing import Wanted, import_boards
from puzzles.exchange.listing import UnknownFormat
from puzzles.exchange.plain import PLAIN
from puzzles.exchange.progress import Outcome
from puzzles.folder import Folder
from puzzles.instance import kinship, split_of
from puzzles.records import DatasetError
from puzzles.replay import initial
from puzzles.solve import CHOICES
from solvers import Limit

ROOT = Path(__file__).parents[1]
ROOMS = "S.G\n\n###\nS#G\n###\n\nS.G\n\nGS\n\n*\n\nS.x\n"
"""Six mazes: 2 long, unsolvable, the first one again, 1 long, solved, and not a maze."""


def file_named(name: str, text: str | bytes) -> File:
    return file_of(text.encode() if isinstance(text, str) else text, Path(name), name)


def imported(
    folder: Path, *texts: str | bytes, flags: dict | None = None, **wanted: object
) -> tuple[Outcome, list[str]]:
    """Import texts as the files a.txt, b.txt, ...; return the outcome and what is said."""
    said: list[str] = []
    files = tuple(
        file_named(f"{name}.txt", text) for name, text in zip("abcd", texts, strict=False)
    )
    outcome = import_boards(
        Wanted(files, **{"cell": None, **wanted}),
        folder,
        workers=1,
        told=lambda *what: said.append("{}:{}: {}".format(*what)),
        **(flags or {}),
    )
    return outcome, said


def exported(folder: Path, name: str) -> bytes:
    counts = Exported()
    text = b"".join(export([folder], name, exported=counts))
    assert counts.left_out == 0
    return text


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# What comes in, goes out.


def test_a_board_becomes_an_instance(tmp_path: Path) -> None:
    outcome, said = imported(tmp_path / "d", "S.G\n\nGS\n", family="maze", format="notation")
    first, second = load(tmp_path / "d")
    assert said == []
    assert (outcome.summary.count, outcome.left_out) == (2, 0)
    assert (first.board, first.optimal_length, first.difficulty) == ("S.G", 2, "easy")
    assert first.answer == '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    assert (first.seed, first.generator, first.attempt) == (None, None, None)
    assert (first.index, second.index) == (0, 1)
    assert first.id.startswith("maze-easy-")
    assert first.split == split_of(kinship("maze", family("maze").canonical(initial(first))))
    assert first.stats["walkable"] == 3
    assert first.source == {
        "format": "notation",
        "file": "a.txt",
        "line": 1,
        "record": "S.G\n\n",
    }
    assert verify(first, str(first.answer)).optimal


def test_what_is_left_out_is_said_with_its_line(tmp_path: Path) -> None:
    outcome, said = imported(tmp_path / "d", ROOMS, "GS\n", family="maze", format="notation")
    assert said == [
        "a.txt:3: unsolvable: 1 state can be reached, and none is a goal",
        "a.txt:7: the same board as line 1",
        "a.txt:11: the board is solved already",
        "a.txt:13: maze: 'x' at (0,2) is not one of #.SG*",
        "b.txt:1: the same board as a.txt:9",
    ]
    rows = [json.loads(line) for line in (tmp_path / "d" / "left_out.jsonl").open()]
    assert [f"{row['file']}:{row['line']}: {row['problem']}" for row in rows] == said
    assert [row["index"] for row in rows] == [1, 2, 4, 5, 6]
    assert [instance.index for instance in load(tmp_path / "d")] == [0, 3]
    header = json.loads((tmp_path / "d" / "dataset.json").read_text())
    assert (header["complete"], header["count"], header["left_out"]) == (True, 2, 5)
    assert (outcome.total, outcome.left_out) == (7, 5)


def test_the_limit_is_said(tmp_path: Path) -> None:
    text = "@-----\n--$---\n-----.\n\n@$.\n"
    imported(tmp_path / "d", text, family="sokoban")
    assert [instance.optimal_length for instance in load(tmp_path / "d")] == [8, 1]
    _, said = imported(tmp_path / "e", text, family="sokoban", limit=Limit(10))
    assert len(load(tmp_path / "e")) == 1
    assert "search limit of 10 states" in said[0]
    assert said[0].startswith("a.txt:1: ")


def test_a_stated_optimum_is_compared(tmp_path: Path) -> None:
    table = "board,cells,slides\nS.G,2,\nS..G,9,\n.S..G,,7\nG...S,many,\n"
    outcome, said = imported(tmp_path / "d", table, family="maze")
    assert said == ["a.txt:3: imported, but the file states an optimum of 9 (cell); it is 3"]
    assert (outcome.confirmed, outcome.different, outcome.left_out) == (1, 1, 0)
    stated = [instance.source["stated"] for instance in load(tmp_path / "d")[:3]]
    assert stated == [{"cell": 2}, {"cell": 9}, {"slide": 7}]
    assert "stated" not in load(tmp_path / "d")[3].source


SOURCES = [
    ("rushhour.csv", "csv", {"metric": "slide"}, 54, 53),
    ("rushhour.csv", "csv", {}, 54, 1),
    ("klotski.csv", "csv", {}, 25, 5),
    ("klotski.csv", "csv", {"rules": {"goal": [3, 1]}, "metric": "slide"}, 25, 20),
    ("sokoban.jsonl", "jsonl", {}, 24, 24),
    *((f"vgau/{name}.jsonl", "vgau", {}, 9, 9) for name in NAMES if name != "path"),
]


@pytest.mark.parametrize(("name", "format", "wanted", "count", "stated"), SOURCES)
def test_reference_files_come_back_byte_for_byte(
    reference: Path, tmp_path: Path, name: str, format: str, wanted: dict, count: int, stated: int
) -> None:
    data = (reference / name).read_bytes()
    outcome, said = imported(tmp_path / "d", data, **wanted)
    assert said == []
    assert (outcome.summary.count, outcome.confirmed, outcome.different) == (count, stated, 0)
    assert exported(tmp_path / "d", format) == data
    instances = load(tmp_path / "d")
    assert {instance.source["format"] for instance in instances} == {format}
    for instance in instances:
        assert instance.metric == wanted.get("metric", "cell")
        assert verify(instance, str(instance.answer)).feasible


def test_records_of_the_suite_without_cells_say_so(reference: Path, tmp_path: Path) -> None:
    name = "path"
    outcome, said = imported(tmp_path / "d", (reference / "vgau" / f"{name}.jsonl").read_bytes())
    assert (outcome.total, outcome.left_out) == (9, 9)
    assert all("walkable" in sentence for sentence in said)
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", ["jsonl", "csv", "notation"])
def test_our_own_instances_go_out_and_come_back(name: str, format: str, tmp_path: Path) -> None:
    made = make(name, "easy", 4, out=tmp_path / "d", images=False)
    text = exported(tmp_path / "d", format)
    more = {"family": name, "rules": made[0].rules} if format == "notation" else {}
    outcome, said = imported(tmp_path / "e", text, format=format, **more)
    assert said == []
    assert outcome.different == 0
    back = load(tmp_path / "e")
    for one, two in zip(made, back, strict=True):
        assert one.essence == two.essence
        assert (one.id, one.split) == (two.id, two.split)
        assert two.stats.keys() == {*one.stats, *CHOICES}
    assert exported(tmp_path / "e", format) == text


def test_rules_that_a_board_can_not_say(tmp_path: Path) -> None:
    room = family("onet")
    make("onet", "easy", 1, rules={"max_turns": 1}, out=tmp_path / "d", images=False)
    counts, said = Exported(), []
    texts = export(
        [tmp_path / "d"], "notation", exported=counts, told=lambda *what: said.append(what)
    )
    assert list(texts) == []
    assert (counts.written, counts.left_out) == (0, 1)
    assert "can't say the rules" in said[0][1]
    assert room.rule_options["max_turns"] != 1


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_marks_come_back(tmp_path: Path, end: str, mark: bytes) -> None:
    for format, text in (
        ("notation", "\n\nS.G\n\n\n.S.\n..G\n\n"),
        ("notation", "S.G/...\n\nS./.G\nS.\\n.G/..\n"),
        ("csv", 'Board,Cells,origin\nS.G,2,"a, b"\n\n"S.\n.G",2,"x\ny"\n'),
        ("jsonl", '{"board": "S.G", "moves": 2}\n\n{"moves":2,"board":"S.\\\\n.G"}'),
    ):
        data = mark + text.replace("\n", end).encode()
        folder = tmp_path / f"{format}{len(text)}"
        outcome, said = imported(folder, data, family="maze", format=format)
        assert said == []
        assert outcome.summary.count == (3 if "/" in text else 2)
        assert exported(folder, format) == data


def test_half_a_surrogate_pair_comes_back(reference: Path, tmp_path: Path) -> None:
    name = "maze"
    lines = (reference / "vgau" / f"{name}.jsonl").read_bytes().splitlines(keepends=True)[:2]
    lines[0] = lines[0].replace(b'{"id": 2', b'{"id": "\\ud800 \xc3\xbc"')
    lines[1] = lines[1].replace(b'"start": [', b'"start": ["\\ud800", ')
    _, said = imported(tmp_path / "d", b"".join(lines))
    assert len(said) == 1
    assert exported(tmp_path / "d", "vgau") == lines[0]


def test_files_of_many_formats_make_one_table(reference: Path, tmp_path: Path) -> None:
    texts = [(reference / name).read_bytes() for name in ("vgau/parking.jsonl", "klotski.csv")]
    imported(tmp_path / "d", *texts)
    instances = load(tmp_path / "d")
    assert {type(instance.source["record"]) for instance in instances} == {str}
    back = exported(tmp_path / "d", "vgau")
    assert back.startswith(texts[0])
    assert len(back.splitlines()) == 9 + 25


@pytest.mark.integration
def test_an_import_of_many_formats_loads_as_an_image_folder(
    reference: Path, tmp_path: Path
) -> None:
    from datasets import load_dataset

    names = ("vgau/maze.jsonl", "rushhour.csv", "vgau/klotski.jsonl", "sokoban.jsonl")
    imported(tmp_path / "d", *((reference / name).read_bytes() for name in names), cell=16)
    loaded = load_dataset(
        "imagefolder", data_dir=str(tmp_path / "d"), cache_dir=str(tmp_path / "cache")
    )["train"]
    instances = load(tmp_path / "d")
    assert len(instances) == loaded.num_rows == 9 + 54 + 9 + 24
    for row, instance in zip(loaded, instances, strict=True):
        assert (row["id"], row["board"]) == (instance.id, instance.board)
        assert row["source"]["record"] == instance.source["record"]
        rows = instance.board.split("\n")
        assert row["image"].size == (16 * len(rows[0]), 16 * len(rows))


@pytest.mark.parametrize(
    ("format", "one", "two", "both"),
    [
        ("notation", "S.G", "S..G\n", "S.G\n\nS..G\n"),
        ("notation", "S.G\n", "S..G\n", "S.G\n\nS..G\n"),
        ("notation", "S.G\r\n\r\n", "S..G\n", "S.G\r\n\r\nS..G\n"),
        ("csv", "board\nS.G", "board\nS..G\n", "board\nS.G\nS..G\n"),
        ("jsonl", '{"board":"S.G"}', '{"board":"S..G"}', '{"board":"S.G"}\n{"board":"S..G"}'),
    ],
)
def test_two_files_do_not_run_into_one(
    format: str, one: str, two: str, both: str, tmp_path: Path
) -> None:
    imported(tmp_path / "d", one, two, family="maze", format=format)
    assert exported(tmp_path / "d", format).decode() == both
    for name, text in (("a", one), ("b", two)):
        imported(tmp_path / "e" / name, text, family="maze", format=format)
    assert exported(tmp_path / "e", format).decode() == both


def test_latin_1_comes_back(tmp_path: Path) -> None:
    data = "board,author\nS.G,Jürgen\n".encode("latin-1")
    imported(tmp_path / "d", data, family="maze")
    (instance,) = load(tmp_path / "d")
    assert instance.source["encoding"] == "latin-1"
    assert json.loads(instance.source["record"])["row"] == "S.G,Jürgen\n"
    assert exported(tmp_path / "d", "csv") == data


def test_instances_of_many_families_in_one_file(tmp_path: Path) -> None:
    for name in NAMES:
        make(name, "easy", 2, out=tmp_path / "d" / name, images=False)
    lines = b"".join(
        (tmp_path / "d" / name / "metadata.jsonl").read_bytes() for name in sorted(NAMES)
    )
    outcome, said = imported(tmp_path / "e", lines, cell=16)
    assert said == []
    assert [instance.family for instance in load(tmp_path / "e")] == sorted([*NAMES] * 2)
    assert outcome.confirmed == 12
    assert exported(tmp_path / "e", "jsonl") == lines


def test_rules_are_given_from_outside_or_by_the_record(tmp_path: Path) -> None:
    rows = "TT./TT./..."
    table = f'board,rules\n{rows},"{{""goal"":[1,1]}}"\n'
    imported(tmp_path / "d", table)
    assert load(tmp_path / "d")[0].rules == {"goal": [1, 1]}
    imported(tmp_path / "e", table, rules={"goal": [0, 1]})
    assert load(tmp_path / "e")[0].rules == {"goal": [0, 1]}
    assert load(tmp_path / "e")[0].optimal_length == 1
    _, said = imported(tmp_path / "f", f"board,rules\n{rows},[1]\n{rows},x\n", family="klotski")
    assert said == [
        "a.txt:2: the rules are no JSON object: '[1]'",
        "a.txt:3: the rules are no JSON object: 'x'",
    ]


def test_moves_state_an_optimum_only_where_nothing_slides(tmp_path: Path) -> None:
    board = json.dumps({"board": "RR..\n....", "moves": 1}) + "\n"
    imported(tmp_path / "d", board, family="parking")
    (instance,) = load(tmp_path / "d")
    assert "stated" not in instance.source
    assert instance.optimal_length == 2


# Which format it is.


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


# The folder.


def test_rules_metric_and_kept_pictures(tmp_path: Path) -> None:
    imported(tmp_path / "d", "RR.\n...\n", family="parking", metric="slide", cell=20)
    (instance,) = load(tmp_path / "d")
    assert (instance.optimal_length, instance.metric, instance.difficulty) == (1, "slide", "custom")
    imported(tmp_path / "e", "RR...\n.....\n", family="parking", cell=20)
    (longer,) = load(tmp_path / "e")
    for one in (instance, longer):
        assert [one.stats[name] for name in CHOICES] == [1, 1.0]
    assert (longer.optimal_length, longer.metric) == (3, "cell")
    names = set(contents(tmp_path / "d"))
    assert names == {
        "metadata.jsonl",
        "dataset.json",
        f"images/{instance.id}.png",
        f"aids/{instance.id}.png",
    }


def test_a_board_with_more_solutions_than_64_bits_hold(tmp_path: Path) -> None:
    open_floor = [["."] * 40 for _ in range(40)]
    open_floor[0][0], open_floor[39][39] = "S", "G"
    imported(tmp_path / "d", "\n".join(map("".join, open_floor)), "GS\n", family="maze")
    first, second = load(tmp_path / "d")
    assert first.optimal_length == 78
    assert first.stats["optimal_solutions"] is None  # 78 over 39, about 2.7e22
    assert second.stats["optimal_solutions"] == 1


def test_a_family_without_slides(tmp_path: Path) -> None:
    _, said = imported(tmp_path / "d", "S.G\n", family="maze", metric="slide")
    assert said == ["a.txt:1: maze: there is no metric 'slide', only cell: no piece slides"]


def test_a_picture_that_is_too_large(tmp_path: Path) -> None:
    text = "S" + "." * 700 + "G\n" + ("." * 702 + "\n") * 699 + "\nS.G\n"
    _, said = imported(tmp_path / "d", text, family="maze", cell=64)
    assert len(load(tmp_path / "d")) == 1
    assert said[0].startswith("a.txt:1: a 700x702 board at 64 pixels a cell has ")
    assert said[0].endswith("take a smaller cell (--cell) or no pictures (--no-images)")
    imported(tmp_path / "e", text, family="maze")
    assert load(tmp_path / "e")[0].optimal_length == 701


def test_an_imported_dataset_is_a_dataset(tmp_path: Path) -> None:
    write_made = make("maze", "easy", 5, out=tmp_path / "d", images=False)
    imported(tmp_path / "e", exported(tmp_path / "d", "jsonl"))
    other = make("maze", "easy", 5, exclude=[tmp_path / "e"])
    assert not {i.board for i in write_made} & {i.board for i in other}


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    imported(tmp_path / "d", ROOMS, family="maze")
    before = contents(tmp_path / "d")
    for flags, wanted, sentence in (
        ({}, {}, "already holds a dataset; --resume completes it"),
        ({"resume": True}, {"limit": Limit(5)}, "was begun with limit "),
        ({"resume": True}, {"cell": 16}, "was begun with cell null, not 16"),
        ({"resume": True}, {"metric": "slide"}, "was begun with metric "),
        ({"resume": True, "force": True}, {}, "give one of them"),
    ):
        with pytest.raises(ValueError, match=sentence):
            imported(tmp_path / "d", ROOMS, family="maze", flags=flags, **wanted)
    with pytest.raises(DatasetError, match="was begun with files "):
        imported(tmp_path / "d", ROOMS + "\nG.S\n", family="maze", flags={"resume": True})
    with pytest.raises(DatasetError, match="was begun by another command"):
        make("maze", "easy", 1, out=tmp_path / "m", images=False)
        imported(tmp_path / "m", ROOMS, family="maze", flags={"resume": True})
    assert contents(tmp_path / "d") == before
    imported(tmp_path / "d", "S...G\n", family="maze", flags={"force": True})
    assert [instance.board for instance in load(tmp_path / "d")] == ["S...G"]
    assert set(contents(tmp_path / "d")) == {"dataset.json", "metadata.jsonl"}


def test_nothing_is_replaced_by_nothing(tmp_path: Path) -> None:
    imported(tmp_path / "d", ROOMS, family="maze")
    before = contents(tmp_path / "d")
    outcome, said = imported(tmp_path / "d", "Sx\n", family="maze", flags={"force": True})
    assert (outcome.total, outcome.left_out, len(said)) == (1, 1, 1)
    assert contents(tmp_path / "d") == before


def test_two_imports_do_not_share_a_folder(tmp_path: Path) -> None:
    wanted = Wanted((file_named("a.txt", ROOMS),), family="maze", cell=None)
    with Folder(tmp_path / "d", wanted) as folder:
        assert list(folder.open(resume=False, force=False)) == []
        with pytest.raises(DatasetError, match="another run is writing"):
            imported(tmp_path / "d", ROOMS, family="maze")


# Interruptions.


MANY = "\n\n".join(f"S{'.' * k}{'G' if k % 3 else '#'}" for k in range(200)) + "\n"
"""Mazes of which every third is none."""


@pytest.mark.parametrize("cell", [None, 16])
def test_any_prefix_of_both_logs_is_completed(tmp_path: Path, cell: int | None) -> None:
    text = MANY[:2600]
    imported(tmp_path / "whole", text, family="maze", cell=cell)
    whole = contents(tmp_path / "whole")
    header = json.loads(whole["dataset.json"])
    begun = {"complete": False, "content": header["content"]}
    sizes = [len(whole[name]) for name in ("metadata.jsonl", "left_out.jsonl")]
    for share in (0, 0.003, 0.4, 0.9, 1):
        for other in (0, 0.02, 0.5, 1):
            folder = tmp_path / f"{share}-{other}"
            folder.mkdir()
            (folder / "dataset.json").write_text(json.dumps(begun, indent=2))
            for name, part, size in zip(
                ("metadata.jsonl", "left_out.jsonl"), (share, other), sizes, strict=True
            ):
                (folder / name).write_bytes(whole[name][: int(part * size)])
            outcome, said = imported(folder, text, family="maze", cell=cell, flags={"resume": True})
            assert contents(folder) == whole, (share, other)
            assert outcome.left_out == len(said) == header["left_out"]


def test_a_pool_of_workers_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported(tmp_path / "a", MANY, family="maze")
    monkeypatch.setattr(engine, "WORTH", 0.0)
    monkeypatch.setattr(importing, "_AHEAD", 32)  # so that nobody knows how many there are
    wanted = Wanted((file_named("a.txt", MANY),), family="maze", cell=None)
    told: list[int] = []
    import_boards(wanted, tmp_path / "b", workers=2, progress=told.append)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert told == sorted(told)
    assert told[-1] == MANY.count("\n")


def test_lines_that_this_run_did_not_write_are_refused(tmp_path: Path) -> None:
    imported(tmp_path / "d", ROOMS, family="maze")
    folder = tmp_path / "d"
    for name, old, new, sentence in (
        ("metadata.jsonl", '"line":9', '"line":8', "has been changed since it was completed"),
        ("metadata.jsonl", '"file":"a.txt"', '"file":"z.txt"', "line 1 is not what this run wrote"),
        ("metadata.jsonl", '"board":"S.G"', '"board":"S#G"', "line 1 is not what this run wrote"),
        ("left_out.jsonl", '"index":1', '"index":"x"', "line 1 is not what this run wrote"),
        ("left_out.jsonl", '"index":1', '"index":3', "record 3 stands there twice"),
        ("left_out.jsonl", '{"index":1', "nope", "left_out.jsonl line 1 is not what this run"),
    ):
        path = folder / name
        before = path.read_text()
        path.write_text(before.replace(old, new))
        with pytest.raises(DatasetError, match=sentence):
            imported(folder, ROOMS, family="maze", flags={"resume": True})
        path.write_text(before)
    before = contents(folder)
    (folder / "left_out.jsonl").unlink()
    imported(folder, ROOMS, family="maze", flags={"resume": True})
    assert contents(folder) == before


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
