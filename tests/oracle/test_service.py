"""The service: episodes opened in every way, kept whatever happens, and silent until their end."""

import asyncio
import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import puzzles
from oracle import replies
from oracle.episodes import Episodes
from oracle.errors import Conflict, Refused, StoreError, TooLarge, TooMany, Unknown
from oracle.limits import Limits
from oracle.messages import Opened, Start, Step, Transition
from oracle.recent import Recent
from oracle.service import Service
from oracle.session import Opening
from oracle.store import Store
from oracle.watch import Watch
from oracle.workshop import Workshop
from protocols.protocol import named
from protocols.selection import Selection
from puzzles import Instance
from puzzles.replay import initial
from render.encode import png
from tests.oracle import sturdy
from tests.oracle.solving import (
    CELL,
    CORRIDOR,
    SERVED,
    aids,
    boards,
    corridor,
    left,
    opening,
    right,
    solved,
)
from tests.protocols.playing import save

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    workshop = Workshop(Limits(seconds=60))
    yield workshop
    workshop.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "e.db")
    yield store
    store.close()


@pytest.fixture
def service(store: Store, workshop: Workshop) -> Service:
    return Service(store, workshop, Limits())


def of_corridor(**more: Any) -> Start:
    return Start(family="maze", board=CORRIDOR, cell=CELL, **more)


def refused(kind: type[Refused], asked: Any, *words: str) -> None:
    async def wait() -> None:
        await asked

    with pytest.raises(kind) as error:
        asyncio.run(wait())
    assert type(error.value) is kind
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


# Openings.


def test_an_instance_made_on_the_spot_is_the_one_of_that_place(
    service: Service, workshop: Workshop
) -> None:
    for family in puzzles.NAMES:
        start = Start(family=family, difficulty="medium", seed=3, index=65, cell=CELL)
        opened = asyncio.run(service.open(start))
        one = asyncio.run(workshop.make(family, "medium", 3, 65))
        drawn = png(puzzles.family(family).draw(initial(one), CELL))
        assert b64decode(opened.image) == drawn
        assert (opened.round, opened.due, opened.aid) == (0, "action", None)
        assert len(opened.episode) >= 22


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Selection:
    folder = tmp_path_factory.mktemp("data")
    for family in puzzles.NAMES:
        save(folder / family, list(boards(family)))
    return Selection((folder,), ())


def test_an_instance_of_the_data_is_named_by_its_id(
    store: Store, workshop: Workshop, data: Selection
) -> None:
    service = Service(store, workshop, Limits(), data)
    for family in puzzles.NAMES:
        one = boards(family)[0]
        opened = asyncio.run(service.open(Start(id=one.id, cell=CELL)))
        kept = Opening.of(store.opening(opened.episode) or {})
        assert kept == Opening(one, "oracle-vcot", cell=CELL)
    refused(Unknown, service.open(Start(id="maze-easy-0")), "no instance of that id")
    refused(Unknown, Service(store, workshop, Limits()).open(Start(id="x")), "has no data")


def test_a_board_from_outside_is_settled(service: Service, store: Store) -> None:
    opened = asyncio.run(service.open(of_corridor()))
    kept = Opening.of(store.opening(opened.episode) or {})
    assert (kept.instance.optimal_length, kept.instance.difficulty) == (2, "easy")


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("protocol", ["mismatch-gta", "mismatch-vr", "mismatch-vcot"])
def test_a_donor_is_another_board_of_its_kind(
    store: Store, workshop: Workshop, data: Selection, family: str, protocol: str
) -> None:
    service = Service(store, workshop, Limits(), data)
    of_data = Start(id=boards(family)[0].id, protocol=protocol, cell=CELL)
    made = Start(family=family, difficulty="easy", index=4, protocol=protocol, cell=CELL)
    for start in (of_data, made):
        kept = asyncio.run(service.openings.prepared(start))
        donor, room = kept.donor, puzzles.family(family)
        assert donor is not None
        assert (donor.family, donor.difficulty) == (family, "easy")
        one, other = (room.canonical(initial(i)) for i in (kept.instance, donor))
        assert one != other
    assert donor.index == 5 or family in ("maze", "klotski")  # whose short boards come again


