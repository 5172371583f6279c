"""The lock on a file that workers write to one after another."""

import asyncio
import os
from pathlib import Path

from oracle.errors import Conflict
from puzzles.lock import taken

_TRIES, _WAIT = 1_000, 0.01


async def locked(path: Path, busy: str) -> int:
    """Return a descriptor of the file at ``path``, which is locked until that is closed.

    The file and its folder are made where there are none. Raises OSError where they can't be, and
    Conflict, with the sentence ``busy``, where another process doesn't let go of it for ten
    seconds.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        for _ in range(_TRIES):
            if taken(descriptor):
                return descriptor
            await asyncio.sleep(_WAIT)
        raise Conflict(busy)
    except BaseException:
        os.close(descriptor)
        raise
