"""What every family must satisfy; a new family is tested by being listed."""

import importlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzles
from puzzles import Instance, Reason, family, make, verify
from puzzles.answers import extract
from puzzles.draws import Draws
from puzzles.family import Family
from puzzles.generate import Recipe, generate
from puzzles.replay import initial
from puzzles.solve import solve
from solvers import System
from tests import plain
from tests.conformance import check_state, folded, random_play

SEARCHED = {"parking": 3, "klotski": 8}
"""How many of a bucket a slow search takes, where not all: those of many states. The audit searches
1,000 of each."""
BUCKETS = [(name, tier) for name in puzzles.NAMES for tier in family(name).buckets]


@cache
def instances(name: str, tier: str) -> list[Instance]:
    return make(name, tier, 20)


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_those_of_every_bucket_are_solved_again_by_other_code(name: str, tier: str) -> None:
    room = family(name)
    for at, instance in enumerate(instances(name, tier)):
        if at < SEARCHED.get(name, 20):
            assert plain.length(room, initial(instance)) == instance.optimal_length
        assert room.buckets[tier].low <= instance.optimal_length <= room.buckets[tier].high
        verdict = verify(instance, str(instance.answer), strict=True)
        assert (verdict.feasible, verdict.optimal, verdict.reason) == (True, True, Reason.SOLVED)
        assert verdict.format_ok


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
@given(seed=st.integers(0, 2**32))
def test_kernels_and_rules_agree_along_random_play(name: str, tier: str, seed: int) -> None:
    draws = Draws("play", seed)
    room, instance = family(name), draws.choice(instances(name, tier))
    for state in random_play(room, initial(instance), draws, 6):
        check_state(room, state)


@pytest.mark.parametrize(("name", "tier"), [b for b in BUCKETS if family(b[0]).counts_actions])
def test_replay_is_apply_folded(name: str, tier: str) -> None:
    room, draws = family(name), Draws("replay")
    for instance in instances(name, tier):
        states = random_play(room, initial(instance), draws, 8)
        actions = [draws.choice(room.legal_actions(s)) for s in states if room.legal_actions(s)]
        state, legal, reason = folded(room, initial(instance), actions)
        played = room.replay(initial(instance), actions)
        assert (played.state, played.legal, played.reason or "") == (state, legal, reason)
        assert played.at == (legal if reason else None)


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_the_solver_finds_the_length_that_was_asked_for(name: str, tier: str) -> None:
    room = family(name)
    for instance in instances(name, tier)[:10]:
        solution = solve(room, initial(instance))
        assert len(solution.actions) == instance.optimal_length
        states = [initial(instance)]
        for action in solution.actions:
            assert not room.is_solved(states[-1])
            states.append(room.apply(states[-1], action))
        assert room.is_solved(states[-1])


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_pictures_tell_states_apart(name: str, tier: str) -> None:
    room, instance = family(name), instances(name, tier)[0]
    states = list(dict.fromkeys(random_play(room, initial(instance), Draws("draw"), 5)))
    pictures = {room.draw(state, 32).pixels.tobytes() for state in states}
    assert len(pictures) == len(states)
    rows = room.format(states[0]).split("\n")
    for draw in (room.draw, room.draw_aid):
        assert draw(states[0], 32).pixels.shape == (32 * len(rows), 32 * len(rows[0]))


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_an_instance_is_a_function_of_its_key(name: str, tier: str) -> None:
    recipe = Recipe(name, seed=3, difficulty=tier)
    first, again = (generate(recipe, 7) for _ in range(2))
    assert first == again
    assert generate(recipe, 7, attempt=1).instance.board != first.instance.board
    assert first.instance == first.instance.model_validate_json(first.instance.line())
    assert first.instance.optimal_length == recipe.length(7)
    other = generate(replace(recipe, seed=4), 7)
    assert other.instance.board != first.instance.board


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_every_length_of_a_bucket_is_planned_equally_often(name: str, tier: str) -> None:
    recipe = Recipe(name, difficulty=tier)
    cycle = recipe.bucket.lengths()
    planned = [recipe.length(index) for index in range(3 * len(cycle))]
    assert sorted(planned) == sorted(cycle * 3)
    assert set(planned) == set(range(recipe.bucket.low, recipe.bucket.high + 1))


def broken(name: str, module: str, old: str, new: str) -> Family[Any, Any]:
    """Return the family with one change made to the text of its kernels."""
    loaded = importlib.import_module(module)
    text = Path(loaded.__file__ or "").read_text()
    assert old in text
    parts: dict[str, Any] = {}
    exec(compile(text.replace(old, new).replace("@njit(cache=True)", ""), module, "exec"), parts)
    system = System(parts["expand"], parts["is_goal"], parts["branching"])
    return replace(family(name), systems={"cell": system})


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [
        # A walker that walks through walls.
        ("maze", "puzzles.corridors", "and ground[r, c] != _WALL", "and True"),
        # The last column is out of reach.
        ("maze", "puzzles.corridors", "0 <= c < columns", "0 <= c < columns - 2"),
        # A vehicle stops one cell before the far side.
        ("parking", "puzzles.parking.kernels", "ahead >= side", "ahead >= side - 1"),
        # A vehicle passes through others.
        ("parking", "puzzles.parking.kernels", "if there >= i:", "if there > i:"),
    ],
)
def test_a_broken_kernel_is_noticed(name: str, module: str, old: str, new: str) -> None:
    room = broken(name, module, old, new)
    with pytest.raises(AssertionError):
        for instance in instances(name, "hard"):
            for state in random_play(room, initial(instance), Draws("broken"), 30):
                check_state(room, state)


@pytest.mark.parametrize(
    ("name", "module"), [("maze", "puzzles.corridors"), ("parking", "puzzles.parking.kernels")]
)
def test_the_broken_kernels_are_sound_before_they_are_broken(name: str, module: str) -> None:
    room = broken(name, module, "cache", "cache")
    for instance in instances(name, "hard")[:3]:
        for state in random_play(room, initial(instance), Draws("broken"), 30):
            check_state(room, state)


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_stats_are_those_of_the_board_and_its_solution(name: str, tier: str) -> None:
    room = family(name)
    for instance in instances(name, tier):
        answer = extract(str(instance.answer), room).answer
        assert answer is not None
        actions = answer if room.counts_actions else solve(room, initial(instance)).actions
        assert room.stats(initial(instance), actions) == instance.stats
