"""Mazes from elsewhere: the published suite, maps of MovingAI, mazes as people type them."""

import csv
import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.exchange import Entry, NotWritable, Source
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance
from puzzles.maze import FAMILY
from puzzles.maze.rules import State, format, parse
from puzzles.solve import solve

OTHERS = {
    "sokoban": "#####\n#@$.#\n#####\n",
    "sokoban on targets": "#####\n#@*-#\n#####\n",
    "sokoban with a number": "1\n\n#####\n#@$.#\n#####\n",
    "rush hour": "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM\n",
    "small parking": ".AA.\nRR.G\n...G\n",
    "onet": "A.G\nGA.\n",
    "path": "S.A\n#.B\n#G.\n",
    "path with A alone": "SAG\n",
    "klotski": "TT1\nTT2\n..2\n",
    "prose": "A maze is a puzzle.\n",
    "record": '{"walls": []}\n',
    "nothing": "",
}


def entries(name: str, text: str, path: str = "mazes.txt", **options: Any) -> list[Entry]:
    found = list(FAMILY.formats[name].read(Source(Path(path), text, options)))
    assert "".join(entry.record for entry in found if isinstance(entry.record, str)) in (text, "")
    return found


def problem(name: str, text: str, **options: Any) -> str:
    """Return what is wrong with the one maze of ``text``."""
    (entry,) = entries(name, text, **options)
    assert entry.state is None
    return entry.problem


def boards(text: str, **options: Any) -> list[str]:
    found = entries("text", text, **options)
    assert not any(entry.problem for entry in found)
    return [format(entry.state) for entry in found]


@pytest.mark.parametrize("name", FAMILY.formats)
@pytest.mark.parametrize("other", OTHERS)
def test_no_format_claims_what_is_something_else(name: str, other: str) -> None:
    assert not FAMILY.formats[name].claims(OTHERS[other])


def test_each_format_claims_its_own_texts_alone(reference: Path) -> None:
    texts = {
        "vgau": [(reference / "vgau" / "maze.jsonl").read_text(), '[{"walkable": []}]'],
        "movingai": [
            (reference / "maze" / "arena.map").read_text(),
            "version 1\n0\tarena.map\t49\t49\t1\t1\t2\t2\t1.4\n",
        ],
        "text": ["S.G\n", "*\n", "\n#####\n#S G#\n#####\n", "+--+\n|SG|\n+--+\n", "█ █\n█ █\n█ █"],
    }
    for name, own in texts.items():
        for text in own:
            assert [other for other in FAMILY.formats if FAMILY.formats[other].claims(text)] == [
                name
            ]
    for path in (reference / "vgau").glob("*.jsonl"):
        assert FAMILY.formats["vgau"].claims(path.read_text()) == (path.stem == "maze")


def test_the_published_records_come_and_go_unchanged(reference: Path) -> None:
    text = (reference / "vgau" / "maze.jsonl").read_text()
    lines = text.splitlines(keepends=True)
    found = entries("vgau", text)
    assert [entry.line for entry in found] == list(range(1, len(lines) + 1))
    for entry, line in zip(found, lines, strict=True):
        solution = solve(FAMILY, entry.state)
        assert {"cell": solution.length} == entry.optimum
        instance = Instance(
            family="maze",
            board=format(entry.state),
            optimal_length=solution.length,
            source={"format": "vgau", "record": entry.record},
        )
        assert FAMILY.formats["vgau"].write is not None
        assert FAMILY.formats["vgau"].write(instance) == line


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_our_mazes_come_back_from_the_published_form(difficulty: str, reference: Path) -> None:
    published = json.loads((reference / "vgau" / "maze.jsonl").read_text().splitlines()[0])
    write = FAMILY.formats["vgau"].write
    assert write is not None
    made = [generate(Recipe("maze", difficulty=difficulty), at).instance for at in range(20)]
    lines = [write(instance) for instance in made]
    for instance, line, entry in zip(made, lines, entries("vgau", "".join(lines)), strict=True):
        record = json.loads(line)
        assert list(record) == list(published)
        assert {key: type(value) for key, value in record.items()} == {
            **{key: type(value) for key, value in published.items()},
            "id": str,
        }
        assert record["difficulty"] == ("middle" if difficulty == "medium" else difficulty)
        assert format(entry.state) == instance.board
        assert entry.optimum == {"cell": instance.optimal_length}


