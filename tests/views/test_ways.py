"""Ways drawn in red: exactly the steps that were walked."""

import numpy as np
import pytest

import puzzles.maze.view as maze
import puzzles.path.view as path
import puzzles.sokoban.view as sokoban
from puzzles.directions import moved
from puzzles.sokoban import rules as sokoban_rules
from render.palette import AID_RED
from render.strokes import stroke_width
from tests.views.boards import MAZE, PATH, SOKOBAN

Edge = frozenset[tuple[int, int]]


def drawn_edges(picture: object, cell: int) -> set[Edge]:
    """Pairs of cells whose centres are joined by a red band of full width."""
    red = (picture.palette[picture.pixels] == AID_RED).all(-1)
    rows, cols = red.shape[0] // cell, red.shape[1] // cell
    inner = (stroke_width(cell) - 1) // 2
    edges = set()
    for r in range(rows):
        for c in range(cols):
            y, x = r * cell + cell // 2, c * cell + cell // 2
            if c + 1 < cols and red[y - inner : y + inner, x : x + cell].all():
                edges.add(frozenset({(r, c), (r, c + 1)}))
            if r + 1 < rows and red[y : y + cell, x - inner : x + inner].all():
                edges.add(frozenset({(r, c), (r + 1, c)}))
    return edges


def walked(start: tuple[int, int], actions: list[str]) -> set[Edge]:
    edges, at = set(), start
    for action in actions:
        edges.add(frozenset({at, moved(at, action)}))
        at = moved(at, action)
    return edges


@pytest.mark.parametrize("cell", [24, 32, 64, 128])
@pytest.mark.parametrize(("view", "board"), [(maze, MAZE), (path, PATH)])
def test_the_way_of_a_solution(view: object, board: object, cell: int) -> None:
    picture = view.draw_solution(board.state, board.actions, cell)
    assert drawn_edges(picture, cell) == walked(board.state.agent, board.actions)


def test_letters_stay_beside_the_way() -> None:
    plain = path.draw(PATH.state, 64)
    solved = path.draw_solution(PATH.state, PATH.actions, 64)
    corner = np.zeros((64, 64), bool)
    corner[2:27, 4:27] = True
    for _, (r, c) in PATH.state.labels:
        tile = np.s_[r * 64 : (r + 1) * 64, c * 64 : (c + 1) * 64]
        assert np.array_equal(plain.pixels[tile][corner], solved.pixels[tile][corner])


def test_a_sokoban_walk_ends_where_the_last_push_is_made_from() -> None:
    assert SOKOBAN.actions == ["down", "left", "up"]  # the second pushes, the third is idle
    picture = sokoban.draw_solution(SOKOBAN.state, SOKOBAN.actions, 64)
    assert drawn_edges(picture, 64) == walked(SOKOBAN.state.player, ["down"])


def test_a_sokoban_walk_may_pass_cells_twice() -> None:
    state = sokoban_rules.parse("#######\n#@-$-.#\n#-----#\n#######", {})
    actions = ["right", "left", "right", "right"]
    picture = sokoban.draw_solution(state, actions, 64)
    assert drawn_edges(picture, 64) == walked((1, 1), ["right"])


def test_a_push_from_the_first_cell_is_a_dot() -> None:
    state = sokoban_rules.parse("#######\n#-@$.-#\n#######", {})
    plain = sokoban.draw(state, 64)
    solved = sokoban.draw_solution(state, ["right"], 64)
    ys, xs = np.nonzero(plain.pixels != solved.pixels)
    assert (ys.min(), ys.max(), xs.min(), xs.max()) == (92, 99, 156, 163)
