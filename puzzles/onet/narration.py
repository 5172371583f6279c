"""Removals told one by one: how a pair is linked, and which other pair that makes room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from puzzles.family import Cell
from puzzles.narration import Claim, Facts, Narration, Scene, claim, grid
from puzzles.onet.links import EMPTY
from puzzles.onet.rules import Pair, State, apply, legal_actions, link, tiles
from puzzles.sentences import Leg

_PICTURES = {
    **{"A": "apple", "B": "blueberry", "C": "pear", "D": "orange", "E": "lemon", "F": "banana"},
    **{"G": "watermelon", "H": "grape", "I": "strawberry", "J": "melon", "K": "cherry"},
    **{"L": "peach", "M": "pineapple", "N": "carrot", "O": "coconut", "P": "kiwi"},
    **{"Q": "avocado", "R": "eggplant", "S": "mushroom", "T": "radish", "U": "onion"},
    **{"V": "broccoli", "W": "pepper", "X": "corn", "Y": "pumpkin", "Z": "pea"},
}
PICTURES = _PICTURES | {kind.lower(): f"blue {name}" for kind, name in _PICTURES.items()}
"""What is seen on the tiles of a kind; those of small letters have blue cards."""
_PHRASES = {
    "start": (
        "There are {tiles:# tile}, so it takes {n:# removal}.",
        "The board holds {tiles:# tile}: {n:# removal} in all.",
    ),
    "choice": (
        "At first {n:# pair} can be removed.",
        "To begin with, a link joins {n:# pair}.",
    ),
    "beside": (
        "The {kind:thing} tiles at {a:cell} and {b:cell} lie side by side.",
        "At {a:cell} and {b:cell} there are {kind:thing} tiles, one beside the other.",
    ),
    "straight": (
        "Between the {kind:thing} tiles at {a:cell} and {b:cell} lies nothing but empty space: "
        "{cells:cells}.",
        "The {kind:thing} tiles at {a:cell} and {b:cell} see each other over {cells:cells}.",
    ),
    "link": (
        "The {kind:thing} tiles at {a:cell} and {b:cell} are linked: {legs:legs}, which makes "
        "{n:# turn}.",
        "From the {kind:thing} tile at {a:cell} a link leads over empty cells, {legs:legs}, to the "
        "one at {b:cell}, with {n:# turn}.",
        "A line with {n:# turn} joins the {kind:thing} tiles {a:cell} and {b:cell}: {legs:legs}.",
    ),
    "remove": (
        "Remove {a:cell} and {b:cell}; {left:# tile} to go.",
        "So {a:cell} and {b:cell} are removed, which leaves {left:# tile}.",
        "Take away {a:cell} and {b:cell}: {left:# tile} left.",
    ),
    "opens": (
        "That opens {cell:cell} for the {kind:thing} tiles at {a:cell} and {b:cell}, which had no "
        "link till now.",
        "Now the {kind:thing} tiles at {a:cell} and {b:cell}, blocked so far, can be linked over "
        "{cell:cell}.",
    ),
    "done": (
        "The board is empty after {n:# removal}.",
        "With {n:# removal} all tiles are gone.",
    ),
}


def _tell(state: State, actions: Sequence[Pair]) -> Iterator[list[Claim]]:
    """Yield what there is to remove; then each pair with its link, and whom it makes room for."""
    yield [
        grid(len(state.board), len(state.board[0])),
        claim("start", tiles=_count(state), n=_count(state) // 2),
        claim("choice", n=len(legal_actions(state))),
    ]
    for at, pair in enumerate(actions):
        after = apply(state, pair)
        yield [
            _linked(state, pair),
            claim("remove", a=pair.a, b=pair.b, left=_count(after)),
            *_opened(state, after, pair, actions[at + 1 :]),
        ]
        state = after
    yield [claim("done", n=len(actions))]


def _count(state: State) -> int:
    return sum(len(cells) for cells in tiles(state).values())


def _kind(state: State, cell: Cell) -> str:
    """Return what the tile at ``cell`` shows; EMPTY where there is none."""
    r, c = cell
    inside = 0 <= r < len(state.board) and 0 <= c < len(state.board[0])
    return PICTURES.get(state.board[r][c], EMPTY) if inside else EMPTY


def _linked(state: State, pair: Pair) -> Claim:
    """Return the claim of how a pair is linked; raise ValueError where it isn't."""
    corners = link(state, *pair)
    if not corners:
        raise ValueError(f"no link joins {pair.a} and {pair.b}")
    facts = {"kind": _kind(state, pair.a), "a": pair.a, "b": pair.b}
    if len(corners) > 2:
        legs = tuple(_leg(one, other) for one, other in pairwise(corners))
        return Claim("link", {**facts, "legs": legs, "n": len(corners) - 2})
    between = _line(*corners)[:-1]
    return Claim("straight", {**facts, "cells": between}) if between else Claim("beside", facts)