def test_a_maze_that_is_no_square_comes_back_too() -> None:
    write = FAMILY.formats["vgau"].write
    assert write is not None
    maze = Instance(
        family="maze", board="S.#\n#G.", optimal_length=2, answer='["right","down"]', difficulty="x"
    )
    record = json.loads(write(maze))
    assert (record["grid_size"], record["path_bucket"]) == ([2, 3], [2, 2])
    assert format(entries("vgau", json.dumps(record))[0].state) == maze.board
    with pytest.raises(NotWritable, match="a solution"):
        write(Instance(family="maze", board="S.G", optimal_length=2))


GOOD = {"grid_size": 3, "start": [0, 0], "goal": [0, 1], "walkable": [[0, 0], [0, 1]]}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"grid_size": None}, "grid_size is [None, None], not a pair of whole numbers"),
        ({"grid_size": 0}, "grid_size is 0; a board has 1 to 25,000,000 cells"),
        ({"grid_size": 10**9}, "grid_size is 1000000000; a board has 1 to 25,000,000 cells"),
        ({"walkable": 3}, "walkable is 3, not a list of cells"),
        ({"walkable": [[0, 3]]}, "the walkable cell (0,3) lies outside the board"),
        ({"walkable": [[-1, 0]]}, "the walkable cell (-1,0) lies outside the board"),
        ({"walkable": [[0]]}, "a walkable cell is [0], not a pair of whole numbers"),
        ({"start": [1, 1]}, "the start (1,1) is a wall"),
        ({"goal": [3, 0]}, "the goal (3,0) lies outside the board of 3x3"),
        ({"goal": [True, 0]}, "goal is [True, 0], not a pair of whole numbers"),
    ],
)
def test_a_wrong_record_is_named(change: dict[str, Any], sentence: str) -> None:
    assert problem("vgau", json.dumps(GOOD | change)) == sentence


def test_every_record_of_a_file_is_one_entry() -> None:
    lines = [json.dumps(GOOD), "{", "7", json.dumps({"walkable": []}), "", json.dumps(GOOD)]
    found = entries("vgau", "\n".join(lines))
    assert [entry.line for entry in found] == [1, 2, 3, 4, 6]
    assert [bool(entry.problem) for entry in found] == [False, True, True, True, False]
    assert found[0].optimum == {}
    assert found[2].problem == "the record is 7, not an object"
    assert found[3].problem == "the record has no grid_size"


