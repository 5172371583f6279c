"""Models of the user's own, in Python: python:module:Class."""

from __future__ import annotations

import sys
from asyncio import CancelledError
from importlib import import_module
from pathlib import Path
from typing import Any

from protocols.episode import Episode
from protocols.messages import Reply
from protocols.models import AskError, ModelError


class Own:
    """A model whose class has one method, ``reply(self, request) -> Reply | str``.

    The class is made once, without arguments. ``request`` is a ``protocols.messages.Request``: its
    messages hold texts and images (``image.png`` is the PNG), and ``due`` says whether text, an
    image or both are wanted; images are given back as ``Reply(images=(png,))``. Several threads
    call the method at once where the class says ``thread_safe = True``, else one at a time. What it
    raises ends the episode, not the run.
    """

    def __init__(self, spec: str):
        self.name = spec
        self._model, self.thread_safe = _made(spec)

    def reply(self, episode: Episode) -> Reply:
        try:
            said = self._model.reply(episode.request)
        except (Exception, SystemExit, CancelledError) as error:
            raise AskError(f"{self.name} raised {type(error).__name__}: {error}") from error
        reply = Reply(said) if isinstance(said, str) else said
        if not isinstance(reply, Reply) or not _is_well_formed(reply):
            raise AskError(f"{self.name} returned {_shown(said)}; Reply or str is wanted")
        return reply

    def close(self) -> None:
        """Call the class's own ``close``; raise ModelError where it fails."""
        try:
            close = getattr(self._model, "close", None)
            if callable(close):
                close()
        except (Exception, SystemExit) as error:
            raise ModelError(
                f"{self.name}: close raised {type(error).__name__}: {error}; all answers are kept"
            ) from error


def _made(spec: str) -> tuple[Any, bool]:
    """Return the object that ``spec`` names, and if it is thread-safe; raise ModelError."""
    _, _, rest = spec.partition(":")
    module_name, _, name = rest.partition(":")
    if not module_name or not name:
        raise ModelError(f"--model {spec!r}: a model of your own is python:MODULE:CLASS")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        made = getattr(import_module(module_name), name)()
        thread_safe = bool(getattr(made, "thread_safe", False))
        replies = callable(getattr(made, "reply", None))
    except ModuleNotFoundError as error:
        raise ModelError(f"--model {spec}: {error} (looked in {here} too)") from error
    except (Exception, SystemExit) as error:
        raise ModelError(f"--model {spec}: {type(error).__name__}: {error}") from error
    if not replies:
        raise ModelError(f"--model {spec}: {name} has no method reply(self, request)")
    return made, thread_safe


def _is_well_formed(reply: Reply) -> bool:
    texts = (reply.text, reply.reasoning, reply.finish)
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(reply.images, tuple | list)
        and all(isinstance(image, bytes) for image in reply.images)
    )


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {str(value)[:80]!r}"
