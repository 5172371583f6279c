"""What models drew, small enough to lie in the page; the files themselves are linked."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from protocols.reports.page.frames import data_uri
from protocols.reports.sources import Sources
from render.decode import UnusablePicture, opened
from render.video import frames, is_video

if TYPE_CHECKING:
    from PIL.Image import Image as Opened

    from render.video import Frame

SIDE = 320
"""Pixels of the longer side of a picture in the page."""


class Drawings:
    """The pictures that answers name, as the page at ``path`` shows them.

    Those that fit into ``budget`` bytes are embedded, smaller than they were; the rest is linked.
    """

    def __init__(self, sources: Sources, path: Path, budget: int):
        self._sources, self._here, self._left = sources, path.resolve().parent, budget
        self._film: _Film | None = None
        self.linked = 0
        """How many found no room."""

    def record(self, file: int, name: Any, at: int | None = None) -> dict[str, str]:
        """Return as JSON ``src``, what to show, and ``href``, the file; or ``problem``.

        at
            Of a video the number of the picture in it, from 0; the last one counts without it.
        """
        answers = self._sources.answers[file]
        if not isinstance(name, str) or answers is None:
            return {"problem": "the answer names no file"}
        folder = answers.resolve().parent
        try:
            place = (folder / name).resolve()
            if not place.is_relative_to(folder):
                return {"problem": "the picture is not beside the answers"}
            if not place.is_file():
                return {"problem": "the picture is not there"}
            moving = is_video(place)
            small = _small(self._opened(file, name, at, moving=moving)) if self._left else b""
        except (OSError, ValueError, RuntimeError) as error:  # a ring of links, no reader of videos
            return {"problem": str(error)}
        href = quote(os.path.relpath(place, self._here).replace(os.sep, "/"))
        if len(small) >= self._left:
            self._left = 0  # no more are read: a page with holes here and there helps nobody
            self.linked += 1
            return (
                {"src": href, "href": href} if not moving else {"problem": "a video", "href": href}
            )
        self._left -= len(small)
        return {"src": data_uri(small, "image/webp"), "href": href}

    def _opened(self, file: int, name: str, at: int | None, *, moving: bool) -> Opened:
        from PIL import Image

        data = self._sources.picture(file, name)
        if not moving:
            return opened(data)
        if at is None or self._film is None or not self._film.leads_to(file, name, at):
            self._film = _Film(file, name, frames(data))
        return Image.fromarray(self._film.picture(at))


class _Film:
    """A video that is played once, as far as its pictures are asked for in their order."""

    def __init__(self, file: int, name: str, played: Iterator[Frame]):
        self._key, self._played, self._next = (file, name), played, 0

    def leads_to(self, file: int, name: str, at: int) -> bool:
        """Return whether that picture of that file is still to come."""
        return self._key == (file, name) and self._next <= at

    def picture(self, at: int | None) -> Frame:
        """Return the picture of that number, or the last; raise UnusablePicture."""
        ahead = self._played
        if at is not None:
            ahead = islice(ahead, at - self._next, at - self._next + 1)
        last = deque(ahead, maxlen=1)
        if not last:
            raise UnusablePicture("the video has no such picture")
        self._next = 0 if at is None else at + 1
        return last[0]


def _small(image: Opened) -> bytes:
    image.thumbnail((SIDE, SIDE))
    out = BytesIO()
    image.save(out, "WEBP", quality=75, method=2)
    return out.getvalue()
