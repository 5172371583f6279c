"""A contestant as the driver sees it: a process that plays a round when told to (contest.py)."""

import json
import os
import statistics
import subprocess
from typing import Any

from benchmarks.peers import environments

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"), "1"
)


class Failed(Exception):
    """The program ended before it was told to."""


class Contestant:
    """A running program, ready for its rounds; ``answers`` are those of all rounds.

    Raises Failed, also from ``play``.
    """

    def __init__(self, name: str, words: list[str]):
        node = {"NODE_PATH": str(environments.HOME / name / "node_modules")}
        self.process = subprocess.Popen(
            words,
            env={**os.environ, **ONE_THREAD, **node},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.name, self.rates, self.answers = name, list[float](), list[Any]()
        self.ready = self._line()

    def _line(self) -> dict[str, Any]:
        line = self.process.stdout.readline() if self.process.stdout else ""
        if not line:
            raise Failed(f"its program ended with exit code {self.process.wait()}")
        result: dict[str, Any] = json.loads(line)
        return result

    def play(self) -> None:
        """Play a round."""
        if self.process.stdin:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        line = self._line()
        self.rates.append(line["work"] / line["seconds"])
        self.answers += line["answers"]

    @property
    def rate(self) -> float:
        """Units of work a second, the median of the rounds."""
        return statistics.median(self.rates)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
