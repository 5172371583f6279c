"""Files as they stand in the wild: which format they are, and what comes back of them."""

import json
from pathlib import Path

import pytest

from puzzles import family, load, make
from puzzles.exchange import JsonRecord, NotWritable, json_records, stated
from puzzles.exchange.exporting import Exported, export
from puzzles.exchange.formats import file_of, recognise
from puzzles.exchange.importing import Wanted, import_boards
from puzzles.exchange.listing import UnknownFormat
from puzzles.records import DatasetError
from tests.exchanging import exported, file_named, imported

SOKOBAN = "#####\n#@$.#\n#####"
BOARDS = {
    "maze": "###\nS.G\n###",
    "path": "S.A\n##B\nG..",
    "sokoban": SOKOBAN,
    "parking": "RR.\n...",
    "onet": "A.A\n...",
    "klotski": "TT.\nTT.\n...",
}


def as_array(folder: Path, name: str) -> bytes:
    return b"".join(export([folder], name, array=True, exported=Exported()))


# Tables.


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("head", ["board", "Board", "no,BOARD", "no;board", "no\tboard"])
def test_a_table_is_a_table_whatever_its_boards_look_like(
    name: str, head: str, tmp_path: Path
) -> None:
    mark = next((mark for mark in ",;\t" if mark in head), "")
    row = ("1" + mark if mark else "") + f'"{BOARDS[name]}"\n'
    text = f"{head}\n{row}\n\n"
    assert recognise(file_named("a.txt", text), None, None).format == "csv"
    outcome, said = imported(tmp_path / "d", text, family=name)
    assert (said, outcome.summary.count) == ([], 1)
    assert load(tmp_path / "d")[0].board == BOARDS[name]
    assert exported(tmp_path / "d", "csv").decode() == text
    assert outcome.kinds == {"a.txt": ["csv", name]}


def test_a_table_without_a_board_says_so() -> None:
    sentence = r"^t.csv is a table without a column board \(columns: name, level\)$"
    for text in ("Name,level\n1,S.G\n", f'name,level\n1,"{SOKOBAN}"\n'):
        with pytest.raises(UnknownFormat, match=sentence):
            recognise(file_named("t.csv", text), None, None)
    line = "51,GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo\n"
    assert recognise(file_named("t.csv", line), None, None).format == "rush"
    wanted = Wanted((file_named("t.csv", "a,b\n1,2\n"),), format="csv", cell=None)
    with pytest.raises(UnknownFormat, match="a table without a column board"):
        import_boards(wanted, Path("nowhere"), workers=1)


def test_a_broken_table_is_one_problem(tmp_path: Path) -> None:
    outcome, said = imported(tmp_path / "d", "board\nS.G\n" + '"S.\rG\n"x\rS.G\n', family="maze")
    assert [instance.board for instance in load(tmp_path / "d")][:1] == ["S.G"]
    assert outcome.left_out == len(said) >= 1
    with pytest.raises(UnknownFormat):
        recognise(file_named("a.csv", 'name\r"x"y,"z\n'), None, None)


def test_real_xsb_and_rush_are_written_of_tables(reference: Path, tmp_path: Path) -> None:
    imported(tmp_path / "s", (reference / "sokoban.jsonl").read_bytes())
    imported(tmp_path / "p", (reference / "rushhour.csv").read_bytes())
    for folder, name in (("s", "xsb"), ("p", "rush")):
        text = exported(tmp_path / folder, name).decode()
        assert recognise(file_named("a.txt", text), None, None).format == name
        imported(tmp_path / name, text)
        boards = [[i.board for i in load(tmp_path / at)] for at in (folder, name)]
        room = family({"s": "sokoban", "p": "parking"}[folder])
        kin = [[room.canonical(room.parse(board, {})) for board in each] for each in boards]
        assert kin[0] == kin[1]
    assert exported(tmp_path / "s", "jsonl") == (reference / "sokoban.jsonl").read_bytes()


# Line ends.


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("notation", "###\nS.G\n\nS..G\n###.\n"),
        ("text", "####\n#SG#\n####\n\n+--+--+\n|S   G|\n+--+--+\n"),
        ("rush", "51 GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo 4780\noooooo" + "o" * 24 + "oAAooo\n"),
        ("xsb", f"; 1\n{SOKOBAN}\n\n; 2\n######\n#@-$.#\n######\n"),
        ("csv", 'board,n\n"###\nS.G",1\nS..G,2\n\n'),
        ("jsonl", '{"board":"S.G"}\n{"board":\n"S..G"}\n'),
    ],
)
def test_all_line_ends(format: str, text: str, end: str, tmp_path: Path) -> None:
    data = text.replace("\n", end).encode()
    owner = {"rush": "parking", "xsb": "sokoban"}.get(format, "maze")
    outcome, said = imported(tmp_path / "d", data, format=format, family=owner)
    assert (said, outcome.summary.count) == ([], 2)
    assert exported(tmp_path / "d", format) == data


