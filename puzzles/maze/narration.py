"""A way through the maze, told step by step."""

from collections.abc import Iterator, Sequence

from puzzles import wayfinding
from puzzles.maze.rules import State
from puzzles.narration import Claim, Narration, claim, grid
from puzzles.wayfinding_claims import HOLDS
from puzzles.wayfinding_said import phrases

_PHRASES = {
    **phrases("agent"),
    "start": (
        "The agent is at {agent:cell}, the goal at {goal:cell}.",
        "The blue agent stands at {agent:cell} and has to reach the green goal at {goal:cell}.",
        "I start at {agent:cell}; the goal is {goal:cell}.",
    ),
    "arrived": (
        "That is the goal, after {n:# move}.",
        "There the goal is reached, {n:# move} in all.",
    ),
}


def _tell(state: State, actions: Sequence[str]) -> Iterator[list[Claim]]:
    """Yield where things are, the parts of the way, and that the goal is reached."""
    yield [
        grid(len(state.walls), len(state.walls[0])),
        claim("start", agent=state.agent, goal=state.goal),
        wayfinding.offset(state.agent, state.goal),
    ]
    yield from wayfinding.tell(state.walls, state.agent, state.goal, actions)
    yield [claim("arrived", n=len(actions))]


_NARRATION: Narration[State, str] = Narration(
    _tell,
    _PHRASES,
    takes=lambda state, one: wayfinding.takes(one),
    holds=HOLDS,
)


def narration() -> Narration[State, str]:
    """Return how a way through the maze is told."""
    return _NARRATION
