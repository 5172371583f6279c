"""The files that an answer names: found in their folder, opened, or said why not."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from protocols.measures.record import Trouble
from protocols.reports.sources import read_picture
from render.decode import UnusablePicture, header, rgb

if TYPE_CHECKING:
    from render.boards.looks import RGB


MOST_READ = 600
"""Pictures that are read at most: a video that keeps changing shows no states, and an answer of so
many files is none."""


class NoPicture(ValueError):
    """A file gives no picture; the message says why, in a sentence."""

    def __init__(self, reason: Trouble, detail: str = ""):
        super().__init__(detail or reason.sentence)
        self.reason = reason


class Carried(NamedTuple):
    """The files that an answer names, to be looked at where their folder isn't.

    A file that gives no picture is there as what is wrong with it.
    """

    files: Mapping[str, bytes | tuple[Trouble, str]]


def carried(folder: Path, names: Iterable[str]) -> Carried:
    """Return the files of these names."""
    files: dict[str, bytes | tuple[Trouble, str]] = {}
    for name in names:
        try:
            files[name] = load(folder, name)
        except NoPicture as error:
            files[name] = error.reason, str(error)
    return Carried(files)


def load(folder: Path | Carried, name: str) -> bytes:
    """Return the bytes of a file that an answer names; raise NoPicture.

    Answers may come from anywhere, so what lies outside their folder is not opened.
    """
    if isinstance(folder, Carried):
        found = folder.files[name]
        if isinstance(found, bytes):
            return found
        raise NoPicture(*found)
    if os.path.isabs(name) or os.path.normpath(name).split(os.sep)[0] == "..":
        raise NoPicture(Trouble.OUTSIDE)
    try:
        if not (folder / name).resolve().is_relative_to(folder.resolve()):  # a link leads out
            raise NoPicture(Trouble.OUTSIDE)
        return read_picture(folder, name)
    except NoPicture:
        raise
    except UnusablePicture as error:
        raise NoPicture(Trouble.UNUSABLE, str(error)) from None
    except (
        OSError,
        RuntimeError,
        ValueError,
    ):  # a ring of links, too long a name, no right to read it
        raise NoPicture(Trouble.NO_FILE) from None


def is_moving(data: bytes) -> bool:
    """Return whether the file is a video or an animation."""
    from render.video import is_video

    if is_video(data):
        return True
    known = header(data)
    return known is not None and known.animated


def last(data: bytes) -> RGB:
    """Return the picture in a file, the last one of a video or an animation; raise NoPicture."""
    from render.video import is_video

    if is_video(data):
        (pixels,) = deque(pictures(data), maxlen=1)  # a video without pictures is none
        return pixels
    try:
        return rgb(data)
    except UnusablePicture as error:
        raise NoPicture(Trouble.UNUSABLE, str(error)) from None


def pictures(data: bytes) -> Iterator[RGB]:
    """Yield the pictures of a video or an animation; raise NoPicture."""
    from render.video import NoVideoReader, frames

    try:
        yield from frames(data)
    except (UnusablePicture, NoVideoReader) as error:
        raise NoPicture(Trouble.UNUSABLE, str(error)) from None
