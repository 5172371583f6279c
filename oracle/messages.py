"""What the step server is sent, and what it sends: the schemas that its OpenAPI page shows."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from protocols.aids import CELL

Due = Literal["action", "answer", "drawing", "remaining"]
"""What a step brings next: one action; the whole answer; a picture; the number of actions left."""
_WHOLE = 1 << 62  # what every database can hold
_Counted = Annotated[int, Field(strict=True, ge=0, lt=_WHOLE)]
"""A whole number; no truth value and no text, which would be taken for one that nobody meant."""


class Incoming(BaseModel):
    """What comes from outside: a field that is none of ours is refused, since it would be lost."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Start(Incoming):
    """Which instance an episode is about, and how it is put.

    The instance is one of three: ``id``, of the server's data; ``family`` and ``board``, with
    ``rules`` where they aren't the usual; or ``family`` and ``difficulty``, with ``seed`` and
    ``index``, made on the spot: what ``puzzles make`` makes at that place at its first try.
    """

    id: Annotated[str | None, Field(max_length=200)] = None
    family: Annotated[str | None, Field(max_length=40)] = None
    board: Annotated[str | None, Field(max_length=1_000_000)] = None
    rules: dict[str, Any] | None = None
    difficulty: Annotated[str | None, Field(max_length=40)] = None
    seed: _Counted = 0
    index: _Counted = 0
    protocol: Annotated[str, Field(max_length=80)] = "oracle-vcot"
    stopping: Literal["fixed", "budget"] = "fixed"
    history: Literal["all", "last"] = "all"
    cell: Annotated[int, Field(strict=True, ge=16, le=256, description="Pixels a cell.")] = CELL
    images: Annotated[
        Literal["inline", "link"],
        Field(description="Pictures as base64 within the reply, or as links to fetch them from."),
    ] = "inline"


class Step(Incoming):
    """A step of round ``round``, which counts from 1.

    It brings what is due (see ``due`` of the last reply), and may bring at once what is due after
    it: an ``action`` with the number of ``remaining`` actions, for example.
    """

    round: Annotated[int, Field(strict=True, ge=1, lt=_WHOLE)]
    action: Annotated[
        Any, Field(description='One action as JSON, such as {"move": "up"}; or see `reply`.')
    ] = None
    reply: Annotated[
        str | None, Field(description="The model's text, which names the action or the answer.")
    ] = None
    remaining: Annotated[
        _Counted | str | None,
        Field(description="Actions left after this one; 0 ends the episode. Or the model's text."),
    ] = None
    drawing: Annotated[
        str | None, Field(description="The picture that the model drew, in base64 (self-…).")
    ] = None


class Transition(Start):
    """An episode that is kept nowhere: how it starts, and all its steps; the last is answered."""

    steps: Annotated[list[Step], Field(min_length=1)]


class TextPart(BaseModel):
    type: Literal["text"] = "text"
    text: str


class ImagePart(BaseModel):
    """A picture of the episode; ``url`` is where it is, below the server's address."""

    type: Literal["image"] = "image"
    url: str


class ChatMessage(BaseModel):
    """A message for the model: texts and pictures in the order in which they are shown."""

    role: Literal["user"] = "user"
    content: list[TextPart | ImagePart]


class Opened(BaseModel):
    """An episode has begun.

    ``image`` shows the board, ``aid`` the second picture of gta and vr; both are PNG in base64, or
    links where these were asked for.
    """

    episode: str
    round: Literal[0] = 0
    due: Due
    messages: list[ChatMessage]
    image: str
    aid: str | None = None


class Stepped(BaseModel):
    """How a step went.

    legal
        Whether the action could be taken; null where the step brought none.
    reason, detail
        What is wrong with the action, or what ended the episode: a code and a sentence.
    image
        The board after a legal action.
    verdict
        As a line of verdicts.jsonl has it; null until the episode is over.
    messages
        What the model is told next; what it has been told before isn't repeated.
    """

    round: int
    legal: bool | None
    reason: str | None
    detail: str | None
    image: str | None
    done: bool
    verdict: dict[str, Any] | None
    due: Due | None
    messages: list[ChatMessage]


class TranscriptStep(BaseModel):
    """A step as it was sent, its picture as a link, and how it went."""

    round: int
    action: Any
    reply: str | None
    remaining: int | str | None
    legal: bool | None
    reason: str | None
    image: str | None


class Transcript(BaseModel):
    """An episode so far.

    answer
        A line for answers.jsonl, its instance within, once the episode is over.
    """

    episode: str
    protocol: str
    round: int
    due: Due | None
    done: bool
    steps: list[TranscriptStep]
    verdict: dict[str, Any] | None
    answer: dict[str, Any] | None


class Trouble(BaseModel):
    """Why a request was refused, in one sentence."""

    error: str