def _leg(one: Cell, other: Cell) -> Leg:
    down, across = other[0] - one[0], other[1] - one[1]
    way = ("down" if down > 0 else "up") if down else ("right" if across > 0 else "left")
    return Leg(way, abs(down) + abs(across), other)


def _line(one: Cell, other: Cell) -> tuple[Cell, ...]:
    """Return the cells from ``one``, itself left out, straight to ``other``."""
    (r, c), n = one, abs(other[0] - one[0]) + abs(other[1] - one[1])
    down, across = (other[0] - r) // n, (other[1] - c) // n
    return tuple((r + k * down, c + k * across) for k in range(1, n + 1))


def _opened(state: State, after: State, pair: Pair, later: Sequence[Pair]) -> Iterator[Claim]:
    """Yield the first of the pairs to come that only this removal has given a link."""
    for other in later:
        cell = _opening(state, after, other, pair)
        if cell is not None:
            kind = _kind(state, other.a)
            yield claim("opens", cell=cell, kind=kind, a=other.a, b=other.b)
            return


def _opening(state: State, after: State, other: Pair, pair: Sequence[Cell]) -> Cell | None:
    """Return the cell of ``pair`` over which ``other`` is linked now and wasn't before."""
    if link(state, *other):
        return None
    corners = link(after, *other) or []
    line = [cell for ends in pairwise(corners) for cell in _line(*ends)]
    return next((cell for cell in line if cell in pair), None)


def _takes(state: State, one: Claim) -> list[Pair]:
    return [Pair(one.facts["a"], one.facts["b"])] if one.kind == "remove" else []


def _how(scene: Scene[State, Pair], facts: Facts) -> Any:
    """Whether the two tiles are of this kind, and the link is one that the rules allow."""
    state, a, b, kind = scene.state, facts["a"], facts["b"], facts["kind"]
    if a == b or not _kind(state, a) == _kind(state, b) == kind:
        return False
    corners = [a, *(leg.to for leg in facts["legs"])] if "legs" in facts else [a, b]
    if corners[-1] != b or any((r == r2) == (c == c2) for (r, c), (r2, c2) in pairwise(corners)):
        return False
    told = tuple(_leg(one, other) for one, other in pairwise(corners))
    line = [cell for ends in pairwise(corners) for cell in _line(*ends)][:-1]
    rim, rows, columns = int(state.outside), len(state.board), len(state.board[0])
    return (
        facts.get("legs", told) == told
        and facts.get("n", 0) == len(corners) - 2 <= state.max_turns
        and all(one.way != other.way for one, other in pairwise(told))
        and tuple(line if "legs" not in facts else ()) == facts.get("cells", ())
        and all(_kind(state, cell) == EMPTY for cell in line)
        and all(-rim <= r < rows + rim and -rim <= c < columns + rim for r, c in line)
        and Pair(a, b) == scene.actions[scene.at]
    )


def _opens(scene: Scene[State, Pair], facts: Facts) -> Any:
    """Whether that pair has a link now over a cell that was just emptied, and had none before."""
    other = Pair(facts["a"], facts["b"])
    return (
        other in scene.actions[scene.at :]
        and facts["kind"] == _kind(scene.state, other.a)
        and facts["cell"] == _opening(scene.before, scene.state, other, scene.actions[scene.since])
    )


_NARRATION: Narration[State, Pair] = Narration(
    _tell,
    _PHRASES,
    _takes,
    {
        "start": lambda scene, facts: (
            (facts["tiles"], 2 * facts["n"]) == (_count(scene.state), _count(scene.state))
        ),
        "choice": lambda scene, facts: facts["n"] == len(legal_actions(scene.state)),
        **dict.fromkeys(("beside", "straight", "link"), _how),
        "remove": lambda scene, facts: facts["left"] == _count(scene.states[scene.at + 1]),
        "opens": _opens,
        "done": lambda scene, facts: facts["n"] == scene.at,
    },
)


def narration() -> Narration[State, Pair]:
    """Return how removals are told."""
    return _NARRATION
