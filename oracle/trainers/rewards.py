"""What an episode is worth to a trainer: it is scored as a completion is."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from protocols.adapters.documents import Document, carried
from protocols.episode import Episode
from protocols.given import given
from protocols.messages import Reply
from protocols.reward import REWARDS, Score, scored
from puzzles.replay import verify

Kind = Literal["efficiency", "optimal", "feasible", "mix"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def checked(kind: str) -> Kind:
    """Return ``kind``; raise ValueError where there is no reward of that name."""
    for known in KINDS:
        if kind == known:
            return known
    raise ValueError(f"unknown reward {kind!r} (known: {', '.join(KINDS)})")


def reward(kind: Kind, score: Score) -> float:
    """Return the reward of an episode.

    It is given once, for the whole episode, so nothing can be gained on the way: not by moving to
    and fro, not by the format alone unless the mix says so.
    """
    return REWARDS[kind](score)


def judged(episode: Episode, *, strict: bool, progress: bool = True) -> Score:
    """Return the score of ``episode``, over or not; an answer that hasn't come is none.

    strict
        A reply that misses the format to the letter is a failure, though it can be read. Where
        readable slips are paid for, they are what is learned.
    progress
        False leaves the distance to the goal out, unless it needs no search.

    Raises WrongInstance where the instance contradicts itself, or the episode shows that it does.
    """
    known, walk = given(episode.instance), episode.play.walk
    verdict = episode.verdict(strict=strict)
    if verdict is None and walk is not None:
        verdict = walk.verdict(strict=strict)
    if verdict is None:
        verdict = verify(episode.instance, "", strict=strict)
    score = scored(known, verdict, walk.state if walk else None, progress=progress)
    if walk is not None and not walk.rounds:  # no reply, so none that meets a format
        return score._replace(format=False, legal=False)
    return score


@lru_cache(maxsize=64)
def replayed(
    document: Document,
    protocol: str,
    files: str | None,
    replies: tuple[str, ...],
    *,
    strict: bool,
    progress: bool = True,
) -> Score:
    """Return the score of an episode from its replies; what is asked for again is remembered.

    A framework asks for a reward and for each metric by itself, and replaying takes the most time.

    replies
        Records of ``Reply`` as JSON.

    Raises WrongInstance, as ``judged`` does.
    """
    episode = document.episode(carried(protocol), Path(files) if files else None)
    for reply in replies:
        episode.take(Reply.of(json.loads(reply)))
    return judged(episode, strict=strict, progress=progress)
