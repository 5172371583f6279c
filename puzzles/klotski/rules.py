"""Klotski: its state, its actions and their notation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, NamedTuple

from puzzles.directions import DIRECTIONS, STEPS, moved, parse_direction, quoted
from puzzles.family import Cell, IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.notation import compact, known_rules, rows_of
from puzzles.symmetry import mirrored
from puzzles.verdict import Reason

EMPTY, TARGET = ".", "T"
NAMES = ascii_uppercase.replace(TARGET, "") + ascii_lowercase + digits
"""The names of the blocks other than the target, in the order in which they are given."""
RULE_OPTIONS: dict[str, Any] = {"goal": None}

_DIGITS, _FEW = 1000, 1_000_000
_REPEATS = ("steps", "distance")


class Slide(NamedTuple):
    """Move the block whose top-left cell (the first in reading order) is ``at`` by one cell."""

    at: Cell
    direction: str


@dataclass(frozen=True, slots=True)
class State:
    """Rows of ``.`` (empty), ``T`` (the target) and one name a block; where T has to come to.

    ``goal`` is the cell for T's top-left cell, the first of its cells in reading order. Names
    follow reading order (see ``normal``), so that boards which differ only in which of two equal
    blocks lies where are equal.
    """

    board: tuple[str, ...]
    goal: Cell


def blocks_of(board: Sequence[str]) -> dict[str, list[Cell]]:
    """Return the cells of each block in reading order, the block that comes first at the front."""
    blocks: dict[str, list[Cell]] = {}
    for r, row in enumerate(board):
        for c, mark in enumerate(row):
            if mark != EMPTY:
                blocks.setdefault(mark, []).append((r, c))
    return blocks


def normal(board: Sequence[str]) -> tuple[str, ...]:
    """Return ``board`` with its blocks, T apart, named A, B, C, ... in reading order."""
    text = "\n".join(board)
    marks = [mark for mark in dict.fromkeys(text) if mark not in f"{EMPTY}{TARGET}\n"]
    names = {ord(mark): name for mark, name in zip(marks, NAMES, strict=False)}
    return tuple(text.translate(names).split("\n"))


def parse(board: str, rules: Mapping[str, Any]) -> State:
    """Return the state that ``board`` shows; raise InvalidBoard where it is not a Klotski board."""
    goal = known_rules(rules, RULE_OPTIONS, "klotski")["goal"]
    rows = rows_of(board, "", "klotski")
    blocks = blocks_of(rows)
    for mark, cells in blocks.items():
        if mark != TARGET and mark not in NAMES:
            raise InvalidBoard(
                f"klotski: {quoted(mark)} at {_at(cells[0])} is not '.', a letter or a digit"
            )
        _check_whole(mark, cells)
    if TARGET not in blocks:
        raise InvalidBoard("klotski: the board has no block T")
    return State(normal(rows), goal_cell(goal, blocks[TARGET], len(rows), len(rows[0])))


def _check_whole(name: str, cells: list[Cell]) -> None:
    """Raise InvalidBoard unless the cells hang together."""
    apart, edge = set(cells[1:]), [cells[0]]
    while edge:
        cell = edge.pop()
        for near in (moved(cell, direction) for direction in DIRECTIONS):
            if near in apart:
                apart.remove(near)
                edge.append(near)
    if apart:
        raise InvalidBoard(
            f"klotski: block {name} at {_at(cells[0])} is torn: {_at(min(apart))} lies apart"
        )


def goal_cell(goal: Any, target: Sequence[Cell], rows: int, columns: int) -> Cell:
    """Return the cell that the rule ``goal`` means for T, whose cells are ``target``.

    None stands for the middle of the bottom edge. Raises InvalidBoard for what is not a cell, or
    where T would leave the board.
    """
    first, (down, across) = target[0], zip(*target, strict=True)
    if goal is None:
        spare = columns - 1 - (max(across) - min(across))
        return first[0] + rows - 1 - max(down), first[1] - min(across) + spare // 2
    if not isinstance(goal, list | tuple) or [type(n) for n in goal] != [int, int]:
        raise InvalidBoard(f"klotski: the goal {quoted(goal)} is not [row, column]")
    for r, c in target:
        at = r - first[0] + goal[0], c - first[1] + goal[1]
        if not (0 <= at[0] < rows and 0 <= at[1] < columns):
            raise InvalidBoard(
                f"klotski: the goal {quoted(list(goal))} would put block T outside the board"
            )
    return goal[0], goal[1]


def format(state: State) -> str:
    """Return the board as ``parse`` reads it."""
    return "\n".join(state.board)


def canonical(state: State) -> bytes:
    """Return the notation and the goal; the smaller of two where the goal is in the middle.

    The other one is then the mirror image, left and right exchanged.
    """
    boards = [(state.board, state.goal)]
    rows, columns = len(state.board), len(state.board[0])
    target = blocks_of(state.board)[TARGET]
    shift = state.goal[1] - target[0][1]
    ends = [c + shift for _, c in target]
    if min(ends) + max(ends) == columns - 1:
        image = normal(mirrored(state.board))
        reflected = goal_cell(None, blocks_of(image)[TARGET], rows, columns)
        down = state.goal[0] - goal_cell(None, target, rows, columns)[0]
        boards.append((image, (reflected[0] + down, reflected[1])))
    board, goal = min(boards)
    return f"{goal[0]},{goal[1]}\n{chr(10).join(board)}".encode()


def rules_of(state: State) -> dict[str, Any]:
    """Return what the board can't say: the goal."""
    return {"goal": list(state.goal)}


