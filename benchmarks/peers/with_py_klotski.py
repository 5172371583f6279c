"""py-klotski: its C++ search, one move carrying a piece any distance."""

from boards import FEW, klotski
from contest import Play, serve
from klotski import FastCal, Layout

KINDS = {(1, 2): 1, (2, 1): 2, (1, 1): 3}
"""Its numbers of the shapes (rows, columns); 0 is an empty cell."""


def code(board: str) -> Layout:
    """Return its layout: the cell of T, then two bits for each first cell that T leaves."""
    rows = board.split("/")
    text = "".join(rows)
    digits, seen = [], {"T"}
    for cell, mark in enumerate(text):
        if mark == ".":
            digits.append(0)
        elif mark not in seen:
            seen.add(mark)
            across = text.count(mark) == 2 and text[cell + 1 : cell + 2] == mark
            digits.append(KINDS[(1, 2) if across else (text.count(mark), 1)])
    rest = 0
    for digit in (digits + [0] * 16)[:16]:
        rest = rest << 2 | digit
    return Layout(text.index("T") << 32 | rest)


def solve(file: str) -> Play:
    layouts = [code(board) for board in klotski(file)]

    def play() -> tuple[int, list[int]]:
        lengths = []
        for layout in layouts:
            search = FastCal(layout)
            lengths.append(len(search.backtrack(search.solve())) - 1)
        return len(layouts), lengths

    return play


def explore(file: str) -> Play:
    layouts = [code(board) for board in klotski(file)[:FEW]]

    def play() -> tuple[int, list[int]]:
        for layout in layouts:
            FastCal(layout).build_all()
        return len(layouts), []

    return play


serve("py-klotski", {"klotski": solve, "klotski-all": explore})
