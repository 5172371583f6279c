"""What the service allows: so many steps, episodes and bytes, and the idle make room."""

import asyncio

import pytest

from oracle.episodes import Episodes
from oracle.errors import TooLarge, TooMany, Unknown
from oracle.limits import Limits
from oracle.messages import Step
from oracle.recent import Recent
from oracle.service import Service
from oracle.store import Store
from oracle.workshop import Workshop
from tests.oracle.asking import begun
from tests.oracle.solving import aids, corridor, left, right


def test_limits_of_an_episode(store: Store, workshop: Workshop) -> None:
    async def play(limits: Limits) -> None:
        service = Service(store, workshop, limits)
        name = await begun(service, corridor())
        first = await service.step(name, right(1))
        await service.step(name, Step(round=1, remaining=1))
        assert await service.step(name, right(1)) == first
        await service.step(name, right(2, remaining=0))

    with pytest.raises(TooMany, match="has had 2 steps, as many as are allowed"):
        asyncio.run(play(Limits(steps=2)))
    with pytest.raises(TooLarge, match="have more than 200 bytes"):
        asyncio.run(play(Limits(episode_bytes=200)))
    asyncio.run(play(Limits(steps=3, episode_bytes=1_000, cached=0)))
    asyncio.run(play(Limits(steps=3, episode_bytes=1_000, cached_bytes=10)))


def test_open_episodes_are_counted_and_the_idle_make_room(store: Store, workshop: Workshop) -> None:
    limits, now = Limits(open_episodes=2, idle_seconds=100), 1_000.0
    service = Service(store, workshop, limits)
    service.episodes = Episodes(store, limits, aids, clock=lambda: now, ticks=lambda: now)

    async def play() -> None:
        nonlocal now
        one, two = await begun(service, corridor()), await begun(service, corridor())
        with pytest.raises(TooMany, match="2 episodes are open"):
            await begun(service, corridor())
        for step in (right(1, remaining=1), right(2, remaining=0)):
            await service.step(one, step)
        three = await begun(service, corridor())  # one is over, and doesn't count
        now = 1_080.0
        await service.step(three, right(1))
        now = 1_150.0
        four = await begun(service, corridor())
        assert [store.opening(name) is None for name in (one, two, three, four)] == [
            *(True, True, False, False)
        ]
        with pytest.raises(Unknown):
            await service.step(two, right(1))

    asyncio.run(play())


def test_a_clock_that_is_set_forward_ages_nothing(store: Store) -> None:
    clock, ticks = 1_000.0, 5.0
    limits = Limits(idle_seconds=100)
    episodes = Episodes(store, limits, aids, clock=lambda: clock, ticks=lambda: ticks)

    async def begin() -> str:
        return (await episodes.begin(corridor()))[0]

    async def play() -> list[bool]:
        nonlocal clock, ticks
        one = await begin()
        clock, ticks = clock + 1e6, ticks + 90
        two = await begin()
        assert store.opening(one) is not None
        ticks += 70
        await begin()
        return [store.opening(name) is None for name in (one, two)]

    assert asyncio.run(play()) == [True, False]


def test_many_steps_in_a_row_let_others_go_on(store: Store) -> None:
    """Those of an episode that is built anew, or of a transition."""
    limits = Limits(cached=0)
    episodes = Episodes(store, limits, aids)

    async def play() -> int:
        name, _ = await episodes.begin(corridor())
        for step in (right(1, remaining=1), left(2, remaining=2), right(3, remaining=1)):
            await episodes.take(name, step)
        found, turns = asyncio.create_task(episodes.find(name)), 0
        while not found.done():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(play()) > 3


def test_memory_holds_the_latest_episodes_only(store: Store, workshop: Workshop) -> None:
    service = Service(store, workshop, Limits(cached=3))

    async def play() -> None:
        names = [await begun(service, corridor()) for _ in range(10)]
        for step in (right(1, remaining=1), right(2, remaining=0)):
            for name in names:
                assert (await service.step(name, step)).legal
        assert len(service.episodes._recent) == 3
        session = await service.episodes.find(names[0])
        for image in session.pictures.values():
            assert image._png is None

    asyncio.run(play())


def test_the_latest_are_kept_within_a_number_and_a_weight() -> None:
    recent: Recent[str, int] = Recent(3, 10)
    for at, name in enumerate("abcd"):
        recent.put(name, at, 2)
    assert [recent.get(name) for name in "abcd"] == [None, 1, 2, 3]
    recent.get("b")
    recent.put("e", 4, 4)  # c goes, the oldest in use
    assert [recent.get(name) for name in "bcde"] == [1, None, 3, 4]
    recent.put("b", 5, 7)  # heavier than it was: 2 + 4 + 7 are too much
    assert [recent.get(name) for name in "bde"] == [5, None, None]
    recent.put("f", 6, 11)
    assert len(recent) == 0
    recent.put("g", 7, 10)
    recent.drop("g")
    recent.drop("g")
    recent.put("h", 8, 10)
    assert (recent.get("g"), recent.get("h"), len(recent)) == (None, 8, 1)