def legal_actions(state: State) -> list[Slide]:
    return [
        Slide(cells[0], direction)
        for name, cells in blocks_of(state.board).items()
        for direction in DIRECTIONS
        if obstacle(state.board, name, cells, direction) is None
    ]


def obstacle(board: Sequence[str], name: str, cells: Sequence[Cell], direction: str) -> Cell | None:
    """Return the first cell off the board, or of another block, that a move would cover.

    ``cells`` are those of block ``name``, or where it would be after moves of its own.
    """
    down, across = STEPS[direction]
    rows, columns, own = len(board), len(board[0]), EMPTY + name
    for row, column in cells:
        r, c = row + down, column + across
        if not (0 <= r < rows and 0 <= c < columns) or board[r][c] not in own:
            return r, c
    return None


def apply(state: State, action: Slide) -> State:
    """Return the state after ``action``; raise IllegalAction where it can't be taken."""
    board, direction = state.board, action.direction
    name, cells = _block(board, action)
    hit = obstacle(board, name, cells, direction)
    if hit:
        r, c = hit
        what = f"{direction} from {_at(action.at)}"
        if not (0 <= r < len(board) and 0 <= c < len(board[0])):
            raise IllegalAction(Reason.OUT_OF_BOUNDS, f"{what} takes block {name} off the board")
        raise IllegalAction(
            Reason.BLOCKED, f"{what} is blocked by block {board[r][c]} at {_at(hit)}"
        )
    rows = [list(row.replace(name, EMPTY)) for row in board]
    for r, c in (moved(cell, direction) for cell in cells):
        rows[r][c] = name
    return State(normal(["".join(row) for row in rows]), state.goal)


def joins(first: Slide, then: Slide) -> bool:
    """Return whether ``then`` moves the block on that ``first`` has moved."""
    return moved(first.at, first.direction) == then.at


