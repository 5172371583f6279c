"""Episodes of the service: shown step by step, and kept whatever happens."""

import asyncio
import json
import subprocess
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from oracle.errors import Conflict, Refused, StoreError, TooMany, Unknown
from oracle.limits import Limits
from oracle.messages import Opened, Step, Transition
from oracle.service import Service
from oracle.store import Store
from oracle.watch import Watch
from oracle.workshop import Workshop
from puzzles import Instance
from tests.oracle import sturdy
from tests.oracle.asking import begun, of_corridor, refused
from tests.oracle.solving import CELL, CORRIDOR, corridor, left, opening, right, solved

ROOT = Path(__file__).parents[2]


def test_an_episode_is_played_and_shown(service: Service) -> None:
    async def play() -> None:
        opened = await service.open(of_corridor())
        name, place = opened.episode, f"/episodes/{opened.episode}"
        assert opened.messages[0].content[0].model_dump()["url"] == f"{place}/images/0"
        first = await service.step(name, right(1, remaining=1))
        assert (first.legal, first.done, first.verdict, first.due) == (True, False, None, "action")
        assert b64decode(first.image or "") == await service.picture(name, "1")
        going = await service.transcript(name)
        assert (going.round, going.done, going.verdict, going.answer) == (1, False, None, None)
        last = await service.step(name, right(2, remaining=0))
        assert (last.done, last.reason, last.due, last.messages) == (True, "solved", None, [])
        assert last.verdict is not None
        assert last.verdict["optimal"]
        over = await service.transcript(name)
        assert (over.round, over.done, over.verdict) == (2, True, last.verdict)
        assert [step.image for step in over.steps] == [f"{place}/images/{k}" for k in (1, 2)]
        assert over.answer is not None
        line = Instance.model_validate(over.answer["instance"])
        assert line.board == CORRIDOR
        await service.delete(name)
        for gone in (service.transcript(name), service.step(name, right(1, remaining=1))):
            with pytest.raises(Unknown, match="no such episode"):
                await gone
        with pytest.raises(Unknown):
            await service.delete(name)

    asyncio.run(play())


@pytest.mark.parametrize("name", ["", "nobody", "a" * 65, "\x00", "é", "../x", "a b"])
def test_an_episode_that_there_is_not_is_unknown(service: Service, name: str) -> None:
    for asked in (
        *(service.step(name, right(1)), service.transcript(name)),
        *(service.picture(name, "0"), service.delete(name)),
    ):
        refused(Unknown, asked, "no such episode")
    assert len(service.episodes._recent) == 0


@pytest.mark.parametrize("which", ["1", "aid", "-1", "0x0", "٠", "", "x" * 99, "9" * 99])
def test_a_picture_that_there_is_not_is_unknown(service: Service, which: str) -> None:
    async def ask() -> None:
        opened = await service.open(of_corridor())
        with pytest.raises(Unknown, match="no picture"):
            await service.picture(opened.episode, which)

    asyncio.run(ask())


def test_links_lead_to_the_pictures(service: Service) -> None:
    async def play() -> None:
        opened = await service.open(of_corridor(images="link", protocol="oracle-vcot"))
        inline = await service.open(of_corridor())
        place = f"/episodes/{opened.episode}/images"
        stepped = await service.step(opened.episode, right(1))
        assert (opened.image, stepped.image) == (f"{place}/0", f"{place}/1")
        assert await service.picture(opened.episode, "0") == b64decode(inline.image)
        aided = await service.open(of_corridor(images="link", protocol="oracle-gta"))
        assert aided.aid == f"/episodes/{aided.episode}/images/aid"
        assert (await service.picture(aided.episode, "aid"))[:4] == b"\x89PNG"

    asyncio.run(play())


def test_a_second_worker_goes_on_where_the_first_has_got_to(
    store: Store, service: Service, workshop: Workshop
) -> None:
    other = Service(store, workshop, Limits())

    async def play() -> None:
        name = await begun(service, opening("onet", "oracle-vcot"))
        replies = []
        for number, step in enumerate(solved(opening("onet", "oracle-vcot"))):
            turn = [service, other] if number % 2 else [other, service]
            one, two = [await worker.step(name, step) for worker in turn]
            assert one == two
            replies.append(one)
        assert replies[-1].verdict is not None
        assert replies[-1].verdict["optimal"]
        assert await service.transcript(name) == await other.transcript(name)
        await other.delete(name)
        with pytest.raises(Unknown):
            await service.step(name, right(1))

    asyncio.run(play())