def test_every_row_of_the_arena(reference: Path) -> None:
    text = (reference / "maze" / "arena.map").read_text()
    with (reference / "maze" / "arena.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    for row in rows:
        start, goal = (int(row["sy"]), int(row["sx"])), (int(row["gy"]), int(row["gx"]))
        (entry,) = entries("movingai", text, "arena.map", start=start, goal=goal)
        for algorithm in ("auto", "bfs", "astar"):
            solution = solve(FAMILY, entry.state, algorithm=algorithm)
            assert solution.length == int(row["len4_scipy"])
        assert entry.optimum == {}


MAP = "type octile\nheight 2\nwidth 6\nmap\n.GS@TO\nW.....\n"


def test_what_a_walker_may_enter() -> None:
    (entry,) = entries("movingai", MAP, start=(0, 2), goal=[1, 1])
    assert format(entry.state) == "..S###\n#G...."


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (MAP, {}, "a .map needs --start and --goal, or a .scen file that sets them"),
        (MAP, {"start": (0, 0)}, "a .map needs --start and --goal, or a .scen file that sets them"),
        (MAP, {"start": (0, 0), "goal": (0, 4)}, "the goal (0,4) is a wall"),
        (MAP, {"start": (2, 0), "goal": (0, 0)}, "the start (2,0) lies outside the board of 2x6"),
        (MAP.replace("ht 2", "ht 3"), {}, "the map has 2 rows, its height is 3"),
        (MAP.replace("th 6", "th 7"), {}, "row 0 of the map has 6 cells, its width is 7"),
        (MAP.replace("th 6", "th six"), {}, "the width is six, not a whole number"),
        (MAP.replace("width 6\n", ""), {}, "the width is nothing, not a whole number"),
        (MAP.replace("map\n", ""), {}, "the map has no line 'map' between its head and its rows"),
        ("type octile\nheight 0\nwidth 0\nmap\n", {}, "the map has no cells"),
    ],
)
def test_a_wrong_map_is_named(text: str, options: dict[str, Any], sentence: str) -> None:
    assert problem("movingai", text, **options) == sentence


def test_scenarios_find_their_map_beside_them(tmp_path: Path) -> None:
    (tmp_path / "small.map").write_text(MAP)
    (tmp_path / "bad.map").write_text(MAP.replace("ht 2", "ht 3"))
    lines = [
        "version 1\n",
        "0\tmaps/dao/small.map\t6\t2\t0\t0\t4\t1\t4.41421356\n",
        "\n",
        "0\tsmall.map\t6\t2\t0\t1\t4\t1\t4.41421356\n",
        "0\tother.map\t6\t2\t0\t0\t4\t1\t4.41421356\n",
        "0\tbad.map\t6\t2\t0\t0\t4\t1\t4.41421356\n",
        "0\tsmall.map\t12\t4\t0\t0\t4\t1\t4.41421356\n",
        "0\tsmall.map\t6\t2\t0\t0\t4\n",
        "0\tsmall.map\t6\t2\t0\t0\t4\tone\t4.41421356\n",
        "\n",
    ]
    found = entries("movingai", "".join(lines), str(tmp_path / "small.scen"))
    assert [entry.line for entry in found] == [2, 4, 5, 6, 7, 8, 9]
    assert format(found[0].state) == "S..###\n#...G."
    assert [entry.problem for entry in found] == [
        "",
        "the start (1,0) is a wall",
        "its map other.map does not lie beside the file",
        "bad.map: the map has 2 rows, its height is 3",
        "the scenario is for a map of 4x12 cells, small.map has 2x6",
        "a scenario has 9 fields with tabs between, this has 7",
        "the goal y is one, not a whole number",
    ]
    assert not any(entry.optimum for entry in found)
    assert problem("movingai", "version 1\n") == "the file has no scenario"


def test_maps_are_only_read() -> None:
    assert FAMILY.formats["movingai"].write is None


def test_our_own_notation_is_a_text_maze() -> None:
    """It is read as our own reader reads it."""
    text = FAMILY.formats["text"]
    assert text.write is not None
    for at in range(20):
        made = FAMILY.sample(Draws(at), [5], (6, 9), {}, {"border": True, "cycles": at % 3})[0]
        assert made is not None
        board = format(made.state)
        assert entries("text", board)[0].state == parse(board, {}) == made.state
        written = text.write(Instance(family="maze", board=board, optimal_length=5))
        assert text.claims(board)
        assert text.claims(written)
        assert boards(board) == boards(written) == [board]
    assert boards("*.#") == ["*.#"]


@pytest.mark.parametrize(
    "text",
    [
        "#####\n#S G#\n#####",
        "█████\n█A0E█\n█████",
        "XXXXX\nX@.FX\nXXXXX",
        "11111\r\n1S0G1\r\n11111",
    ],
)
def test_the_marks_that_people_use(text: str) -> None:
    assert FAMILY.formats["text"].claims(text)
    assert boards(text) == ["#####\n#S.G#\n#####"]


