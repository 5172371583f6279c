"""How a contestant of a race talks to the driver; runs in its own environment, so only stdlib.

A contestant is a program: CONTESTANT TASK SPAN [ARGUMENT...]. It gets ready (imports, reads its
input, builds what its library needs to have, plays a round that does not count), then says so in a
line of JSON, and from then on plays a round for each line that it reads.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

Play = Callable[[], tuple[int, list[Any]]]
"""Do some of the work; return how much it was, and what came out."""


def serve(package: str, tasks: Mapping[str, Callable[..., Play]], title: str = "") -> None:
    """Play the task named on the command line, for as many rounds as the driver asks for.

    package
        The distribution whose version is told, after the ``title``.
    tasks
        By name: a function of the arguments that prepares the work and returns how to do it. It
        may carry the seconds that building took as an attribute ``build`` of what it returns.

    A round is as many plays as begin within SPAN seconds; the clock runs from the first to the end
    of the last. Its line holds ``work``, ``seconds`` and ``answers``.
    """
    name, span, *arguments = sys.argv[1:]
    # What a library prints must not be taken for a line of ours.
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    play = tasks[name](*arguments)
    play()
    ready = {
        "version": f"{title}{package} {version(package)}",
        "build": getattr(play, "build", None),
    }
    print(json.dumps(ready), file=lines)
    for _ in sys.stdin:
        work, answers = 0, []
        started = now = time.perf_counter()
        while now < started + float(span):
            done, came_out = play()
            work += done
            answers += came_out
            now = time.perf_counter()
        round_ = {"work": work, "seconds": now - started, "answers": answers}
        print(json.dumps(round_), file=lines)
