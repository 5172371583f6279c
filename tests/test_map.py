"""The map of a board: numbers seen by hand, networkx over the plain rules, and the command."""

import csv
import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from PIL import Image
from typer.testing import CliRunner

import cli.map
from cli import app
from puzzles import NAMES, Map, explore, family
from puzzles.family import Family
from solvers import Limit, SearchLimit
from tests.random_boards import random_boards


def mapped(name: str, board: str, metric: str = "cell", **rules: Any) -> Map:
    room = family(name)
    return explore(room, room.parse(board.replace("/", "\n"), rules), metric=metric)


def test_a_corridor() -> None:
    found = mapped("maze", ".S..G")
    assert (found.states, found.goals, found.dead_ends, found.actions) == (5, 1, 0, 8)
    assert found.from_start == (1, 2, 1, 1)
    assert found.to_goal == (1, 1, 1, 1, 1)
    assert (found.optimal_length, found.optimal_solutions) == (3, 1)
    assert found.good_first_moves == 0.5
    assert found.mean_branching == 1.6
    assert found.hardest is not None
    assert vars(found.hardest) == {"length": 4, "states": 1, "board": "S...G", "rules": {}}


def test_a_crate_in_a_corner_is_a_dead_end() -> None:
    # The crate stands at 3 (the man at 1 or 2), on its target at 4, or at 5 for good.
    found = mapped("sokoban", "#######/#-@$.-#/#######")
    assert (found.states, found.goals, found.dead_ends, found.actions) == (9, 3, 4, 14)
    assert found.from_start == (1, 2, 2, 2, 1, 1)
    assert found.to_goal == (3, 1, 1)
    assert found.dead_end_share == 4 / 9
    assert (found.optimal_length, found.optimal_solutions, found.good_first_moves) == (1, 1, 0.5)
    assert found.hardest is not None
    assert found.hardest.board == "#######\n#@-$.-#\n#######"


def test_a_wrong_partner_is_a_dead_end() -> None:
    # With the two As to the left gone nothing links; with the two to the right gone all goes.
    found = mapped("onet", "..BA/AAAB")
    assert (found.states, found.goals, found.dead_ends, found.actions) == (5, 1, 1, 4)
    assert found.from_start == (1, 2, 1, 1)
    assert found.to_goal == (1, 1, 1, 1)
    assert (found.optimal_length, found.optimal_solutions, found.good_first_moves) == (3, 1, 0.5)


def test_parking_in_both_metrics() -> None:
    # R has three places, the last of them free once A is down.
    found = mapped("parking", "RR.A/...A/....")
    assert (found.states, found.goals, found.dead_ends) == (5, 1, 0)
    assert (found.from_start, found.to_goal) == ((1, 2, 1, 1), (1, 1, 2, 1))
    assert (found.optimal_length, found.optimal_solutions, found.good_first_moves) == (3, 2, 1)
    slid = mapped("parking", "RR.A/...A/....", "slide")
    assert (slid.states, slid.from_start, slid.to_goal) == (5, (1, 2, 2), (1, 2, 2))
    assert (slid.optimal_length, slid.optimal_solutions, slid.good_first_moves) == (2, 1, 0.5)
    assert slid.hardest is not None
    assert (slid.hardest.length, slid.hardest.states) == (2, 2)


def test_a_goal_wants_no_moves() -> None:
    found = mapped("maze", "*.")
    assert (found.optimal_length, found.optimal_solutions, found.good_first_moves) == (0, 1, None)
    assert found.hardest is not None
    assert (found.hardest.length, found.hardest.board) == (1, "GS")


def test_an_unsolvable_board_has_a_map_of_dead_ends() -> None:
    found = mapped("maze", "S.#G")
    assert (found.states, found.goals, found.dead_ends, found.dead_end_share) == (2, 0, 2, 1)
    assert (found.optimal_length, found.optimal_solutions) == (None, 0)
    assert (found.to_goal, found.hardest, found.good_first_moves) == ((), None, None)
    assert found.record()["good_first_moves"] is None


def test_more_shortest_paths_than_a_machine_word_counts() -> None:
    n = 40
    board = "/".join(["S" + "." * n, *["." * (n + 1)] * (n - 1), "." * n + "G"])
    found = mapped("maze", board)
    assert found.optimal_length == 2 * n
    assert found.optimal_solutions == 107507208733336176461620  # C(80, 40), over 2**64


def test_the_limit_is_kept() -> None:
    room = family("maze")
    state = room.parse("S...G", {})
    assert explore(room, state, Limit(states=5)).states == 5
    with pytest.raises(SearchLimit, match="4 states"):
        explore(room, state, Limit(states=4))
    with pytest.raises(ValueError, match="no metric 'slide'"):
        explore(room, state, metric="slide")


def successors(room: Family[Any, Any], state: Any, metric: str) -> set[Any]:
    """Return the states one action, or one slide, away: by the rules alone."""
    todo = [(action, room.apply(state, action)) for action in room.legal_actions(state)]
    if metric == "cell":
        return {after for _, after in todo}
    assert room.joins is not None
    seen = set(todo)
    while todo:
        last, at = todo.pop()
        for action in room.legal_actions(at):
            step = (action, room.apply(at, action))
            if room.joins(last, action) and step not in seen:
                seen.add(step)
                todo.append(step)
    return {after for _, after in seen} - {state}


