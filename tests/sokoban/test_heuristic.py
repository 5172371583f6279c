"""The estimate of A* held to exact distances, on boards of odd shapes with several boxes."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.sokoban import FAMILY, kernels, packing, rules
from solvers import NEVER, Unsolvable, astar, breadth_first
from tests.sokoban.test_kernels import random_board

SYSTEM = FAMILY.systems["cell"]


def estimates(states: list[rules.State]) -> list[int]:
    """Return the heuristic of states of one board; ``level`` is that of the first."""
    level, _ = packing.pack(states[0])
    rows = np.array([packing.pack(state)[1] for state in states])
    out = np.empty(len(states), np.int32)
    kernels.heuristic(level, rows, out)
    return [int(value) for value in out]


def spanned(start: rules.State, most: int) -> nx.DiGraph:
    """Return the graph of all states that can be reached; of the first ``most`` if there are more.

    Each edge and each node is the rules' own.
    """
    graph, ahead = nx.DiGraph(), [start]
    graph.add_node(start)
    for state in ahead:
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            if after not in graph and len(graph) < most:
                ahead.append(after)
            if after in graph or len(graph) < most:
                graph.add_edge(state, after)
    return graph


@given(st.integers(0, 99999), st.integers(1, 5), st.integers(2, 6), st.integers(1, 3))
def test_admissible_and_consistent(seed: int, rows: int, columns: int, boxes: int) -> None:
    """On every state of a board: never too much, and at most 1 less after a move."""
    graph = spanned(random_board(seed, rows, columns, boxes), 30_000)
    states = list(graph)
    estimate = dict(zip(states, estimates(states), strict=True))
    goals = [state for state in states if rules.is_solved(state)]
    back = graph.reverse(copy=False)
    exact = nx.multi_source_dijkstra_path_length(back, goals) if goals else {}
    for state in states:
        assert 0 <= estimate[state] <= NEVER
        assert (estimate[state] == 0) == rules.is_solved(state)
        if state in exact:
            assert estimate[state] <= exact[state]
    for state, after in graph.edges:
        assert estimate[state] <= 1 + estimate[after]


def test_never_is_said_of_dead_ends_only_and_of_many() -> None:
    """Enough of them that the property above is about something."""
    dead = said = 0
    for seed in range(40):
        graph = spanned(random_board(seed, 4, 5, 2), 30_000)
        states = list(graph)
        goals = [state for state in states if rules.is_solved(state)]
        alive = set(goals).union(*(nx.ancestors(graph, goal) for goal in goals))
        for state, estimate in zip(states, estimates(states), strict=True):
            dead += state not in alive
            said += estimate == NEVER
            assert estimate < NEVER or state not in alive
    assert said > dead / 2 > 1000


@pytest.mark.parametrize(
    ("board", "estimate"),
    [
        ("@$.", 1),
        ("@-$-.", 3),
        ("-@$.", 1),
        # Pushes, and the walk to a first one, whether or not it is the best.
        ("#-----#\n#.$@--#\n#-----#", 1),
        ("#-----#\n#@-$-.#\n#-----#", 3),
        ("#-----#\n#.-$--#\n#@----#", 4),
        # Both boxes want the near target; one has to take the far one.
        ("##########\n#@-$-$..-#\n##########", 6),
        ("##########\n#@$-.--$.#\n#--------#\n##########", 3),
        # A box in a corner; two boxes and one target that both can reach; nothing to push.
        ("#####\n#$-@#\n#--.#\n#####", NEVER),
        ("#######\n#$.@--#\n#-$---#\n#-----#\n#---.-#\n#######", NEVER),
        ("#########\n#@$$..--#\n#-------#\n#########", NEVER),
        ("@*", 0),
    ],
)
def test_estimates_that_can_be_seen(board: str, estimate: int) -> None:
    assert estimates([rules.parse(board, {})]) == [estimate]


def test_push_distances_are_those_of_a_lone_box() -> None:
    """Pulls from the target, the player being wherever it is needed."""
    state = rules.parse("#######\n#.----#\n#-##--#\n#@-$--#\n#######", {})
    level, _ = packing.pack(state)
    cells = [tuple(cell) for cell in level[4].tolist()]
    found = dict(zip(cells, level[6][0].tolist(), strict=True))
    expected = {(1, 1): 0, (1, 2): 1, (1, 3): 2, (1, 4): 3, (2, 1): 1, (2, 4): 4}
    assert found == {cell: expected.get(cell, NEVER) for cell in cells}


@given(st.integers(0, 99999), st.integers(1, 6))
def test_the_matching_is_the_cheapest(seed: int, n: int) -> None:
    draws = Draws("matching", seed)
    costs = [[draws.choice([0, 1, 2, 3, 5, 9, NEVER]) for _ in range(n)] for _ in range(n)]
    cheapest = min(
        sum(costs[target][box] for box, target in enumerate(order))
        for order in permutations(range(n))
    )
    work = np.empty((5, n + 1), np.int64)
    boxes, pushes = np.arange(n, dtype=np.int64), np.array(costs, np.int32)
    assert kernels._matched(pushes, boxes, *work) == min(cheapest, NEVER)


@given(st.integers(0, 99999), st.integers(1, 6), st.integers(2, 7), st.integers(1, 3))
def test_both_searches_agree(seed: int, rows: int, columns: int, boxes: int) -> None:
    state = random_board(seed, rows, columns, boxes)
    level, start = packing.pack(state)
    try:
        path = breadth_first.shortest_path(SYSTEM, level, start)
    except Unsolvable:
        with pytest.raises(Unsolvable):
            astar.shortest_path(SYSTEM, level, start)
        return
    assert len(astar.shortest_path(SYSTEM, level, start).moves) == len(path.moves)


def test_a_room_of_several_words_and_many_boxes() -> None:
    """Ten boxes in a hall: what the matching asks is what the solution takes."""
    rows = ["#" * 24, "#" + "-" * 22 + "#", *["#--$.-" + "-" * 17 + "#"] * 10]
    state = rules.parse("\n".join([*rows, "#@" + "-" * 21 + "#", "#" * 24]), {})
    level, start = packing.pack(state)
    assert len(start) > 1
    # Ten pushes, and three steps to below and left of the last box.
    assert estimates([state]) == [10 + 2]
    assert len(level[6]) == 10
