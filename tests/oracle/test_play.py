"""The routes of playing: moves, help, and the end of a game."""

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from oracle import making
from oracle.errors import Conflict
from oracle.limits import Limits
from oracle.page import PageContext, static_files, version
from oracle.page.games import Game
from oracle.page.kept import KIND, Games, Hand, Wish
from oracle.store import Store
from protocols.selection import Selection
from puzzles import NAMES, family
from puzzles.generate import Recipe
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.solve import solve
from tests.oracle.local import refused
from tests.oracle.playing import (
    INSTANCES,
    ONE,
    RIGHT,
    SIZED,
    THREE,
    TWO,
    Bench,
    act,
    begin,
    picture,
    post,
    served,
)
from tests.protocols.playing import save as save_data


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_every_family_to_its_end(client: Any, name: str) -> None:
    game = begin(client, family=name, difficulty="easy", seed=3, index=4)
    instance = making.make(Recipe(name, 3, "easy"), 4)
    room, state = family(name), initial(instance)
    assert game["board"] == instance.board
    assert b64decode(game["picture"].partition(",")[2]) == picture(instance)
    solution = solve(room, state).actions
    for at, action in enumerate(solution):
        assert (game["moves"], game["end"], game["optimum"]) == (at, None, None)
        gesture = room.controls.gesture(state, action)
        hand = {"cell": gesture.cell, "direction": gesture.direction, "other": gesture.other}
        game = act(client, game, **hand)
        state = room.apply(state, action)
        assert (game["legal"], game["board"]) == (True, room.format(state))
    assert (game["end"], game["optimum"]) == ("solved", len(solution))
    frames = client.get(f"/page/games/{game['game']}/solution").json()["frames"]
    assert [len(frames), frames[0]["text"]] == [len(solution) + 1, instance.board]
    assert room.is_solved(room.parse(frames[-1]["text"], instance.rules))
    first = client.get(f"/page/games/{game['game']}/solution/0{SIZED}")
    assert first.content == picture(instance)
    saved = client.post("/page/answers", json={"name": "Ada", "games": [game["game"]]})
    assert saved.json() == {"saved": 1, "of": 1, "gone": []}


def test_an_impossible_move_is_told_and_changes_nothing(client: Any) -> None:
    game = begin(client)
    after = act(client, game, direction="up")
    assert (after["legal"], after["reason"]) == (False, "hits_wall")
    assert after["said"] == "Up from (1, 1) runs into the wall at (0, 1)."
    there = client.get(f"/page/games/{game['game']}{SIZED}").json()
    assert (there["board"], there["moves"], there["end"]) == (game["board"], 0, None)


def test_undo_restart_and_hints(client: Any) -> None:
    game = begin(client)
    moved = act(client, game, **RIGHT)
    undone = post(client, game, "undo").json()
    assert (undone["board"], undone["undos"], undone["actions"]) == (game["board"], 1, 0)
    refused(post(client, game, "undo"), 409, "nothing to undo")
    hinted = post(client, game, "hint").json()
    assert hinted["hint"] == {"said": "Go right.", "cells": [[1, 1]], "direction": "right"}
    assert (hinted["hints"], hinted["assisted"], undone["assisted"]) == (1, True, False)
    after = act(client, game, **RIGHT)
    assert (after["board"], after["hints"], after["assisted"]) == (moved["board"], 1, True)
    assert post(client, game, "restart").json()["board"] == game["board"]


def test_a_hint_says_so_where_there_is_no_way(tmp_path: Path, client: Any, folder: Path) -> None:
    """A crate in a corner stays there."""
    board = "######\n#-$@-#\n#--.-#\n######"
    instance = Instance(
        id="sokoban-custom-0000000000000001", family="sokoban", board=board, optimal_length=9
    )
    save_data(tmp_path / "stuck", [instance])
    data = Selection([tmp_path / "stuck"], ())
    with TestClient(served(tmp_path, folder, data=data)) as client:
        game = act(client, begin(client, id=instance.id), direction="left")
        hint = post(client, game, "hint").json()
        assert hint["said"] == "There is no way to the goal from here: undo, or restart."
        assert (hint["hint"]["cells"], hint["assisted"]) == ([], True)