def test_several_mazes_lie_between_blank_lines() -> None:
    text = "\n\n#S#\n# #\n#G#\n\n\n###\n \nS G\n\n##\n#?\n\n"
    found = entries("text", text)
    assert [entry.line for entry in found] == [3, 8, 10, 12]
    assert [entry.state and format(entry.state) for entry in found] == [
        "#S#\n#.#\n#G#",
        None,
        "S.G",
        None,
    ]
    assert found[1].problem.startswith("the maze has no start and no goal")
    assert found[3].problem.startswith("the maze has no start and no goal")
    assert "".join(entry.record for entry in found) == text


def test_a_row_of_floor_alone_is_no_blank_line() -> None:
    assert boards("#S#\n   \n#G#\n") == ["#S#\n...\n#G#"]


def test_spaces_that_an_editor_cut_off_are_floor() -> None:
    assert boards("####\n#S\n## #\n#  G\n") == ["####\n#S..\n##.#\n#..G"]


@pytest.mark.parametrize(
    ("text", "options", "board"),
    [
        ("# ###\n#   #\n### #", {}, "#S###\n#...#\n###G#"),
        ("#####\n    #\n### #", {}, "#####\nS...#\n###G#"),
        ("#####\n#S   \n#####", {}, "#####\n#S..G\n#####"),
        ("#####\n#   #\n#####", {"start": (1, 3), "goal": (1, 1)}, "#####\n#G.S#\n#####"),
        ("#####\n#   #\n#####", {"start": (1, 2), "goal": (1, 2)}, "#####\n#.*.#\n#####"),
        ("###\n#S#\n###", {"goal": (1, 1)}, "###\n#*#\n###"),
        ("#####\n#  G#\n#####", {"start": (1, 2), "goal": (1, 1)}, "#####\n#.SG#\n#####"),
        ("# ###\n#   #\n### #", {"start": (1, 3), "goal": (1, 1)}, "#.###\n#G.S#\n###.#"),
    ],
)
def test_where_marks_are_missing(text: str, options: dict[str, Any], board: str) -> None:
    assert FAMILY.formats["text"].claims(text)
    assert boards(text, **options) == [board]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("SG?", {}, "'?' at (0,2) is not one of #.SG*"),
        ("SGA", {}, "a second agent at (0,2); the first is at (0,0)"),
        ("S.G\n..", {}, "row 1 has 2 cells, row 0 has 3"),
        ("###\n#S#\n###", {"goal": (0, 1)}, "the goal (0,1) is a wall"),
        ("###\n#S#\n###", {"goal": (0, 3)}, "the goal (0,3) lies outside the board"),
        (
            "###\n# #\n###",
            {},
            "the maze has no start and no goal, and its outer wall has 0 openings: "
            "mark S and G, or give --start and --goal",
        ),
        ("", {}, "the file has no maze"),
        (
            "+--+\n|S |\n+--+---+",
            {},
            "the posts + of the maze don't stand in even rows and columns",
        ),
        ("++\n||\n++", {}, "the posts + of the maze don't stand in even rows and columns"),
        ("+--+\n|SG|x\n+--+", {}, "there is something outside the outer wall of the maze"),
        ("+--+\n|? |\n+--+", {"start": (1, 1), "goal": (1, 1)}, "'?' at (1,1) is not one of"),
    ],
)
def test_a_wrong_text_is_named(text: str, options: dict[str, Any], sentence: str) -> None:
    assert problem("text", text, **options).startswith(sentence)


def drawn(walls: nx.Graph, rows: int, columns: int, width: int) -> list[str]:
    """Draw the maze of cells in which the edges of ``walls`` are passages."""
    lines = ["+" + ("-" * width + "+") * columns]
    for r in range(rows):
        cells, floor = "|", "+"
        for c in range(columns):
            cells += " " * width + (" " if walls.has_edge((r, c), (r, c + 1)) else "|")
            floor += (" " if walls.has_edge((r, c), (r + 1, c)) else "-") * width + "+"
        lines += [cells, floor]
    return lines


