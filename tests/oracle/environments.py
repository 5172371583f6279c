"""Environments for the tests."""

from typing import Any

import gymnasium

from oracle.envs import IDS
from oracle.envs.environment import PuzzleEnv
from puzzles import Instance

CORRIDOR = Instance(family="maze", board="S.G", optimal_length=2)
"""Two steps to the right; the number of right is 1."""


def made(name: str, **options: Any) -> PuzzleEnv:
    env = gymnasium.make(IDS[name], **{"boards": 8, **options}).unwrapped
    assert isinstance(env, PuzzleEnv)
    return env
