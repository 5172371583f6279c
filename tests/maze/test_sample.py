"""Sampled mazes: exact lengths, one way, the structure of the published suite, no bias."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample
from puzzles.maze import FAMILY
from puzzles.maze.rules import State, apply, canonical, format, legal_actions, replay
from puzzles.solve import solve

BORDER = {"border": True, "cycles": 0}
FREE = {"border": False, "cycles": 0}


def sampled(
    seed: int,
    length: int,
    size: tuple[int, int] = (10, 10),
    options: dict[str, Any] = BORDER,
) -> Sample[State, str] | None:
    return FAMILY.sample(Draws("maze", seed), [length], size, {}, options)[0]


def graph_of(start: State) -> nx.DiGraph:
    """Return the graph of all states that the rules lead to."""
    graph, ahead = nx.DiGraph(), [start]
    graph.add_node(start.agent)
    while ahead:
        state = ahead.pop()
        for action in legal_actions(state):
            successor = apply(state, action)
            if successor.agent not in graph:
                ahead.append(successor)
            graph.add_edge(state.agent, successor.agent)
    return graph


@pytest.mark.parametrize("length", range(1, 31))
@pytest.mark.parametrize("options", [BORDER, FREE], ids=["border", "free"])
def test_every_length_of_the_suite_is_exact_and_the_only_way(
    length: int, options: dict[str, Any]
) -> None:
    for seed in range(3):
        made = sampled(seed, length, options=options)
        assert made is not None
        graph = graph_of(made.state)
        assert nx.shortest_path_length(graph, made.state.agent, made.state.goal) == length
        assert nx.is_tree(graph.to_undirected())
        assert len(made.actions) == length
        assert replay(made.state, made.actions).state.agent == made.state.goal


@pytest.mark.parametrize(
    ("size", "length", "options"),
    [
        ((3, 3), 3, FREE),
        ((4, 4), 7, FREE),
        ((4, 4), 2, BORDER),
        ((6, 6), 14, FREE),
        ((1, 9), 8, FREE),
        ((2, 9), 9, FREE),
        ((5, 17), 22, BORDER),
        ((23, 8), 40, BORDER),
        ((90, 120), 900, BORDER),
    ],
)
def test_other_sizes(size: tuple[int, int], length: int, options: dict[str, Any]) -> None:
    made = sampled(1, length, size, options)
    assert made is not None
    rows = format(made.state).split("\n")
    assert (len(rows), len(rows[0])) == size
    graph = graph_of(made.state)
    assert nx.shortest_path_length(graph, made.state.agent, made.state.goal) == length
    assert nx.is_tree(graph.to_undirected())
    if options["border"]:
        assert set(rows[0] + rows[-1]) == {"#"}
        assert {row[0] + row[-1] for row in rows} == {"##"}


def test_a_large_maze() -> None:
    made = sampled(1, 5000, (1000, 1000))
    assert made is not None
    assert replay(made.state, made.actions).state.agent == made.state.goal
    assert FAMILY.stats(*made[:2])["walkable"] > 400_000


@pytest.mark.parametrize(
    ("size", "length", "options"),
    [
        ((1, 1), 1, BORDER),
        ((2, 9), 1, BORDER),
        ((3, 3), 1, BORDER),
        ((0, 0), 1, FREE),
        ((1, 1), 1, FREE),
        ((2, 2), 3, FREE),
        ((1, 9), 9, FREE),
        ((10, 10), 60, BORDER),
        ((10, 10), 0, BORDER),
        ((10, 10), -4, BORDER),
    ],
)
def test_what_can_not_be_is_refused(
    size: tuple[int, int], length: int, options: dict[str, Any]
) -> None:
    with pytest.raises(GenerationError, match=r"^maze: "):
        sampled(1, length, size, options)


def test_what_is_not_found_is_none() -> None:
    """The count of sides allows 46 cells in 8x8; that no route winds so much, a search must say."""
    assert sampled(1, 45) is None


@pytest.mark.parametrize("length", [1, 4, 9, 17, 24, 30])
@pytest.mark.parametrize("cycles", [1, 2, 6])
@pytest.mark.parametrize("border", [True, False])
def test_cycles_leave_the_length_as_it_is(length: int, cycles: int, border: bool) -> None:
    """As many independent cycles as asked for: edges less nodes, and one for the component."""
    for seed in range(3):
        made = sampled(seed, length, options={"border": border, "cycles": cycles})
        assert made is not None
        graph = graph_of(made.state).to_undirected()
        assert nx.is_connected(graph)
        assert graph.number_of_edges() - graph.number_of_nodes() + 1 == cycles
        assert nx.shortest_path_length(graph, made.state.agent, made.state.goal) == length
        assert len(made.actions) == length
        assert replay(made.state, made.actions).state.agent == made.state.goal
        rows = format(made.state).split("\n")
        if border:
            assert set(rows[0] + rows[-1]) | {row[0] + row[-1] for row in rows} == {"#", "##"}


def test_not_even_many_cycles_make_a_shorter_way() -> None:
    """Then ways over several openings abound, and each opening changes many distances."""
    made = []
    for seed in range(20):
        with suppress(GenerationError):
            made.append(sampled(seed, 80, (20, 30), {**BORDER, "cycles": 60}))
    assert len(made) > 10
    for one in made:
        assert one is not None
        graph = graph_of(one.state)
        assert nx.shortest_path_length(graph, one.state.agent, one.state.goal) == 80


@pytest.mark.parametrize(("size", "length", "cycles"), [((5, 17), 20, 3), ((60, 40), 150, 40)])
def test_cycles_on_other_sizes(size: tuple[int, int], length: int, cycles: int) -> None:
    made = sampled(2, length, size, {"border": True, "cycles": cycles})
    assert made is not None
    graph = graph_of(made.state).to_undirected()
    assert graph.number_of_edges() - graph.number_of_nodes() + 1 == cycles
    assert nx.shortest_path_length(graph, made.state.agent, made.state.goal) == length


def test_squares_of_floor_come_last() -> None:
    """Where there is room for better cycles, none is one of four cells that leads nowhere."""
    made = sampled(1, 150, (60, 60), {"border": True, "cycles": 30})
    assert made is not None
    rows = made.state.walls
    assert not any(
        rows[r][c : c + 2] == rows[r + 1][c : c + 2] == ".." for r in range(59) for c in range(59)
    )


def test_cycles_open_walls_of_the_very_maze_without_them() -> None:
    plain, opened = (sampled(3, 12, options={**BORDER, "cycles": n}) for n in (0, 3))
    assert plain is not None
    assert opened is not None
    assert (opened.state.agent, opened.state.goal) == (plain.state.agent, plain.state.goal)
    pairs = list(zip("".join(plain.state.walls), "".join(opened.state.walls), strict=True))
    assert sorted(pair for pair in pairs if pair[0] != pair[1]) == [("#", ".")] * 3


@pytest.mark.parametrize(
    ("cycles", "sentence"),
    [
        (-1, r"a board of 10x10 can't have -1 cycles: ask for 0 or more"),
        (1 << 80, r"a board of 10x10 can't have 1208925819614629174706176 cycles"),
        (60, r"no 10x10 board of length 20 was found with room for 60 cycles .* only for \d+;"),
    ],
)
def test_cycles_that_can_not_be(cycles: int, sentence: str) -> None:
    with pytest.raises(GenerationError, match=f"^maze: {sentence}"):
        sampled(1, 20, options={**BORDER, "cycles": cycles})


def test_a_large_maze_with_cycles() -> None:
    made = sampled(1, 2500, (1000, 1000), {**BORDER, "cycles": 300})
    assert made is not None
    assert solve(FAMILY, made.state).length == 2500
    rows = made.state.walls
    columns = ("".join(column) for column in zip(*rows, strict=True))
    edges = sum(a == b == "." for line in (*rows, *columns) for a, b in pairwise(line))
    assert edges - FAMILY.stats(*made[:2])["walkable"] + 1 == 300


def test_stats_say_how_many_ways_there_are() -> None:
    made = sampled(4, 12)
    assert made is not None
    stats = FAMILY.stats(*made[:2])
    legal = len(legal_actions(made.state))
    assert (stats["optimal_solutions"], stats["good_first_moves"]) == (1, round(1 / legal, 4))
    open_room = State(("....", "....", "...."), (0, 1), (2, 3))
    found = FAMILY.stats(open_room, ["right", "right", "down", "down"])
    assert (found["optimal_solutions"], found["good_first_moves"]) == (6, 0.6667)


# Means over the published mazes (arXiv:2608.22174); their lengths are not spread quite as ours.
PUBLISHED = {
    "easy": (20.30, 4.25, 9.35, 4.10, 1.55, 2.00),
    "medium": (30.10, 5.83, 16.07, 13.27, 3.70, 8.97),
    "hard": (39.12, 6.98, 22.76, 24.64, 6.00, 18.00),
}
MEASURES = (
    *("walkable", "branches", "corridors"),
    *("path_nodes", "branches_on_path", "corridors_on_path"),
)


@pytest.mark.parametrize("difficulty", PUBLISHED)
def test_structure_is_that_of_the_published_suite(difficulty: str) -> None:
    lengths = FAMILY.buckets[difficulty].lengths()
    count = 400 // len(lengths) * len(lengths)
    made = [sampled(at, lengths[at % len(lengths)]) for at in range(count)]
    stats = [FAMILY.stats(*one[:2]) for one in made if one]
    assert len(stats) == count
    means = [sum(found[name] for found in stats) / count for name in MEASURES]
    assert means == pytest.approx(PUBLISHED[difficulty], rel=0.10)


def test_start_and_goal_lie_anywhere() -> None:
    """Neither corners nor the middle are favoured: each ring of cells gets its share."""
    lengths = range(1, 31)
    starts: Counter[int] = Counter()
    goals: Counter[int] = Counter()
    for at in range(3000):
        made = sampled(at, lengths[at % 30])
        assert made is not None
        for place, counts in ((made.state.agent, starts), (made.state.goal, goals)):
            counts[min(*place, 9 - place[0], 9 - place[1])] += 1
            counts[-1] += place[0] in (1, 8) and place[1] in (1, 8)
    for counts in (starts, goals):
        for ring, cells in {1: 28, 2: 20, 3: 12, 4: 4, -1: 4}.items():
            assert counts[ring] / 3000 * 64 / cells == pytest.approx(1, abs=0.35)


def test_boards_of_one_length_differ() -> None:
    made = FAMILY.sample(Draws("kin"), [1] * 300, (10, 10), {}, BORDER)
    assert len({canonical(one.state) for one in made if one}) == 300


def test_the_same_draws_give_the_same_maze_in_another_process() -> None:
    here = [format(one.state) for at in range(5) if (one := sampled(at, 9, (7, 11)))]
    program = (
        "import json; from puzzles.draws import Draws; from puzzles.maze import FAMILY as F; "
        "made = [F.sample(Draws('maze', at), [9], (7, 11), {}, {'border': True, 'cycles': 0})[0]"
        " for at in range(5)]; "
        "print(json.dumps([F.format(one.state) for one in made]))"
    )
    there: Any = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "7"},
    ).stdout
    assert json.loads(there) == here


def test_the_published_mazes(reference: Path) -> None:
    """Their optimum is ours, and their mazes are trees too, with the density that we aim at."""
    for line in (reference / "vgau" / "maze.jsonl").read_text().splitlines():
        record = json.loads(line)
        rows = [["#"] * 10 for _ in range(10)]
        for r, c in record["walkable"]:
            rows[r][c] = "."
        walls = tuple(map("".join, rows))
        state = State(walls, tuple(record["start"]), tuple(record["goal"]))
        graph = graph_of(state)
        steps = json.loads(record["steps"])
        assert nx.shortest_path_length(graph, state.agent, state.goal) == len(steps)
        assert nx.is_tree(graph.to_undirected())
        stats = FAMILY.stats(state, [step.lower() for step in steps])
        assert stats["walkable"] == len(record["walkable"])
        assert stats["path_nodes"] == len(steps) + 1


def test_the_sampler_knows_the_stats_of_its_boards() -> None:
    lengths = list(range(2, 26))
    for made in FAMILY.sample(Draws("stats"), lengths, (11, 12), {}, BORDER):
        assert made is not None
        assert made.stats == FAMILY.stats(made.state, made.actions)


def test_a_block_of_boards_takes_the_lengths_in_their_order() -> None:
    lengths = [7, 3, 20, 3, 11]
    block = FAMILY.sample(Draws("block"), lengths, (10, 13), {}, BORDER)
    assert [len(made.actions) for made in block if made] == lengths
