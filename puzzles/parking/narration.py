"""Slides told one by one: which vehicle stands in whose way, and where it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from puzzles.family import Cell
from puzzles.narration import Claim, Facts, Narration, Scene, claim, grid
from puzzles.parking.rules import RED, WAYS, Slide, State, Vehicle, apply

MOST = 1 << 12
"""Cells of a slide that is played: no board is as wide."""

_PHRASES = {
    "start": (
        "The red car R lies on {red:span}; its right end has to come to {exit:cell}, at the exit.",
        "R is on {red:span} and has to get its right end to {exit:cell}, where the exit is.",
    ),
    "ahead": (
        "In its way stand {there:places}.",
        "Between R and the exit: {there:places}.",
    ),
    "clear": (
        "Nothing stands between R and the exit.",
        "The row is free up to the exit.",
    ),
    "blocks red": (
        "{name:name} stands at {cell:cell}, in the way of R.",
        "R has to go over {cell:cell}, where {name:name} stands.",
    ),
    "blocks": (
        "{name:name} stands at {cell:cell}, where {other:name} has to go {way:way}.",
        "To let {other:name} go {way:way}, {name:name} has to leave {cell:cell}.",
        "{other:name} is to go {way:way} into {cell:cell}, and there {name:name} stands.",
    ),
    "edge": (
        "Going {way:way} is no use: there the board ends.",
        "It can't go {way:way}, where the board ends.",
    ),
    "wall": (
        "It can't go {way:way} because of the wall at {cell:cell}.",
        "The way {way:way} is closed to it by the wall at {cell:cell}.",
    ),
    "hemmed": (
        "It can't go {way:way}, since {other:name} stands at {cell:cell}.",
        "The way {way:way} is closed to it by {other:name} at {cell:cell}.",
    ),
    "free": (
        "For R the way is free as far as {cell:cell}.",
        "Now R can go as far as {cell:cell}.",
    ),
    "slide": (
        "{name:name} goes {way:way} {n:# cell}, to {to:span}.",
        "Move {name:name} {way:way} by {n:# cell}; it then lies on {to:span}.",
        "{name:name} moves {n:# cell} {way:way} and takes {to:span}.",
    ),
    "out": (
        "The right end of R is at {cell:cell}: it is at the exit, after {n:# move}.",
        "With its right end at {cell:cell} R has reached the exit; that makes {n:# move}.",
    ),
}


def _named(state: State, name: str) -> Vehicle:
    """Return the vehicle called ``name``; raise ValueError where there is none."""
    for car in state.vehicles:
        if car.name == name:
            return car
    raise ValueError(f"no vehicle {name} is on the board")


def _span(car: Vehicle) -> tuple[Cell, Cell]:
    cells = car.cells()
    return cells[0], cells[-1]


def _ahead(state: State) -> tuple[tuple[str, Cell], ...]:
    """Return the vehicles between R and the exit, each with its first cell in that row."""
    red, found = state.vehicles[0], dict[str, Cell]()
    for col in range(red.col + red.length, state.cols):
        for car in state.vehicles[1:]:
            if car.covers(red.row, col):
                found.setdefault(car.name, (red.row, col))
    return tuple(found.items())


def _tell(state: State, actions: Sequence[Slide]) -> Iterator[list[Claim]]:
    """Yield where R is and what stands in its way; then each slide with its reasons."""
    red, there = state.vehicles[0], _ahead(state)
    yield [
        grid(state.rows, state.cols),
        claim("start", red=_span(red), exit=(red.row, state.cols - 1)),
        claim("ahead", there=there) if there else claim("clear"),
    ]
    states = [state]
    for action in actions:
        states.append(apply(states[-1], action))
    at = 0
    for _, group in groupby(actions):
        n = len(list(group))
        name, way = actions[at]
        line = [*_why(states, actions, at, at + n)]
        to = _span(_named(states[at + n], name))
        yield [*line, claim("slide", name=name, way=way, n=n, to=to)]
        at += n
    red = states[-1].vehicles[0]
    yield [claim("out", cell=_span(red)[1], n=len(actions))]


def _why(states: Sequence[State], actions: Sequence[Slide], at: int, end: int) -> Iterator[Claim]:
    """Yield why the vehicle of action ``at`` moves up to action ``end``, and goes this way."""
    name, way = actions[at]
    car = _named(states[at], name)
    entered = _entered(states, actions, end, car)
    if entered is not None:
        cell, (other, other_way) = entered
        if other == RED:
            yield claim("blocks red", name=name, cell=cell)
        else:
            yield claim("blocks", name=name, cell=cell, other=other, way=other_way)
        yield from _closed(states[at], car, next(one for one in WAYS[car.horizontal] if one != way))
    elif name == RED and way == "right":
        yield claim("free", cell=_free(states[at]))


def _entered(
    states: Sequence[State], actions: Sequence[Slide], start: int, car: Vehicle
) -> tuple[Cell, Slide] | None:
    """Return the cell of ``car`` that another vehicle enters first, and by which slide."""
    for at in range(start, len(actions)):
        if actions[at].car != car.name:
            cell = _named(states[at], actions[at].car).front(actions[at].direction)
            if car.covers(*cell):
                return cell, actions[at]
    return None


def _free(state: State) -> Cell:
    """Return the last cell of R's row that R can get its right end to."""
    red = state.vehicles[0]
    end = red.col + red.length
    while (
        end < state.cols
        and (red.row, end) not in state.walls
        and not any(car.covers(red.row, end) for car in state.vehicles)
    ):
        end += 1
    return red.row, end - 1


