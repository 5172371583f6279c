"""Boards of others: solved, kept with their records, and given back unchanged."""

import json
from pathlib import Path

import pytest

from puzzles import NAMES, family, load, make, verify
from puzzles.exchange.exporting import Exported, export
from puzzles.instance import kinship, split_of
from puzzles.replay import initial
from puzzles.solve import CHOICES
from solvers import Limit
from tests.exchanging import ROOMS, exported, imported


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
