"""Parking's sampler: exact lengths, structure, determinism, every size."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from puzzles.draws import Draws
from puzzles.family import GenerationError, Sample
from puzzles.parking import FAMILY, rules
from puzzles.parking.rules import Slide, State
from puzzles.parking.sample import sample
from puzzles.parking.stats import stats
from puzzles.solve import solve
from tests import plain

LENGTHS = {name: list(bucket.lengths()) for name, bucket in FAMILY.buckets.items()}
SIZES = [(8, 8), (6, 6), (5, 7), (9, 6), (4, 9), (10, 10)]


def boards(
    key: object,
    lengths: list[int],
    size: tuple[int, int] = (8, 8),
    rounds: int = 40,
    options: Mapping[str, Any] = {},
):
    """Return a board for each length, asking again for what one call does not find."""
    draws, found = Draws("test", key, size), {}
    for _ in range(rounds):
        missing = [k for k in range(len(lengths)) if k not in found]
        samples = sample(draws, [lengths[k] for k in missing], size, {}, options)
        found |= {k: one for k, one in zip(missing, samples, strict=True) if one}
        if len(found) == len(lengths):
            return [found[k] for k in range(len(lengths))]
    raise AssertionError(f"no board of length {[lengths[k] for k in missing]}")


def check(one: Sample[State, Slide], length: int) -> None:
    played = rules.replay(one.state, one.actions)
    assert played.reason is None
    assert rules.is_solved(played.state)
    assert len(one.actions) == length
    assert rules.parse(rules.format(one.state), {}) == one.state


@pytest.mark.parametrize("name", LENGTHS)
def test_lengths_are_those_of_the_solver(name):
    for one, length in zip(boards(name, LENGTHS[name]), LENGTHS[name], strict=True):
        check(one, length)
        assert len(solve(FAMILY, one.state).actions) == length


@pytest.mark.parametrize("size", [(8, 8), (6, 6), (5, 7), (4, 6), (2, 9), (3, 8), (14, 13)])
def test_short_lengths_are_those_of_a_plain_search(size):
    lengths = [1, 2, 3, 4]
    for one, length in zip(boards("plain", lengths, size), lengths, strict=True):
        check(one, length)
        assert plain.length(FAMILY, one.state) == length


@pytest.mark.parametrize("size", [(6, 6), (5, 6)])
def test_long_lengths_are_those_of_a_plain_search(size):
    lengths = [9, 12, 18]
    for one, length in zip(boards("plain", lengths, size), lengths, strict=True):
        check(one, length)
        assert plain.length(FAMILY, one.state) == length


@pytest.mark.parametrize("size", [*SIZES, (12, 12), (13, 20), (30, 9), (40, 40)])
def test_other_sizes_work(size):
    lengths = [1, 5, 8, 12, 16, 18, 20]
    for one, length in zip(boards("sizes", lengths, size, 100), lengths, strict=True):
        check(one, length)
        assert (one.state.rows, one.state.cols) == size
        assert one.state.vehicles[0].row == (size[0] - 1) // 2
        assert len(solve(FAMILY, one.state).actions) == length


@pytest.mark.parametrize(
    ("name", "count", "movers", "blockers"),
    [
        ("easy", range(5, 8), range(2), range(2)),
        ("medium", range(10, 11), range(4, 7), range(2, 5)),
        ("hard", range(12, 15), range(6, 10), range(4, 7)),
    ],
)
def test_structure_is_that_of_the_published_suite(name, count, movers, blockers):
    for one in boards("structure", LENGTHS[name] * 3):
        numbers = stats(one.state, one.actions)
        assert numbers["vehicles"] in count
        assert numbers["blockers"] in blockers
        # Six actions bring R to the exit, so that length 8 leaves two, for two vehicles at most.
        spare = len(one.actions) - numbers["red_moves"]
        assert numbers["movers"] in movers or movers[0] > numbers["movers"] == spare
        assert name == "easy" or numbers["red_column"] == 0
        assert {car.length for car in one.state.vehicles} <= {2, 3}
        assert one.state.vehicles[0][1:] == (3, numbers["red_column"], 2, True)
        assert one.state.walls == ()


@pytest.mark.parametrize("walls", [1, 2, 4, 7])
@pytest.mark.parametrize("size", [(6, 6), (8, 8), (5, 7), (9, 6), (10, 10), (14, 13)])
def test_boards_have_the_walls_asked_for(size, walls):
    lengths = [1, 3, 8, 12, 16]
    around = size[0] * size[1] - min(size[0], 12) * min(size[1], 12)
    seen = set()
    for one, length in zip(
        boards("walls", lengths, size, 60, {"walls": walls}), lengths, strict=True
    ):
        check(one, length)
        assert len(one.state.walls) == walls + around
        assert list(one.state.walls) == sorted(set(one.state.walls))
        assert one.state.vehicles[0].row == (size[0] - 1) // 2
        assert len(solve(FAMILY, one.state).actions) == length
        seen.add(one.state.walls)
    assert len(seen) == len(lengths)


def test_walls_take_part_in_solutions():
    lengths = list(range(18, 24))
    matter = 0
    for one in boards("matter", lengths, (6, 6), 60, {"walls": 2}):
        check(one, len(one.actions))
        open_ = State(6, 6, (), one.state.vehicles)
        matter += len(solve(FAMILY, open_).actions) < len(one.actions)
    assert matter


@pytest.mark.parametrize("size", [(8, 8), (5, 6)])
def test_no_walls_is_what_there_was_before(size):
    lengths = [3, 9, 14]
    assert boards("none", lengths, size) == boards("none", lengths, size, options={"walls": 0})


@pytest.mark.parametrize(
    ("walls", "words"),
    [
        (-1, "walls is a number of walls, not -1"),
        (True, "walls is a number of walls, not True"),
        ("2", "walls is a number of walls, not '2'"),
        (2.0, "walls is a number of walls, not 2.0"),
        (31, "a board of 6 rows and 6 columns has room for 30 walls beside R's row, not 31"),
    ],
)
def test_impossible_walls_are_refused(walls, words):
    with pytest.raises(GenerationError) as error:
        sample(Draws("impossible"), [3], (6, 6), {}, {"walls": walls})
    assert str(error.value) == f"parking: {words}"


@pytest.mark.parametrize("walls", [12, 30])
def test_more_walls_than_boards_can_have_end(walls):
    found = sample(Draws("hopeless"), [20], (6, 6), {}, {"walls": walls})
    assert found == [None]


def test_the_same_stream_gives_the_same_boards():
    first, again = (boards("same", LENGTHS["hard"]) for _ in range(2))
    assert first == again
    assert boards("other", LENGTHS["hard"]) != first


def test_a_known_stream_gives_known_boards():
    """If this fails although sampling was to stay as it is, seeds no longer mean what they did.

    Where sampling was to change, FAMILY.generator must change with it.
    """
    assert FAMILY.generator == "parking-2"
    (one,) = boards("golden", [9], (5, 6))
    assert rules.format(one.state).splitlines() == [
        *("..AAB.", "..CDB.", "RRCD.E", "FF...E", "......")
    ]


@pytest.mark.parametrize("name", LENGTHS)
def test_boards_of_one_block_are_different(name):
    made = boards("apart", (LENGTHS[name] * 4)[: FAMILY.block])
    assert len({rules.canonical(one.state) for one in made}) == FAMILY.block
    kin = 0
    for one, other in combinations((placed(one.state) for one in made), 2):
        if [car[:3] for car in one] == [car[:3] for car in other]:
            kin += 1
            elsewhere = sum(a != b for a, b in zip(one, other, strict=True))
            assert elsewhere >= 2 * len(one) // 3
    assert kin <= FAMILY.block // 2


def placed(state: State) -> list[tuple[bool, int, int, int]]:
    """Return direction, lane, length and offset of the vehicles, along each lane in order."""
    cars = [
        (True, car.row, car.col, car.length)
        if car.horizontal
        else (False, car.col, car.row, car.length)
        for car in state.vehicles
    ]
    return [(across, lane, length, at) for across, lane, at, length in sorted(cars)]


@pytest.mark.parametrize(
    ("size", "length"),
    [((1, 1), 1), ((0, 8), 1), ((5, 2), 1), ((1, 9), 8), ((2, 9), 8), ((3, 3), 2), ((8, 8), 0)],
)
def test_impossible_wishes_are_refused(size, length):
    with pytest.raises(GenerationError, match=r"^parking: "):
        sample(Draws("impossible"), [length], size, {}, {})


@pytest.mark.parametrize("size", [(4, 3), (4, 4), (5, 3)])
@pytest.mark.parametrize("length", [34, 500, 10**12])
def test_hopeless_wishes_end(size, length):
    assert sample(Draws("hopeless"), [length], size, {}, {}) == [None]
