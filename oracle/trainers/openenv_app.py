"""OpenEnv: the episodes as an environment server, ``uvicorn oracle.trainers.openenv_app:app``.

PUZZLES_DATA names a folder of datasets to play; without it boards are made on the spot.
PUZZLES_SESSIONS says how many clients may play at once (64).
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from secrets import randbelow
from typing import Any, TypeVar, get_type_hints
from uuid import uuid4

from pydantic import ValidationError

try:
    from fastapi import HTTPException
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import EnvironmentMetadata
except ModuleNotFoundError as error:
    raise ImportError(
        f"the app needs more packages ({error.name}): pip install 'puzzles[openenv]'"
    ) from None

from oracle.errors import Refused
from oracle.messages import Step
from oracle.session import Opening, Session
from oracle.trainers import rewards
from oracle.trainers.board_tasks import SPLITS, BoardTasks, Task
from oracle.trainers.openenv_models import PuzzleAction, PuzzleObservation, PuzzleState
from protocols.messages import Image, Reply
from protocols.reward import SEARCHING
from puzzles.directions import quoted
from puzzles.replay import WrongInstance
from puzzles.version import VERSION

NAME = "puzzles"
"""The name of the environment, below which its tasks are listed."""
_SEEDS = 1 << 31
_TYPES = ("train", "validation")
"""What the splits are for, in the words of the framework."""
_PREVIEW = 1_000
Found = TypeVar("Found")


class Refusal(HTTPException):
    """A request that can't be met: 422 with one sentence; over WebSocket the sentence."""

    def __init__(self, sentence: str):
        super().__init__(422, sentence)

    def __str__(self) -> str:
        return str(self.detail)


@lru_cache(maxsize=1)
def tasks() -> BoardTasks:
    """Return what there is to play, read once for all sessions."""
    return BoardTasks(os.environ.get("PUZZLES_DATA"))


