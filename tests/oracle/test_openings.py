"""The service opens episodes in every way, and refuses what names none."""

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

import puzzles
from oracle.errors import Refused, TooLarge, Unknown
from oracle.limits import Limits
from oracle.messages import Start
from oracle.service import Service
from oracle.session import Opening
from oracle.store import Store
from oracle.workshop import Workshop
from protocols.selection import Selection
from puzzles import Instance
from puzzles.replay import initial
from render.encode import png
from tests.oracle.asking import of_corridor, refused
from tests.oracle.solving import CELL, CORRIDOR, boards
from tests.protocols.playing import save


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Selection:
    folder = tmp_path_factory.mktemp("data")
    for family in puzzles.NAMES:
        save(folder / family, list(boards(family)))
    return Selection((folder,), ())


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
