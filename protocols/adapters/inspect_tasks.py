"""inspect_ai: whole episodes of every protocol in which the model draws nothing.

``inspect eval puzzles/oracle_vcot -T data=DIR --model ...`` finds these tasks by entry point.
"""
# mypy: disable-error-code="untyped-decorator,no-any-return"

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
)
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    grouped,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from protocols.adapters.documents import CARRIED, METRICS, Document, carried, documents
from protocols.episode import Episode
from protocols.messages import Message, Part, Reply
from protocols.protocol import Protocol
from protocols.verdicts import VERDICT_FIELDS
from puzzles.replay import WrongInstance, verify
from puzzles.verdict import Verdict

EPISODE = "episode"
"""Where a sample's store keeps the record of its episode."""
BUCKET, DOCUMENT = "bucket", "document"
"""What a sample's metadata hold of it besides family and difficulty."""
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _bare(function: _Function) -> _Function:
    """Take the module from ``function``, so that the name it is registered by stays as it is.

    inspect puts the package of the module before it, and only where it finds that installed.
    """
    function.__module__ = ""
    return function


def protocol_task(
    data: str, protocol: str, cell: int | None = None, aids: str | None = None
) -> Task:
    """Return the task of one protocol, by name, over the instances in the folder ``data``.

    cell
        Pixels a cell; None for what each dataset was drawn with.
    aids
        A folder of another generator's pictures, for the source of that name.

    Bad input ends the command with one sentence, as inspect's own does.
    """
    from inspect_ai._util.error import PrerequisiteError

    place = Path(aids) if aids else None
    try:
        chosen = carried(protocol)
        samples = [
            _sample(one, chosen, place) for one in documents(Path(data), [chosen], cell, place)
        ]
    except (ValueError, OSError) as error:
        raise PrerequisiteError(f"puzzles: {error}") from None
    return Task(
        dataset=MemoryDataset(samples, name=chosen.name),
        solver=play(chosen.name, aids),
        scorer=verdict(chosen.name, aids),
        config=GenerateConfig(temperature=0, max_tokens=8192),
    )


def _sample(document: Document, protocol: Protocol, files: Path | None) -> Sample:
    """Return a sample whose input is the first request; nothing else of it is shown to a model."""
    instance, (family, difficulty) = document.instance, document.bucket
    return Sample(
        input=_chat(document.episode(protocol, files)),
        target=instance.answer or "",
        id=instance.id,
        metadata={"family": family, "difficulty": difficulty, BUCKET: f"{family}/{difficulty}"}
        | {DOCUMENT: document._asdict()},
    )


@solver(name="puzzles/play")
@_bare
def play(protocol: str, aids: str | None = None) -> Solver:
    """Carry the requests of an episode to the model, and its replies back, until it is over.

    Of a stepwise episode the messages are those of the latest request, as the protocol wants it;
    the whole episode is in the store.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _episode(state, protocol, aids)
        while episode.request is not None:
            state.messages = _chat(episode)
            state = await generate(state)
            episode.take(_reply(state.output))
            state.store.set(EPISODE, episode.record())
        return state

    return solve


@metric(name="in")
@_bare
def in_bucket() -> Metric:
    """The accuracy and its standard error for each family and difficulty."""
    parts: list[Any] = [
        grouped(accuracy(), BUCKET, all=False),
        grouped(stderr(), BUCKET, all=False, name_template="{group_name} stderr"),
    ]

    def measured(scores: list[SampleScore]) -> Value:
        return {name: value for part in parts for name, value in part(scores).items()}

    return measured


@scorer(
    metrics={name: [accuracy(), stderr(), in_bucket()] for name in METRICS}, name="puzzles/verdict"
)
@_bare
def verdict(protocol: str, aids: str | None = None) -> Scorer:
    """Judge the episode by replay; its value is 1 or 0 for each of METRICS.

    An episode that a limit has ended is judged as far as it got.
    """

    async def score(state: TaskState, target: Target) -> Score:
        episode = _episode(state, protocol, aids)
        try:
            found = _judged(episode, state.output.completion)
        except WrongInstance as error:
            return Score.unscored(explanation=str(error))
        row = json.loads(json.dumps({name: getattr(found, name) for name in VERDICT_FIELDS}))
        return Score(
            value={name: float(row[name]) for name in METRICS},
            answer=found.answer,
            explanation=f"{found.reason}: {found.detail}",
            metadata=row,
        )

    return score


def _judged(episode: Episode, said: str) -> Verdict:
    """Return the verdict; without a finished episode, of what the model has said last."""
    found = episode.verdict()
    if found is not None:
        return found
    if episode.play.walk is not None:
        return episode.play.walk.verdict()
    return verify(episode.instance, said)


def _episode(state: TaskState, protocol: str, aids: str | None) -> Episode:
    """Return the episode of a sample, where it has got to."""
    document, place = Document(**state.metadata[DOCUMENT]), Path(aids) if aids else None
    record = state.store.get(EPISODE)
    if record is not None:
        return Episode.resume(record, document.aids(place))
    return document.episode(carried(protocol), place)


def _chat(episode: Episode) -> list[ChatMessage]:
    messages = episode.request.messages if episode.request else ()
    return [_message(message) for message in messages]


def _message(message: Message) -> ChatMessage:
    if message.role == "assistant":  # as one string: of parts the harness makes other text
        return ChatMessageAssistant(content=message.text)
    return ChatMessageUser(content=[_content(part) for part in message.parts])


def _content(part: Part) -> Content:
    if isinstance(part, str):
        return ContentText(text=part)
    return ContentImage(image=part.data_uri)


def _reply(output: ModelOutput) -> Reply:
    message = output.message if output.choices else None
    content = message.content if message and isinstance(message.content, list) else []
    thought = [part.reasoning for part in content if isinstance(part, ContentReasoning)]
    return Reply(
        text=output.completion,
        reasoning="\n".join(thought),
        finish=str(output.stop_reason),
    )


def _task_of(protocol: str) -> Callable[..., Task]:
    """Return the task called like ``protocol``, registered with inspect."""

    def of_protocol(data: str, cell: int | None = None, aids: str | None = None) -> Task:
        return protocol_task(data, protocol, cell, aids)

    of_protocol.__doc__ = f"The protocol {protocol} over the instances in the folder ``data``."
    return task(name=f"puzzles/{protocol.replace('-', '_')}")(_bare(of_protocol))


TASKS = {protocol: _task_of(protocol) for protocol in CARRIED}
"""The tasks by protocol."""


@task(name="puzzles/protocol")
@_bare
def protocol(data: str, protocol: str, cell: int | None = None, aids: str | None = None) -> Task:
    """A protocol by its name, variants included, such as oracle-vcot+last."""
    return protocol_task(data, protocol, cell, aids)
