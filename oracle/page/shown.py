"""What a person is shown and told of a game; nothing of its solution before it is over."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from oracle.limits import Limits
from oracle.page.games import Game, pieces_of, place, walker_of
from puzzles.controls import Cell
from puzzles.directions import moved
from puzzles.family import Family
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family
from puzzles.solve import measure
from render.encode import png

NO_WAY = "There is no way to the goal from here: undo, or restart."
_WRONG = "The goal is reached, but not as the rules have it: undo, or restart."


@dataclass(frozen=True)
class Look:
    """How boards are drawn: pixels a cell, and whether with the grid and its coordinates."""

    cell: int = 64
    grid: bool = False


def picture(room: Family[Any, Any], state: Any, look: Look, limits: Limits) -> bytes:
    """Return a state as PNG; raise TooLarge where it would have too many pixels."""
    limits.check_pixels(room.format(state), look.cell)
    return png((room.draw_aid if look.grid else room.draw)(state, look.cell))


def opening(game: Game) -> dict[str, Any]:
    """Return what stays the same throughout a game."""
    instance = game.instance
    return {
        "id": instance.id,
        "family": instance.family,
        "difficulty": instance.difficulty,
        "seed": instance.seed,
        "index": instance.index,
        "kind": game.room.controls.kind,
        "words": words_of(instance),
    }


def words_of(instance: Instance) -> dict[str, str]:
    """Return how a board is called, what is drawn on it, its rules and its goal."""
    room = family(instance.family)
    words = room.words(room.rules_of(initial(instance)))
    return {name: getattr(words, name) for name in ("title", "legend", "rules", "goal")}


def standing(game: Game, look: Look, limits: Limits, *, quiet: bool = False) -> dict[str, Any]:
    """Return how a game stands: the board in pixels and in text, the counts, and what can be said.

    Once it is over, also how it has ended and, unless ``quiet``, the optimum.
    """
    room, state = game.room, game.state
    src = b64encode(picture(room, state, look, limits)).decode()
    pieces = dict.fromkeys(pieces_of(room, state).values())
    return {
        "board": room.format(state),
        "picture": f"data:image/png;base64,{src}",
        "walker": walker_of(room, state),
        "pieces": list(pieces),
        "describes": description(room, state),
        "moves": moves_of(game),
        "undos": game.undos,
        "hints": game.hints,
        "assisted": game.assisted,
        "seconds": round(game.seconds, 1),
        "end": game.end,
        "optimum": game.instance.optimal_length if game.end and not quiet else None,
        "outcome": outcome(game, quiet=quiet) if game.end else None,
    }


def moves_of(game: Game) -> int:
    """Return the number of moves, counted as the optimum is."""
    return measure(game.room, game.actions, game.instance.metric)


def description(room: Family[Any, Any], state: Any) -> str:
    """Return in a sentence what can be done in ``state``, without a look at the goal."""
    gestures = [room.controls.gesture(state, action) for action in room.legal_actions(state)]
    if room.controls.kind == "pair":
        left = len(pieces_of(room, state))
        return f"{left} tiles are left." if left else "No tile is left."
    if room.controls.kind == "walk":
        here = f"You are at {place(walker_of(room, state) or (0, 0))}"
        ways = [str(gesture.direction) for gesture in gestures]
        return f"{here}; you can go {_listed(ways, 'or')}." if ways else f"{here}; no way is open."
    movable = dict.fromkeys(_piece(room, state, gesture.cell) for gesture in gestures)
    names = _listed(list(movable), "and")
    return f"Pieces that can move: {names}." if movable else "No piece can move."


def done(room: Family[Any, Any], before: Any, action: Any) -> str:
    """Return in a sentence what ``action`` has done."""
    gesture = room.controls.gesture(before, action)
    if gesture.other is not None:
        return f"The tiles at {place(gesture.cell)} and {place(gesture.other)} are gone."
    way = gesture.direction or ""
    if room.controls.kind == "walk":
        return f"{way.capitalize()}, to {place(moved(gesture.cell, way))}."
    return f"{_piece(room, before, gesture.cell)} {way}, to {place(moved(gesture.cell, way))}."


class Advice(NamedTuple):
    """A hint: a sentence, the cells to look at, and where the piece on them goes."""

    said: str
    cells: Sequence[Cell] = ()
    direction: str | None = None


def advice(game: Game, action: Any | None) -> Advice:
    """Return ``action``, the next one of a shortest solution, as a hint; None: there is no way."""
    if action is None:
        return Advice(NO_WAY)
    room, state = game.room, game.state
    gesture = room.controls.gesture(state, action)
    if gesture.other is not None:
        said = f"{place(gesture.cell)} and {place(gesture.other)} are a pair that can go."
        return Advice(said, [gesture.cell, gesture.other])
    if room.controls.kind == "walk":
        return Advice(f"Go {gesture.direction}.", [gesture.cell], gesture.direction)
    cells = pieces_of(room, state)[gesture.cell]
    said = f"Move {_piece(room, state, gesture.cell)} {gesture.direction}."
    return Advice(said, cells, gesture.direction)


def outcome(game: Game, *, quiet: bool = False) -> str:
    """Return in a sentence how a game has ended; ``quiet``: without a word of the optimum."""
    moves, optimum = moves_of(game), game.instance.optimal_length
    if game.end == "solved":
        return f"Solved in {moves}." if quiet else f"Solved in {moves}; the optimum is {optimum}."
    return f"Moves: {moves}." if quiet else f"The optimum is {optimum}."


def told(before: Game, game: Game, *, quiet: bool = False) -> str:
    """Return in a sentence or two what the last action of ``game`` has done; see ``outcome``."""
    what = done(game.room, before.state, game.actions[-1])
    if game.end:
        return f"{what} {outcome(game, quiet=quiet)}"
    return f"{what} {_WRONG}" if game.reached else what


def film(game: Game) -> list[dict[str, str]]:
    """Return of each frame of the solution what is said of it, and the board as text."""
    room, state = game.room, game.start
    frames = [{"caption": "A shortest solution, from the start.", "text": room.format(state)}]
    for action in game.solution or ():
        said, state = done(room, state, action), room.apply(state, action)
        frames.append({"caption": said, "text": room.format(state)})
    return frames


def _piece(room: Family[Any, Any], state: Any, cell: Cell) -> str:
    mark = room.format(state).split("\n")[cell[0]][cell[1]]
    return f"{mark} at {place(cell)}"


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
