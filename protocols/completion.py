"""What trainers call a completion, as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzles.directions import quoted


def said(completion: Any) -> str:
    """Return the text of a completion, which a chat holds in the assistant's last message.

    What the assistant has thought, where the messages keep that apart, is no part of it, nor are
    parts of a message that are no text. Raises ValueError for what is no completion.
    """
    if completion is None or isinstance(completion, str):
        return completion or ""
    chat = list(completion) if isinstance(completion, list | tuple) else [completion]
    messages = [(_field(one, "role"), _field(one, "content")) for one in chat]
    if any(role is content is _ABSENT for role, content in messages):
        raise ValueError(f"a completion is text or a list of messages, not {quoted(completion)}")
    own = [content for role, content in messages if _is_assistant(role)]
    content = own[-1] if own else None
    parts = list(content) if isinstance(content, list | tuple) else [content]
    texts = [one if isinstance(one, str) else _text(one) for one in parts]
    return "".join(text for text in texts if isinstance(text, str))


_ABSENT = object()
_ASSISTANT = ("assistant", "model", "ai")
"""What the role of the model is called, in any case."""


def _is_assistant(role: Any) -> bool:
    """Whether a message is the model's; where nothing says whose it is, it is."""
    return role is _ABSENT or role is None or (isinstance(role, str) and role.lower() in _ASSISTANT)


_TEXTS = (_ABSENT, None, "text", "output_text")
"""The types of a part that is said as text."""


def _text(part: Any) -> Any:
    return _field(part, "text") if _field(part, "type") in _TEXTS else None


def _field(one: Any, name: str) -> Any:
    """Return what a message, or a part of one, holds: an object of JSON, or of some class."""
    return one.get(name, _ABSENT) if isinstance(one, Mapping) else getattr(one, name, _ABSENT)