def _block(board: Sequence[str], action: Slide) -> tuple[str, list[Cell]]:
    """Return the block that ``action`` names, and its cells."""
    (r, c), direction = action
    if direction not in STEPS:
        raise IllegalAction(
            Reason.UNKNOWN_ACTION, f"{quoted(direction)} from {_at((r, c))} is not a direction"
        )
    what = f"{direction} from {_at((r, c))}"
    if not (0 <= r < len(board) and 0 <= c < len(board[0])):
        raise IllegalAction(Reason.OUT_OF_BOUNDS, f"{what} names a cell outside the board")
    name = board[r][c]
    if name == EMPTY:
        raise IllegalAction(Reason.EMPTY_CELL, f"{what} names an empty cell")
    cells = blocks_of(board)[name]
    if cells[0] != (r, c):
        raise IllegalAction(
            Reason.NO_SUCH_PIECE,
            f"{what} names a cell inside block {name}, whose top-left cell is {_at(cells[0])}",
        )
    return name, cells


def _at(cell: Cell) -> str:
    text = f"({cell[0]},{cell[1]})"
    return text if len(text) <= 40 else text[:37] + "..."


def is_solved(state: State) -> bool:
    """Return whether the goal holds."""
    for r, row in enumerate(state.board):
        if TARGET in row:
            return (r, row.index(TARGET)) == state.goal
    return False


def parse_answer(value: Any) -> list[Slide]:
    """Return the slides in ``value``; a word that names no direction stays as it is.

    Raises MalformedAnswer where ``value`` is not a list of objects with ``from`` (two whole
    numbers) and ``direction`` (a string).
    """
    if not isinstance(value, list):
        raise MalformedAnswer(f"expected a list of slides, not {quoted(value)}")
    return [_parse_slide(at, item) for at, item in enumerate(value)]


def _parse_slide(at: int, item: Any) -> Slide:
    if not isinstance(item, dict):
        raise MalformedAnswer(f"item {at} is {quoted(item)}, not an object with from and direction")
    if len(item) == 2:  # what is asked for, told at a glance
        cell, direction = item.get("from"), item.get("direction")
        if type(cell) is list and len(cell) == 2 and type(direction) is str:
            r, c = cell
            if type(r) is int is type(c) and -_FEW < r < _FEW and -_FEW < c < _FEW:
                return Slide((r, c), parse_direction(direction))
    fields = {key.strip().lower(): field for key, field in item.items()}
    if len(fields) < len(item):
        raise MalformedAnswer(f"item {at} has a key twice")
    for key in ("from", "direction"):
        if key not in fields:
            raise MalformedAnswer(f"item {at} has no {key!r}")
    for key in _REPEATS:
        if type(fields.get(key, 1)) is not int or fields.get(key, 1) != 1:
            raise MalformedAnswer(f"item {at} has {key!r}; an item moves a block by one cell")
    cell, direction = fields["from"], fields["direction"]
    if not isinstance(cell, list | tuple) or [type(n) for n in cell] != [int, int]:
        raise MalformedAnswer(f"item {at}: from is {quoted(cell)}, not [row, column]")
    if max(map(abs, cell)) >= 10**_DIGITS:
        raise MalformedAnswer(f"item {at}: from holds a number of more than {_DIGITS} digits")
    if not isinstance(direction, str):
        raise MalformedAnswer(f"item {at}: direction is {quoted(direction)}, not a word")
    return Slide((cell[0], cell[1]), parse_direction(direction))


def format_answer(answer: Sequence[Slide]) -> str:
    """Return the answer that names these slides, in wire format."""
    if {way for _, way in answer} <= STEPS.keys():
        items = ",".join(
            [f'{{"from":[{r},{c}],"direction":"{way.upper()}"}}' for (r, c), way in answer]
        )
        return f'{{"solution":[{items}]}}'
    return compact({"solution": [_item(slide) for slide in answer]})


def _item(slide: Slide) -> dict[str, Any]:
    word = slide.direction
    return {"from": list(slide.at), "direction": word.upper() if word in STEPS else word}


def format_step(action: Slide, items: Sequence[Any] | None) -> str:
    """Return the JSON of one slide; it has no items."""
    return compact(_item(action))
