"""How many steps a random agent takes in the Gymnasium environments; see benchmarks/bench.py."""

import time
from collections.abc import Iterator
from typing import Any

import gymnasium

from oracle.envs import IDS

BOARDS = 200
"""The pool, made before the clock starts."""
FLOOR = "50,000 /s"


def steps_a_second(env: gymnasium.Env[Any, Any], span: float = 2.0) -> float:
    """Return steps a second of processor time, masked samples and resets included."""
    for index in range(BOARDS):
        env.reset(options={"index": index})
    _, info = env.reset(seed=1)
    env.action_space.seed(1)
    sample, step = env.action_space.sample, env.step
    started, steps = time.process_time(), 0
    while steps % 64 or time.process_time() - started < span:
        _, _, terminated, truncated, info = step(sample(info["action_mask"]))
        steps += 1
        if terminated or truncated:
            _, info = env.reset()
    return steps / (time.process_time() - started)


def environments() -> Iterator[tuple[str, str, str]]:
    for name, env_id in IDS.items():
        for difficulty in ("easy", "hard"):
            env = gymnasium.make(env_id, difficulty=difficulty, boards=BOARDS)
            speed = steps_a_second(env)
            yield f"environment steps, {name} {difficulty}, state", f"{speed:,.0f} /s", FLOOR
        env = gymnasium.make(env_id, difficulty="hard", boards=BOARDS, observation="image")
        speed = steps_a_second(env)
        yield f"environment steps, {name} hard, image of 16 px a cell", f"{speed:,.0f} /s", ""
        env = gymnasium.make(env_id, difficulty="hard", boards=BOARDS, reward="progress")
        speed = steps_a_second(env)
        yield f"environment steps, {name} hard, state, reward progress", f"{speed:,.0f} /s", ""