def test_a_map_with_lone_carriage_returns() -> None:
    text = "type octile\rheight 2\rwidth 3\rmap\r...\r.@.\r"
    assert recognise(file_named("a.map", text), None, None).format == "movingai"


# JSON.


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('[1, {"a": 2}]\n', [1, {"a": 2}]),
        (" [ ] ", []),
        ("[null]", [None]),
        ("null\n1\nnull\n", [None, 1, None]),
        ("[[], [1]]", [[], [1]]),
        ("[1 2]", [1, "',' or ']' is missing"]),
        ("[1,", [1, "not JSON: Expecting value; the rest of the file is not read"]),
        ("[1", [1, "',' or ']' is missing"]),
        ("[1,]", [1, "Expecting value"]),
        ("[,1]", ["Expecting value"]),
        ("[1]\n[2]", [1, "something follows the end of the array"]),
        ("[1, nope, 3]", [1, "the rest of the file is not read"]),
        ("[1, " + "[" * 100_000, [1, "nested too deep"]),
        ("1\rnope 2\r\n[3]\n", [1, "not JSON: Expecting value", [3]]),
        ("1," + "9" * 5000, [1, "Expecting value"]),
        ("9" * 5000, ["Exceeds the limit"]),
    ],
)
def test_the_values_of_a_file(text: str, values: list) -> None:
    found = list(json_records(text))
    assert len(found) == len(values)
    for one, value in zip(found, values, strict=True):
        if isinstance(one.value, ValueError):
            assert str(value) in str(one.value)
        else:
            assert one.value == value
    assert "".join(one.text for one in found) == (text if values else "")


def test_the_lines_of_values() -> None:
    text = '{}\r\n\r\n{"a":\r1}\n7'
    assert list(json_records(text)) == [
        JsonRecord(1, {}, "{}\r\n\r\n"),
        JsonRecord(3, {"a": 1}, '{"a":\r1}\n'),
        JsonRecord(5, 7, "7"),
    ]


@pytest.mark.parametrize("name", ["jsonl", "vgau"])
def test_json_comes_back_as_it_stood(name: str, reference: Path, tmp_path: Path) -> None:
    lines = (reference / "vgau" / "parking.jsonl").read_text().splitlines()[:3]
    objects = [json.loads(line) for line in lines]
    if name == "jsonl":
        objects = [{"board": "S" + "." * k + "G", "more": {"a": [k, 1.50]}} for k in (1, 2, 3)]
    compact = [json.dumps(one, separators=(",", ":")) for one in objects]
    for at, text in enumerate(("\r\n".join(compact), "\n\n".join(compact) + "\n\n")):
        imported(tmp_path / f"l{at}", text, family="maze" if name == "jsonl" else None)
        assert exported(tmp_path / f"l{at}", name).decode() == text
    arrays = (json.dumps(objects), json.dumps(objects, indent=4) + "\n", f"[{','.join(compact)}]")
    for at, text in enumerate(arrays):
        imported(tmp_path / f"a{at}", text, family="maze" if name == "jsonl" else None)
        assert as_array(tmp_path / f"a{at}", name).decode() == text
        back = exported(tmp_path / f"a{at}", name).decode().splitlines()
        assert [json.loads(line) for line in back] == objects
        assert json.loads(as_array(tmp_path / "l0", name)) == objects


def test_a_part_of_an_array_is_an_array(tmp_path: Path) -> None:
    boards = ["S#G", "S.G", "S#G#", "S..G", "S#G.#"]
    text = json.dumps([{"board": board} for board in boards], indent=2)
    imported(tmp_path / "d", text, family="maze")
    back = json.loads(as_array(tmp_path / "d", "jsonl"))
    assert back == [{"board": "S.G"}, {"board": "S..G"}]


def test_what_is_no_json_is_said() -> None:
    for text, sentence in (
        ("[" * 100_000, "a.txt:1: not JSON: nested too deep"),
        ('\n{"board": ', "a.txt:2: not JSON: Expecting value"),
    ):
        with pytest.raises(UnknownFormat, match=sentence):
            recognise(file_named("a.txt", text), None, None)


