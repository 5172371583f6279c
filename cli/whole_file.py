"""A file that a command writes: all at once, and never over another unless told so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(
    out: Path, *, force: bool, kept: Callable[[], object] = lambda: True
) -> Iterator[BinaryIO]:
    """Yield a file that becomes ``out`` when it is whole, and if it is to be ``kept``.

    Raises ValueError where it can't go there, or something is there already and not ``force``.
    """
    if out.is_dir():
        raise ValueError(f"{out} is a folder; name a file in it")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent}")
    if out.exists() and not force:
        raise ValueError(f"{out} is there already; --force replaces it")
    new = out.with_name(f".{out.name}.{os.getpid()}.new")
    try:
        with new.open("wb") as file:
            yield file
        if kept():
            os.replace(new, out)
    finally:
        new.unlink(missing_ok=True)
