"""How a response fares under its protocol, for an episode that is played and a line that is read.

What is judged by its rounds is in ``stepwise``.
"""

from __future__ import annotations

from dataclasses import replace

from protocols.protocol import Protocol
from puzzles.answers import Reading, extract
from puzzles.instance import Instance
from puzzles.published_reader import rewritten
from puzzles.replay import initial, judged, verify
from puzzles.rooms import family
from puzzles.verdict import Reason, Replay, Verdict


def outcome(
    instance: Instance,
    protocol: Protocol | None,
    response: str,
    *,
    drawn: bool = False,
    problem: str | None = None,
    strict: bool = False,
    distance: bool = False,
    vgau: bool = False,
) -> Verdict | None:
    """Return the verdict on ``response``; None where the protocol's answer is a drawing.

    protocol
        None where nothing is known of it.
    drawn, problem
        Whether the model has drawn a picture that can be used, and if not, why.
    vgau
        Read as the published suite does; ``reader`` says so, and ``format_ok`` stays our reader's.

    Raises what ``puzzles.replay.verify`` raises.
    """
    if protocol is not None and not protocol.answers:
        return None
    if protocol is not None and _draws_first(protocol) and not drawn and not response.strip():
        return _no_image(instance, problem or Reason.NO_IMAGE.sentence, distance)
    if not vgau:
        return verify(instance, response, strict=strict, distance=distance)
    room = family(instance.family)
    verdict = verify(instance, rewritten(response, room), distance=distance)
    exact = extract(response, room).format_ok
    return replace(verdict, format_ok=exact, reader=f"{verdict.reader}+vgau")


def _draws_first(protocol: Protocol) -> bool:
    """Whether the model is asked for its answer only after it has drawn something."""
    return protocol.source == "self" and protocol.paradigm in ("gta", "vr")


def _no_image(instance: Instance, problem: str, distance: bool) -> Verdict:
    reading = Reading(None, False, Reason.NO_IMAGE, problem)
    played = Replay(initial(instance), 0, None, Reason.NO_IMAGE, problem)
    return judged(instance, reading, played, distance)
