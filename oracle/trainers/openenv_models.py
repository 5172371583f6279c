"""What the OpenEnv app is sent, and what it sends."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from oracle.messages import Due


class PuzzleAction(Action):
    """What a step brings: see ``due`` of the last observation."""

    action: Any = Field(None, description='One action as JSON, such as {"move": "up"}.')
    reply: str | None = Field(None, description="Or the model's text, which names it.")
    remaining: int | None = Field(
        None, ge=0, description="Actions left after this one; 0 ends the episode."
    )
    drawing: str | None = Field(None, description="The picture that was due, in base64.")


class PuzzleObservation(Observation):
    """What the model is shown next; the reward is 0 until the episode is over."""

    text: str = Field("", description="What is said to the model; pictures come before it.")
    image: str | None = Field(None, description="The board, a PNG in base64.")
    aid: str | None = Field(None, description="The second picture of gta and vr.")
    due: Due | None = Field(None, description="What the next step brings.")
    round: int = 0
    legal: bool | None = Field(None, description="Whether the action could be taken.")
    reason: str | None = Field(None, description="What ended the episode.")
    detail: str | None = None
    verdict: dict[str, Any] | None = None


class PuzzleState(State):
    """Which episode is played: the task, and the protocol."""

    task: dict[str, Any] = Field(default_factory=dict)
    protocol: str = ""
    seed: int | None = None
