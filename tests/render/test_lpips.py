"""LPIPS: the numbers of the reference, with weights made up here; nothing without weights."""

from math import isnan, sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from render.fidelity.lpips import NoWeights, lpips, place, present

KERNELS = {
    "features.0": (64, 3, 11, 11),
    "features.3": (192, 64, 5, 5),
    "features.6": (384, 192, 3, 3),
    "features.8": (256, 384, 3, 3),
    "features.10": (256, 256, 3, 3),
}


def made_up() -> dict[str, NDArray[np.float32]]:
    """Weights by a formula, under the names of torchvision's AlexNet and of the package lpips."""
    held = {}
    for at, (name, shape) in enumerate(KERNELS.items()):
        size, inputs = int(np.prod(shape)), int(np.prod(shape[1:]))
        waves = np.sin(np.arange(size, dtype=np.float64) ** 2) * 2 / sqrt(inputs)
        held[f"{name}.weight"] = waves.reshape(shape)
        held[f"{name}.bias"] = np.cos(np.arange(shape[0])) / 10
        held[f"lin{at}.model.1.weight"] = np.abs(np.sin(np.arange(shape[0]))).reshape(1, -1, 1, 1)
    return {name: value.astype(np.float32) for name, value in held.items()}


def picture(rows: int, cols: int, step: int) -> NDArray[np.uint8]:
    return (np.arange(rows * cols * 3) * step % 251).astype(np.uint8).reshape(rows, cols, 3)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUZZLES_CACHE", str(tmp_path))
    np.savez(place(), **made_up())
    return place()


REFERENCE = [(64, 64, 1.3411801), (97, 130, 1.2403617), (70, 211, 1.4589969)]
"""By the package lpips 0.1.4 on torch 2.13, with these weights."""


@pytest.mark.parametrize(("rows", "cols", "value"), REFERENCE)
def test_the_numbers_are_those_of_the_reference(
    rows: int, cols: int, value: float, weights: Path
) -> None:
    assert present()
    one, two = picture(rows, cols, 7), picture(rows, cols, 11)
    assert lpips(one, two) == pytest.approx(value, rel=1e-4)
    assert lpips(two, one) == pytest.approx(value, rel=1e-4)
    assert lpips(one, one) == 0


def test_small_pictures_have_none(weights: Path) -> None:
    assert isnan(lpips(picture(63, 90, 7), picture(63, 90, 11)))


def test_without_weights_it_is_said_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUZZLES_CACHE", str(tmp_path))
    assert not present()
    with pytest.raises(NoWeights, match="'puzzles metrics fetch-lpips' gets them"):
        lpips(picture(64, 64, 7), picture(64, 64, 11))


@pytest.mark.parametrize("broken", ["empty", "text", "torn", "names", "shapes"])
def test_a_file_of_something_else_is_named(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUZZLES_CACHE", str(tmp_path))
    held = made_up()
    if broken == "names":
        del held["features.6.bias"]
    if broken == "shapes":
        held["features.0.weight"] = held["features.0.weight"][:, :, :9, :9]
    np.savez(place(), **held)
    if broken in ("empty", "text"):
        place().write_text("no weights" * (broken == "text"))
    if broken == "torn":
        place().write_bytes(place().read_bytes()[:-9000])
    with pytest.raises(NoWeights, match=r"lpips\.npz does not hold the weights of LPIPS"):
        present()
