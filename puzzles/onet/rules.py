"""Onet: its state, its removals and their notation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from string import ascii_letters
from typing import Any, NamedTuple

from puzzles.directions import quoted
from puzzles.family import Cell, IllegalAction, InvalidBoard, MalformedAnswer
from puzzles.notation import compact, known_rules, marked, rows_of, stopped
from puzzles.onet.links import EMPTY, Grounds, any_free, bits, fewest_turns, routes
from puzzles.steps import listed
from puzzles.symmetry import all_eight, smallest_relabelled
from puzzles.verdict import Reason, Replay

RULE_OPTIONS: dict[str, Any] = {"max_turns": 2, "outside": False}
MOST_TURNS = 1_000_000
"""More than any link on a board that fits into memory needs."""
_FEW_CELLS = 400
"""Up to this board size ``replay`` looks routes up in a table."""


@dataclass(frozen=True, slots=True)
class State:
    """Rows of ``.`` (empty) and letters (kinds of tiles), and what a link may do.

    ``outside`` lets links run through a ring of empty cells around the board.
    """

    board: tuple[str, ...]
    max_turns: int = 2
    outside: bool = False


class Pair(NamedTuple):
    """The removal of the tiles at two cells."""

    a: Cell
    b: Cell


def parse(board: str, rules: Mapping[str, Any]) -> State:
    """Return the state that ``board`` shows; raise InvalidBoard where it is not one of Onet."""
    options = known_rules(rules, RULE_OPTIONS, "onet")
    max_turns, outside = options["max_turns"], options["outside"]
    if type(max_turns) is not int or not 0 <= max_turns <= MOST_TURNS:
        raise InvalidBoard(
            f"onet: max_turns is {quoted(max_turns)}, not a whole number from 0 to {MOST_TURNS}"
        )
    if type(outside) is not bool:
        raise InvalidBoard(f"onet: outside is {quoted(outside)}, not true or false")
    state = State(rows_of(board, EMPTY + ascii_letters, "onet"), max_turns, outside)
    for kind, cells in tiles(state).items():
        if len(cells) % 2:
            raise InvalidBoard(
                f"onet: kind {kind} has an odd number of tiles, {len(cells)}; "
                f"the first is at {_at(cells[0])}"
            )
    return state


def format(state: State) -> str:
    """Return the board as ``parse`` reads it."""
    return "\n".join(state.board)


def rules_of(state: State) -> dict[str, Any]:
    """Return the rules that the board does not show."""
    return {"max_turns": state.max_turns, "outside": state.outside}


def canonical(state: State) -> bytes:
    """Return the smallest notation among the board's symmetries, kinds renamed, with the rules."""
    smallest = smallest_relabelled(all_eight(state.board), EMPTY)
    return f"{smallest}\n{state.max_turns} {state.outside:d}".encode()


def tiles(state: State) -> dict[str, list[Cell]]:
    """Return the cells of each kind, row by row, the kinds in the order of their first cell."""
    cells: dict[str, list[Cell]] = {}
    for r, row in enumerate(state.board):
        for c, kind in enumerate(row):
            if kind != EMPTY:
                cells.setdefault(kind, []).append((r, c))
    return cells


def link(state: State, a: Cell, b: Cell) -> list[Cell] | None:
    """Return the corners of a legal link between the tiles at ``a`` and ``b``, ends included.

    None where there is none. Of all links it is one with the fewest turns and, of those, a
    shortest; with ``outside`` its corners may lie one cell outside the board.
    """
    return fewest_turns(state.board, a, b, state.max_turns, int(state.outside))


def legal_actions(state: State) -> list[Pair]:
    return [
        Pair(a, b)
        for cells in tiles(state).values()
        for a, b in combinations(cells, 2)
        if link(state, a, b)
    ]


def apply(state: State, action: Pair) -> State:
    """Return the state after ``action``; raise IllegalAction where it can't be taken."""
    board, (a, b) = state.board, action
    for r, c in action:
        if not (0 <= r < len(board) and 0 <= c < len(board[0])):
            raise _refused(Reason.OUT_OF_BOUNDS, action, f"{_at((r, c))} is outside the board")
    for r, c in action:
        if board[r][c] == EMPTY:
            raise _refused(Reason.EMPTY_CELL, action, f"{_at((r, c))} is empty")
    if a == b:
        raise _refused(Reason.NOT_A_PAIR, action, "both cells are the same tile")
    kind, other = board[a[0]][a[1]], board[b[0]][b[1]]
    if kind != other:
        raise _refused(Reason.NOT_A_PAIR, action, f"the tiles are {kind} and {other}")
    if not link(state, a, b):
        turns = f"{state.max_turns} turn{'' if state.max_turns == 1 else 's'}"
        raise _refused(Reason.NO_LINK, action, f"no link with at most {turns} joins the tiles")
    return replace(state, board=tuple(marked(board, [(a, EMPTY), (b, EMPTY)])))


