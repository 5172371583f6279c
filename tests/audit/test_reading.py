"""The floors of the corruption ladder, on boards that nothing was tuned on.

AUDIT=n takes n boards a step instead of 25, at most, for a quick look.
"""

import os

import pytest

from benchmarks.disturbances import ALL, PAIRS, SINGLES, STRENGTHS
from benchmarks.ladder import Counts, cases, measure
from puzzles import NAMES

pytestmark = pytest.mark.audit

BOARDS = min(25, int(os.environ.get("AUDIT", "25")))
SEED = 496
FLOORS = {1: 1.0, 2: 1.0, 3: 0.99, 4: 0.0}
"""Share of boards read exactly, by strength."""


@pytest.mark.parametrize("reference", [False, True])
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("name", NAMES)
def test_floors_of_the_ladder(name: str, strength: int, reference: bool) -> None:
    chosen = cases(name, BOARDS, SEED)
    steps = (*SINGLES, *PAIRS, ALL)
    counts = [measure(chosen, names, strength, reference)[0] for names in steps]
    total = Counts(*map(sum, zip(*counts, strict=True)))
    assert total.exact >= FLOORS[strength] * BOARDS * len(steps)
    assert 1000 * total.wrong < total.cells
