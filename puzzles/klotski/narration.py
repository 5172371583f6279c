"""Slides told one by one: which block moves into which empty cells, and for what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from puzzles.directions import moved
from puzzles.family import Cell
from puzzles.klotski.rules import EMPTY, TARGET, Slide, State, apply, blocks_of, joins, obstacle
from puzzles.narration import Claim, Facts, Narration, Scene, claim, grid
from puzzles.notation import find
from puzzles.sentences import Leg

Cells = tuple[Cell, ...]
MOST = 1 << 12
"""Cells of a leg that is played: no board is as wide."""

_SHAPES = {
    **{(1, 1): "the small block", (1, 2): "the flat block", (2, 1): "the upright block"},
    (2, 2): "the square block",
}
_PHRASES = {
    "start": (
        "T has its top left cell at {at:cell} and has to bring it to {goal:cell}.",
        "The top left cell of T is at {at:cell}; its goal is {goal:cell}.",
    ),
    "empty": (
        "The empty cells are {cells:cells}.",
        "Empty are {cells:cells}.",
    ),
    "empty cell": ("The only empty cell is {cells:cells}.",),
    "needs": (
        "At its goal T covers {cells:cells} besides, so there has to be room.",
        "For that T needs {cells:cells}.",
    ),
    "slide": (
        "From {at:cell}, {block:thing} moves {legs:legs}.",
        "Move {block:thing} at {at:cell}: {legs:legs}.",
        "Slide {block:thing} from {at:cell} {legs:legs}.",
    ),
    "frees now": (
        "That empties {cells:cells}, so that {block:thing} at {at:cell} can move {way:way}.",
        "This makes room at {cells:cells} for {block:thing} at {at:cell}, which can now go "
        "{way:way}.",
    ),
    "frees for": (
        "That empties {cells:cells}, which {block:thing} at {at:cell} needs to go {way:way}.",
        "That empties {cells:cells}, where {block:thing} from {at:cell} goes {way:way} later on.",
    ),
    "frees": (
        "That empties {cells:cells}.",
        "This leaves {cells:cells} empty.",
    ),
    "done": (
        "T is at its goal {goal:cell}, after {n:# move}.",
        "That brings T to {goal:cell}, which is its goal, in {n:# move}.",
    ),
}


def _block_at(board: Sequence[str], cell: Cell) -> tuple[str, Cells]:
    """Return the name and the cells of the block that is named by ``cell``; raise ValueError."""
    for name, cells in blocks_of(board).items():
        if cells[0] == cell:
            return name, tuple(cells)
    raise ValueError(f"no block has its top left cell at ({cell[0]},{cell[1]})")


def _kind(name: str, cells: Cells) -> str:
    """Return what a block is called: T, or by its shape."""
    if name == TARGET:
        return "T"
    rows, columns = (len({cell[axis] for cell in cells}) for axis in (0, 1))
    usual = _SHAPES.get((rows, columns))
    return usual if usual and len(cells) == rows * columns else "the block"


def _tell(state: State, actions: Sequence[Slide]) -> Iterator[list[Claim]]:
    """Yield where T is and has to go, and what is empty; then each slide, and what it is for."""
    board = state.board
    empty, target = tuple(find(board, EMPTY)), blocks_of(board)[TARGET]
    first = [grid(len(board), len(board[0])), claim("start", at=target[0], goal=state.goal)]
    needed = _needed(state)
    if needed and len(needed) <= 4:
        first.append(claim("needs", cells=needed))
    if empty:
        first.append(claim("empty" if len(empty) > 1 else "empty cell", cells=empty))
    yield first
    states = [state]
    for action in actions:
        states.append(apply(states[-1], action))
    at = 0
    while at < len(actions):
        end = at + 1
        while end < len(actions) and joins(actions[end - 1], actions[end]):
            end += 1
        yield [_slide(states, actions, at, end), *_purpose(states, actions, at, end)]
        at = end
    yield [claim("done", goal=state.goal, n=len(actions))]


def _needed(state: State) -> Cells:
    """Return the cells that T covers at its goal and doesn't now."""
    cells = blocks_of(state.board)[TARGET]
    r, c = state.goal[0] - cells[0][0], state.goal[1] - cells[0][1]
    return tuple(cell for y, x in cells if (cell := (y + r, x + c)) not in cells)


