"""Sampled path boards: exact lengths, one route, labels on it and beside it."""

import json
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample
from puzzles.path import FAMILY
from puzzles.path.route import route_of
from puzzles.path.rules import (
    State,
    answer_of,
    apply,
    canonical,
    format,
    legal_actions,
    parse,
    replay,
)

BORDER = {"border": True}
FREE = {"border": False}
LENGTHS = [length for bucket in FAMILY.buckets.values() for length in bucket.lengths()]


def sampled(
    seed: int,
    length: int,
    size: tuple[int, int] = (10, 10),
    options: dict[str, bool] = FREE,
) -> Sample[State, str] | None:
    return FAMILY.sample(Draws("path", seed), [length], size, {}, options)[0]


def many(length: int, count: int) -> list[Sample[State, str]]:
    made = FAMILY.sample(Draws("many", length), [length] * count, (10, 10), {}, FREE)
    return [one for one in made if one]


def graph_of(start: State) -> nx.Graph:
    """Return the graph of all cells that the rules lead to."""
    graph, ahead = nx.Graph(), [start]
    while ahead:
        state = ahead.pop()
        for action in legal_actions(state):
            successor = apply(state, action)
            if successor.agent not in graph:
                ahead.append(successor)
            graph.add_edge(state.agent, successor.agent)
    return graph


@pytest.mark.parametrize("length", range(2, 31))
@pytest.mark.parametrize("options", [BORDER, FREE], ids=["border", "free"])
def test_every_length_is_exact_and_the_route_the_only_one(
    length: int, options: dict[str, bool]
) -> None:
    for seed in range(3):
        made = sampled(seed, length, options=options)
        assert made is not None
        graph = graph_of(made.state)
        assert nx.is_tree(graph)
        assert nx.shortest_path_length(graph, made.state.agent, made.state.goal) == length
        assert len(made.actions) == length
        answer = answer_of(*made[:2])
        played = replay(made.state, answer)
        assert played.reason is None
        assert played.state.agent == made.state.goal
        assert parse(format(made.state), {}) == made.state


@pytest.mark.parametrize("length", LENGTHS)
def test_labels_stand_on_the_route_and_beside_it(length: int) -> None:
    for state, actions, _ in many(length, 40):
        assert [letter for letter, _ in state.labels] == list("ABCDE")
        cells = [cell for _, cell in state.labels]
        assert len({*cells, state.agent, state.goal}) == 7
        assert all(state.walls[r][c] == "." for r, c in cells)
        passed = answer_of(state, actions)
        assert len(passed) == {2: 1, 3: 2}.get(length, 3)


def test_the_order_of_letters_says_nothing() -> None:
    orders = Counter("".join(answer_of(*one[:2])) for one in many(12, 3000))
    assert len(orders) == 60
    assert max(orders.values()) < 3000 / 60 * 1.7


def test_labels_are_spread_over_the_route() -> None:
    """Each third of the cells between start and goal has one, any cell can be it."""
    places: Counter[int] = Counter()
    for state, *_ in many(13, 1500):
        route = route_of(state.walls, state.agent, state.goal)
        cells = {cell for _, cell in state.labels}
        on = [at for at, cell in enumerate(route) if cell in cells]
        assert [(at - 1) // 4 for at in on] == [0, 1, 2]
        places.update(on)
    assert set(places) == set(range(1, 13))
    assert max(places.values()) < 1.4 * min(places.values())


@pytest.mark.parametrize(
    ("size", "length", "options", "labels"),
    [
        ((3, 3), 2, FREE, 2),
        ((3, 3), 5, FREE, 4),
        ((4, 4), 4, FREE, 3),
        ((6, 6), 10, FREE, 5),
        ((1, 9), 3, FREE, 3),
        ((2, 9), 6, FREE, 3),
        ((5, 17), 20, BORDER, 5),
        ((40, 30), 120, FREE, 5),
    ],
)
def test_other_sizes(
    size: tuple[int, int], length: int, options: dict[str, bool], labels: int
) -> None:
    made = next(one for seed in range(50) if (one := sampled(seed, length, size, options)))
    rows = format(made.state).split("\n")
    assert (len(rows), len(rows[0])) == size
    assert labels <= len(made.state.labels) <= 5
    assert 1 <= len(answer_of(*made[:2])) < len(made.state.labels)
    assert (
        nx.shortest_path_length(graph_of(made.state), made.state.agent, made.state.goal) == length
    )


@pytest.mark.parametrize(
    ("size", "length", "options"),
    [
        ((1, 1), 2, FREE),
        ((2, 2), 2, FREE),
        ((1, 9), 8, FREE),
        ((3, 3), 2, BORDER),
        ((0, 7), 3, FREE),
        ((10, 10), 1, FREE),
        ((10, 10), 0, FREE),
        ((10, 10), 90, FREE),
    ],
)
def test_what_can_not_be_is_refused(
    size: tuple[int, int], length: int, options: dict[str, bool]
) -> None:
    with pytest.raises(GenerationError, match=r"^path: "):
        sampled(1, length, size, options)


def test_stats_say_what_can_be_counted_by_eye() -> None:
    state = parse("S.B..\n##A##\nD#C.G\n..#E#", {})
    walk = ["right", "right", "down", "down", "right", "right"]
    assert FAMILY.stats(state, walk) == {
        "walkable": 13,
        "branches": 2,
        "corridors": 5,
        "dead_ends": 6,
        "labels_on_path": 3,
        "turns": 2,
        "optimal_solutions": 1,
        "good_first_moves": 1.0,
    }
    assert FAMILY.stats(parse("AS.G", {}), ["right", "right"])["good_first_moves"] == 0.5


def test_boards_of_one_length_differ() -> None:
    assert len({canonical(one.state) for one in many(2, 300)}) == 300


def test_the_same_draws_give_the_same_board() -> None:
    assert sampled(3, 9, (7, 11)) == sampled(3, 9, (7, 11))
    assert sampled(3, 9, (7, 11)) != sampled(4, 9, (7, 11))


def test_the_published_routes(reference: Path) -> None:
    """On a board of their own cells alone, their routes pass the labels of their answers.

    The records hold no other floor, so the labels beside the route are left out.
    """
    for line in (reference / "vgau" / "path.jsonl").read_text().splitlines():
        record = json.loads(line)
        route = [tuple(cell) for cell in record["answer_path"]]
        walls = tuple(
            "".join("." if (r, c) in route else "#" for c in range(10)) for r in range(10)
        )
        on = sorted(
            (name, tuple(record["labeled_points"][name])) for name in record["on_path_labels"]
        )
        state = State(walls, route[0], route[-1], tuple(on))
        assert len(route) - 1 == record["distance"]
        assert len(on) == {2: 1, 3: 2}.get(record["distance"], 3)
        answer = FAMILY.parse_answer(record["answer"])
        assert answer == record["on_path_labels"]
        played = replay(state, answer)
        assert (played.reason, played.state.agent) == (None, route[-1])
        assert parse(format(state), {}) == state


def test_the_sampler_knows_the_stats_of_its_boards() -> None:
    lengths = list(range(2, 26))
    for made in FAMILY.sample(Draws("stats"), lengths, (11, 12), {}, FREE):
        assert made is not None
        assert made.stats == FAMILY.stats(made.state, made.actions)


def test_a_block_of_boards_takes_the_lengths_in_their_order() -> None:
    lengths = [7, 3, 20, 3, 11]
    block = FAMILY.sample(Draws("block"), lengths, (10, 13), {}, FREE)
    assert [len(made.actions) for made in block if made] == lengths
