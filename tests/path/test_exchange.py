"""Path boards and the published suite: written in its form; why its own can't be read."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from puzzles.exchange import NotWritable, Source
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance
from puzzles.path import FAMILY
from puzzles.path.rules import parse

VGAU = FAMILY.formats["vgau"]


def written(instance: Instance) -> str:
    assert VGAU.write is not None
    return VGAU.write(instance)


def test_only_its_own_records_are_claimed(reference: Path) -> None:
    for path in (reference / "vgau").glob("*.jsonl"):
        assert VGAU.claims(path.read_text()) == (path.stem == "path")
    assert not VGAU.claims("S.A\n#.B\n#G.\n")


def test_every_published_record_says_that_it_lacks_its_cells(reference: Path) -> None:
    text = (reference / "vgau" / "path.jsonl").read_text()
    lines = text.splitlines(keepends=True)
    found = list(VGAU.read(Source(Path("path.jsonl"), text)))
    assert [entry.line for entry in found] == list(range(1, len(lines) + 1))
    for entry, line in zip(found, lines, strict=True):
        assert entry.state is None
        assert entry.problem.startswith("the record holds no walkable cells")
        kept = Instance(
            family="path",
            board="SAG",
            optimal_length=2,
            source={"format": "vgau", "record": entry.record},
        )
        assert written(kept) == line


def test_what_is_no_record_is_named() -> None:
    found = list(VGAU.read(Source(Path("path.jsonl"), '{"labeled_points": {}}\n{\n[1]\n')))
    assert [entry.line for entry in found] == [1, 2, 3]
    assert found[1].problem.startswith("not JSON")
    assert found[2].problem == "the record is [1], not an object"


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_our_boards_in_the_published_form(difficulty: str, reference: Path) -> None:
    published = json.loads((reference / "vgau" / "path.jsonl").read_text().splitlines()[0])
    for at in range(20):
        instance = generate(Recipe("path", difficulty=difficulty), at).instance
        record = json.loads(written(instance))
        assert list(record) == list(published)
        assert {key: type(value) for key, value in record.items()} == {
            key: type(value) for key, value in published.items()
        }
        state = parse(instance.board, instance.rules)
        route = [tuple(cell) for cell in record["answer_path"]]
        assert (route[0], route[-1]) == (state.agent, state.goal)
        assert (
            len(set(route)) == len(route) == instance.optimal_length + 1 == record["distance"] + 1
        )
        assert all(state.walls[r][c] == "." for r, c in route)
        steps = pairwise(route)
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in steps)
        assert instance.answer == f"<answer>{record['answer']}</answer>"
        assert record["answer"].split(",") == record["on_path_labels"]
        assert {(name, tuple(cell)) for name, cell in record["labeled_points"].items()} == {
            *state.labels
        }
        assert record["difficulty"] == {"medium": "middle"}.get(difficulty, difficulty)


def test_a_board_that_is_no_square() -> None:
    record = json.loads(written(Instance(family="path", board="SA.\n##G", optimal_length=3)))
    assert record["grid_size"] == [2, 3]
    assert record["answer_path"] == [[0, 0], [0, 1], [0, 2], [1, 2]]


def test_a_board_without_a_route_can_not_be_said() -> None:
    with pytest.raises(NotWritable, match="no route"):
        written(Instance(family="path", board="SA#G", optimal_length=3))