def _slide(states: Sequence[State], actions: Sequence[Slide], at: int, end: int) -> Claim:
    """Return the claim that a block makes the moves ``at`` up to ``end``."""
    legs: list[Leg] = []
    for cell, way in actions[at:end]:
        n = legs.pop().n + 1 if legs and legs[-1].way == way else 1
        legs.append(Leg(way, n, moved(cell, way)))
    start = actions[at].at
    kind = _kind(*_block_at(states[at].board, start))
    return claim("slide", block=kind, at=start, legs=tuple(legs))


def _purpose(
    states: Sequence[State], actions: Sequence[Slide], at: int, end: int
) -> Iterator[Claim]:
    """Yield which cells are free after these moves, and which block moves into them next."""
    freed = _freed(states[at], states[end])
    if not freed or end == len(actions):
        return
    for later in range(end, len(actions)):
        start, way = actions[later]
        name, cells = _block_at(states[later].board, start)
        if any(moved(cell, way) in freed and moved(cell, way) not in cells for cell in cells):
            there = {tuple(one): name for name, one in blocks_of(states[end].board).items()}
            if cells in there:
                kind = _kind(name, cells)
                legal = obstacle(states[end].board, there[cells], cells, way) is None
                told = "frees now" if legal else "frees for"
                yield claim(told, cells=freed, block=kind, at=start, way=way)
                return
            break
    yield claim("frees", cells=freed)


def _freed(before: State, after: State) -> Cells:
    """Return the cells that are empty now and were not."""
    return tuple(cell for cell in find(after.board, EMPTY) if cell not in find(before.board, EMPTY))


def _takes(state: State, one: Claim) -> list[Slide]:
    if one.kind != "slide":
        return []
    cell, slides = one.facts["at"], []
    for leg in one.facts["legs"]:
        for _ in range(min(leg.n, MOST)):
            slides.append(Slide(cell, leg.way))
            cell = moved(cell, leg.way)
    return slides


def _start(scene: Scene[State, Slide], facts: Facts) -> Any:
    at = blocks_of(scene.state.board)[TARGET][0]
    return (facts["at"], facts["goal"]) == (at, scene.state.goal)


def _empty(scene: Scene[State, Slide], facts: Facts) -> Any:
    return facts["cells"] == tuple(find(scene.state.board, EMPTY))


def _slid(scene: Scene[State, Slide], facts: Facts) -> Any:
    """Whether the block is what it is called, and each leg ends where it says."""
    cell = facts["at"]
    for leg in facts["legs"]:
        for _ in range(leg.n):
            cell = moved(cell, leg.way)
        if leg.n < 1 or cell != leg.to:
            return False
    return facts["block"] == _kind(*_block_at(scene.state.board, facts["at"]))


def _frees(scene: Scene[State, Slide], facts: Facts) -> Any:
    return facts["cells"] == _freed(scene.before, scene.state)


def _frees_now(scene: Scene[State, Slide], facts: Facts) -> Any:
    name, cells = _block_at(scene.state.board, facts["at"])
    is_free = obstacle(scene.state.board, name, cells, facts["way"]) is None
    return is_free and _frees_for(scene, facts)


def _frees_for(scene: Scene[State, Slide], facts: Facts) -> Any:
    """Whether the block that lies there now moves so later, into one of these cells."""
    at, way = facts["at"], facts["way"]
    name, cells = _block_at(scene.state.board, at)
    entered = {moved(cell, way) for cell in cells} - set(cells)
    return (
        _frees(scene, facts)
        and facts["block"] == _kind(name, cells)
        and bool(entered & set(facts["cells"]))
        and Slide(at, way) in scene.actions[scene.at :]
    )


_NARRATION: Narration[State, Slide] = Narration(
    _tell,
    _PHRASES,
    _takes,
    {
        "start": _start,
        **{"empty": _empty, "empty cell": _empty},
        "needs": lambda scene, facts: facts["cells"] == _needed(scene.state),
        "slide": _slid,
        **{"frees": _frees, "frees for": _frees_for, "frees now": _frees_now},
        "done": lambda scene, facts: (facts["goal"], facts["n"]) == (scene.state.goal, scene.at),
    },
)


def narration() -> Narration[State, Slide]:
    """Return how slides are told."""
    return _NARRATION
