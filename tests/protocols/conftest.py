"""Data sets that the tests of running play."""

import pytest

from puzzles import NAMES
from puzzles.asked import checked
from puzzles.content import Content
from puzzles.dataset import write
from puzzles.generate import Recipe
from tests.protocols.playing import CORRIDORS, corridor, save


@pytest.fixture
def data(tmp_path):
    return save(tmp_path / "data", [corridor(k, board, k + 1) for k, board in enumerate(CORRIDORS)])


@pytest.fixture(scope="session")
def suite(tmp_path_factory):
    """Two short instances of every family, without pictures on disk."""
    top = tmp_path_factory.mktemp("suite")
    for name in NAMES:
        write(Content(checked(Recipe(name, lengths=(2, 3))), 2, None), top / name, workers=1)
    return top
