"""The replies of one episode under way, on disk before anything is made of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from puzzles.log import Log, json_line


class Key(NamedTuple):
    """What an episode is known by; there is one answer to each."""

    id: str
    protocol: str
    model: str
    run: int

    @property
    def digest(self) -> str:
        return blake2b(json.dumps(self).encode(), digest_size=12).hexdigest()


class Replies(AbstractContextManager["Replies"]):
    """The replies of one episode, each a line of JSON below a line with its key.

    check
        Raises where nothing may be written any more.
    """

    def __init__(self, path: Path, key: Key, check: Callable[[], None]):
        self._key, self._check, self._log = key, check, Log(path)

    def __enter__(self) -> Replies:
        return self

    def kept(self) -> Iterator[dict[str, Any]]:
        """Yield the replies that an interrupted run has left."""
        path = self._log.path
        if not path.exists():
            return
        self._log.open()
        with path.open("rb") as file:
            file.readline()
            yield from map(json.loads, file)

    def append(self, reply: Mapping[str, Any]) -> None:
        """Write a reply to disk."""
        self._check()
        lines = [reply]
        if not self._log.is_open:
            self._log.path.parent.mkdir(exist_ok=True)
            self._log.open()
        if not self._log.has_lines:
            lines = [self._key._asdict(), reply]
        self._log.append([json_line(line) for line in lines])

    def remove(self) -> None:
        """Forget the replies: the episode is finished."""
        self._log.close()
        self._log.path.unlink(missing_ok=True)

    def __exit__(self, *exception: object) -> None:
        self._log.close()
