"""Two states never give the same picture."""

from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import puzzles.klotski.view as klotski_view
import puzzles.maze.view as maze_view
import puzzles.onet.view as onet_view
import puzzles.parking.view as parking_view
import puzzles.path.view as path_view
import puzzles.sokoban.view as sokoban_view
from puzzles.klotski import rules as klotski
from puzzles.maze import rules as maze
from puzzles.onet import rules as onet
from puzzles.parking import rules as parking
from puzzles.path import rules as path
from puzzles.sokoban import rules as sokoban
from tests.views.boards import KLOTSKI, PARKING

ROWS, COLS, CELL = 3, 4, 16
CELLS = [(r, c) for r in range(ROWS) for c in range(COLS)]


def differ(view: Any, a: Any, b: Any) -> None:
    one, other = view.draw(a, CELL), view.draw(b, CELL)
    same = np.array_equal(one.palette[one.pixels], other.palette[other.pixels])
    assert same == (a == b)


def board(floor: str) -> st.SearchStrategy[tuple[str, ...]]:
    row = st.text(f"#{floor}", min_size=COLS, max_size=COLS)
    return st.lists(row, min_size=ROWS, max_size=ROWS).map(tuple)


def opened(rows: tuple[str, ...], cells: set[tuple[int, int]], floor: str) -> tuple[str, ...]:
    return tuple(
        "".join(floor if (r, c) in cells else mark for c, mark in enumerate(row))
        for r, row in enumerate(rows)
    )


@st.composite
def mazes(draw: st.DrawFn) -> maze.State:
    agent, goal = draw(st.sampled_from(CELLS)), draw(st.sampled_from(CELLS))
    return maze.State(opened(draw(board(".")), {agent, goal}, "."), agent, goal)


@st.composite
def paths(draw: st.DrawFn) -> path.State:
    agent, goal = draw(st.sampled_from(CELLS)), draw(st.sampled_from(CELLS))
    places = draw(st.permutations(CELLS))[: draw(st.integers(1, 5))]
    labels = tuple(zip("ABCDE", places, strict=False))
    return path.State(opened(draw(board(".")), {agent, goal, *places}, "."), agent, goal, labels)


@st.composite
def sokobans(draw: st.DrawFn) -> sokoban.State:
    player, *boxes = draw(st.permutations(CELLS))[: draw(st.integers(2, 4))]
    targets = draw(st.permutations(CELLS))[: len(boxes)]
    walls = opened(draw(board("-")), {player, *boxes, *targets}, "-")
    return sokoban.State(walls, player, tuple(sorted(boxes)), tuple(sorted(targets)))


@given(mazes(), mazes())
def test_mazes(a: maze.State, b: maze.State) -> None:
    differ(maze_view, a, b)


@given(mazes(), st.sampled_from(CELLS))
def test_mazes_that_differ_in_one_place(a: maze.State, agent: tuple[int, int]) -> None:
    differ(maze_view, a, maze.State(opened(a.walls, {agent}, "."), agent, a.goal))


@given(paths(), paths())
def test_paths(a: path.State, b: path.State) -> None:
    differ(path_view, a, b)


@given(paths(), st.sampled_from("ABCDE"), st.sampled_from("ABCDE"))
def test_paths_with_two_letters_exchanged(a: path.State, one: str, other: str) -> None:
    names = {one: other, other: one}
    labels = tuple(sorted((names.get(name, name), at) for name, at in a.labels))
    assume({name for name, _ in labels} == {name for name, _ in a.labels})
    differ(path_view, a, path.State(a.walls, a.agent, a.goal, labels))


@given(sokobans(), sokobans())
def test_sokobans(a: sokoban.State, b: sokoban.State) -> None:
    differ(sokoban_view, a, b)


@given(sokobans(), st.permutations(CELLS))
def test_sokobans_of_equal_walls(a: sokoban.State, order: list[tuple[int, int]]) -> None:
    player, *boxes = order[: len(a.boxes) + 1]
    walls = opened(a.walls, {player, *boxes}, "-")
    differ(
        sokoban_view,
        sokoban.State(walls, a.player, a.boxes, a.targets),
        sokoban.State(walls, player, tuple(sorted(boxes)), a.targets),
    )


@given(board(".ABCYZabz"), st.sampled_from(CELLS), st.sampled_from(".AKkPz"))
def test_onet(rows: tuple[str, ...], at: tuple[int, int], kind: str) -> None:
    rows = tuple(row.replace("#", ".") for row in rows)
    differ(onet_view, onet.State(rows), onet.State(opened(rows, {at}, kind)))


def played(rules: Any, state: Any, choices: list[int]) -> list[Any]:
    states = [state]
    for choice in choices:
        actions = rules.legal_actions(states[-1])
        states.append(rules.apply(states[-1], actions[choice % len(actions)]))
    return states


@given(st.lists(st.integers(0, 99), max_size=12))
def test_parking(choices: list[int]) -> None:
    states = played(parking, PARKING.state, choices)
    for state in states:
        differ(parking_view, states[-1], state)


@given(st.lists(st.integers(0, 99), max_size=12))
def test_klotski(choices: list[int]) -> None:
    states = played(klotski, KLOTSKI.state, choices)
    for state in states:
        differ(klotski_view, states[-1], state)


def test_vehicles_of_every_name_length_and_way() -> None:
    looks = []
    for name in "ABQRZabqz":
        for length in (1, 2, 3, 4):
            for horizontal in (True, False):
                car = parking.Vehicle(name, 0, 0, length, horizontal)
                looks.append(parking_view.draw(parking.State(4, 4, (), (car,)), 32))
    seen = {look.palette[look.pixels].tobytes() for look in looks}
    assert len(seen) == len(looks) == 9 * 4 * 2


def test_goals_of_klotski_show_wherever_they_are() -> None:
    board = ("TT..", "TT..", "AA..")
    looks = {
        klotski_view.draw(klotski.State(board, goal), 32).pixels.tobytes()
        for goal in [(r, c) for r in range(2) for c in range(3)]
    }
    assert len(looks) == 6