class PuzzleEnvironment(Environment[PuzzleAction, PuzzleObservation, PuzzleState]):
    """One client's episodes, one after the other."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self._state = PuzzleState()
        self._reward: rewards.Kind = "efficiency"
        self._strict = True

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str = "train",
        index: int | None = None,
        family: str | None = None,
        difficulty: str | None = None,
        protocol: str = "oracle-vcot",
        reward: str = "efficiency",
        strict: bool = True,
        **unknown: Any,
    ) -> PuzzleObservation:
        """Begin an episode: of a task by its split and index, or of one that the seed chooses.

        family, difficulty
            What the seed chooses among; None for all.
        protocol
            By name, variants included.
        reward, strict
            See ``oracle.trainers.rewards``.

        The same arguments give the same episode; without seed and index the seed is random, and
        the state says which. What isn't known is refused.
        """
        try:
            if unknown:
                raise ValueError(f"reset: unknown parameters {', '.join(sorted(unknown))}")
            _check_types(
                **{"seed": seed, "episode_id": episode_id, "split": split, "index": index},
                **{"family": family, "difficulty": difficulty, "protocol": protocol},
                **{"reward": reward, "strict": strict},
            )
            if index is None and seed is None:
                seed = randbelow(_SEEDS)
            task = self._chosen(split, index, seed or 0, family, difficulty)
            document = tasks().document(task)
            self._reward, self._strict = rewards.checked(reward), strict
            opening = Opening(document.instance, protocol, cell=document.cell)
            self._session = Session(opening, document.aids(None))
        except (ValueError, IndexError) as error:
            raise Refusal(str(error)) from None
        self._state = PuzzleState(
            episode_id=episode_id or str(uuid4()),
            **{"task": task.record(), "protocol": self._session.protocol.name, "seed": seed},
        )
        return self._observation(None)

    @staticmethod
    def _chosen(
        split: str, index: int | None, seed: int, family: str | None, difficulty: str | None
    ) -> Task:
        if index is None:
            return tasks().choose(split, seed, family, difficulty)
        if family is not None or difficulty is not None:
            raise ValueError("family and difficulty go with a seed, not with an index")
        return tasks().get(split, index)

    def step(
        self, action: PuzzleAction, timeout_s: float | None = None, **_: Any
    ) -> PuzzleObservation:
        """Take a step; raise Refusal for one that doesn't fit, and change nothing."""
        session = self._session
        if session is None:
            raise Refusal("there is no episode: reset first, in the same WebSocket session")
        if session.done:  # a session knows a step again, but what it earned is earned once
            raise Refusal("the episode is over: reset")
        acted = len(session.episode.play.steps)
        try:
            _take(session, action)
        except (Refused, ValidationError) as error:
            raise Refusal(str(error)) from None
        self._state.step_count += 1
        return self._observation(acted)

    def _observation(self, acted: int | None) -> PuzzleObservation:
        """Return what is shown now; ``acted`` is how many rounds there were before the step."""
        assert self._session is not None
        episode = self._session.episode
        request, steps = episode.request, episode.play.steps
        legal = steps[-1].legal if acted is not None and len(steps) > acted else None
        if request is not None:
            message = request.messages[-1]
            pictures = [_base64(image) for image in message.images]
            return PuzzleObservation(
                reward=0.0,
                text=message.text,
                image=pictures[0] if pictures else None,
                aid=pictures[1] if len(pictures) > 1 else None,
                **{"due": self._session.due, "round": request.round, "legal": legal},
            )
        verdict = self._session.verdict()
        shown = episode.play.image if legal else None
        return PuzzleObservation(
            done=True,
            reward=self._earned(),
            image=_base64(shown) if shown else None,
            **{"round": len(steps), "legal": legal, "verdict": verdict},
            **{name: verdict.get(name) for name in ("reason", "detail")},
        )

    def _earned(self) -> float:
        """Return the reward; 0 where the instance is found to be wrong, as the verdict says."""
        assert self._session is not None
        try:
            score = rewards.judged(
                self._session.episode,
                strict=self._strict,
                progress=self._reward in SEARCHING,
            )
        except WrongInstance:
            return 0.0
        return rewards.reward(self._reward, score)

    @property
    def state(self) -> PuzzleState:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(
            name=NAME,
            description="Visual planning puzzles, played episode by episode under a protocol.",
            version=VERSION,
        )

    def list_splits(self) -> list[dict[str, str]]:
        return [{"name": name, "type": kind} for name, kind in zip(SPLITS, _TYPES, strict=True)]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the first tasks, at most a thousand; ``num_tasks`` says how many there are."""
        return self.get_task_range(split, 0, _PREVIEW)

    def num_tasks(self, split: str) -> int:
        return _refusing(lambda: tasks().count(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        return _refusing(lambda: tasks().get(split, index).record())

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        places = range(self.num_tasks(split))[start:stop]
        return [tasks().get(split, index).record() for index in places]


def _check_types(**given: Any) -> None:
    """Raise ValueError for a parameter of ``reset`` that is of another type than declared."""
    kinds = get_type_hints(PuzzleEnvironment.reset)
    for name, value in given.items():
        if not isinstance(value, kinds[name]):
            raise ValueError(f"reset: {name} can't be {quoted(value)}")


def _refusing(wanted: Callable[[], Found]) -> Found:
    try:
        return wanted()
    except ValueError as error:
        raise Refusal(str(error)) from None


def _take(session: Session, action: PuzzleAction) -> None:
    """Take a step. A reply answers what is due; an action may pass the question before it by."""
    if session.due == "remaining" and action.reply is not None and action.action is None:
        session.episode.take(Reply(action.reply))
        return
    request = session.episode.request
    passed = session.due == "remaining" and action.action is not None
    number = max(1, request.round if request else 1) + passed
    session.take(Step(round=number, **action.model_dump(exclude={"metadata"})))


def _base64(image: Image) -> str:
    png = image.png
    image.forget()
    return b64encode(png).decode()


app = create_app(
    PuzzleEnvironment,
    PuzzleAction,
    PuzzleObservation,
    env_name=NAME,
    max_concurrent_envs=int(os.environ.get("PUZZLES_SESSIONS", "64")),
    state_cls=PuzzleState,
)
