"""Which boards an environment plays, by seeds and options; and how environments are made."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from oracle.envs import IDS
from oracle.envs.boards import Choice
from oracle.envs.environment import PuzzleEnv
from oracle.envs.rewards import Progress, Terms
from puzzles import NAMES, Instance, make
from puzzles.draws import Draws
from puzzles.generate import Recipe, generate
from tests.oracle.environments import CORRIDOR, made

EPISODES = """
import hashlib, sys
import gymnasium, oracle.envs
digest = hashlib.sha256()
for name, env_id in oracle.envs.IDS.items():
    for boards in (8, None):
        env = gymnasium.make(env_id, boards=boards)
        for seed in (5, None, None):
            observation, info = env.reset(seed=seed)
            if seed is not None:
                env.action_space.seed(seed)
            over = False
            while not over:
                digest.update(observation.tobytes() + info["action_mask"].tobytes())
                number = env.action_space.sample(info["action_mask"])
                observation, reward, terminated, truncated, info = env.step(number)
                digest.update(f"{number} {reward} {terminated} {truncated}".encode())
                over = terminated or truncated
print(digest.hexdigest())
"""


def test_a_seed_gives_the_same_episodes_in_any_process() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", EPISODES],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


def ids_after(env: PuzzleEnv, seed: int, n: int) -> list[str]:
    return [env.reset(seed=seed if k == 0 else None)[1]["id"] for k in range(n)]


@pytest.mark.parametrize("boards", [50, None])
def test_a_seed_decides_the_boards_that_follow(boards: int | None) -> None:
    env, other = (made("maze", difficulty="hard", boards=boards) for _ in range(2))
    first = ids_after(env, 1, 12)
    assert ids_after(other, 1, 12) == first == ids_after(env, 1, 12)
    assert ids_after(env, 2, 12) != first
    assert len(set(first)) > 8


def test_the_pool_is_the_recipe_s_and_is_drawn_from_evenly() -> None:
    env = made("sokoban", boards=5, board_seed=3)
    recipe = Recipe("sokoban", 3, "easy", split="train")
    pool = [generate(recipe, index).instance.id for index in range(5)]
    assert [env.reset(options={"index": k})[1]["id"] for k in range(5)] == pool
    assert env.reset(options={"index": np.int64(4)})[1]["id"] == pool[4]
    counts = dict.fromkeys(pool, 0)
    env.reset(seed=1)
    for _ in range(1000):
        counts[env.reset()[1]["id"]] += 1
    assert all(150 < count < 250 for count in counts.values())  # 200 +- 4 standard deviations
    with pytest.raises(ValueError, match="index is a whole number from 0 to 4, not 5"):
        env.reset(options={"index": 5})
    with pytest.raises(ValueError, match="reset has no option 'board'"):
        env.reset(options={"board": 5})


@pytest.mark.parametrize("name", NAMES)
def test_boards_of_the_evaluation_are_never_trained_on(name: str) -> None:
    env = made(name, boards=None)
    env.reset(seed=2)
    splits = set()
    for _ in range(30):
        env.reset()
        splits.add(env.instance.split)
    assert splits == {"train"}
    env = made(name, split="eval", boards=2)
    env.reset(seed=2)
    assert env.instance.split == "eval"


def test_environments_of_one_process_share_their_pool() -> None:
    one, other = made("klotski", boards=6), made("klotski", boards=6)
    assert one.boards is other.boards
    assert one.boards is not made("klotski", boards=6, board_seed=1).boards


def test_instances_and_folders_can_be_played(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    instances = make("parking", "easy", 4, out=folder, images=False)
    others = make("maze", "easy", 2)
    for env in (
        made("parking", instances=[*others, *instances]),
        made("parking", data=str(folder), difficulty="easy"),
    ):
        ids = [env.reset(options={"index": k})[1]["id"] for k in range(4)]
        assert ids == [instance.id for instance in instances]


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments(mode: str) -> None:
    vector = gymnasium.make_vec(
        IDS["klotski"], num_envs=3, vectorization_mode=mode, boards=4, difficulty="medium"
    )
    alone = [made("klotski", boards=4, difficulty="medium") for _ in range(3)]
    observations, info = vector.reset(seed=10)
    singles = [env.reset(seed=10 + k) for k, env in enumerate(alone)]
    draws = Draws("vector")
    for _ in range(15):
        for k, (observation, own) in enumerate(singles):
            assert (observations[k] == observation).all()
            assert (info["action_mask"][k] == own["action_mask"]).all()
        numbers = [draws.choice(np.flatnonzero(own["action_mask"]).tolist()) for _, own in singles]
        observations, rewards, terminated, truncated, info = vector.step(np.array(numbers))
        steps = [env.step(number) for env, number in zip(alone, numbers, strict=True)]
        assert rewards.tolist() == [step[1] for step in steps]
        assert terminated.tolist() == [step[2] for step in steps]
        assert not truncated.any()
        if terminated.any():
            break
        singles = [(step[0], step[4]) for step in steps]
    vector.close()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"obsevation": "image"}, "unknown option 'obsevation' .known: observation, cell"),
    ({"observation": "pixels"}, "unknown observation 'pixels' .known: state, image"),
    ({"difficulty": "middling"}, "unknown difficulty 'middling'"),
    ({"difficulty": ["easy"]}, "difficulty is a word"),
    ({"difficulty": "easy", "lengths": (1, 2)}, "either a difficulty or lengths"),
    ({"lengths": 3}, "lengths is two whole numbers, not 3"),
    ({"size": "10x10"}, "size is two whole numbers, not '10x10'"),
    ({"rules": {"turns": 3}}, "unknown rule 'turns'"),
    ({"options": "border"}, "options is a dictionary"),
    ({"split": "test"}, "unknown split 'test'"),
    ({"boards": 0}, "boards is a whole number from 1, or None, not 0"),
    ({"reward": "dense"}, "unknown reward 'dense' .known: sparse, optimal, efficiency, progress"),
    (
        {"reward": Progress},
        "reward is the class Progress; give an object of it",
    ),
    ({"illegal": "noop"}, "unknown illegal 'noop' .known: end, stay"),
    ({"step_cost": float("nan")}, "step_cost is a number, not nan"),
    ({"illegal_cost": "high"}, "illegal_cost is a number, not 'high'"),
    ({"max_steps": 0}, "max_steps is a whole number from 1, not 0"),
    ({"cell": 4}, "cell is 8 to 256 pixels, not 4"),
    ({"instances": []}, "none of the 0 instances is of maze"),
    ({"instances": [{"id": "x"}]}, "instances hold puzzles.Instance, not {'id': 'x'}"),
    ({"instances": [CORRIDOR], "size": (3, 3)}, "lengths, size, rules and options are of boards"),
    ({"instances": [CORRIDOR], "data": "d"}, "give instances or data, not both"),
    ({"data": "/nowhere"}, "/nowhere holds no dataset"),
    (
        {"instances": [CORRIDOR, Instance(family="maze", board="SG", optimal_length=1)]},
        "all boards are of one size",
    ),
]


@pytest.mark.parametrize(("options", "sentence"), WRONG, ids=lambda value: str(value)[:40])
def test_options_that_cannot_be_meant(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as error:
        gymnasium.make(IDS["maze"], **options)
    assert "\n" not in str(error.value)


def test_the_ids_can_be_named_with_their_module_and_need_nothing_heavy() -> None:
    script = (
        "import sys, gymnasium; before = set(sys.modules); import oracle.envs;"
        "heavy = {'numba', 'pydantic', 'PIL', 'scipy'} & (set(sys.modules) - before);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2])
    env = gymnasium.make("oracle.envs:puzzles/Maze-v0")
    assert env.spec is not None
    assert env.spec.id == "puzzles/Maze-v0"
    assert set(IDS.values()) <= set(gymnasium.registry)


def test_the_document_runs_and_knows_every_option() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "environments.md").read_text()
    for script in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        subprocess.run([sys.executable, "-c", script], check=True, cwd=root, capture_output=True)
    options = [each.name for kind in (Choice, Terms) for each in fields(kind)]
    for option in ("observation", "cell", "render_cell", "render_mode", *options):
        assert re.search(rf"^\| .*`{option}`", page, re.MULTILINE), option
    for env_id in IDS.values():
        assert f"`{env_id}`" in page
