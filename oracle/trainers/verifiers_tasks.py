"""verifiers from 0.4: a taskset, and the harness that plays its tasks as whole episodes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from openai import AsyncOpenAI

from oracle.trainers import rewards
from oracle.trainers.source import Source
from protocols.adapters.documents import Document, carried
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.models.players import player
from protocols.models.wire import chat
from protocols.reward import SEARCHING, Score

HARNESS = "puzzles-verifiers"
"""The id of the taskset and of the harness: the package that exports both."""
_REPLIES = "replies"
"""Where a trace keeps what the model has said, so that it can be judged again."""


class PuzzleData(vf.TaskData):
    """An instance under a protocol; ``prompt`` is the first request, pictures as data URIs.

    The fields that aren't the framework's are those of a Document.
    """

    protocol: str
    record: str
    donor: str = ""
    bucket: tuple[str, str]
    cell: int
    files: str | None = None

    @property
    def document(self) -> Document:
        return Document(self.record, self.donor, self.bucket, self.cell)

    def episode(self) -> Episode:
        """Return the episode at its beginning."""
        files = Path(self.files) if self.files else None
        return self.document.episode(carried(self.protocol), files)


class PuzzleTaskConfig(vf.TaskConfig):
    """How replies are rewarded; see ``oracle.trainers.rewards``."""

    reward: rewards.Kind = "efficiency"
    """efficiency, optimal, feasible or mix."""
    strict: bool = True
    """Whether a reply that misses the format to the letter earns nothing."""


class PuzzleTask(vf.Task[PuzzleData, vf.State, PuzzleTaskConfig]):
    """One episode."""

    @property
    def key(self) -> str:
        """The instance and the protocol, wherever the task stands in its taskset."""
        return f"{self.data.id} {self.data.protocol}"

    @vf.reward(weight=1.0)
    async def reward(self, trace: vf.Trace) -> float:
        return rewards.reward(self.config.reward, self._score(trace))

    @vf.metric
    async def optimal(self, trace: vf.Trace) -> float:
        return float(self._score(trace).optimal)

    @vf.metric
    async def feasible(self, trace: vf.Trace) -> float:
        return float(self._score(trace).feasible)

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the solver's replies are judged to be optimal."""
        episode, solver = self.data.episode(), player("solver")
        while episode.request is not None:
            episode.take(solver.reply(episode))
        return rewards.judged(episode, strict=True, progress=False).optimal

    def _score(self, trace: vf.Trace) -> Score:
        """Judge the replies of a trace, or the last alone where another harness has played it.

        Raises ValueError for a stepwise protocol that another harness was to play.
        """
        data, replies = self.data, trace.info.get(_REPLIES)
        if replies is None:
            if carried(data.protocol).stepwise and trace.num_turns:
                raise ValueError(f"{data.protocol} is played by the harness {HARNESS}")
            replies = [Reply(trace.last_reply).record()]
        said = tuple(map(json.dumps, replies))
        return rewards.replayed(
            *(data.document, data.protocol, data.files, said),
            strict=self.config.strict,
            progress=self.config.reward in SEARCHING,
        )


class PuzzleConfig(vf.TasksetConfig):
    """Which instances, under which protocol; see ``oracle.trainers.source.Source``."""

    data: str | None = None
    """A folder with datasets in or below it; without it boards are made."""
    protocol: str = "oracle-vcot"
    """By name, variants included; one in which the model draws nothing."""
    families: list[str] | None = None
    difficulties: list[str] | None = None
    n: int | None = None
    """How many of each family and difficulty."""
    seed: int = 0
    split: str = "any"
    cell: int | None = None
    """Pixels a cell."""
    files: str | None = None
    """The folder of another generator's pictures, for the source files."""
    task: PuzzleTaskConfig = PuzzleTaskConfig()


class PuzzleTaskset(vf.Taskset[PuzzleTask, PuzzleConfig]):
    """The instances that the config names, each a task."""

    def load(self) -> Iterator[PuzzleTask]:
        config = self.config
        protocol = carried(config.protocol)
        source = Source(
            *(config.data, config.families, config.difficulties, config.n, config.seed),
            *(config.split, config.cell, config.files),
        )
        for document in source.documents(protocol):
            told = {"protocol": protocol.name, "files": config.files, **document._asdict()}
            data = PuzzleData(id=document.instance.id, **told)
            yield PuzzleTask(data.model_copy(update={"prompt": _prompt(data)}), config.task)


def _prompt(data: PuzzleData) -> vf.Messages:
    request = data.episode().request
    assert request is not None
    return [vf.UserMessage.model_validate(message) for message in chat(request.messages)]


class PuzzleHarnessConfig(vf.HarnessConfig):
    """Nothing can be set: the protocol says it all."""


class PuzzleHarness(vf.Harness[PuzzleHarnessConfig]):
    """Carries the requests of an episode to the model, and its replies back, until it is over.

    Each call's messages are exactly those of the protocol, so a question that is asked outside the
    history is a branch of the trace. It runs in the process of the framework, and executes nothing.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        episode = trace.task.data.episode()
        replies: list[dict[str, Any]] = []
        trace.info[_REPLIES] = replies
        first = [{"role": "system", "content": data.system_prompt}] if data.system_prompt else []
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            while episode.request is not None:
                asked: Any = [*first, *chat(episode.request.messages)]
                answer = await client.chat.completions.create(model=ctx.model, messages=asked)
                choice = answer.choices[0]
                reply = Reply(choice.message.content or "", finish=choice.finish_reason or "")
                replies.append(reply.record())
                episode.take(reply)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class PuzzleEnvConfig(vf.SingleAgentEnvConfig):
    """One agent, whose runtime is the machine itself: there is nothing to shut in."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class PuzzleEnv(vf.Env[PuzzleEnvConfig]):
    """One agent plays one task."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.agent.run(task)