@pytest.mark.parametrize(("rows", "columns", "width"), [(1, 3, 1), (4, 6, 2), (7, 3, 3), (5, 5, 5)])
@pytest.mark.parametrize("seed", range(5))
def test_mazes_drawn_in_lines(rows: int, columns: int, width: int, seed: int) -> None:
    graph = nx.grid_2d_graph(rows, columns)
    for edge in list(graph.edges):
        if Draws(seed, edge).below(3) == 0:
            graph.remove_edge(*edge)
    lines = drawn(graph, rows, columns, width)
    goal = (rows - 1, columns - 1)
    for mark, (r, c) in (("S", (0, 0)), ("G", goal)):
        row, column = 2 * r + 1, (width + 1) * c + 1 + width // 2
        lines[row] = lines[row][:column] + mark + lines[row][column + 1 :]
    assert FAMILY.formats["text"].claims("\n".join(lines))
    (entry,) = entries("text", "\n".join(lines))
    state = entry.state
    assert isinstance(state, State)
    assert (len(state.walls), len(state.walls[0])) == (2 * rows + 1, 2 * columns + 1)
    floor = {(r, c) for r, row in enumerate(state.walls) for c, m in enumerate(row) if m == "."}
    assert len(floor) == graph.number_of_nodes() + graph.number_of_edges()
    if nx.has_path(graph, (0, 0), goal):
        length = nx.shortest_path_length(graph, (0, 0), goal)
        assert solve(FAMILY, state).length == 2 * length


def test_a_drawing_without_marks_is_entered_through_its_wall() -> None:
    text = "+  +--+\n|     |\n+--+  +\n      |\n+--+--+\n"
    assert FAMILY.formats["text"].claims(text)
    assert boards(text) == ["#S###\n#...#\n###.#\nG...#\n#####"]


def test_posts_may_be_missing_where_no_walls_meet() -> None:
    assert boards("+-----+\n|S    |\n|  +--+\n|    G|\n+-----+\n") == [
        "#####\n#S..#\n#.###\n#..G#\n#####"
    ]


def test_what_came_as_text_goes_as_it_came() -> None:
    write = FAMILY.formats["text"].write
    assert write is not None
    text = "XXXXX\nXA EX\nXXXXX\n"
    maze = Instance(
        family="maze",
        board="#####\n#S.G#\n#####",
        optimal_length=2,
        source={"format": "text", "record": text},
    )
    assert write(maze) == text
    assert parse(maze.board, {}) == entries("text", text)[0].state


@given(st.text("#.SG* AE+-|01X█\n\r@?", max_size=60), st.booleans())
def test_no_text_raises_an_error(text: str, told: bool) -> None:
    """And whatever is read stands between the first line and the last."""
    FAMILY.formats["text"].claims(text)
    found = entries("text", text, **({"start": (0, 1), "goal": (2, 2)} if told else {}))
    assert "".join(entry.record for entry in found) == text
    assert all((entry.state is None) == bool(entry.problem) for entry in found)


@given(
    st.text("version 1\n\t.map0@TG", max_size=60),
    st.sampled_from(["version 1\n", "type octile\nheight 2\nwidth 2\nmap\n", ""]),
)
def test_no_map_raises_an_error(text: str, head: str) -> None:
    FAMILY.formats["movingai"].claims(head + text)
    found = entries("movingai", head + text)
    assert "".join(entry.record for entry in found) == head + text
    assert all(entry.problem for entry in found)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 4) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "steps"]), values))
def test_no_record_raises_an_error(change: dict[str, Any]) -> None:
    (entry,) = entries("vgau", json.dumps(GOOD | change))
    assert (entry.state is None) == bool(entry.problem)