def _refused(reason: Reason, action: Pair, why: str) -> IllegalAction:
    return IllegalAction(reason, f"{_at(action[0])}-{_at(action[1])}: {why}")


def _at(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def is_solved(state: State) -> bool:
    """Return whether the goal holds."""
    return not any(row.strip(EMPTY) for row in state.board)


def replay(state: State, answer: Sequence[Pair]) -> Replay:
    """Play ``answer`` as ``apply`` would, faster where two turns and a table of routes do."""
    rows, columns = len(state.board), len(state.board[0])
    if state.max_turns > 2 or rows * columns > _FEW_CELLS:
        return _step_by_step(state, answer)
    grounds = Grounds(rows, columns, state.max_turns, int(state.outside))
    bit, (kinds, full) = bits(rows, columns), _laid(state)
    kinds = {**kinds}
    for at, action in enumerate(answer):
        a, b = action
        if (
            a == b
            or a not in kinds
            or kinds[a] != kinds.get(b)
            or not any_free(routes(grounds, a, b), full)
        ):
            return stopped(apply, _holding(state, kinds), at, action)
        full ^= bit[a] | bit[b]
        del kinds[a], kinds[b]
    return Replay(_holding(state, kinds), len(answer))


@lru_cache(maxsize=1024)
def _laid(state: State) -> tuple[Mapping[Cell, str], int]:
    """Return the kind of each tile by its cell, and the bits of all: it is played on again."""
    kinds = {cell: kind for kind, cells in tiles(state).items() for cell in cells}
    bit = bits(len(state.board), len(state.board[0]))
    return kinds, sum(bit[cell] for cell in kinds)


def _holding(state: State, kinds: Mapping[Cell, str]) -> State:
    """Return ``state`` with no other tiles than ``kinds``."""
    rows, columns = len(state.board), len(state.board[0])
    cells = [EMPTY * columns] * rows
    if kinds:
        cells = ["".join([kinds.get((r, c), EMPTY) for c in range(columns)]) for r in range(rows)]
    return State(tuple(cells), state.max_turns, state.outside)


def _step_by_step(state: State, answer: Sequence[Pair]) -> Replay:
    for at, action in enumerate(answer):
        try:
            state = apply(state, action)
        except IllegalAction as error:
            return Replay(state, at, at, error.reason, str(error))
    return Replay(state, len(answer))


def parse_answer(value: Any) -> list[Pair]:
    """Return the removals in ``value``, a list of ``[[r1,c1],[r2,c2]]`` or ``[r1,c1,r2,c2]``.

    Raises MalformedAnswer where it is anything else; the cells may lie outside a board.
    """
    if not isinstance(value, list):
        raise MalformedAnswer(f"expected a list of pairs of cells, not {quoted(value)}")
    return [_pair(at, item) for at, item in enumerate(value)]


def _pair(at: int, item: Any) -> Pair:
    if type(item) is list and len(item) == 2:  # what is asked for, told at a glance
        a, b = item
        if type(a) is list is type(b) and len(a) == 2 == len(b):
            (r, c), (r2, c2) = a, b
            if type(r) is int is type(c) and type(r2) is int is type(c2):
                return Pair((r, c), (r2, c2))
    cells = item
    if isinstance(item, list) and len(item) == 4:
        cells = [item[:2], item[2:]]
    if (
        isinstance(cells, list)
        and len(cells) == 2
        and all(isinstance(cell, list) and len(cell) == 2 for cell in cells)
        and all(type(number) is int for cell in cells for number in cell)
    ):
        (r, c), (r2, c2) = cells
        return Pair((r, c), (r2, c2))
    raise MalformedAnswer(f"item {at} is {quoted(item)}, not a pair of cells [[r1,c1],[r2,c2]]")


def format_answer(answer: Sequence[Pair]) -> str:
    """Return the answer that removes these pairs, in wire format."""
    items = [f"[[{r},{c}],[{r2},{c2}]]" for (r, c), (r2, c2) in answer]
    return f"<answer_json>[{','.join(items)}]</answer_json>"


def parse_step(value: Any) -> list[Pair]:
    """Return the removals that ``value`` names: one pair, or a list of pairs.

    The two cells may also be the values of an object. Raises MalformedAnswer for another shape.
    """
    items = listed(value)
    if len(items) in (2, 4) and not any(_is_pair(item) for item in items):
        items = [items]
    return parse_answer([[*item.values()] if isinstance(item, dict) else item for item in items])


def _is_pair(item: Any) -> bool:
    """Whether an item of a list may be a pair of cells rather than a cell or a number."""
    return isinstance(item, dict) or (
        isinstance(item, list) and (len(item) == 4 or any(isinstance(cell, list) for cell in item))
    )


def format_step(action: Pair, items: Sequence[Any] | None) -> str:
    """Return the JSON of one removal; it has no items."""
    return compact(action)
