"""Klotski boards that others published, with their optima, played and solved by the rules alone."""

import csv
import json
from pathlib import Path

from puzzles.klotski import FAMILY, rules
from puzzles.klotski.rules import NAMES
from tests.klotski.plain import fewest_slides
from tests.plain import shortest_length


def test_published_records_replay_to_their_goal(reference: Path) -> None:
    for line in (reference / "vgau" / "klotski.jsonl").read_text().splitlines():
        record = json.loads(line)
        board = [["."] * record["grid_w"] for _ in range(record["grid_h"])]
        names = iter(NAMES)
        shapes = {"Vs": (2, 1), "Hs": (1, 2), "Ss": (1, 1)}
        places = [((2, 2), "T", record["initial_state"]["T"])]
        for key, shape in shapes.items():
            places += [(shape, next(names), at) for at in record["initial_state"][key]]
        for (height, width), name, (r, c) in places:
            for row in board[r : r + height]:
                row[c : c + width] = [name] * width
        state = rules.parse("\n".join(map("".join, board)), {"goal": record["goal_t_pos"]})
        played = FAMILY.replay(state, rules.parse_answer(record["solution"]))
        assert played.reason is None
        assert rules.is_solved(played.state)
        if record["optimal_steps"] <= 10:
            assert shortest_length(FAMILY, state) == record["optimal_steps"]


def test_published_boards_in_moves_of_any_distance(reference: Path) -> None:
    """The other metric of the tables, by a search over the rules: one piece, any distance."""
    with (reference / "klotski.csv").open() as file:
        boards = [row for row in csv.DictReader(file) if row["slides"]]
    for row in boards:
        if row["name"] in ("wayout Level 13", "fayaa 高枕無憂", "fayaa 身先士卒"):
            state = rules.parse(row["board"].replace("/", "\n"), {"goal": [3, 1]})
            assert fewest_slides(state) == int(row["slides"])
