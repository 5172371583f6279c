"""Random boards of every family: small, of odd shapes, solvable or not."""

from collections.abc import Callable
from typing import Any

from puzzles import family
from puzzles.draws import Draws
from puzzles.family import Family, InvalidBoard


def _shape(draws: Draws, low: int, high: int) -> tuple[int, int]:
    return low + draws.below(high - low + 1), low + draws.below(high - low + 1)


def _grid(draws: Draws, rows: int, columns: int, floor: str, walls: int) -> list[list[str]]:
    """Return a grid in which ``walls`` of eight cells are walls."""
    return [["#" if draws.below(8) < walls else floor for _ in range(columns)] for _ in range(rows)]


def _places(draws: Draws, rows: int, columns: int, n: int) -> list[tuple[int, int]]:
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    return draws.shuffled(cells)[:n]


def maze(draws: Draws) -> tuple[str, dict[str, Any]]:
    rows, columns = draws.below(9) + 1, draws.below(9) + 2
    grid = _grid(draws, rows, columns, ".", 3)
    start, goal = _places(draws, rows, columns, 2)
    grid[goal[0]][goal[1]] = "G"
    grid[start[0]][start[1]] = "S"
    return _joined(grid), {}


def path(draws: Draws) -> tuple[str, dict[str, Any]]:
    rows, columns = draws.below(5) + 1, draws.below(6) + 3
    grid = _grid(draws, rows, columns, ".", 4)
    start, goal, label = _places(draws, rows, columns, 3)
    for (r, c), mark in ((label, "A"), (goal, "G"), (start, "S")):
        grid[r][c] = mark
    return _joined(grid), {}


def sokoban(draws: Draws) -> tuple[str, dict[str, Any]]:
    rows, columns = _shape(draws, 2, 6)
    boxes = 1 + draws.below(3)
    grid = _grid(draws, rows, columns, "-", 2)
    boxed, marked = _places(draws, rows, columns, boxes), _places(draws, rows, columns, boxes)
    for r, c in marked:
        grid[r][c] = "."
    for r, c in boxed:
        grid[r][c] = "*" if grid[r][c] == "." else "$"
    free = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] in "-."]
    if free:
        r, c = draws.choice(free)
        grid[r][c] = "+" if grid[r][c] == "." else "@"
    return _joined(grid), {}


def onet(draws: Draws) -> tuple[str, dict[str, Any]]:
    rows, columns = draws.below(4) + 1, draws.below(4) + 2
    pairs = 1 + draws.below(min(5, rows * columns // 2))
    grid = [["."] * columns for _ in range(rows)]
    kinds = [draws.choice("aaabbc") for _ in range(pairs)]
    places = _places(draws, rows, columns, 2 * pairs)
    for (r, c), kind in zip(places, kinds * 2, strict=True):
        grid[r][c] = kind
    return _joined(grid), {"max_turns": draws.below(4), "outside": draws.below(4) == 0}


def parking(draws: Draws) -> tuple[str, dict[str, Any]]:
    rows, columns = draws.below(5) + 2, draws.below(5) + 3
    grid = _grid(draws, rows, columns, ".", draws.below(2))
    row = draws.below(rows)
    column = draws.below(columns - 1)
    grid[row][column] = grid[row][column + 1] = "R"
    for name in "ABCDEFG"[: 2 + draws.below(6)]:
        across, length = draws.below(2), 2 + draws.below(2)
        (r, c), *_ = _places(draws, rows, columns, 1)
        cells = [(r, c + k) if across else (r + k, c) for k in range(length)]
        if all(r < rows and c < columns and grid[r][c] == "." for r, c in cells):
            for r, c in cells:
                grid[r][c] = name
    return _joined(grid), {}


def klotski(draws: Draws) -> tuple[str, dict[str, Any]]:
    rows, columns = draws.below(4) + 1, draws.below(4) + 2
    grid = [["."] * columns for _ in range(rows)]
    height, width = 1 + draws.below(min(2, rows)), 1 + draws.below(2)
    blocks = [(height, width, "T")]
    blocks += [(1 + draws.below(2), 1 + draws.below(3), name) for name in "ABCDEFGH"]
    for height, width, name in blocks:
        (r, c), *_ = _places(draws, rows, columns, 1)
        if name == "T":
            r, c = min(r, rows - height), min(c, columns - width)
        cells = [(r + i, c + j) for i in range(height) for j in range(width)]
        if all(r < rows and c < columns and grid[r][c] == "." for r, c in cells):
            for r, c in cells:
                grid[r][c] = name
    goal = [draws.below(rows - blocks[0][0] + 1), draws.below(columns - blocks[0][1] + 1)]
    return _joined(grid), {"goal": goal}


def _joined(grid: list[list[str]]) -> str:
    return "\n".join(map("".join, grid))


MAKERS: dict[str, Callable[[Draws], tuple[str, dict[str, Any]]]] = {
    maker.__name__: maker for maker in (maze, path, sokoban, onet, parking, klotski)
}


def random_boards(name: str, n: int, key: object = 0, most: int = 400) -> list[Any]:
    """Return ``n`` states of the family ``name`` with at most ``most`` states to reach.

    What the parser refuses is drawn again.
    """
    draws, room, states = Draws("boards", name, key), family(name), []
    while len(states) < n:
        try:
            state = room.parse(*MAKERS[name](draws))
        except InvalidBoard:
            continue
        if _is_small(room, state, most):
            states.append(state)
    return states


def _is_small(room: Family[Any, Any], start: Any, most: int) -> bool:
    seen, edge = {start}, [start]
    while edge and len(seen) <= most:
        state = edge.pop()
        for action in room.legal_actions(state):
            after = room.apply(state, action)
            if after not in seen:
                seen.add(after)
                edge.append(after)
    return len(seen) <= most
