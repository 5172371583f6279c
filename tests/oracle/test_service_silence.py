"""Nothing that the service says tells the optimum before the end."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

import puzzles
from oracle import replies
from oracle.messages import Step
from oracle.service import Service
from oracle.session import Opening
from protocols.protocol import named
from tests.oracle.solving import SERVED, opening, solved

SILENT = [name for name in SERVED if not named(name).leaks] + ["oracle-vcot+last"]


def of_another_length(begun: Opening) -> Opening:
    """Return the same opening, whose instance says another optimum and knows no answer."""
    one = begun.instance
    other = one.optimal_length + 1
    changed = {"optimal_length": other, "answer": None, "stats": {}}
    return replace(begun, instance=one.model_copy(update=changed))


async def told(service: Service, opening: Opening, steps: list[Step]) -> list[str]:
    """Return all that a caller can see before the last step, but for the episode's name."""
    name, session = await service.episodes.begin(opening)
    texts = [(await replies.opened(name, session)).model_dump_json()]
    for step in steps:
        texts.append((await service.transcript(name)).model_dump_json())
        stepped = await service.step(name, step)
        if stepped.done:
            break
        texts.append(stepped.model_dump_json())
    return [text.replace(name, "NAME") for text in texts]


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("protocol", SILENT)
def test_the_stored_length_shows_in_nothing(service: Service, protocol: str, family: str) -> None:
    begun = opening(family, protocol)
    steps = solved(begun)
    one, two = (asyncio.run(told(service, o, steps)) for o in (begun, of_another_length(begun)))
    assert len(one) >= 2 * len(steps)
    assert one == two


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_no_reply_holds_the_board_or_the_id(service: Service, family: str) -> None:
    for protocol in ("oracle-vcot", "direct", "self-gta"):
        begun = opening(family, protocol)
        for text in asyncio.run(told(service, begun, solved(begun))):
            for secret in (begun.instance.id[-16:], *begun.instance.board.split("\n")):
                assert json.dumps(secret)[1:-1] not in text.replace(b64(text), "")


def b64(text: str) -> str:
    """Return the picture in a reply, which may hold any letters."""
    return json.loads(text).get("image") or "-"


@pytest.mark.parametrize("leak", ["the budget", "a reply", "a transcript"])
def test_a_leak_would_be_noticed(
    service: Service, monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    begun = opening("maze", "oracle-vcot+budget" if leak == "the budget" else "oracle-vcot")
    if leak != "the budget":
        what = "stepped" if leak == "a reply" else "transcript"
        sent = getattr(replies, what)

        def leaking(name: str, session: Any, *more: Any) -> Any:
            session.taken = [
                replace(one, reason=f"{session.opening.instance.optimal_length}")
                for one in session.taken
            ]
            return sent(name, session, *(session.taken[-1:] if more else ()))

        monkeypatch.setattr(replies, what, leaking)
    steps = solved(begun)
    one, two = (asyncio.run(told(service, o, steps)) for o in (begun, of_another_length(begun)))
    assert one != two
