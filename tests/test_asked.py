"""What can't be meant is one sentence of ours, whatever it is; what is meant has one spelling."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from protocols.training import Training
from puzzles import Entry, make, mixture, stream
from puzzles.curriculum import Plan
from puzzles.engine import Local

EASY = Entry("maze", "easy")
Given = Any


@pytest.mark.parametrize("given", ["maze", None, 3, ["maze"], [EASY, None], {"maze": 1}])
def test_a_stream_draws_from_entries(given: Given) -> None:
    with pytest.raises(ValueError, match="a stream draws from entries, such as Entry"):
        stream(given)


@pytest.mark.parametrize(
    "given", [("a", 2), (0.5, 2), (False, True), (1,), (0, 1, 2), 3, "01", None, {0: 1}]
)
def test_a_shard_is_two_whole_numbers(given: Given) -> None:
    with pytest.raises(ValueError, match=r"a shard is a pair \(k, S\): share k, from 0, of S, not"):
        stream(EASY, shard=given)


@pytest.mark.parametrize(
    "given", ["4x4", 4, (4, 4, 4), (4,), (4.5, 4), ("4", "4"), (None, 4), (), (True, 4)]
)
def test_a_size_is_two_whole_numbers(given: Given) -> None:
    for ask in (
        lambda: stream(Entry("maze", "easy", size=given)),
        lambda: make("maze", "easy", 1, size=given),
    ):
        with pytest.raises(ValueError, match="a size is two whole numbers, rows and columns, not"):
            ask()


@pytest.mark.parametrize("given", ["7", "4-8", (1, 2, 3), 7.0, (7.0, 8.0), True, range(4, 9)])
def test_lengths_are_whole_numbers(given: Given) -> None:
    with pytest.raises(ValueError, match="lengths are one optimal length, or the first and the"):
        stream(Entry("maze", lengths=given))
    with pytest.raises(ValueError, match="lengths are the first and the last optimal length, not"):
        make("maze", lengths=given, n=1)


@pytest.mark.parametrize("given", ["x", 1.5, None, True])
def test_a_seed_is_a_whole_number(given: Given) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number, not"):
        stream(EASY, seed=given)
    with pytest.raises(ValueError, match="a seed is a whole number, not"):
        make("maze", "easy", 1, seed=given)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: mixture("maze", lengths=7), "lengths are a list of lengths or of pairs"),  # type: ignore[arg-type]
        (lambda: mixture("maze", lengths="4-8"), "lengths are a list of .* not '4-8'"),  # type: ignore[arg-type]
        (lambda: mixture("maze", lengths=[4], sizes="4x4"), "sizes are a list of .* not '4x4'"),  # type: ignore[arg-type]
        (lambda: mixture("maze", difficulties="easy"), "difficulties are a list of .* not 'easy'"),
        (lambda: mixture(None, lengths=[4]), "families are names, not None"),  # type: ignore[arg-type]
        (lambda: stream(mixture("maze")), "at least one entry"),
        (lambda: stream(Entry(["maze"], "easy")), r"unknown family \['maze'\]"),  # type: ignore[arg-type]
        (lambda: stream(Entry("maze", ["easy"])), r"unknown difficulty \['easy'\]"),  # type: ignore[arg-type]
        (lambda: stream(Entry("maze", "easy", rules="x")), "rules are values by name, not 'x'"),  # type: ignore[arg-type]
        (lambda: make("maze", "easy", 1, options="x"), "options are values by name, not 'x'"),  # type: ignore[arg-type]
        (lambda: stream(Entry("maze", lengths=(8, 10**12))), "lengths go up to 999,999, not 1,000"),
        (lambda: stream(EASY, split=["train"]), r"unknown split \['train'\]"),  # type: ignore[call-overload]
        (lambda: stream(EASY, exclude=3), "exclude names folders of datasets, not 3"),  # type: ignore[call-overload]
        (lambda: stream(EASY, exclude=[None]), "exclude names folders of datasets, not None"),  # type: ignore[list-item]
        (lambda: stream(EASY, cell="16"), "cell is 16 to 512 pixels, not '16'"),  # type: ignore[call-overload]
        (lambda: stream(EASY, cell=16.5), "cell is 16 to 512 pixels, not 16.5"),  # type: ignore[call-overload]
        (lambda: stream(EASY, row="trl"), "row is a layout or a function of a Pictured, not 'trl'"),  # type: ignore[call-overload]
        (lambda: next(stream(EASY, row=Training("trl").layout)), r"no picture to show: .*cell="),
        (lambda: stream(EASY).weights.update(None), "weights are numbers by the names of entries"),  # type: ignore[arg-type]
        (lambda: make("maze", "easy", "1"), "n is a whole number, not '1'"),  # type: ignore[arg-type]
        (lambda: make("maze", "easy", 1, workers=0), "workers are 1 or more processes, not 0"),
        (lambda: Local("2"), "workers are 1 or more processes, not '2'"),  # type: ignore[arg-type]
        (
            lambda: make("maze", "easy", 1, out="never", format="parquet", shards="2"),  # type: ignore[arg-type]
            "--shards is a whole number, not '2'",
        ),
    ],
)
def test_what_can_t_be_meant_is_one_sentence(ask: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ask()


def test_a_number_means_the_same_in_every_integer_type() -> None:
    (plain,) = make("maze", lengths=(3, 4), n=1, size=(5, 6), seed=7)
    lengths, size = (np.int64(3), np.int8(4)), np.array([5, 6])
    (other,) = make("maze", lengths=lengths, n=np.int32(1), size=size, seed=np.uint64(7))  # type: ignore[arg-type]
    assert other == plain
    entry = Entry("maze", lengths=np.int64(3), size=size)  # type: ignore[arg-type]
    same = Entry("maze", lengths=3, size=(5, 6))
    assert Plan.of(entry, np.int64(7)).fingerprint == Plan.of(same, 7).fingerprint  # type: ignore[arg-type]
    assert next(stream(entry, seed=np.int64(7), cell=np.int64(16))) == next(  # type: ignore[call-overload]
        stream(same, seed=7, cell=16)
    )
    assert Local(np.int64(2)).workers == 2  # type: ignore[arg-type]
