"""Golden pixels: every machine draws the same ones.

After a change of the art that is meant, run `python -m tests.views.test_golden` and paste.
"""

import importlib
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from puzzles import NAMES
from tests.views.boards import BOARDS, MAZE, Board

GOLDEN = {
    "maze": "1f0f87f7db976c191139301b",
    "maze aid": "b1a7a06132d38ddc7519af08",
    "sokoban": "c626a9931406c5ac5c313b42",
    "path": "84096ce9b610d0816ec66e9d",
    "onet": "41b2998d631cc07ee9926e8e",
    "parking": "f05ac44e1cf61ff8b1a02252",
    "klotski": "a92cd3cedabf87aed1e66324",
}


def digest(picture: Any) -> str:
    rgb = np.ascontiguousarray(picture.palette[picture.pixels])
    return blake2b(rgb.tobytes() + str(rgb.shape).encode(), digest_size=12).hexdigest()


def drawings(board: Board) -> dict[str, Any]:
    view = importlib.import_module(f"puzzles.{board.family}.view")
    out = {board.family: view.draw(board.state, 64)}
    if board is MAZE:
        out["maze aid"] = view.draw_aid(board.state, 64)
    return out


def test_every_family_has_a_board() -> None:
    assert [board.family for board in BOARDS] == list(NAMES)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.family)
def test_pixels_are_the_golden_ones(board: Board) -> None:
    for name, picture in drawings(board).items():
        assert digest(picture) == GOLDEN[name], name


if __name__ == "__main__":
    for board in BOARDS:
        for name, picture in drawings(board).items():
            print(f'    "{name}": "{digest(picture)}",')
