"""Games on the page, played through its routes on three corridors."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI

from oracle.limits import Limits
from oracle.page import PageContext, router
from oracle.server.trouble import handle_errors
from oracle.store import Store
from oracle.workshop import Workshop
from protocols.selection import Selection
from puzzles import family
from puzzles.instance import Instance, identity
from puzzles.replay import initial
from render.encode import png
from tests.protocols.playing import CORRIDORS

INSTANCES = [
    Instance(
        id=identity("maze", "easy", board, {}),
        family="maze",
        difficulty="easy",
        board=board,
        optimal_length=k + 1,
    )
    for k, board in enumerate(CORRIDORS)
]
ONE, TWO, THREE = (instance.id for instance in INSTANCES)
SIZED = "?cell=16"
RIGHT = {"direction": "right"}


class Bench(Workshop):
    """A workshop without a process of its own."""

    async def _done(self, function: Any, *arguments: Any) -> Any:
        return function(*arguments)


def served(tmp_path: Path, folder: Path, **changed: Any) -> FastAPI:
    limits = changed.pop("limits", Limits())
    store = Store(tmp_path / "games.sqlite")
    chosen = {"data": Selection([folder], ()), "answers": tmp_path / "answers.jsonl", **changed}
    app = FastAPI()
    handle_errors(app)
    app.include_router(router(PageContext(store, Bench(limits), limits, **chosen)))
    return app


def begin(client: Any, **wish: Any) -> dict[str, Any]:
    response = client.post(f"/page/games{SIZED}", json=wish or {"id": TWO})
    assert response.status_code == 200, response.text
    game: dict[str, Any] = response.json()
    return game


def act(client: Any, game: dict[str, Any], **hand: Any) -> dict[str, Any]:
    hand = {"cell": game["walker"], "after": game["actions"], **hand}
    response = client.post(f"/page/games/{game['game']}/actions{SIZED}", json=hand)
    assert response.status_code == 200, response.text
    return {**game, **response.json()}


def post(client: Any, game: dict[str, Any], what: str, **body: Any) -> Any:
    return client.post(f"/page/games/{game['game']}/{what}{SIZED}", json=body)


def over(client: Any) -> dict[str, Any]:
    """Return a game that has been solved in two steps."""
    game = begin(client)
    for _ in range(2):
        game = act(client, game, **RIGHT)
    assert game["end"] == "solved"
    return game


def picture(instance: Instance, aid: bool = False) -> bytes:
    room = family(instance.family)
    return png((room.draw_aid if aid else room.draw)(initial(instance), 16))