def test_the_solution_is_shown_only_at_the_end(client: Any) -> None:
    game = begin(client)
    for way in ("solution", "solution/1"):
        refused(client.get(f"/page/games/{game['game']}/{way}"), 409, "give up")
    over = post(client, game, "give-up").json()
    assert (over["end"], over["optimum"], over["moves"]) == ("given_up", 2, 0)
    assert len(client.get(f"/page/games/{game['game']}/solution").json()["frames"]) == 3
    refused(client.get(f"/page/games/{game['game']}/solution/3"), 404, "no frame 3")
    for what in ("undo", "restart", "hint", "give-up"):
        refused(post(client, game, what), 409, "over")
    late = {"cell": [1, 1], "direction": "right", "after": 0}
    refused(client.post(f"/page/games/{game['game']}/actions", json=late), 409, "over")


def test_a_move_on_a_board_that_has_changed_elsewhere_is_refused(client: Any) -> None:
    game = begin(client, family=NAMES[0], difficulty="hard", index=1)
    (first, *_) = solve(
        family(NAMES[0]), initial(making.make(Recipe(NAMES[0], 0, "hard"), 1))
    ).actions
    act(client, game, direction=first)
    response = post(
        client, game, "actions", cell=game["walker"], direction=first, after=game["actions"]
    )
    refused(response, 409, "changed elsewhere")


def test_games_outlive_the_server(tmp_path: Path, folder: Path) -> None:
    with TestClient(served(tmp_path, folder)) as client:
        game = act(client, begin(client), **RIGHT)
    with TestClient(served(tmp_path, folder)) as client:
        again = client.get(f"/page/games/{game['game']}{SIZED}").json()
        assert (again["board"], again["moves"]) == (game["board"], 1)
        assert act(client, again, **RIGHT)["end"] == "solved"


def test_the_grid_and_the_size_of_pictures(client: Any) -> None:
    game = begin(client)
    with_grid = client.get(f"/page/games/{game['game']}?cell=16&grid=true").json()["picture"]
    assert b64decode(with_grid.partition(",")[2]) == picture(INSTANCES[1], aid=True)
    refused(client.get(f"/page/games/{game['game']}?cell=2"), 422, "cell")


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({}, 422, "family and a difficulty"),
        ({"id": "maze-easy-000000000000ffff"}, 404, "no instance"),
        ({"family": "chess", "difficulty": "easy"}, 422, "unknown family 'chess'"),
        ({"family": "maze", "difficulty": "mild"}, 422, "unknown difficulty 'mild'"),
        ({"family": "maze", "difficulty": "easy", "seed": -1}, 422, "seed"),
        ({"family": "maze", "difficulty": "easy", "length": 3}, 422, "no field length"),
    ],
)
def test_a_wish_that_is_none(client: Any, body: dict[str, Any], status: int, word: str) -> None:
    refused(client.post("/page/games", json=body), status, word)


@pytest.mark.parametrize(
    ("hand", "word"),
    [
        ({"cell": [9, 0], "direction": "up"}, "cell (9,0) is not on the board"),
        ({"cell": [0, 0]}, "send a direction"),
        ({"cell": [0, 0], "other": [0, 1]}, "send a direction"),
        ({"cell": [0, 0], "direction": "north"}, "direction"),
        ({"cell": [-1, 0], "direction": "up"}, "cell"),
        ({"direction": "up"}, "cell is missing"),
    ],
)
def test_a_hand_that_is_none(client: Any, hand: dict[str, Any], word: str) -> None:
    refused(post(client, begin(client), "actions", **{"after": 0, **hand}), 422, word)
    assert client.get("/page/games/nothing").status_code == 404


def test_limits(tmp_path: Path, folder: Path) -> None:
    limits = Limits(steps=2, cells=60, pixels=100_000)
    with TestClient(served(tmp_path, folder, limits=limits)) as client:
        game = begin(client, id=THREE)
        for way in ("right", "left"):
            game = act(client, game, direction=way)
        hand = {"cell": [1, 1], "direction": "right", "after": 2}
        refused(post(client, game, "actions", **hand), 429, "2 actions at most")
        wish = {"family": NAMES[0], "difficulty": "easy"}
        refused(client.post("/page/games", json=wish), 413, "100 cells")
        refused(client.get(f"/page/games/{game['game']}?cell=256"), 413, "pixels")


