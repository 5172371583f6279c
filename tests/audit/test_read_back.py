"""Drawings of states along solutions of 200 instances of every bucket, at 32, 64 and 100 pixels.

AUDIT=n takes n instances of a bucket instead, for a quick look.
"""

import os

import pytest

from puzzles import NAMES, family, make
from puzzles.reading import read
from puzzles.replay import initial, optimal_actions
from render.encode import png

pytestmark = pytest.mark.audit

EACH = int(os.environ.get("AUDIT", "200"))
CELLS = (32, 64, 100)
BUCKETS = [(name, tier) for name in NAMES for tier in family(name).buckets]


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_states_along_solutions_are_read_exactly(name: str, tier: str, cell: int) -> None:
    room = family(name)
    assert room.reading is not None
    for instance in make(name, tier, EACH, seed=6_000 + cell):
        states = [initial(instance)]
        for action in optimal_actions(instance):
            states.append(room.apply(states[-1], action))
        for step, state in enumerate(states):
            size = room.reading.parts(state).shape
            rules = room.rules_of(state)
            seen = read(room, png(room.draw(state, cell)), size=size, rules=rules)
            assert seen == state, (instance.id, step)