def test_the_donor_of_a_board_made_on_the_spot_is_the_next_that_differs(
    store: Store, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards 1 and 2 are board 0 mirrored, and itself; board 3 is another."""
    rows = ["#S.G.#", "#.G.S#", "#S.G.#", "#S..G#"]
    made = [
        Instance(family="maze", board=f"######\n{row}\n######", optimal_length=2, index=k)
        for k, row in enumerate(rows)
    ]

    async def make(family: str, difficulty: str, seed: int, index: int) -> Instance:
        return made[index]

    service = Service(store, workshop, Limits())
    monkeypatch.setattr(service.openings.workshop, "make", make)
    start = Start(family="maze", difficulty="easy", protocol="mismatch-gta", cell=CELL)
    kept = asyncio.run(service.openings.prepared(start))
    assert kept.donor is not None
    assert kept.donor.index == 3
    made[3:] = [made[0]] * 30
    alone = Service(store, workshop, Limits())
    refused(Refused, alone.open(start), "the aid of another board")


@pytest.mark.parametrize(
    ("start", "kind", "words"),
    [
        ({}, Refused, "send an id; or family and board; or family and difficulty"),
        ({"family": "maze"}, Refused, "send an id"),
        ({"board": CORRIDOR}, Refused, "send an id"),
        ({"family": "maze", "id": "x"}, Refused, "send an id"),
        ({"family": "maze", "board": CORRIDOR, "difficulty": "easy"}, Refused, "send an id"),
        ({"id": "x", "rules": {}}, Refused, "rules belong to a board"),
        ({"id": "x", "index": 3}, Refused, "seed and index belong to"),
        ({"family": "maze", "board": CORRIDOR, "seed": 3}, Refused, "seed and index belong to"),
        ({"family": "chess", "difficulty": "easy"}, Refused, "unknown family 'chess'"),
        ({"family": "chess", "board": "x"}, Refused, "unknown family 'chess'"),
        ({"family": "maze", "difficulty": "x"}, Refused, "unknown difficulty 'x'"),
        ({"family": "maze", "board": "x"}, Refused, "'x' at (0,0)"),
        ({"family": "maze", "board": CORRIDOR, "rules": {"x": 1}}, Refused, "x"),
        ({"family": "maze", "board": "S" * 2501}, TooLarge, "2,501 cells, more than 2,500"),
    ],
)
def test_what_names_no_instance_is_refused(
    service: Service, start: dict[str, Any], kind: type[Refused], words: str
) -> None:
    refused(kind, service.open(Start(**start)), words)


@pytest.mark.parametrize(
    ("more", "kind", "words"),
    [
        ({"protocol": "draw-true"}, Refused, "draw-true isn't served"),
        ({"protocol": "draw-own"}, Refused, "draw-own isn't served"),
        ({"protocol": "oracle-vcot+vgau"}, Refused, "+vgau isn't served"),
        ({"protocol": "files-vcot"}, Refused, "needs a folder of pictures"),
        ({"protocol": "mismatch-vcot"}, Refused, "a lone board has none"),
        ({"protocol": "oracle-cot"}, Refused, "unknown protocol 'oracle-cot'"),
        ({"protocol": "direct", "stopping": "budget"}, Refused, "direct is not stepwise"),
        ({"protocol": "oracle-vr", "history": "last"}, Refused, "oracle-vr is not stepwise"),
        ({"protocol": "direct+last"}, Refused, "takes these variants: none"),
    ],
)
def test_what_is_not_served_is_refused(
    service: Service, more: dict[str, Any], kind: type[Refused], words: str
) -> None:
    refused(kind, service.open(of_corridor(**more)), words)


def test_a_picture_too_large_is_refused(service: Service) -> None:
    board = "#" * 50 + "\n" + "#SG" + "." * 46 + "#\n" + ("#" * 50 + "\n") * 40
    start = Start(family="maze", board=board.strip(), cell=256)
    refused(TooLarge, service.open(start), "137,625,600 pixels, more than 16,000,000")


@pytest.mark.parametrize(
    ("protocol", "more", "name"),
    [
        ("oracle-vcot", {"stopping": "budget", "history": "last"}, "oracle-vcot+budget+last"),
        ("self-vcot+last", {"stopping": "budget"}, "self-vcot+budget+last"),
        ("oracle-vcot+budget", {"stopping": "budget"}, "oracle-vcot+budget"),
        ("noise-aug-vcot", {}, "noise-aug-vcot"),
    ],
)
def test_stopping_and_history_are_part_of_the_name(
    service: Service, protocol: str, more: dict[str, Any], name: str
) -> None:
    opened = asyncio.run(service.open(of_corridor(protocol=protocol, **more)))
    assert asyncio.run(service.transcript(opened.episode)).protocol == name


def test_pictures_of_another_generator_come_from_the_folder(
    store: Store, workshop: Workshop, data: Selection, tmp_path: Path
) -> None:
    one = boards("maze")[0]
    picture = png(puzzles.family("maze").draw(initial(boards("maze")[1]), CELL))
    (tmp_path / f"{one.id}.png").write_bytes(picture)
    service = Service(store, workshop, Limits(), data, tmp_path)
    opened = asyncio.run(service.open(Start(id=one.id, protocol="files-gta")))
    assert opened.aid is not None
    assert opened.due == "answer"
    other = Start(id=boards("maze")[1].id, protocol="files-gta")
    refused(Refused, service.open(other), f"{boards('maze')[1].id}.png", "No such file")


# Steps.


async def played(service: Service, name: str, steps: list[Step]) -> list[str]:
    """Return the replies to ``steps``, as they are sent."""
    return [(await service.step(name, step)).model_dump_json() for step in steps]


async def begun(service: Service, opening: Opening) -> str:
    return (await service.episodes.begin(opening))[0]


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


# Limits.


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


# Transitions.


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


# Nothing tells the optimum before the end.

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


# Killed.


def test_a_killed_worker_loses_no_step_and_doubles_none(store: Store, tmp_path: Path) -> None:
    """200 episodes at once, a kill in their midst, twice; then they are played to the end."""
    path = tmp_path / "e.db"
    told: list[tuple[str, int]] = []
    for after in (150, 750):
        with subprocess.Popen(
            [sys.executable, "-m", "tests.oracle.sturdy", path, "200"],
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
    assert len(told) >= 750
    for name, number in told:
        assert len(store.steps(name) or []) >= number, "a step that was answered is lost"
    names = [name for name, _ in store.all(sturdy.KIND)]
    assert len(names) == 200
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
