"""Faults that users of neighbouring tools reported, each of which must not exist here."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles import NAMES, Instance, family, make, verify
from puzzles.answers import extract
from puzzles.dataset import kin_of
from puzzles.family import GenerationError
from puzzles.replay import initial
from tests import plain
from tests.judged import CASES

ROOT = Path(__file__).parents[1]
BUCKETS = [(name, tier) for name in NAMES for tier in family(name).buckets]

FINGERPRINT = """
import sys
from hashlib import blake2b
from puzzles import NAMES, family, make
from puzzles.replay import initial
for name in NAMES:
    for tier in family(name).buckets:
        h = blake2b(digest_size=8)
        for instance in make(name, tier, 4, seed=11):
            h.update(instance.line().encode())
            h.update(family(name).draw(initial(instance), 32).pixels.tobytes())
        print(name, tier, h.hexdigest())
"""


def test_fresh_processes_with_other_hash_seeds_make_the_same() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", FINGERPRINT],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "12345")
    ]
    assert said[0] == said[1]
    assert len(said[0].splitlines()) == len(BUCKETS)


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_neighbouring_seeds_share_no_boards(name: str, tier: str) -> None:
    first, second = ({kin_of(i) for i in make(name, tier, 20, seed=s)} for s in (100, 101))
    assert len(first) == len(second) == 20
    assert len(first & second) <= 1  # where boards are few, two may meet by chance


@pytest.mark.parametrize("name", NAMES)
@given(
    rows=st.integers(1, 7),
    columns=st.integers(1, 7),
    length=st.integers(1, 6),
    seed=st.integers(0, 99),
)
def test_every_size_gives_a_board_of_the_length_or_one_sentence(
    name: str, rows: int, columns: int, length: int, seed: int
) -> None:
    room = family(name)
    sentence = ""
    try:
        made = make(name, lengths=(length, length), n=1, size=(rows, columns), seed=seed)[0]
    except GenerationError as error:
        sentence = str(error)
    if sentence:
        assert sentence.startswith(f"{name}: ")
        assert "\n" not in sentence
        return
    board = made.board.split("\n")
    assert (len(board), {len(row) for row in board}) == (rows, {columns})
    assert made.optimal_length == length
    assert plain.length(room, initial(made)) == length


@pytest.mark.parametrize(("name", "tier"), BUCKETS)
def test_a_solution_is_stored_and_solves(name: str, tier: str) -> None:
    room = family(name)
    for instance in make(name, tier, 20, seed=5):
        assert verify(instance, str(instance.answer), strict=True).optimal
        assert room.parse(instance.board, instance.rules) == initial(instance)


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_fails_the_answer(name: str) -> None:
    """It is never a move that does nothing, with play going on to the goal."""
    room, case = family(name), CASES[name]
    illegal, right = extract(case.illegal, room).answer, extract(case.right, room).answer
    assert illegal is not None
    assert right is not None
    board = Instance(family=name, board=case.board, rules=case.rules, optimal_length=case.optimum)
    verdict = verify(board, room.format_answer([*illegal[: case.illegal_at + 1], *right]))
    assert not verdict.feasible
    assert verdict.at == verdict.legal_moves == case.illegal_at


@pytest.mark.parametrize("name", NAMES)
def test_names_and_ids_say_nothing_of_the_solution(name: str) -> None:
    made = make(name, "hard", 5)
    for instance in made:
        assert instance.id.startswith(f"{name}-hard-")
        assert len(instance.id.rsplit("-", 1)[1]) == 16
    assert len({instance.id for instance in made}) == 5
