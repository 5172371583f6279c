"""Commands that are killed in the midst of writing, and can't be faster than who kills them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
START = """
import sys, time
import cli
from puzzles.store import Store

append, left = Store.append, [int(sys.argv[1])]

def append_at_most(self, chunk):
    while not left[0]:
        time.sleep(1)
    left[0] -= 1
    append(self, chunk)

Store.append = append_at_most
cli.app(sys.argv[2:])
"""


def listen() -> None:
    """Take Ctrl-C, which a shell lets its background jobs ignore, this one's children too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def killed(
    chunks: int,
    *words: str,
    written: Callable[[], int],
    end: signal.Signals = signal.SIGKILL,
    cwd: Path = ROOT,
) -> tuple[int, str]:
    """Run a command that writes a dataset; end it as soon as it has ``written`` more.

    Returns its exit code and what it has said. Behind so many chunks it stands still, so that it
    has not come to its end by then, however late we look.
    """
    before = written()
    run = subprocess.Popen(
        [sys.executable, "-c", START, str(chunks), *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen,
    )
    while written() <= before:
        assert run.poll() is None, run.communicate()
        time.sleep(0.005)
    run.send_signal(end)
    _, said = run.communicate(timeout=60)
    return run.returncode, said