def test_games_that_nobody_goes_on_with_make_room(tmp_path: Path, folder: Path) -> None:
    limits = Limits(games=2, game_seconds=1000)
    with TestClient(served(tmp_path, folder, limits=limits)) as client:
        first = begin(client)
        old = begin(client)
        refused(client.post(f"/page/games{SIZED}", json={"id": TWO}), 429, "2 games are kept")
    store = Store(tmp_path / "games.sqlite")
    kept = store.get(KIND, old["game"])
    assert kept is not None
    store.put(KIND, old["game"], kept, 1.0)
    store.put("participant", "anna", {}, 1.0)
    store.close()
    with TestClient(served(tmp_path, folder, limits=limits)) as client:
        begin(client)
        assert client.get(f"/page/games/{first['game']}{SIZED}").status_code == 200
        refused(client.get(f"/page/games/{old['game']}{SIZED}"), 404, "no such game")
    assert Store(tmp_path / "games.sqlite").get("participant", "anna") == {}


class Slow(Bench):
    """A workshop that looks for a way until it is told to go on."""

    def __init__(self, limits: Limits):
        super().__init__(limits)
        self.asked, self.told = asyncio.Event(), asyncio.Event()

    async def solve(self, *arguments: Any) -> list[Any]:
        self.asked.set()
        await self.told.wait()
        return await super().solve(*arguments)


@pytest.mark.parametrize("meanwhile", ["take", "give_up", "hinted"])
def test_a_hint_undoes_nothing_that_happens_meanwhile(
    tmp_path: Path, folder: Path, meanwhile: str
) -> None:
    limits = Limits()
    slow, store = Slow(limits), Store(tmp_path / "games.sqlite")
    games = Games(PageContext(store, slow, limits, data=Selection([folder], ())))

    async def played() -> Game:
        name = await games.begin(await games.board(Wish(id=TWO)))
        hint = asyncio.create_task(games.hinted(name))
        await slow.asked.wait()
        if meanwhile == "take":
            await games.take(name, Hand(cell=(1, 1), direction="right", after=0))
        else:
            await games.change(name, lambda game: getattr(game, meanwhile)(game.seen))
        slow.told.set()
        if meanwhile == "hinted":
            await hint
        else:
            with pytest.raises(Conflict):
                await hint
        return await games.get(name)

    game = asyncio.run(played())
    assert len(game.actions) == (meanwhile == "take")
    assert game.end == ("given_up" if meanwhile == "give_up" else None)
    assert game.hints == (2 if meanwhile == "hinted" else 0)


def test_of_requests_that_cross_none_is_lost(tmp_path: Path, folder: Path) -> None:
    """Two workers, one store: what the slower one has read is no longer so."""
    context = PageContext(
        Store(tmp_path / "games.sqlite"), Bench(Limits()), Limits(), data=Selection([folder], ())
    )
    one, other = Games(context), Games(context)

    async def crossed() -> Game:
        name = await one.begin(await one.board(Wish(id=TWO)))
        first = True

        def marked(game: Game) -> Game:
            nonlocal first
            if first:  # the other worker is faster
                first = False
                record = game.hinted(game.seen).record()
                context.store.put(KIND, name, record, game.seen)
            return game.restart(game.seen)

        await other.change(name, marked)
        return await one.get(name)

    game = asyncio.run(crossed())
    assert (game.hints, game.restarts) == (1, 1)


def test_the_shell_and_its_files(client: Any) -> None:
    shell = client.get("/")
    assert shell.headers["cache-control"] == "no-cache"
    policy = shell.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "VERSION" not in shell.text
    for name, content in static_files().items():
        file = client.get(f"/page/static/{version()}/{name}")
        assert file.content == content
        assert "immutable" in file.headers["cache-control"]
        assert file.headers["x-content-type-options"] == "nosniff"
        assert client.get(f"/page/static/old/{name}").headers["cache-control"] == "no-cache"
        assert b"http://" not in content.replace(b"http://www.w3.org/2000/svg", b"")
        assert b"https://" not in content
        for family_name in NAMES:
            assert f'"{family_name}"'.encode() not in content
    module = client.get(f"/page/static/{version()}/shell.js")
    assert module.headers["content-type"].startswith("text/javascript")
    refused(client.get(f"/page/static/{version()}/nothing.js"), 404, "nothing.js")


def test_what_the_server_has(client: Any) -> None:
    about = client.get("/page/about").json()
    assert about["views"] == ["play", "gallery"]
    assert [one["name"] for one in about["families"]] == list(NAMES)
    assert {one["kind"] for one in about["families"]} == {"walk", "slide", "pair"}
    assert begin(client, id=ONE)["words"]["title"] == "Maze"
