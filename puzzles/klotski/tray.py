"""A Klotski board on which the blocks move in place, to play answers out fast."""

from collections.abc import Sequence

from puzzles.directions import STEPS
from puzzles.klotski.rules import EMPTY, TARGET, Slide, State, apply, blocks_of, normal
from puzzles.notation import stopped
from puzzles.verdict import Replay


class Tray:
    """A board on which blocks are moved in place; each keeps its number, T's is ``target``."""

    def __init__(self, state: State):
        self.rows, self.columns = len(state.board), len(state.board[0])
        self.goal = state.goal
        self.width = self.columns + 1  # one wall column ends each row and begins the next
        self.steps = {name: r * self.width + c for name, (r, c) in STEPS.items()}
        blocks = blocks_of(state.board)
        self.names = list(blocks)
        self.target = self.names.index(TARGET)
        self.cells = [[(r + 1) * self.width + c for r, c in cells] for cells in blocks.values()]
        self.owner = [-2] * (self.width * (self.rows + 2))
        for r in range(1, self.rows + 1):
            self.owner[r * self.width : (r + 1) * self.width - 1] = [-1] * self.columns
        for block, cells in enumerate(self.cells):
            for cell in cells:
                self.owner[cell] = block

    def slide(self, action: Slide) -> int:
        """Take ``action`` and return the number of the block; return -1 where it is illegal."""
        (r, c), step = action.at, self.steps.get(action.direction)
        if step is None or not (0 <= r < self.rows and 0 <= c < self.columns):
            return -1
        at, owner = (r + 1) * self.width + c, self.owner
        block = owner[at]
        if block < 0 or self.cells[block][0] != at:
            return -1
        targets = [cell + step for cell in self.cells[block]]
        for cell in targets:
            if owner[cell] != -1 and owner[cell] != block:
                return -1
        for cell in self.cells[block]:
            owner[cell] = -1
        for cell in targets:
            owner[cell] = block
        self.cells[block] = targets
        return block

    def state(self) -> State:
        marks = [*self.names, "", EMPTY]  # owner -1 is an empty cell
        rows = (range(r * self.width, (r + 1) * self.width - 1) for r in range(1, self.rows + 1))
        board = ["".join(marks[self.owner[cell]] for cell in row) for row in rows]
        return State(normal(board), self.goal)


def replay(state: State, answer: Sequence[Slide]) -> Replay:
    """Play ``answer`` as ``apply`` would, faster."""
    tray = Tray(state)
    for at, action in enumerate(answer):
        if tray.slide(action) < 0:
            return stopped(apply, tray.state(), at, action)
    return Replay(tray.state(), len(answer))