def test_of_two_steps_at_once_one_is_taken_and_the_other_refused(
    store: Store, service: Service, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other worker is faster, after this one has looked at the store and before it writes."""
    other = Service(store, workshop, Limits())

    async def race(step: Step) -> Any:
        name = await begun(service, corridor())
        append = store.append
        mine = iter([True])

        def late(*row: Any) -> bool:
            monkeypatch.undo()
            assert next(mine)
            assert append(name, 1, right(1).model_dump_json(), False, 1.0)
            return append(*row)

        monkeypatch.setattr(store, "append", late)
        return await service.step(name, step), await other.step(name, right(1))

    with pytest.raises(Conflict, match="round 1 waits for remaining"):
        asyncio.run(race(left(1)))
    one, two = asyncio.run(race(right(1)))
    assert one == two


def test_many_at_once_on_one_episode_get_the_answers_of_one_after_another(
    store: Store, service: Service, workshop: Workshop
) -> None:
    steps = solved(opening("parking", "oracle-vcot"))

    async def play() -> None:
        name = await begun(service, opening("parking", "oracle-vcot"))
        for step in steps:
            found = await asyncio.gather(*(service.step(name, step) for _ in range(8)))
            assert all(one == found[0] for one in found)
        assert len(store.steps(name) or []) == len(steps)

    asyncio.run(play())


def test_a_step_that_could_not_be_kept_has_not_been_taken(
    store: Store, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        name = await begun(service, corridor())
        await service.step(name, right(1, remaining=1))

        def broken(*row: Any) -> bool:
            raise StoreError("the disk is full")

        monkeypatch.setattr(store, "append", broken)
        with pytest.raises(StoreError, match="the disk is full"):
            await service.step(name, left(2))
        assert (await service.transcript(name)).round == 1
        monkeypatch.undo()
        assert (await service.step(name, right(2, remaining=0))).reason == "solved"

    asyncio.run(play())


def test_a_step_broken_off_has_not_been_taken(
    store: Store, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        name = await begun(service, corridor())

        def cancelled(*row: Any) -> bool:
            raise asyncio.CancelledError

        monkeypatch.setattr(store, "append", cancelled)
        with pytest.raises(asyncio.CancelledError):
            await service.step(name, left(1))
        monkeypatch.undo()
        assert (await service.step(name, right(1))).legal

    asyncio.run(play())


def test_what_json_cannot_hold_is_refused_and_nothing_is_kept(
    store: Store, service: Service
) -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]

    async def play() -> None:
        name = await begun(service, corridor())
        for action in (deep, "\ud800", {"move": "\udfff"}, float("nan"), float("inf")):
            with pytest.raises(Refused) as error:
                await service.step(name, Step(round=1, action=action))
            assert type(error.value) is Refused
        assert store.steps(name) == []
        assert (await service.step(name, right(1))).legal

    asyncio.run(play())


def test_a_watch_is_told_of_each_episode_and_of_each_step_once(
    store: Store, workshop: Workshop
) -> None:
    class Noted(Watch):
        def opened(self, family: str, protocol: str) -> None:
            told.append((family, protocol))

        def stepped(self, family: str, protocol: str, verdict: dict[str, Any] | None) -> None:
            told.append((family, protocol, verdict and verdict["optimal"]))

    told: list[Any] = []
    service = Service(store, workshop, Limits(), watch=Noted())

    async def play() -> None:
        name = await begun(service, corridor())
        for step in (right(1, remaining=1), right(2, remaining=0)):
            await service.step(name, step)
            await service.step(name, step)
        with pytest.raises(Conflict):
            await service.step(name, right(3))

    asyncio.run(play())
    kind = ("maze", "oracle-vcot")
    assert told == [kind, (*kind, None), (*kind, True)]


def test_a_transition_is_the_reply_that_an_episode_would_give(
    store: Store, service: Service
) -> None:
    async def play() -> None:
        opened = await service.open(of_corridor())
        steps = []
        for step in (right(1), Step(round=1, remaining=1), left(2), right(3, remaining=2)):
            steps.append(step)
            stepped = await service.step(opened.episode, step)
            alone = await service.transition(
                Transition(family="maze", board=CORRIDOR, cell=CELL, steps=steps)
            )
            text = stepped.model_dump_json().replace(f"/episodes/{opened.episode}", "")
            assert alone.model_dump_json() == text
        assert store.open_count() == 1

    asyncio.run(play())


def test_transitions_that_do_not_fit_are_refused(service: Service) -> None:
    def asked(**more: Any) -> Any:
        fields = {"family": "maze", "board": CORRIDOR, "steps": [right(1)], **more}
        return service.transition(Transition(**fields))

    refused(Conflict, asked(steps=[right(2)]), "round 2 has not come")
    refused(Refused, asked(images="link"), "there are no links")
    refused(Refused, asked(steps=[Step(round=1)]), "brings nothing")
    refused(TooMany, asked(steps=[right(1)] * 1_001), "at most 1,000 steps")


def test_a_killed_worker_loses_no_step_and_doubles_none(store: Store, tmp_path: Path) -> None:
    """60 episodes at once, a kill in their midst, twice; then they are played to the end."""
    path = tmp_path / "e.db"
    told: list[tuple[str, int]] = []
    for after in (45, 225):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.oracle.sturdy", path, "60"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as worker:
            assert worker.stdout is not None
            for line in worker.stdout:
                name, number = line.split()
                told.append((name, int(number)))
                if len(told) >= after:
                    worker.kill()
    assert len(told) >= 225
    for name, number in told:
        assert len(store.steps(name) or []) >= number, "a step that was answered is lost"
    names = [name for name, _ in store.all(sturdy.KIND)]
    assert len(names) == 60
    assert store.open_count() > 0
    verdicts = asyncio.run(sturdy.go_on(store, names))
    assert all(verdict["optimal"] for verdict in verdicts)
    assert store.open_count() == 0
    for name in names:
        steps = [json.loads(step) for step in store.steps(name) or []]
        assert [step["round"] for step in steps] == list(range(1, len(steps) + 1))
        assert len(steps) == (store.opening(name) or {})["instance"]["optimal_length"]


def test_names_cannot_be_guessed(service: Service) -> None:
    async def names() -> list[Opened]:
        return [await service.open(of_corridor()) for _ in range(20)]

    found = [opened.episode for opened in asyncio.run(names())]
    assert len({name[:8] for name in found}) == 20
