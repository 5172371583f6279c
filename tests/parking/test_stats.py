"""What is said of boards: their structure, and how many solutions they have."""

from functools import cache
from string import ascii_letters

import pytest

from puzzles.draws import Draws
from puzzles.generate import Recipe, generate_block
from puzzles.parking import FAMILY, rules, stats
from puzzles.parking.rules import Slide, State
from puzzles.solve import solve
from tests.parking.boards import layers_of, lot, scattered, stepped


def counted(state: State) -> tuple[int, int, float]:
    """Return length, number and share of first moves of the shortest solutions, plainly.

    The length is -1 where there is none.
    """
    ways, seen, length = {state: 1}, {state}, 0
    before = [{state: [state]}]
    while ways and not any(map(rules.is_solved, ways)):
        after: dict[State, int] = {}
        firsts: dict[State, list[State]] = {}
        for one, number in ways.items():
            for other in stepped(one):
                if other not in seen:
                    after[other] = after.get(other, 0) + number
                    new = before[-1][one] if length else [other]
                    firsts[other] = list({*firsts.get(other, []), *new})
        seen |= after.keys()
        before.append(firsts)
        ways, length = after, length + 1
    solved = [one for one in ways if rules.is_solved(one)]
    if not solved or length == 0:
        return (length, 1, 0.0) if solved else (-1, 0, 0.0)
    good = {first for one in solved for first in before[-1][one]}
    share = round(len(good) / len(rules.legal_actions(state)), 4)
    return length, sum(ways[one] for one in solved), share


def test_structure_of_a_board_that_can_be_counted():
    state = lot("....B.\nCC#.B.\nRR.DB.\n...D..\nEEEE..")
    actions = [Slide("D", "up"), Slide("D", "up"), Slide("R", "right"), Slide("C", "left")]
    assert stats.structure(state, actions) == {
        **{"vehicles": 5, "long_vehicles": 2, "walls": 1, "empty_cells": 16},
        **{"red_column": 0, "blockers": 2, "movers": 2, "red_moves": 1},
    }


@pytest.mark.parametrize(
    ("board", "length", "ways", "share"),
    [
        ("..RR", 0, 1, 0.0),
        (".RR.", 1, 1, 0.5),
        ("RR..", 2, 1, 1.0),
        ("RR..\nAA..", 2, 1, 0.5),
        ("RR.A\n...A\n....", 3, 2, 1.0),
        ("...A.\nRR.A.\n.....\n.....", 5, 3, 1.0),
        ("...A.\nRR.A.\n.....", 5, None, None),
    ],
)
def test_solutions_that_can_be_counted(board, length, ways, share):
    state = lot(board)
    found = stats.stats(state, [Slide("R", "right")] * length)
    if ways is not None:
        assert counted(state) == (length, ways, share)
    assert (found["optimal_solutions"], found["good_first_moves"]) == (ways, share)


def test_solutions_of_random_boards_are_those_of_a_plain_count():
    draws, several = Draws("solutions"), 0
    for size in [(4, 5), (5, 4), (3, 6), (6, 3), (4, 6)] * 60:
        state = scattered(*size, draws.below(3), 2 + draws.below(6), 3, draws)
        if not layers_of([state], most=800):
            continue
        length, ways, share = counted(state)
        if length >= 0:
            found = stats.stats(state, [Slide("R", "right")] * length)
            assert found["optimal_solutions"] == ways, rules.format(state)
            assert found["good_first_moves"] == share, rules.format(state)
            several += ways > 1
    assert several > 10


@pytest.mark.parametrize(
    ("difficulty", "size"),
    [(name, size) for name in FAMILY.buckets for size in ((8, 8), (5, 6))] + [("easy", (13, 14))],
)
def test_the_sampler_says_what_a_search_from_the_board_says(difficulty, size):
    recipe = Recipe("parking", difficulty=difficulty, size=size, options={"walls": 1})
    for made in generate_block(recipe, 0)[:5]:
        state = FAMILY.parse(made.instance.board, {})
        text = made.instance.answer
        actions = [Slide(*pair) for pair in _pairs(text)]
        assert made.instance.stats == stats.stats(state, actions)
        assert made.instance.stats["optimal_solutions"] >= 1
        assert 0 < made.instance.stats["good_first_moves"] <= 1


def _pairs(text: str) -> list[tuple[str, str]]:
    parts = text.split('"')
    return list(zip(parts[3::8], parts[7::8], strict=True))


def test_a_longer_solution_says_the_same_of_the_optimal_ones():
    state = lot("...A.\nRR.A.\n.....\n.....")
    for length in (5, 7, 11):
        found = stats.stats(state, [Slide("R", "right")] * length)
        assert (found["optimal_solutions"], found["good_first_moves"]) == (3, 1.0)


def wide(blockers: int) -> State:
    """Return a board where so many vehicles must go down by 20 cells each to let R pass."""
    cars = "ABCD"[:blockers]
    rows = [".." + cars] * 19 + ["RR" + cars] + ["." * (2 + blockers)] * 20
    return lot("\n".join(rows))


@cache
def interleavings(left: tuple[int, ...], red: int) -> int:
    """Return in how many orders the vehicles go down so far and R ``red`` cells to the right."""
    if red == 0 and not any(left):
        return 1
    down = [
        interleavings((*left[:k], more - 1, *left[k + 1 :]), red)
        for k, more in enumerate(left)
        if more
    ]
    next_ = len(left) - red
    return sum(down) + (interleavings(left, red - 1) if red and not left[next_] else 0)


@pytest.mark.parametrize("blockers", [1, 2, 3])
def test_very_many_solutions_are_counted_exactly(blockers):
    state, length = wide(blockers), 21 * blockers
    assert len(solve(FAMILY, state).actions) == length
    found = stats.stats(state, [Slide("R", "right")] * length)
    assert found["optimal_solutions"] == interleavings((20,) * blockers, blockers)
    assert found["good_first_moves"] == 1.0
    assert (found["optimal_solutions"] > 1 << 62) == (blockers == 3)


def test_more_solutions_than_two_digits_hold_are_left_open():
    state, length = wide(4), 84
    assert interleavings((20,) * 4, 4) > 1 << 124
    found = stats.stats(state, [Slide("R", "right")] * length)
    assert (found["optimal_solutions"], found["good_first_moves"]) == (None, None)


@pytest.mark.parametrize("width", [15, 40])
def test_more_states_than_can_be_held_are_left_open(width):
    """Cars in every column, one cell from where they must be, none in the way of another."""
    columns = "".join(name for name in ascii_letters if name != "R")[:width]
    rows = ["." * (width + 2)] * 8
    rows[2:4] = [".." + columns, "RR" + columns]
    found = stats.stats(lot("\n".join(rows)), [Slide("R", "right")] * 2 * width)
    assert (found["optimal_solutions"], found["good_first_moves"]) == (None, None)
    assert found["blockers"] == width
