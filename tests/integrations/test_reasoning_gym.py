"""The dataset in the installed reasoning-gym: its registry, its composites, its scoring."""

import re
from pathlib import Path
from typing import Any

import pytest

from protocols.adapters.reasoning_gym import NAME, PuzzleConfig, PuzzleDataset, register
from puzzles import NAMES, make

pytestmark = pytest.mark.integration
reasoning_gym = pytest.importorskip(
    "reasoning_gym", reason="reasoning-gym is no part of this environment"
)


@pytest.fixture(scope="module", autouse=True)
def _registered() -> type:
    return register()


@pytest.mark.parametrize("name", NAMES)
def test_a_dataset_as_it_makes_them(name: str) -> None:
    from reasoning_gym.dataset import ProceduralDataset

    data = reasoning_gym.create_dataset(NAME, family=name, size=5, seed=4, split="eval")
    assert isinstance(data, ProceduralDataset)
    assert len(data) == 5
    again = PuzzleDataset(PuzzleConfig(name, size=5, seed=4, split="eval"))
    assert [*data] == [*again] == [data[k] for k in range(5)]
    made = make(name, "easy", 1, seed=4, split="eval")
    assert data[0]["answer"] == made[0].answer
    for entry in data:
        assert data.score_answer(entry["answer"], entry) == 1
        assert data.score_answer(f"Because.\n{entry['answer']}", entry) == 1
        assert data.score_answer(None, entry) == data.score_answer("", entry) == 0
        assert entry["answer"] not in entry["question"]


def test_mixed_with_others() -> None:
    from reasoning_gym.composite import DatasetSpec

    specs = [
        DatasetSpec(name=NAME, weight=1, config={"family": "sokoban"}),
        DatasetSpec(name="leg_counting", weight=1, config={}),
    ]
    data = reasoning_gym.create_dataset("composite", size=12, seed=1, datasets=specs)
    entries = [*data]
    assert {entry["metadata"]["source_dataset"] for entry in entries} == {NAME, "leg_counting"}
    assert all(data.score_answer(entry["answer"], entry) == 1 for entry in entries)


def test_reseeded_without_end() -> None:
    from reasoning_gym.dataset import ReseedingDataset

    data = reasoning_gym.create_dataset(NAME, family="maze", size=3)
    endless = iter(ReseedingDataset(data, chunk_size=3))
    boards = {next(endless)["metadata"]["record"] for _ in range(9)}
    assert len(boards) > 6


def test_what_cannot_be_meant() -> None:
    for wrong, said in (
        ({"family": "chess"}, "unknown family 'chess'"),
        ({"family": "maze", "difficulty": "mild"}, "unknown difficulty 'mild'"),
        ({"family": "maze", "split": "test"}, "unknown split 'test'"),
        ({"family": "maze", "size": -1}, "size is a whole number"),
        ({"family": "maze", "reward": "much"}, "unknown reward 'much'"),
    ):
        with pytest.raises(ValueError, match=said):
            reasoning_gym.create_dataset(NAME, **wrong)


def test_the_document_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    from reasoning_gym.factory import DATASETS

    DATASETS.pop(NAME)
    page = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text()
    found: list[Any] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [code] = [one for one in found if "reasoning_gym" in one]
    exec(code, {})
    assert capsys.readouterr().out.strip() == "1.0"
