"""jumanji: its generator of mazes on 10x10 cells, compiled and in batches.

It knows no path lengths, so a flood from the agent counts them, in the same batch.
"""

from itertools import count

import jax
import jax.numpy as jnp
from contest import Play, serve
from jumanji.environments.routing.maze.generator import RandomGenerator

SIDE = 10
BATCH = 256
"""The fastest of 1, 256, 1024 and 8192 on one core."""


def _length(state):
    floor, goal, agent = ~state.walls, state.target_position, state.agent_position

    def spread(now):
        seen, steps = now
        around = jnp.pad(seen, 1)
        near = around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:]
        return (near | seen) & floor, steps + 1

    def outside(now):
        return ~now[0][goal.row, goal.col]

    first = jnp.zeros((SIDE, SIDE), bool).at[agent.row, agent.col].set(True)
    return jax.lax.while_loop(outside, spread, (first, 0))[1]


def maze() -> Play:
    generator, seed = RandomGenerator(SIDE, SIDE), count()

    @jax.jit
    def batch(key):
        states = jax.vmap(generator)(jax.random.split(key, BATCH))
        return states, jax.vmap(_length)(states)

    def play() -> tuple[int, list[int]]:
        jax.block_until_ready(batch(jax.random.PRNGKey(next(seed))))
        return BATCH, []

    return play


serve("jumanji", {"maze": maze, "bare-maze": maze})
