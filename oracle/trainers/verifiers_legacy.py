"""verifiers up to 0.1.14: ``load_environment``, whose environment plays whole episodes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import verifiers as vf
from datasets import Dataset

from oracle.trainers import rewards
from oracle.trainers.source import Source
from protocols.adapters.documents import Document, carried
from protocols.completion import said
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.models.wire import chat
from protocols.protocol import Protocol
from protocols.reward import SEARCHING, Score

_EPISODE, _SCORE = "episode", "score"
"""Where the state of a rollout keeps its episode, and its score."""


def load_environment(
    data: str | None = None,
    protocol: str = "oracle-vcot",
    reward: str = "efficiency",
    strict: bool = True,
    families: Sequence[str] | None = None,
    difficulties: Sequence[str] | None = None,
    n: int | None = None,
    seed: int = 0,
    split: str = "any",
    cell: int | None = None,
    files: str | None = None,
) -> vf.Environment:
    """Return the environment of a protocol over some instances.

    data, families, difficulties, n, seed, split, cell, files
        Which instances; see ``oracle.trainers.source.Source``.
    protocol
        By name, variants included; one in which the model draws nothing.
    reward, strict
        See ``oracle.trainers.rewards``.

    Raises ValueError and its kin with one sentence.
    """
    chosen = carried(protocol)
    source = Source(data, families, difficulties, n, seed, split, cell, files)
    rows = [_row(document, chosen, files) for document in source.documents(chosen)]
    return PuzzleEnvironment(
        chosen,
        files,
        dataset=Dataset.from_list(rows),
        rubric=_rubric(rewards.checked(reward), strict),
    )


def _row(document: Document, protocol: Protocol, files: str | None) -> dict[str, Any]:
    """Return a row: the prompt with its pictures, the answer, and the document, all but texts.

    Columns of objects would be filled up to a shape that all rows share.
    """
    episode = document.episode(protocol, Path(files) if files else None)
    answer = document.instance.answer or ""
    return {"prompt": _chat(episode), "answer": answer, "info": document._asdict()}


class PuzzleEnvironment(vf.MultiTurnEnv):
    """Carries the requests of an episode to the model, and its replies back, until it is over.

    Each turn's messages are exactly those of the protocol, so a question that is asked outside the
    history is in no later prompt.
    """

    def __init__(self, protocol: Protocol, files: str | None, **given: Any):
        self.protocol, self.files = protocol, Path(files) if files else None
        super().__init__(**given)

    async def setup_state(self, state: vf.State) -> None:
        info = state["info"]
        document = Document(**{**info, "bucket": tuple(info["bucket"])})
        state[_EPISODE] = document.episode(self.protocol, self.files)

    async def get_prompt_messages(self, state: vf.State) -> vf.Messages:
        if state["trajectory"]:
            await self.env_response(state["trajectory"][-1]["completion"], state)
        return _chat(state[_EPISODE])

    async def env_response(self, messages: vf.Messages, state: vf.State, **_: Any) -> vf.Messages:
        """Take the model's reply; return what it is asked next, the last message of it."""
        episode = state[_EPISODE]
        episode.take(Reply(said(messages[-1])))
        if episode.done:
            state["final_env_response"] = []
        return _chat(episode)[-1:]


def _chat(episode: Episode) -> list[dict[str, Any]]:
    return chat(episode.request.messages) if episode.request else []


def _rubric(kind: rewards.Kind, strict: bool) -> vf.Rubric:
    """Return the reward, with the share of optimal and feasible solutions as metrics."""

    def score(state: vf.State) -> Score:
        known: Score | None = state.get(_SCORE)
        if known is None:  # it is asked for three times
            searched = kind in SEARCHING
            known = rewards.judged(state[_EPISODE], strict=strict, progress=searched)
            state[_SCORE] = known
        return known

    async def reward(state: vf.State) -> float:
        return rewards.reward(kind, score(state))

    async def optimal(state: vf.State) -> float:
        return float(score(state).optimal)

    async def feasible(state: vf.State) -> float:
        return float(score(state).feasible)

    rubric = vf.Rubric(funcs=[reward], weights=[1.0])
    rubric.add_metric(optimal)
    rubric.add_metric(feasible)
    return rubric