def test_numbers_that_are_no_optimum_are_passed_over(tmp_path: Path) -> None:
    assert stated(7) == {"cell": 7}
    for value in (-1, True, 2.0, "3", None, [1], 10**18):
        assert stated(value) == {}
    table = f"board,cells\nS.G,{'1' * 19}\nS..G,{'2' * 5000}\nS...G,²\n"
    outcome, said = imported(tmp_path / "d", table, family="maze")
    assert (said, outcome.summary.count, outcome.confirmed + outcome.different) == ([], 3, 0)


# Names, encodings, what lies beside a file.


def test_names_that_are_no_text(tmp_path: Path) -> None:
    name = b"maze-\xff.txt".decode("utf-8", "surrogateescape")
    wanted = Wanted((file_of(b"S.G\n\nS#G\n", Path(name), name),), family="maze", cell=None)
    import_boards(wanted, tmp_path / "d", workers=1)
    assert load(tmp_path / "d")[0].source["file"] == "maze-\\udcff.txt"


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    files = tuple(file_named("a.txt", text) for text in ("S.G\n", "S..G\n"))
    with pytest.raises(ValueError, match="two files are called a"):
        import_boards(Wanted(files, family="maze", cell=None), tmp_path / "d", workers=1)


def test_a_record_without_a_line_end_does_not_run_into_the_next(tmp_path: Path) -> None:
    for name, text in (("a", "S.G"), ("b", "\n\n\nS..G")):
        wanted = Wanted((file_named("x.txt", text),), family="maze", cell=None)
        import_boards(wanted, tmp_path / "d" / name, workers=1)
    assert exported(tmp_path / "d", "text") == b"S.G\n\n\n\n\nS..G"


def test_one_encoding_a_file(tmp_path: Path) -> None:
    latin, utf = "board,by\nS.G,Jürgen\n".encode("latin-1"), "board,by\nS..G,Zoë\n".encode()
    imported(tmp_path / "one" / "a", latin, family="maze")
    assert exported(tmp_path / "one", "csv") == latin
    imported(tmp_path / "one" / "b", utf, family="maze")
    assert exported(tmp_path / "one", "csv").decode() == "board,by\nS.G,Jürgen\nS..G,Zoë\n"


def test_another_map_is_another_import(tmp_path: Path) -> None:
    scenario = tmp_path / "a.scen"
    scenario.write_text("version 1\n0\tm.map\t3\t1\t0\t0\t2\t0\t2\n")
    world = "type octile\nheight 1\nwidth 3\nmap\n...\n"

    def run(**flags: bool) -> None:
        file = file_of(scenario.read_bytes(), scenario, scenario.name)
        import_boards(Wanted((file,), cell=None), tmp_path / "d", workers=1, **flags)

    (tmp_path / "m.map").write_text(world)
    run()
    run(resume=True)
    (tmp_path / "m.map").write_text(world + "\n")
    with pytest.raises(DatasetError, match="was begun with files "):
        run(resume=True)


# Export of what is odd.


def test_odd_instances_are_named(tmp_path: Path) -> None:
    for name in ("klotski", "maze", "parking"):
        make(name, "easy", 2, out=tmp_path / name, images=False)
        path = tmp_path / name / "metadata.jsonl"
        first, second = path.read_text().splitlines()
        for key, value in (
            ("board", "?"),
            ("answer", "nothing"),
            ("rules", {"x": 1}),
            ("source", {"format": "vgau", "record": 7, "file": 3, "line": "x"}),
            ("source", {"format": "csv", "record": "[]", "encoding": []}),
        ):
            changed = json.dumps({**json.loads(first), key: value})
            path.write_text(f"{changed}\n{second}\n")
            for format in ("vgau", "csv", "jsonl", "notation"):
                said: list[str] = []
                counts = Exported()
                texts = export(
                    *([tmp_path / name], format),
                    exported=counts,
                    told=lambda *what, said=said: said.append(what[0]),
                )
                assert b"".join(texts)
                assert counts.written + counts.left_out == 2
                assert said == [json.loads(first)["id"]] * counts.left_out


def test_vgau_counts_cells() -> None:
    (one,) = make("klotski", "easy", 1)
    with pytest.raises(NotWritable, match="slides"):
        family("klotski").formats["vgau"].write(one.model_copy(update={"metric": "slide"}))
