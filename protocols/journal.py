"""What a run keeps on disk: finished episodes, the replies of those under way, the drawings.

Beside ``NAME.jsonl``, whose lines are finished episodes, lie ``NAME.run.json`` (how each model was
asked), ``NAME.open/`` (a file of replies for each episode under way) and ``NAME.images/`` (what
models have drawn). A reply is on disk before anything is made of it, so a kill loses none.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

from protocols.library import Library
from protocols.replies import Key, Replies
from protocols.verdicts import AnswersError
from puzzles.lock import taken
from puzzles.log import Log, json_line

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
_HEAD = b'{"id":'
"""How a line of ours begins."""


class Closed(Exception):
    """The run is over; nothing is written any more."""


class Journal(AbstractContextManager["Journal"]):
    """The files of one run; a second run into them is refused while this one lasts.

    model, settings
        Who is asked and how; an answer of the same model that was asked otherwise is refused.
    library
        The instances; an answer to another one is refused.

    Entering raises AnswersError where the files can't be gone on with.
    """

    def __init__(self, path: Path, library: Library, model: str, settings: Mapping[str, Any]):
        self.path, self.model, self.settings = path, model, dict(settings)
        stem = path.name.removesuffix(".jsonl")
        self._open = path.with_name(f"{stem}.open")
        self._images = path.with_name(f"{stem}.images")
        self._header = path.with_name(f"{stem}.run.json")
        self._library, self._log = library, Log(path)
        self._mutex, self._lock, self._closed = Lock(), -1, False
        self._taken: set[str] = set()
        """The digests of the episodes that are finished or under way."""

    def __enter__(self) -> Journal:
        if not self.path.parent.is_dir():
            raise AnswersError(f"there is no folder {self.path.parent} for {self.path.name}")
        if self.path.exists() and not self.path.is_file():
            raise AnswersError(f"{self.path} is no ordinary file; -o is one such as answers.jsonl")
        if self.path.suffix != ".jsonl":  # else two files could share what lies beside them
            raise AnswersError(f"{self.path}: the name of a file of answers ends in .jsonl")
        self._lock = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._claim()
        except BaseException:  # what lies there is another run's
            os.close(self._lock)
            raise
        try:
            known = self._read()
            known = self._tidy() or known
            self._settle(known)
            self._log.open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _claim(self) -> None:
        try:
            ours = taken(self._lock) and os.path.samestat(os.fstat(self._lock), self.path.stat())
        except OSError:
            ours = False
        if not ours:  # or a run that has just ended without an answer has removed the file
            raise AnswersError(f"{self.path}: another run is writing to this file")

    def _read(self) -> bool:
        """Note the finished episodes; return whether the model has any."""
        known = False
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n") and (
                    number > 1 or _HEAD.startswith(line[: len(_HEAD)])
                ):
                    break  # cut off by a kill, or a full disk
                if not line.strip():
                    continue
                key = self._key(line, number)
                self._taken.add(key.digest)
                known = known or key.model == self.model
        return known

    def _key(self, line: bytes, number: int) -> Key:
        """Return whose answer ``line`` is; raise AnswersError unless it is one of ours."""
        try:
            record = json.loads(line)
            key = Key(*(record[name] for name in Key._fields))
            ours = isinstance(key.run, int) and all(isinstance(text, str) for text in key[:3])
        except (ValueError, KeyError, TypeError, RecursionError):
            ours = False
        if not ours:
            raise AnswersError(
                f"{self.path} line {number} is no answer of `puzzles run`; name another file (-o)"
            )
        if key.id not in self._library:
            raise AnswersError(
                f"{self.path} line {number} answers {key.id}, which is not in the data; name its "
                "dataset too (--data), or another file (-o)"
            )
        return key

    def _tidy(self) -> bool:
        """Remove what finished episodes have left; return whether the model has others open."""
        known = False
        for path in sorted(self._open.glob("*.jsonl")):
            with path.open("rb") as file:
                head = file.readline()
            if path.stem in self._taken or not head.endswith(b"\n"):
                path.unlink()
            else:
                known = known or _model_of(head, path) == self.model
        return known

    def _settle(self, known: bool) -> None:
        """Write how the model is asked; raise AnswersError if it was asked otherwise before."""
        models = {}
        if self._header.exists():
            try:
                models = dict(json.loads(self._header.read_text("utf-8"))["models"])
            except (ValueError, KeyError, TypeError):
                raise AnswersError(f"{self._header} does not describe a run") from None
        before = models.get(self.model)
        if known and isinstance(before, dict):
            for name in sorted({*before, *self.settings}):
                one, two = (json.dumps(s.get(name)) for s in (before, self.settings))
                if one != two:
                    raise AnswersError(
                        f"{self.path} was begun with {name} {one}, not {two}; go on with the same "
                        "options, or name another file (-o)"
                    )
        if before == self.settings:
            return
        models[self.model] = self.settings
        new = self._header.with_name(f".{self._header.name}.new")
        _write(new, (json.dumps({"models": models}, indent=2) + "\n").encode())
        os.replace(new, self._header)

    def claim(self, key: Key) -> bool:
        """Take the episode; False where it is finished or under way already."""
        with self._mutex:
            if key.digest in self._taken:
                return False
            self._taken.add(key.digest)
            return True

    def episode(self, key: Key) -> Replies:
        """Return the replies of an episode that has been claimed."""
        return Replies(self._open / f"{key.digest}.jsonl", key, self.check)

    def finish(self, line: Mapping[str, Any]) -> None:
        """Add the line of a finished episode."""
        with self._mutex:
            self.check()
            try:
                self._log.append([json_line(line)])
            except OSError:
                self._closed = True  # what follows half a line would be lost with it
                raise

    def drawn(self, key: Key, drawings: Sequence[bytes]) -> list[str]:
        """Write the drawings of an episode; return their paths from the answers' folder."""
        folder = self._images / _safe(key.model) / key.protocol
        names = [f"{_safe(key.id)}-{key.run}-{at}.png" for at in range(1, len(drawings) + 1)]
        if names:
            folder.mkdir(parents=True, exist_ok=True)
        for name, drawing in zip(names, drawings, strict=True):
            _write(folder / name, drawing)
        return [(folder / name).relative_to(self.path.parent).as_posix() for name in names]

    def check(self) -> None:
        """Raise Closed once the run is over."""
        if self._closed:
            raise Closed

    def __exit__(self, *exception: object) -> None:
        """Close the files; what has nothing in it goes."""
        with self._mutex:
            self._closed = True
            self._log.close()
        with suppress(OSError):
            self._open.rmdir()  # unless an episode is open
        if self.path.exists() and not self.path.stat().st_size and not self._open.exists():
            self.path.unlink()
            self._header.unlink(missing_ok=True)
        os.close(self._lock)


def _write(path: Path, data: bytes) -> None:
    """Write a file; an error names it, that of a full disk too."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _safe(name: str) -> str:
    """Return a file name that stands for ``name``, whatever it holds."""
    if _SAFE.fullmatch(name):
        return name
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{re.sub('[^A-Za-z0-9]+', '-', name)[:60].strip('-')}-{digest}".lstrip("-")


def _model_of(head: bytes, path: Path) -> str:
    """Return whose replies a file below ``head`` holds; raise AnswersError if they are not ours."""
    try:
        return str(json.loads(head)["model"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise AnswersError(
            f"{path} does not hold the replies of an episode; move it away"
        ) from None
