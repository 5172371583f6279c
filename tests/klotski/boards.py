"""Klotski boards for tests: random ones of any shape, and all that the sampler could lay."""

from puzzles.draws import Draws
from puzzles.klotski.blocks import HOLES, SHAPES, inventory
from puzzles.klotski.rules import NAMES, State, blocks_of, goal_cell, normal, parse


def any_board(draws: Draws, most: int = 7) -> State:
    """Return a board of up to ``most`` rows and columns, its blocks grown cell by cell."""
    rows, columns = 1 + draws.below(most), 1 + draws.below(most)
    free = draws.shuffled([(r, c) for r in range(rows) for c in range(columns)])
    empty = draws.below(rows * columns)
    board = [["."] * columns for _ in range(rows)]
    for name in "T" + NAMES:
        if len(free) <= empty:
            break
        cells = [free.pop()]
        for _ in range(draws.below(5)):
            r, c = draws.choice(cells)
            near = draws.choice([(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)])
            if near in free and len(free) > empty:
                free.remove(near)
                cells.append(near)
        for r, c in cells:
            board[r][c] = name
    state = parse("\n".join(map("".join, board)), {})
    if draws.below(2):
        target = blocks_of(state.board)["T"]
        goal = list(target[0])  # any place that keeps T on the board
        goal[0] += draws.below(rows - max(r for r, _ in target))
        state = parse("\n".join(state.board), {"goal": goal})
    return state


def all_boards(rows: int, columns: int) -> list[State]:
    """Return every way to lay the blocks that a board of this size holds."""
    marks = ["T", *("" for _ in SHAPES[1:]), "."]
    boards = [(" " * rows * columns, (*inventory((rows, columns)), HOLES))]
    for cell in range(rows * columns):
        grown = [(board, left) for board, left in boards if board[cell] != " "]
        for board, left in boards:
            for kind, shape in enumerate((*SHAPES, SHAPES[-1])):
                spots = [(cell // columns + r, cell % columns + c) for r, c in shape]
                cells = [r * columns + c for r, c in spots if r < rows and c < columns]
                if (
                    not left[kind]
                    or len(cells) < len(spots)
                    or {board[at] for at in cells} != {" "}
                ):
                    continue
                mark = marks[kind] or chr(0xE000 + cell)
                laid = "".join(mark if at in cells else old for at, old in enumerate(board))
                grown.append((laid, (*left[:kind], left[kind] - 1, *left[kind + 1 :])))
        boards = grown
    goal = goal_cell(None, SHAPES[0], rows, columns)
    return [
        State(normal([board[r * columns :][:columns] for r in range(rows)]), goal)
        for board, _ in boards
    ]
