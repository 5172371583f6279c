"""Positions that nobody on this project made: 54 boards of 6x6, and the published suite."""

import csv
import json

import numpy as np
import pytest

from puzzles.parking import FAMILY, rules
from puzzles.parking.explore import explore, tabulate
from puzzles.parking.kernels import branching, expand, is_goal
from puzzles.parking.lines import lines_of
from puzzles.parking.rules import Slide, State, Vehicle
from puzzles.parking.sample import stats
from puzzles.solve import solve
from solvers import System
from solvers.breadth_first import layers


@pytest.fixture(scope="module")
def rows(reference):
    with open(reference / "rushhour.csv", newline="") as lines:
        return list(csv.DictReader(lines))


def reachable(state: State) -> int:
    book, lines, word = lines_of(state)
    queue, parents = np.empty(1 << 16, np.uint64), np.empty(1 << 16, np.int32)
    queue[0], bounds = word, np.empty(500, np.int64)
    lots = tabulate(book.tables, *lines)
    depth = explore(lots, queue, parents, 1, np.zeros(1 << 17, np.uint64), bounds)
    assert depth < len(bounds) - 1
    return int(bounds[depth])


def test_both_explorers_reach_the_published_number_of_states(rows):
    counted = [row for row in rows if row["reachable"]]
    assert len(counted) == 34
    for row in counted:
        state = rules.parse(row["board"], {})
        level, words = FAMILY.pack(state)
        found = layers(System(expand, is_goal, branching), level, words[None])
        assert sum(map(len, found)) == reachable(state) == int(row["reachable"]), row["board"]


def test_the_hardest_board_takes_93_single_moves(rows):
    (row,) = (row for row in rows if row["cells"])
    state = rules.parse(row["board"], {})
    actions = solve(FAMILY, state).actions
    assert len(actions) == int(row["cells"]) == 93
    assert rules.is_solved(rules.replay(state, actions).state)


def test_every_board_is_read_and_solved(rows):
    for row in rows:
        state = rules.parse(row["board"], {})
        assert (state.rows, state.cols, state.vehicles[0].row) == (6, 6, 2)
        assert rules.parse(rules.format(state), {}) == state
        assert len(state.walls) == row["board"].count("x")
        assert len(solve(FAMILY, state).actions) >= int(row["slides"] or 0)


def test_records_of_the_published_suite_are_solved_as_stated(reference):
    for line in (reference / "vgau" / "parking.jsonl").read_text().splitlines():
        record = json.loads(line)
        cars = [
            Vehicle(car["id"], car["row"], car["col"], car["length"], car["orientation"] == "H")
            for car in record["cars"]
        ]
        cars.sort(key=lambda car: (car.name != "R", car.name))
        state = State(record["grid_size"], record["grid_size"], (), tuple(cars))
        assert rules.parse(rules.format(state), {}) == state
        actions = [Slide(step["car"], step["direction"]) for step in record["solution"]]
        assert rules.is_solved(rules.replay(state, actions).state)
        assert len(actions) == record["optimal_steps"]
        assert len(solve(FAMILY, state, limit=10_000_000).actions) == record["optimal_steps"]
        low, high = {"easy": (0, 1), "middle": (2, 4), "hard": (4, 6)}[record["difficulty"]]
        assert low <= stats(state, actions)["blockers"] <= high
