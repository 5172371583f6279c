"""The shape of the code: imports go one way, rooms are apart, kernels stay in one file."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import puzzles

ROOT = Path(__file__).parents[1]
ORDER = {"solvers": 0, "render": 0, "puzzles": 1, "protocols": 2, "oracle": 3, "cli": 4}
FILES = sorted(path for layer in ORDER for path in (ROOT / layer).rglob("*.py"))
ROOM_FILES = {"__init__", "rules", "kernels", "packing", "sample", "view", "text", "narration"}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def has_kernels(path: Path) -> bool:
    return "@njit" in path.read_text()


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_go_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    for module in imported(path):
        other = module.split(".")[0]
        if other in ORDER and other != layer:
            assert ORDER[other] < ORDER[layer], f"{layer} imports {module}"


@pytest.mark.parametrize("path", [p for p in FILES if p.parent.name in puzzles.NAMES], ids=name)
def test_a_room_imports_no_other_room(path: Path) -> None:
    rooms = {module.split(".")[1] for module in imported(path) if module.count(".") >= 1}
    assert rooms & set(puzzles.NAMES) <= {path.parent.name}


@pytest.mark.parametrize("path", [p for p in FILES if has_kernels(p)], ids=name)
def test_kernels_import_only_numpy_and_numba(path: Path) -> None:
    assert set(imported(path)) <= {"numpy", "numba"}


@pytest.mark.parametrize("path", [p for p in FILES if p.stem == "rules"], ids=name)
def test_rules_need_neither_numpy_nor_numba(path: Path) -> None:
    assert not {module.split(".")[0] for module in imported(path)} & {"numpy", "numba"}


def test_the_copies_of_the_random_numbers_are_one_text() -> None:
    bodies = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name == "_below":
                bodies[name(path)] = ast.unparse(node)
    assert len(bodies) > 1
    assert len(set(bodies.values())) == 1, sorted(bodies)


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_every_room_has_the_same_files(family: str) -> None:
    files = {path.stem for path in (ROOT / "puzzles" / family).glob("*.py")}
    assert files >= ROOM_FILES - {"kernels"}


def test_nothing_outside_its_room_names_a_family() -> None:
    quoted = {f'"{family}"' for family in puzzles.NAMES}
    allowed = {"puzzles/rooms.py", "cli/make.py"}
    for path in FILES:
        if path.parent.name in puzzles.NAMES or name(path) in allowed:
            continue
        found = {word for word in quoted if word in path.read_text()}
        assert not found, f"{name(path)} names {found}"
