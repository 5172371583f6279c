"""A Klotski board on which the blocks move in place, to play answers out fast."""

from collections.abc import Sequence
from functools import lru_cache

from puzzles.directions import STEPS
from puzzles.klotski.rules import EMPTY, TARGET, Slide, State, apply, blocks_of, normal
from puzzles.notation import stopped
from puzzles.verdict import Replay

_FEW_CELLS = 400
"""Up to this board size it is remembered how a board is laid out: it is played on again."""


_FREE, _WALL = 255, 254
"""What stands for an empty cell, and for one beyond the board, where blocks have numbers."""

Way = tuple[int, tuple[int, ...], tuple[int, ...]]
"""How a block moves: its step, the cells that it enters and leaves, from its first cell."""


class Tray:
    """A board on which blocks are moved in place; each keeps its number, T's is ``target``.

    first
        The first cell of each block, where cells are counted row by row with a wall after each row.
    """

    def __init__(self, state: State):
        self.rows, self.columns = len(state.board), len(state.board[0])
        self.goal = state.goal
        self.width = self.columns + 1  # one wall column ends each row and begins the next
        few = self.rows * self.columns <= _FEW_CELLS
        self._names, first, owner, self._ways = (_remembered if few else _laid)(state.board)
        self.target = self._names.index(TARGET)
        self.first, self._owner = [*first], bytearray(owner)

    def slide(self, action: Slide) -> int:
        """Take ``action`` and return the number of the block; return -1 where it is illegal."""
        (r, c), direction = action
        if not (0 <= r < self.rows and 0 <= c < self.columns):
            return -1
        at, owner = (r + 1) * self.width + c, self._owner
        block = owner[at]
        if block == _FREE or self.first[block] != at or direction not in self._ways[block]:
            return -1
        step, enters, leaves = self._ways[block][direction]
        for cell in enters:
            if owner[at + cell] != _FREE:
                return -1
        for cell in leaves:
            owner[at + cell] = _FREE
        for cell in enters:
            owner[at + cell] = block
        self.first[block] = at + step
        return block

    def state(self) -> State:
        table = self._names.ljust(_WALL, EMPTY) + "\n" + EMPTY
        text = self._owner.decode("latin-1").translate(table)
        return State(normal(text.strip("\n").split("\n")), self.goal)


def _laid(board: tuple[str, ...]) -> tuple[str, list[int], bytes, list[dict[str, Way]]]:
    """Return the names of the blocks, where each begins, whose each cell is, and how each moves."""
    rows, columns = len(board), len(board[0])
    width, blocks = columns + 1, blocks_of(board)
    owner = bytearray([_WALL]) * (width * (rows + 2))
    for r in range(1, rows + 1):
        owner[r * width : (r + 1) * width - 1] = bytes([_FREE]) * columns
    places = [[(r + 1) * width + c for r, c in block] for block in blocks.values()]
    for block, cells in enumerate(places):
        for cell in cells:
            owner[cell] = block
    ways = [_ways(cells, width) for cells in places]
    return "".join(blocks), [cells[0] for cells in places], bytes(owner), ways


def _ways(cells: Sequence[int], width: int) -> dict[str, Way]:
    """Return the ways of a block by their directions."""
    own, found = {cell - cells[0] for cell in cells}, {}
    for direction, (down, across) in STEPS.items():
        step = down * width + across
        after = {cell + step for cell in own}
        found[direction] = step, tuple(after - own), tuple(own - after)
    return found


_remembered = lru_cache(maxsize=1024)(_laid)


def replay(state: State, answer: Sequence[Slide]) -> Replay:
    """Play ``answer`` as ``apply`` would, faster."""
    tray = Tray(state)
    for at, action in enumerate(answer):
        if tray.slide(action) < 0:
            return stopped(apply, tray.state(), at, action)
    return Replay(tray.state(), len(answer))
