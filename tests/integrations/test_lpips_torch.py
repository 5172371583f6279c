"""LPIPS by torch: the numbers of the other implementation, of many pairs at once."""

from pathlib import Path

import numpy as np
import pytest

try:
    import torch
except ModuleNotFoundError:
    pytest.skip("torch is no part of this environment", allow_module_level=True)

from render.fidelity.lpips import NoWeights, lpips, place
from render.fidelity.lpips_torch import BatchedLPIPS
from tests.render.patterns import noisy, squares
from tests.render.test_lpips import REFERENCE, made_up, picture

pytestmark = pytest.mark.integration

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@pytest.fixture(autouse=True)
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUZZLES_CACHE", str(tmp_path))
    np.savez(place(), **made_up())
    return place()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("rows", "cols", "value"), REFERENCE)
def test_the_numbers_are_those_of_the_reference(
    rows: int, cols: int, value: float, device: str
) -> None:
    one, two = picture(rows, cols, 7)[None], picture(rows, cols, 11)[None]
    found = BatchedLPIPS(device)(one, two)
    assert found.shape == (1,)
    assert found.device.type == device
    assert found.item() == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize("device", DEVICES)
def test_a_batch_is_its_pairs(device: str) -> None:
    # More than are held at once, and a remainder.
    true = np.stack([squares(seed, 71, 90) for seed in range(37)])
    drawn = np.stack([noisy(one, at, 3 * at) for at, one in enumerate(true)])
    found = BatchedLPIPS(device)(torch.tensor(drawn), torch.tensor(true)).cpu()
    expected = [lpips(*pair) for pair in zip(drawn, true, strict=True)]
    assert found.tolist() == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert found[0] == 0
    assert not found.requires_grad
    weight = torch.ones(37, requires_grad=True)
    (weight * found).sum().backward()  # what is found may weigh what is learned
    assert torch.equal(weight.grad, found)


def test_small_pictures_and_no_pictures() -> None:
    measure = BatchedLPIPS()
    assert measure(*[np.zeros((3, 63, 90, 3), np.uint8)] * 2).isnan().tolist() == [True] * 3
    assert measure(*[np.zeros((0, 64, 64, 3), np.uint8)] * 2).tolist() == []


def test_what_is_no_batch_is_refused() -> None:
    measure, batch = BatchedLPIPS(), np.zeros((2, 64, 64, 3), np.uint8)
    with pytest.raises(ValueError, match=r"not \(2, 64, 64, 3\) and \(1, 64, 64, 3\)"):
        measure(batch, batch[:1])
    with pytest.raises(ValueError, match=r"of one shape \(N, H, W, 3\), not \(64, 64, 3\)"):
        measure(batch[0], batch[0])
    with pytest.raises(ValueError, match=r"uint8, not torch\.float32 and torch\.uint8"):
        measure(batch.astype(np.float32), batch)


def test_without_weights_it_is_said_how_to_get_them(weights: Path) -> None:
    weights.unlink()
    with pytest.raises(NoWeights, match="puzzles metrics fetch-lpips"):
        BatchedLPIPS()
