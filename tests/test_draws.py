"""Random numbers: known values, and the kernels' copy of them."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from puzzles.draws import Draws


def test_the_stream_is_splitmix64() -> None:
    # The first outputs of SplitMix64 seeded with 0 begin with these 32 bits (Vigna's splitmix64.c).
    draws = Draws()
    draws.state[0] = 0
    assert [draws.below(1 << 32) for _ in range(3)] == [0xE220A839, 0x6E789E6A, 0x06C45D18]


def test_streams_of_different_keys_differ() -> None:
    streams = {
        tuple(Draws(*key).below(1000) for _ in range(8)) for key in (("a", 1), ("a", 2), ("a",))
    }
    assert len(streams) == 3


def test_every_number_comes_up_about_equally_often() -> None:
    draws = Draws("test")
    counts = np.bincount([draws.below(7) for _ in range(7000)], minlength=7)
    assert counts.min() > 900
    assert counts.max() < 1100


def test_shuffled_is_a_permutation() -> None:
    items = list(range(30))
    shuffled = Draws("test").shuffled(items)
    assert shuffled != items
    assert sorted(shuffled) == items


ROOT = Path(__file__).parents[1]
KERNELS = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "puzzles").rglob("*.py"))
    if "def _below(" in path.read_text()
]


@pytest.mark.parametrize("module", KERNELS)
def test_kernels_carry_the_stream_on(module: str) -> None:
    python, kernel = Draws("test"), Draws("test")
    below = import_module(module)._below
    assert [below(kernel.state, n) for n in (2, 7, 100, 1 << 31)] == [
        python.below(n) for n in (2, 7, 100, 1 << 31)
    ]
