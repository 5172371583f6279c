"""Pictures back to states, many at once: what generated frames are rewarded by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

import torch
from torch import Tensor

from puzzles.family import Family, Size
from puzzles.notation import compact
from puzzles.reading import looks
from render.read_torch import BatchedReader, SeenBoards

S = TypeVar("S")


def read_batch(
    room: Family[S, Any],
    images: Tensor,
    size: Size | None = None,
    rules: Mapping[str, Any] | None = None,
) -> SeenBoards:
    """Return what stands in each cell of pictures, computed where they are.

    images
        (N, 3, H, W) or (N, H, W, 3), uint8 or floats from 0 to 1.
    size
        Rows and columns of all of them; the usual ones of the family, if None.
    rules
        Those of the family, where its pictures need them, as for ``puzzles.reading.read``.

    A picture that shows no board has only unknown cells. Raises ValueError for what is no such
    batch, UnreadableImage (a ValueError) for pictures that have not the shape of a board.
    """
    device = images.device if isinstance(images, Tensor) else torch.device("cpu")
    return _reader(room.name, compact(dict(rules or {})), size or room.size, device)(images)


@lru_cache(maxsize=16)
def _reader(name: str, rules: str, size: Size, device: torch.device) -> BatchedReader:
    return BatchedReader(looks(name, rules), size, device)