def _closed(state: State, car: Vehicle, way: str) -> Iterator[Claim]:
    """Yield what keeps a vehicle from going ``way``, where something does."""
    r, c = cell = car.front(way)
    if not (0 <= r < state.rows and 0 <= c < state.cols):
        yield claim("edge", way=way)
    elif cell in state.walls:
        yield claim("wall", way=way, cell=cell)
    for other in state.vehicles:
        if other.covers(r, c):
            yield claim("hemmed", way=way, other=other.name, cell=cell)


def _takes(state: State, one: Claim) -> list[Slide]:
    if one.kind != "slide":
        return []
    return [Slide(one.facts["name"], one.facts["way"])] * min(one.facts["n"], MOST)


def _blocks(scene: Scene[State, Slide], facts: Facts) -> Any:
    """Whether the cell is the first of the vehicle's that another enters, by such a slide."""
    car = _named(scene.state, facts["name"])
    found = _entered(scene.states, scene.actions, scene.at, car)
    if found is None:
        return False
    cell, (other, way) = found
    told = facts["cell"], facts.get("other", RED), facts.get("way", way)
    return told == (cell, other, way) and car.name == scene.actions[scene.at].car


def _shut(scene: Scene[State, Slide], facts: Facts) -> Any:
    """Whether this keeps the vehicle that moves next from going the other way."""
    name, way = scene.actions[scene.at]
    car = _named(scene.state, name)
    (other,) = (one for one in WAYS[car.horizontal] if one != way)
    return dict(facts) in [one.facts for one in _closed(scene.state, car, other)]


def _slid(scene: Scene[State, Slide], facts: Facts) -> Any:
    end = scene.states[scene.at + facts["n"]]
    return facts["n"] > 0 and _span(_named(end, facts["name"])) == facts["to"]


def _start(scene: Scene[State, Slide], facts: Facts) -> Any:
    red = scene.state.vehicles[0]
    return (facts["red"], facts["exit"]) == (_span(red), (red.row, scene.state.cols - 1))


def _out(scene: Scene[State, Slide], facts: Facts) -> Any:
    return (facts["cell"], facts["n"]) == (_span(scene.state.vehicles[0])[1], scene.at)


_NARRATION: Narration[State, Slide] = Narration(
    _tell,
    _PHRASES,
    _takes,
    {
        "start": _start,
        "ahead": lambda scene, facts: facts["there"] == _ahead(scene.state),
        "clear": lambda scene, facts: not _ahead(scene.state),
        **{"blocks": _blocks, "blocks red": _blocks},
        **{"edge": _shut, "wall": _shut, "hemmed": _shut},
        "free": lambda scene, facts: facts["cell"] == _free(scene.state),
        **{"slide": _slid, "out": _out},
    },
)


def narration() -> Narration[State, Slide]:
    """Return how slides are told."""
    return _NARRATION
