"""What an episode is worth to a trainer: a number from 0 to 1 that follows from the verdict."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from protocols.adapters.documents import Document, carried
from protocols.episode import Episode
from protocols.messages import Reply
from puzzles.replay import verify
from puzzles.verdict import Verdict

Kind = Literal["efficiency", "optimal", "feasible"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def checked(kind: str) -> Kind:
    """Return ``kind``; raise ValueError where there is no reward of that name."""
    for known in KINDS:
        if kind == known:
            return known
    raise ValueError(f"unknown reward {kind!r} (known: {', '.join(KINDS)})")


def reward(kind: Kind, verdict: Verdict) -> float:
    """Return the reward: 0 for every failure, however near to the goal it came.

    efficiency
        1 for a shortest solution, else the optimum divided by the number of actions.
    optimal, feasible
        1 for a shortest solution, or for any, and 0 for others.

    It is given once, for the whole episode, so nothing can be gained on the way: not by moving to
    and fro, not by the format alone.
    """
    if kind == "optimal" or verdict.optimal or not verdict.feasible:
        return float(verdict.optimal)
    if kind == "feasible":
        return 1.0
    return verdict.optimal_length / (verdict.moves or 1)


def judged(episode: Episode, *, strict: bool) -> Verdict:
    """Return the verdict on ``episode``, over or not; an answer that hasn't come is none.

    strict
        A reply that misses the format to the letter is a failure, though it can be read. Where
        readable slips are paid for, they are what is learned.

    Raises WrongInstance where it shows the optimum of the instance to be wrong.
    """
    verdict = episode.verdict(strict=strict)
    if verdict is not None:
        return verdict
    if episode.play.walk is not None:
        return episode.play.walk.verdict(strict=strict)
    return verify(episode.instance, "", strict=strict)


@lru_cache(maxsize=64)
def replayed(
    document: Document, protocol: str, files: str | None, replies: tuple[str, ...], *, strict: bool
) -> Verdict:
    """Return the verdict on an episode from its replies; what is asked for again is remembered.

    A framework asks for a reward and for each metric by itself, and replaying takes the most time.

    replies
        Records of ``Reply`` as JSON.

    Raises WrongInstance, as ``judged`` does.
    """
    episode = document.episode(carried(protocol), Path(files) if files else None)
    for reply in replies:
        episode.take(Reply.of(json.loads(reply)))
    return judged(episode, strict=strict)
