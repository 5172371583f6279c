"""Sampled mazes: exact lengths, one way, the structure of the published suite, no bias."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample
from puzzles.maze import FAMILY
from puzzles.maze.rules import State, apply, canonical, format, legal_actions, replay

BORDER = {"border": True}
FREE = {"border": False}


def sampled(
    seed: int,
    length: int,
    size: tuple[int, int] = (10, 10),
    options: dict[str, bool] = BORDER,
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
    length: int, options: dict[str, bool]
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
def test_other_sizes(size: tuple[int, int], length: int, options: dict[str, bool]) -> None:
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
    size: tuple[int, int], length: int, options: dict[str, bool]
) -> None:
    with pytest.raises(GenerationError, match=r"^maze: "):
        sampled(1, length, size, options)


def test_what_is_not_found_is_none() -> None:
    """The count of sides allows 46 cells in 8x8; that no route winds so much, a search must say."""
    assert sampled(1, 45) is None


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
        "made = [F.sample(Draws('maze', at), [9], (7, 11), {}, {'border': True})[0]"
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
