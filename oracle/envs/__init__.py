"""The puzzles as Gymnasium environments, ``puzzles/Maze-v0`` and so on.

Gymnasium 1.0 and later load no plugins, so this package is imported for its ids, or named with one:

>>> import gymnasium, oracle.envs
>>> gymnasium.make("puzzles/Sokoban-v0")
>>> gymnasium.make("oracle.envs:puzzles/Sokoban-v0")
"""

from __future__ import annotations

try:
    from gymnasium.envs.registration import register
except ImportError:
    raise ImportError("the environments need more packages: pip install 'puzzles[gym]'") from None

from puzzles.rooms import NAMES

IDS = {name: f"puzzles/{name.capitalize()}-v0" for name in NAMES}
"""The id of each family's environment."""

for _name, _id in IDS.items():
    register(_id, entry_point="oracle.envs.environment:PuzzleEnv", kwargs={"family": _name})
