"""Sokoban as its kernels see it: packed and unpacked, solved as plain search solves it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.sokoban import FAMILY, packing, rules
from puzzles.solve import solve
from solvers import Unsolvable
from solvers.breadth_first import layers
from tests.conformance import check_state, kernel_successors, random_play
from tests.plain import shortest_length


def random_board(seed: int, rows: int, columns: int, boxes: int) -> rules.State:
    """Walls, boxes and targets anywhere: often unsolvable, with parts out of reach."""
    draws = Draws("sokoban", seed)
    cells = draws.shuffled([divmod(at, columns) for at in range(rows * columns)])
    boxes = min(boxes, len(cells) - 1)
    player, placed = cells[0], sorted(cells[1 : 1 + boxes])
    targets = sorted(draws.shuffled(cells)[:boxes])
    walls = [[draws.choice("#----") for _ in range(columns)] for _ in range(rows)]
    for r, c in (player, *placed, *targets):
        walls[r][c] = "-"
    return rules.State(tuple(map("".join, walls)), player, tuple(placed), tuple(targets))


@given(st.integers(0, 9999), st.integers(1, 7), st.integers(2, 9), st.integers(1, 4))
def test_kernels_are_the_rules(seed: int, rows: int, columns: int, boxes: int) -> None:
    state = random_board(seed, rows, columns, boxes)
    for played in random_play(FAMILY, state, Draws("play", seed), 8):
        check_state(FAMILY, played)


@given(st.integers(0, 9999), st.integers(1, 4), st.integers(2, 6), st.integers(1, 2))
def test_solver_finds_the_shortest_way(seed: int, rows: int, columns: int, boxes: int) -> None:
    state = random_board(seed, rows, columns, boxes)
    length = shortest_length(FAMILY, state)
    if length is None:
        with pytest.raises(Unsolvable):
            solve(FAMILY, state)
        return
    solution = solve(FAMILY, state)
    assert len(solution.actions) == length
    assert rules.is_solved(rules.replay(state, solution.actions).state)


def pruned(state: rules.State) -> set[str]:
    """Return the legal actions that ``ample`` leaves out."""
    system = FAMILY.systems["cell"]
    room = replace(FAMILY, systems={"cell": system._replace(expand=system.ample or system.expand)})
    return set(rules.legal_actions(state)) - set(kernel_successors(room, state))


@given(st.integers(0, 9999), st.integers(2, 5), st.integers(3, 6), st.integers(1, 4))
def test_pruning_leaves_out_what_nothing_solves(
    seed: int, rows: int, columns: int, boxes: int
) -> None:
    state = random_board(seed, rows, columns, boxes)
    for played in random_play(FAMILY, state, Draws("play", seed), 6):
        for action in pruned(played):
            assert shortest_length(FAMILY, rules.apply(played, action)) is None


@given(st.integers(0, 9999), st.integers(3, 6), st.integers(3, 7))
def test_pruning_leaves_out_all_pushes_to_dead_cells(seed: int, rows: int, columns: int) -> None:
    state = random_board(seed, rows, columns, 2)
    for played in random_play(FAMILY, state, Draws("play", seed), 8):
        level, _ = packing.pack(played)
        live = dict(zip(map(tuple, level[4].tolist()), level[1].tolist(), strict=True))
        for action in rules.legal_actions(played):
            moved = set(rules.apply(played, action).boxes) - set(played.boxes)
            assert action in pruned(played) or all(live[box] for box in moved)


@pytest.mark.parametrize(
    ("board", "left_out"),
    [
        # Two boxes side by side at a wall; the same with one more target; away from the wall.
        ("########\n#.--$-.#\n#--$---#\n#--@---#\n########", {"up"}),
        ("########\n#--.*--#\n#--$---#\n#--@---#\n########", set()),
        ("########\n#.----.#\n#---$--#\n#--$---#\n#--@---#\n########", set()),
        # Four in a square, one of them off the targets; a target where it comes to be.
        ("########\n#------#\n#--**--#\n#@$-*--#\n#---.--#\n########", {"right"}),
        ("########\n#------#\n#--**--#\n#@$.*--#\n#------#\n########", set()),
        # Three and a wall.
        ("########\n#--.---#\n#--$#--#\n#@$-*--#\n#----.-#\n########", {"right"}),
    ],
)
def test_boxes_that_hold_each_other(board: str, left_out: set[str]) -> None:
    assert pruned(rules.parse(board, {})) == left_out


@pytest.mark.parametrize(("rows", "columns", "boxes"), [(9, 14, 3), (40, 3, 20), (20, 20, 100)])
def test_states_of_several_words(rows: int, columns: int, boxes: int) -> None:
    state = random_board(1, rows, columns, boxes)
    assert len(packing.pack(state)[1]) > 1
    for played in random_play(FAMILY, state, Draws("long"), 30):
        check_state(FAMILY, played)


def test_a_box_crosses_from_word_to_word() -> None:
    state = rules.parse("@$" + "-" * 150 + ".", {})
    assert len(packing.pack(state)[1]) == 3
    assert solve(FAMILY, state).actions == ["right"] * 151


def test_the_world_outside_the_walls_takes_no_room() -> None:
    state = rules.parse("-" * 99 + "\n#######\n#@-$-.#\n#######", {})
    level, words = packing.pack(state)
    assert (len(level[0]), len(words)) == (5, 1)
    assert packing.unpack(level, words) == state


def test_a_box_out_of_reach_is_kept() -> None:
    state = rules.parse("@$.#*\n####-\n.#$--", {})
    assert packing.unpack(*packing.pack(state)) == state
    with pytest.raises(Unsolvable):
        solve(FAMILY, state)


def test_live_cells_are_those_a_box_comes_back_from() -> None:
    """Not the corners, nor the sides that no target is at."""
    board = "#######\n#-----#\n#--@--#\n#--$--#\n#----.#\n#######"
    live = packing.pack(rules.parse(board, {}))[0][1]
    assert live.reshape(4, 5).astype(int).tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
    ]


PERFT = [1, 2, 5, 7, 13, 19, 23, 28, 33, 35, 40, 37, 36, 31, 25, 24, 13, 6]
"""New states per depth of a board with two boxes, counted once by the rules alone."""


def test_states_per_depth() -> None:
    state = rules.parse("#####-\n#@$--#\n#-.$-#\n#--.-#\n######", {})
    level, start = packing.pack(state)
    found = [len(layer) for layer in layers(FAMILY.systems["cell"], level, start[None])]
    assert found == plain_layers(state) == PERFT


def plain_layers(start: rules.State) -> list[int]:
    seen, layer, counts = {start}, [start], []
    while layer:
        counts.append(len(layer))
        after = [rules.apply(s, action) for s in layer for action in rules.legal_actions(s)]
        layer = [s for s in dict.fromkeys(after) if s not in seen]
        seen.update(layer)
    return counts


def test_boxoban_levels_with_four_boxes(reference: Path) -> None:
    """Move-optimal lengths of a public solver, all 24 levels."""
    for line in (reference / "sokoban.jsonl").read_text().splitlines():
        record = json.loads(line)
        state = rules.parse(record["board"], {})
        solution = solve(FAMILY, state)
        assert len(solution.actions) == record["moves"], record["name"]
        assert rules.is_solved(rules.replay(state, solution.actions).state)
