"""Lines of JSON, and a file that a run appends them to: what a kill leaves of it is a prefix."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO


def json_line(value: Mapping[str, Any]) -> str:
    """Return ``value`` as a line of JSON; half a surrogate pair in it is left to the writer."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Say of which file an error of the disk is: a failed write doesn't."""
    try:
        yield
    except OSError as error:
        said = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno or errno.EIO, said, str(path)) from None


class Log:
    """A file of lines; what follows its last line break was being written at a kill and goes."""

    def __init__(self, path: Path):
        self.path = path
        self._file: BinaryIO | None = None

    def open(self) -> None:
        """Open the file to append to it, and cut off a torn last line."""
        self._file = self.path.open("ab+")
        _cut_torn_line(self._file)

    @property
    def is_open(self) -> bool:
        return self._file is not None

    @property
    def has_lines(self) -> bool:
        return self.path.exists() and self.path.stat().st_size > 0

    def append(self, lines: Sequence[str]) -> None:
        """Add ``lines``, each with its line break; an error names the file."""
        if self._file is None:
            raise RuntimeError(f"append to {self.path}, which has not been opened")
        with naming(self.path):
            # Half a surrogate pair is no text; its escape is what JSON writes for it.
            self._file.write("".join(lines).encode("utf-8", "backslashreplace"))
            self._file.flush()

    def keep(self, count: int) -> int:
        """Cut off all but the first ``count`` lines of the open file; return how many are left."""
        if self._file is None:
            raise RuntimeError(f"cut off {self.path}, which has not been opened")
        self._file.seek(0)
        kept = 0
        while kept < count and self._file.readline():
            kept += 1
        self._file.truncate(self._file.tell())
        return kept

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # a full disk, which the failed write has already reported
                self._file.close()


def _cut_torn_line(file: BinaryIO) -> None:
    """Shorten ``file`` to its last line break."""
    end = file.seek(0, os.SEEK_END)
    at = end
    while at > 0:
        start = max(0, at - (1 << 20))
        file.seek(start)
        found = file.read(at - start).rfind(b"\n")
        if found >= 0:
            at = start + found + 1
            break
        at = start
    if at < end:
        file.truncate(at)
    file.seek(at)