def plain_graph(room: Family[Any, Any], start: Any, metric: str, most: int) -> nx.DiGraph | None:
    """Return the graph of all that is reached, None where that is more than ``most`` states."""
    graph = nx.DiGraph()
    graph.add_node(start)
    todo = [start]
    while todo:
        state = todo.pop()
        for after in successors(room, state, metric):
            if after not in graph:
                todo.append(after)
            graph.add_edge(state, after)
        if len(graph) > most:
            return None
    return graph


def check_against_networkx(room: Family[Any, Any], start: Any, metric: str) -> bool:
    """Hold every number of a map to networkx; return whether the space was small enough."""
    graph = plain_graph(room, start, metric, 200)
    if graph is None:
        return False
    found = explore(room, start, metric=metric)
    depth = nx.single_source_shortest_path_length(graph, start)
    goals = {state for state in graph if room.is_solved(state)}
    away = nx.multi_source_dijkstra_path_length(graph.reverse(), goals) if goals else {}
    assert found.states == len(graph)
    assert found.actions == graph.number_of_edges()
    assert found.goals == len(goals)
    assert found.dead_ends == len(graph) - len(away)
    for counts, lengths in ((found.from_start, depth), (found.to_goal, away)):
        listed = list(lengths.values())
        assert list(counts) == [listed.count(at) for at in range(max(listed, default=-1) + 1)]
    assert found.optimal_length == away.get(start)
    if start in away:
        nearest = [goal for goal in goals if depth.get(goal) == away[start]]
        counted = {start: 1}
        for state in sorted(graph, key=depth.__getitem__):
            for after in graph[state]:
                if depth[after] == depth[state] + 1:
                    counted[after] = counted.get(after, 0) + counted[state]
        first = [after for after in graph[start] if away.get(after) == away[start] - 1]
        assert found.optimal_solutions == sum(counted[goal] for goal in nearest)
        assert found.shortest_first_moves == (len(first) if away[start] else 0)
        assert found.legal_first_moves == len(graph[start])
    if away:
        assert found.hardest is not None
        assert found.hardest.length == max(away.values())
        farthest = [state for state in away if away[state] == found.hardest.length]
        assert found.hardest.states == len(farthest)
        shown = {room.format(state): state for state in farthest}[found.hardest.board]
        if room.name != "path":  # a place on a loop has two routes, so it is no board of its own
            assert room.parse(found.hardest.board, found.hardest.rules) == shown
    return True


@pytest.mark.parametrize(
    ("name", "metric"),
    [(name, metric) for name in NAMES for metric in family(name).systems],
)
def test_the_numbers_are_those_of_networkx(name: str, metric: str) -> None:
    room = family(name)
    boards = random_boards(name, 40, "map")
    done = sum(check_against_networkx(room, state, metric) for state in boards)
    assert done >= 20


def test_the_93_step_board_is_the_hardest_of_its_states(reference: Path) -> None:
    with (reference / "rushhour.csv").open() as file:
        row = next(row for row in csv.DictReader(file) if row["cells"] == "93")
    text = row["board"].translate(str.maketrans("ARox", "Rr.#"))
    found = mapped("parking", "/".join(text[at : at + 6] for at in range(0, 36, 6)))
    assert found.states == int(row["reachable"]) == 24132
    assert found.hardest is not None
    assert (found.hardest.length, found.hardest.states, found.optimal_length) == (93, 1, 93)
    assert found.hardest.board == mapped("parking", found.hardest.board).hardest.board


@pytest.mark.parametrize(
    ("name", "board", "metric"),
    [
        ("maze", "*", "cell"),
        ("maze", "S.#G", "cell"),
        ("maze", "S" + "." * 398 + "G", "cell"),  # 400 states, the largest graph
        ("maze", "S" + "." * 399 + "G", "cell"),  # 401, the smallest histogram
        ("maze", "S" + "." * 400 + "#G", "cell"),  # a histogram of nothing but dead ends
        ("sokoban", "######/#-@$-#/#---.#/######", "cell"),
        ("sokoban", "########/#------#/#-$@-$-#/#--.--.#/########", "cell"),
        ("parking", "RR.A/...A/....", "slide"),
        ("onet", "..BA/AAAB", "cell"),
    ],
)
def test_pictures_are_the_same_each_time(name: str, board: str, metric: str) -> None:
    found = mapped(name, board, metric)
    drawn = found.picture()
    assert found.picture() == drawn
    with Image.open(BytesIO(drawn)) as picture:
        assert min(picture.size) > 300
        assert max(picture.size) <= 2400


