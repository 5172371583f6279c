"""What we draw read back: states along solutions, and solutions drawn, of 200 instances a bucket.

At 32, 64 and 100 pixels a cell. AUDIT=n takes n instances of a bucket instead, for a quick look.
"""

import os

import pytest

from puzzles import NAMES, family, make
from puzzles.drawing import read_drawing
from puzzles.reading import read
from puzzles.replay import initial, optimal_actions
from render.encode import png
from tests.views.forging import shown

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


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_our_own_drawings_read_back(name: str, tier: str, cell: int) -> None:
    room = family(name)
    for instance in make(name, tier, EACH, seed=5_000 + cell):
        state = initial(instance)
        picture = shown(room.draw_solution(state, optimal_actions(instance), cell))
        drawing = read_drawing(room, picture, state)
        assert drawing.flaw is None, (instance.id, drawing)
        assert drawing.answer is not None
        played = room.replay(state, drawing.answer)
        assert played.reason is None, instance.id
        assert room.is_solved(played.state), instance.id
        if room.counts_actions:
            assert len(drawing.answer) == instance.optimal_length, instance.id
