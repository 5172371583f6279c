"""Loading: files that take long to read, read in a thread of their own while the page says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Generic, TypeVar

from oracle.errors import Refused

T = TypeVar("T")
_PATIENCE, _LONG = 1.0, 20.0
"""Seconds that a request waits for a reading: where it can say how far that has got, and else."""


class StillReading(Refused):
    """The files are being read; the same request can be met later."""

    status = 503


class Loading(Generic[T]):
    """What ``read`` makes of files: read when first asked for, and anew once they have changed.

    paths
        Returns the files, whose times and sizes tell whether they have changed.
    read
        Makes the value of the files, and tells the number of bytes that it has read.
    """

    def __init__(
        self,
        paths: Callable[[], Sequence[Path]],
        read: Callable[[Sequence[Path], Callable[[int], None]], T],
    ):
        self._paths, self._read = paths, read
        self._lock = Lock()
        self._thread: Thread | None = None
        self._value: T | None = None
        self._trouble: ValueError | None = None
        self._of: object = None
        self._bytes = self._total = 0

    def whole(self) -> T:
        """Return the value; raise StillReading where that takes long, and Refused as ``get``."""
        found = self.get(_LONG)
        if isinstance(found, float):
            raise StillReading("the files are still being read; try again in a moment")
        return found

    def get(self, patience: float | None = None) -> T | float:
        """Return the value, or after some seconds the share of the files that has been read.

        Raises Refused where the files can't be read; the next call tries again once they have
        changed.
        """
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._look()
            thread = self._thread
        if thread is not None:
            thread.join(_PATIENCE if patience is None else patience)
            if thread.is_alive():
                return min(0.99, self._bytes / max(1, self._total))
        if self._value is None:
            raise Refused(str(self._trouble))
        return self._value

    def _look(self) -> None:
        """Begin to read where the files are new or have changed."""
        try:
            found = [(path, path.stat()) for path in self._paths()]
        except (OSError, ValueError) as error:
            raise Refused(str(error)) from None
        now = [(path, stat.st_mtime_ns, stat.st_size) for path, stat in found]
        if now == self._of:
            return
        self._of, self._bytes = now, 0
        self._total = sum(stat.st_size for _, stat in found)
        files = [path for path, _ in found]
        self._thread = Thread(target=self._make, args=[files], daemon=True)
        self._thread.start()

    def _make(self, files: Sequence[Path]) -> None:
        try:
            self._value = self._read(files, self._told)
        except (OSError, ValueError) as error:
            self._value, self._trouble = None, ValueError(str(error))

    def _told(self, read: int) -> None:
        self._bytes = read
