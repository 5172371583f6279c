"""What models drew, small enough to lie in the page; the files themselves are linked."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from protocols.reports.page.frames import data_uri
from protocols.reports.sources import Sources
from render.decode import received

SIDE = 320
"""Pixels of the longer side of a picture in the page."""


class Drawings:
    """The pictures that answers name, as the page at ``path`` shows them.

    Those that fit into ``budget`` bytes are embedded, smaller than they were; the rest is linked.
    """

    def __init__(self, sources: Sources, path: Path, budget: int):
        self._sources, self._here, self._left = sources, path.resolve().parent, budget
        self.linked = 0
        """How many found no room."""

    def record(self, file: int, name: Any) -> dict[str, str]:
        """Return as JSON ``src``, what to show, and ``href``, the file; or ``problem``."""
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
            small = _small(self._sources.picture(file, name)) if self._left else b""
        except (OSError, ValueError) as error:
            return {"problem": str(error)}
        href = quote(os.path.relpath(place, self._here).replace(os.sep, "/"))
        if len(small) >= self._left:
            self._left = 0  # no more are read: a page with holes here and there helps nobody
            self.linked += 1
            return {"src": href, "href": href}
        self._left -= len(small)
        return {"src": data_uri(small, "image/webp"), "href": href}


def _small(data: bytes) -> bytes:
    from PIL import Image

    with Image.open(BytesIO(received(data))) as image:
        image.thumbnail((SIDE, SIDE))
        out = BytesIO()
        image.save(out, "WEBP", quality=75, method=2)
    return out.getvalue()
