"""The long job of `make audit`: 1,000 instances of every bucket solved again, 2,000 distinct.

And 15,000 random boards, solvable or not, on which all searches are held to networkx.

AUDIT=n takes n instances of a bucket instead, for a quick look.
"""

import os
from functools import cache

import pytest

from puzzles import NAMES, Instance, family, make, verify
from puzzles.dataset import kin_of
from puzzles.replay import initial
from tests import plain
from tests.random_boards import random_boards
from tests.solvers.test_searches import SLIDING, check_searches
from tests.test_answers_quickly import check_both_ways

pytestmark = pytest.mark.audit

SOLVED = int(os.environ.get("AUDIT", "1000"))
BUCKETS = [(name, tier) for name in NAMES for tier in family(name).buckets]
SLICES = 10


@cache
def instances(name: str, tier: str) -> list[Instance]:
    return make(name, tier, 2 * SOLVED, seed=1)


@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_solved_again_by_other_code(name: str, tier: str, part: int) -> None:
    room = family(name)
    for instance in instances(name, tier)[:SOLVED][part::SLICES]:
        assert plain.length(room, initial(instance)) == instance.optimal_length, instance.id
        verdict = verify(instance, str(instance.answer), strict=True)
        assert verdict.optimal, instance.id


@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.parametrize("name", NAMES)
def test_searches_agree_with_networkx(name: str, part: int) -> None:
    for state in random_boards(name, SOLVED // 4, ("audit", part), 1500):
        check_searches(family(name), state, "cell")
        if name in SLIDING:
            check_searches(family(name), state, "slide")


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_no_two_are_the_same_board(name: str, tier: str) -> None:
    made = instances(name, tier)
    assert len({kin_of(instance) for instance in made}) == len(made) == 2 * SOLVED
    lengths = {instance.optimal_length for instance in made}
    bucket = family(name).buckets[tier]
    assert lengths == set(range(bucket.low, bucket.high + 1))


@pytest.mark.parametrize("name", NAMES)
def test_both_ways_read_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check_both_ways(name, "medium", 12, monkeypatch)
