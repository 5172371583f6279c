"""The published weights of LPIPS, fetched as a user would, against the package lpips 0.1.4."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from render.fidelity.lpips import lpips
from tests.integrations.lpips_pictures import pairs

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
DRAWN = "fa52beb2177aa768787f8638416be3b5c531a93b7d47df4b9b1fb8773fd4a021"
"""The sha256 of all pictures. Where the drawings have changed, so have the values."""
OFFICIAL = {
    "maze, board": 0.024444,
    "maze, grid": 0.934574,
    "maze, noise": 0.642500,
    "maze, blur": 0.190974,
    "maze, shift": 0.102105,
    "sokoban, board": 0.058815,
    "sokoban, grid": 0.707447,
    "sokoban, noise": 0.446593,
    "sokoban, blur": 0.237585,
    "sokoban, shift": 0.125978,
    "path, board": 0.013143,
    "path, grid": 0.921843,
    "path, noise": 0.682064,
    "path, blur": 0.176601,
    "path, shift": 0.127051,
    "onet, board": 0.391055,
    "onet, grid": 0.768486,
    "onet, noise": 0.316317,
    "onet, blur": 0.198881,
    "onet, shift": 0.166659,
    "parking, board": 0.048577,
    "parking, grid": 0.878570,
    "parking, noise": 0.769909,
    "parking, blur": 0.250601,
    "parking, shift": 0.175338,
    "klotski, board": 0.044657,
    "klotski, grid": 0.715262,
    "klotski, noise": 0.354702,
    "klotski, blur": 0.226843,
    "klotski, shift": 0.207958,
}
"""``lpips.LPIPS(net="alex")`` of lpips 0.1.4 on torch 2.14, in single precision on a CPU."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def fetched(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUZZLES_CACHE", str(cache))
    command = [sys.executable, "-m", "cli", "metrics", "fetch-lpips"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in cache.iterdir()] == ["lpips.npz"]
    assert 9_800_000 < (cache / "lpips.npz").stat().st_size < 10_000_000


def test_the_pictures_are_those_that_the_values_are_of() -> None:
    digest = sha256()
    for _, drawn, true in pairs():
        digest.update(drawn.tobytes() + true.tobytes())
    assert digest.hexdigest() == DRAWN, "the drawings have changed: compute the values anew"


def test_the_values_are_the_official_ones() -> None:
    found = {name: lpips(drawn, true) for name, drawn, true in pairs()}
    assert found == pytest.approx(OFFICIAL, abs=2e-6)


def test_torch_gives_the_official_ones_too() -> None:
    from render.fidelity.lpips_torch import BatchedLPIPS

    measure = BatchedLPIPS()
    found = {name: measure(drawn[None], true[None]).item() for name, drawn, true in pairs()}
    assert found == pytest.approx(OFFICIAL, abs=2e-6)


def test_the_same_picture_is_at_no_distance() -> None:
    from render.fidelity.lpips_torch import BatchedLPIPS

    _, _, true = next(pairs())
    assert lpips(true, true) == 0
    assert BatchedLPIPS()(true[None], np.array(true[None])).item() == 0
