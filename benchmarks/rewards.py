"""How many completions are scored a second: texts, and texts whose last state is searched for."""

import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from protocols.given import DISTANCES, given
from protocols.reward import MIX, score
from puzzles import NAMES, Instance, family, make
from puzzles.answers import extract

Row = tuple[str, str, str]
Pair = tuple[str, str]
FLOOR = 20_000
REASONING = "First I look where things stand, then I try what one action after the other does. " * 6
EACH = 40


def rows() -> Iterator[Row]:
    """Yield the rows of the speed table."""
    instances = {
        (name, difficulty): make(name, difficulty, EACH)
        for name in NAMES
        for difficulty in family(name).buckets
    }
    every = [one for made in zip(*instances.values(), strict=True) for one in made]
    solved = [(REASONING + str(one.answer), one.line()) for one in every]
    yield "rewards of solved texts, every bucket", f"{_rate(solved):,.0f} /s", f"{FLOOR:,} /s"
    for name in NAMES:
        hard = instances[name, "hard"]
        pairs = [(REASONING + str(one.answer), one.line()) for one in hard]
        yield f"rewards of solved texts, {name} hard", f"{_rate(pairs):,.0f} /s", f"{FLOOR:,} /s"
    unsolved = [(REASONING + _half(one), one.line()) for one in every]
    yield "rewards of texts that stop half-way, every bucket", f"{_rate(unsolved):,.0f} /s", ""
    for name in NAMES:
        hard = [(_half(one), one.line()) for one in instances[name, "hard"]]
        DISTANCES.clear()
        took = _seconds(hard) / len(hard)
        yield f"first distance on a board, {name} hard", f"{1000 * took:.1f} ms", ""


def _half(instance: Instance) -> str:
    """Return the first half of the answer."""
    room = family(instance.family)
    actions = extract(str(instance.answer), room).answer or []
    return room.format_answer(actions[: len(actions) // 2])


def _seconds(pairs: list[Pair]) -> float:
    started = time.process_time()
    for completion, record in pairs:
        MIX(score(completion, record))
    return time.process_time() - started


def _rate(pairs: list[Pair], span: float = 1.0) -> float:
    """Return the rewards a second of processor time, the best of three."""
    for completion, record in pairs:
        given(record)
        score(completion, record)
    rates = []
    for _ in range(3):
        done, started = 0, time.process_time()
        turn: Any = cycle(pairs)
        while time.process_time() - started < span / 3:
            for _ in range(64):
                completion, record = next(turn)
                MIX(score(completion, record))
            done += 64
        rates.append(done / (time.process_time() - started))
    return max(rates)
