"""The columns that trainers read, for rewards and for imitation; the record is in every row.

It stands where the trainer's reward function is given it (``protocols.adapters``), never in what a
model is shown. docs/training-rows.md has the columns with their types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from protocols.messages import Image, Message
from protocols.training.targets import Conversation
from puzzles.instance import Instance
from puzzles.shards.layouts import IMAGE, TEXT, WHOLE, Feature, listed, picture

MARK = "<image>"
"""Stands for a picture in the texts of verl, EasyR1 and ms-swift."""
_PARTS = listed({"role": TEXT, "content": listed({"type": TEXT, "text": TEXT})})
_MARKED = listed({"role": TEXT, "content": TEXT})
_IMAGES = listed(IMAGE)
_TOLD = ("id", "family", "difficulty", "split")


class Columns(NamedTuple):
    """The columns of one kind of row, how they are filled, and where the record stands."""

    features: Mapping[str, Feature]
    row: Callable[[Instance, Conversation], dict[str, Any]]
    record: str = "record"


def parts(message: Message) -> dict[str, Any]:
    """Return a message as Hugging Face's chat templates take it, with places for its pictures."""
    content = [
        {"type": "image", "text": None}
        if isinstance(part, Image)
        else {"type": "text", "text": part}
        for part in message.parts
    ]
    return {"role": message.role, "content": content}


def marked(message: Message) -> dict[str, str]:
    """Return a message as one text with ``MARK`` for each picture; raise ValueError.

    No text of a prompt may hold that mark, or the pictures would be put elsewhere.
    """
    for part in message.parts:
        if isinstance(part, str) and MARK in part:
            raise ValueError(f"a prompt holds {MARK}, which stands for pictures")
    content = "".join(MARK if isinstance(part, Image) else part for part in message.parts)
    return {"role": message.role, "content": content}


def record_of(instance: Instance) -> str:
    """Return the record as rows hold it: a line of metadata.jsonl, without its end."""
    return instance.line().rstrip("\n")


def told(instance: Instance) -> dict[str, Any]:
    """Return what rows say of an instance to count and to filter by."""
    return {name: getattr(instance, name) for name in _TOLD}


def _chat(instance: Instance, said: Conversation) -> dict[str, Any]:
    return {"messages": [parts(message) for message in said.messages]}


def _trl(instance: Instance, said: Conversation) -> dict[str, Any]:
    return {"prompt": [parts(message) for message in said.prompt]}


def _completion(instance: Instance, said: Conversation) -> dict[str, Any]:
    reply = [] if said.reply is None else [parts(said.reply)]
    return {**_trl(instance, said), "completion": reply}


def _verl(instance: Instance, said: Conversation) -> dict[str, Any]:
    return {
        "data_source": f"puzzles/{instance.family}",
        "prompt": [marked(message) for message in said.prompt],
        "ability": "planning",
        "reward_model": {"style": "rule", "ground_truth": record_of(instance)},
        "extra_info": {"index": instance.index or 0, **told(instance)},
    }


def _marked_chat(instance: Instance, said: Conversation) -> dict[str, Any]:
    return {"messages": [marked(message) for message in said.messages]}


def _easyr1(instance: Instance, said: Conversation) -> dict[str, Any]:
    (message,) = said.prompt
    return {"problem": marked(message)["content"], "answer": record_of(instance)}


_RECORD = {**dict.fromkeys(_TOLD, TEXT), "record": TEXT}
_EXTRA = {"index": WHOLE, **dict.fromkeys(_TOLD, TEXT)}
_VERL: dict[str, Feature] = {
    **{"data_source": TEXT, "prompt": _MARKED, "images": _IMAGES, "ability": TEXT},
    "reward_model": {"style": TEXT, "ground_truth": TEXT},
    "extra_info": _EXTRA,
}
_MESSAGES = Columns({"messages": _PARTS, "images": _IMAGES, **_RECORD}, _chat)
_MARKED_CHAT = Columns({"messages": _MARKED, "images": _IMAGES, **_RECORD}, _marked_chat)
LAYOUTS = {
    ("chat", "sft"): _MESSAGES,
    ("trl", "rl"): Columns({"prompt": _PARTS, "images": _IMAGES, **_RECORD}, _trl),
    ("trl", "sft"): _MESSAGES,
    ("trl", "completion"): Columns(
        {"prompt": _PARTS, "completion": _PARTS, "images": _IMAGES, **_RECORD}, _completion
    ),
    ("verl", "rl"): Columns(_VERL, _verl, "reward_model.ground_truth"),
    ("verl", "sft"): _MARKED_CHAT,
    ("easyr1", "rl"): Columns(
        {"images": _IMAGES, "problem": TEXT, "answer": TEXT}, _easyr1, "answer"
    ),
    ("swift", "rl"): _MARKED_CHAT,
    ("swift", "sft"): _MARKED_CHAT,
}
"""Of a trainer, or of none in particular: rl, prompts to be rewarded; sft, whole conversations;
completion, prompts and the reply apart."""


def filled(columns: Columns, instance: Instance, said: Conversation) -> dict[str, Any]:
    """Return a row of these columns."""
    values = columns.row(instance, said)
    values["images"] = [picture(image.png, None) for image in said.images]
    if "record" in columns.features:
        values |= {**told(instance), "record": record_of(instance)}
    return values