def test_a_picture_shows_what_there_is() -> None:
    drawn = mapped("sokoban", "#######/#-@$.-#/#######").picture("svg").decode()
    for words in ("9 states, optimum 1", "goal (3)", "dead end (4)", "hardest: 2 from a goal (1)"):
        assert f"<!-- {words}" in drawn or f"sokoban: {words}" in drawn
    assert "actions from the board" in drawn
    assert mapped("sokoban", "#######/#-@$.-#/#######").picture("svg").decode() == drawn
    drawn = mapped("maze", "S" + "." * 500 + "G").picture("svg").decode()
    for words in ("goals: 1", "the board: 501", "hardest: 501 (1 state)"):
        assert f"<!-- {words}" in drawn
    assert "dead" not in drawn


def run(*words: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(app, ["map", *words], input=stdin)


def test_the_command_prints_numbers_bars_and_the_hardest_board() -> None:
    done = run("--family", "sokoban", "#######/#-@$.-#/#######")
    assert done.exit_code == 0
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    assert lines[0] == "sokoban (cell metric)"
    assert "  dead ends              4  44.4%" in lines
    assert "good first moves         1  of 2, 50.0%" in lines
    assert "   0  3  " + "█" * 30 in lines
    assert "dead  4  " + "█" * 40 in lines
    assert lines[-3:] == ["#######", "#@-$.-#", "#######"]
    assert "\x1b" not in done.stdout


def test_json_is_the_record(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("RR.A\n...A\n....\n")
    words = ("--family", "parking", "--metric", "slide", "--json")
    done = run(*words, str(tmp_path / "board.txt"))
    record = json.loads(done.stdout)
    assert record["result"] == "mapped"
    assert (record["states"], record["from_start"], record["to_goal"]) == (5, [1, 2, 2], [1, 2, 2])
    assert record["hardest"]["board"] == "RR.A\n...A\n...."
    assert (record["good_first_moves"], record["picture"]) == (0.5, None)
    assert json.loads(run(*words, "-", stdin="RR.A\n...A\n....\n").stdout) == record


def test_the_hardest_board_is_read_with_its_rules() -> None:
    words = ("--family", "klotski", "--json")
    first = json.loads(run(*words, "TTA/TTA/B..", "--rules", '{"goal": [1, 0]}').stdout)
    hardest = first["hardest"]
    again = json.loads(
        run(*words, hardest["board"], "--rules", json.dumps(hardest["rules"])).stdout
    )
    assert again["optimal_length"] == hardest["length"] == 4
    assert again["to_goal"] == first["to_goal"]


def test_unsolvable_boards_are_mapped() -> None:
    done = run("--family", "maze", "S.#G")
    assert done.exit_code == 0
    assert "100.0%" in done.stdout
    assert "optimal length      none" in done.stdout


def test_over_the_limit() -> None:
    sentence = "no map: search limit of 10 states: 10 states were stored; a solution"
    for words in ((), ("--json",)):
        done = run("--family", "maze", "S" + "." * 50 + "G", "--limit", "10", *words)
        assert done.exit_code == 1
        assert done.stderr.startswith(sentence)
        assert done.stderr.count("\n") == 1
    record = json.loads(done.stdout)
    assert (record["result"], record["stored"], record["limit"]["states"]) == ("limit", 10, 10)
    done = run("--family", "maze", "S" + "." * 50 + "G", "--memory", "1KB")
    assert (done.exit_code, done.stdout) == (1, "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("S.G", "say its --family"),
        ("S.x --family maze", "maze: 'x' at (0,2)"),
        ("S.G --family maze --metric slide", "maze: there is no metric 'slide'"),
        ("S.G --family maze --metric hops", "unknown metric 'hops' (known: cell, slide)"),
        ("S.G --family maze --memory much", "--memory is a number with its unit, e.g. 512MB or"),
        ("S.G --family maze -o map.jpg", "name it *.png or *.svg, not map.jpg"),
        ("S.G --family maze -o nowhere/map.png", "there is no folder nowhere"),
    ],
)
def test_bad_input_is_one_sentence(words: str, sentence: str) -> None:
    done = run(*words.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("puzzles: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_pictures_replace_such_pictures_only(tmp_path: Path) -> None:
    for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        out = tmp_path / f"map.{kind}"
        for _ in range(2):
            done = run("--family", "maze", "S.G", "-o", str(out))
            assert done.exit_code == 0, done.stderr
            assert done.stdout.endswith(f"\npicture: {out}\n")
        assert out.read_bytes().startswith(start)
        out.write_text("mine")
        done = run("--family", "maze", "S.G", "-o", str(out))
        assert (done.exit_code, out.read_text()) == (2, "mine")
        assert f"{out} holds something other than such a picture" in done.stderr


def test_without_matplotlib_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.map, "find_spec", lambda name: None if name == "matplotlib" else name)
    done = run("--family", "maze", "S.G", "-o", "map.png")
    assert done.exit_code == 2
    assert done.stderr == (
        "puzzles: drawing a map needs matplotlib: pip install 'puzzles[plots]'\n"
    )


def test_numbers_need_no_plotting_library() -> None:
    code = (
        "import sys, cli\n"
        "try: cli.app(['map', '--family', 'maze', 'S.G'])\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'matplotlib', 'networkx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
