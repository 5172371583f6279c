"""Positions that nobody on this project made: 54 boards of 6x6, and the published suite."""

import csv
import json
from itertools import pairwise

import numpy as np
import pytest

from puzzles.parking import FAMILY, rules
from puzzles.parking.direct import reachable
from puzzles.parking.explore import explore, tabulate
from puzzles.parking.lines import lines_of
from puzzles.parking.rules import Slide, State, Vehicle
from puzzles.parking.stats import stats
from puzzles.solve import solve
from solvers import Limit
from solvers.breadth_first import layers, shortest_path


@pytest.fixture(scope="module")
def rows(reference):
    with open(reference / "rushhour.csv", newline="") as lines:
        return list(csv.DictReader(lines))


def explored(state: State) -> int:
    book, lines, word = lines_of(state)
    queue, parents = np.empty(1 << 16, np.uint64), np.empty(1 << 16, np.int32)
    queue[0], bounds = word, np.empty(500, np.int64)
    lots = tabulate(book.tables, *lines)
    slots, where = np.zeros(1 << 17, np.uint64), np.empty(1 << 17, np.int32)
    depth, entered = explore(lots, queue, parents, 1, slots, where, bounds)
    assert entered == bounds[depth]
    return entered


def test_all_explorers_reach_the_published_number_of_states(rows):
    counted = [row for row in rows if row["reachable"]]
    assert len(counted) == 34
    for row in counted:
        state, published = rules.parse(row["board"], {}), int(row["reachable"])
        level, words = FAMILY.pack(state)
        for system in FAMILY.systems.values():
            assert sum(map(len, layers(system, level, words[None]))) == published, row["board"]
        assert explored(state) == reachable(state) == published, row["board"]


def test_every_published_number_of_slides_is_reached(rows):
    known = [row for row in rows if row["slides"]]
    assert len(known) == 53
    for row in known:
        state, published = rules.parse(row["board"], {}), int(row["slides"])
        level, words = FAMILY.pack(state)
        system = FAMILY.systems["slide"]
        assert len(shortest_path(system, level, words).moves) == published, row["board"]
        path = system.direct(level, words, Limit()).moves.tolist()
        assert len(path) == published, row["board"]
        actions = []
        for code in path:
            actions += FAMILY.unfold(state, level, code)
        assert rules.is_solved(rules.replay(state, actions).state)
        joined = [rules.joins(one, other) for one, other in pairwise(actions)]
        assert len(actions) - sum(joined) == published


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
        assert len(solve(FAMILY, state).actions) == record["optimal_steps"]
        low, high = {"easy": (0, 1), "middle": (2, 4), "hard": (4, 6)}[record["difficulty"]]
        assert low <= stats(state, actions)["blockers"] <= high
