"""Pictures back to states, many at once and where they are: what generated frames earn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
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
    """Return what stands in each cell of pictures of one size, on the device where they are.

    images
        (N, 3, H, W) or (N, H, W, 3), uint8 or floats from 0 to 1.
    size
        Rows and columns of all boards; the family's usual ones, if None.
    rules
        As for ``puzzles.reading.read``.

    A picture that shows no board has unknown cells only. Raises ValueError for what is no such
    batch, UnreadableImage (which is one) for pictures that have not the shape of a board.
    """
    device = images.device if isinstance(images, Tensor) else torch.device("cpu")
    return _reader(room.name, compact(dict(rules or {})), size or room.size, device)(images)


def fidelity(room: Family[S, Any], images: Tensor, states: Sequence[S]) -> Tensor:
    """Return of each picture the share of its cells that show the state, float32 (N,).

    Cells that can't be told show nothing. 1 where a picture is the board of its state: an exact
    reward for generated frames. Boards may differ in size and rules; pictures are as for
    ``read_batch``, and raise as there.
    """
    if not isinstance(images, Tensor) or len(images) != len(states):
        count = len(images) if isinstance(images, Tensor) else "no tensor of"
        raise ValueError(f"there are {len(states)} states, but {count} pictures")
    if room.reading is None:
        raise ValueError(f"pictures of {room.name} can't be read")
    alike: dict[tuple[Size, str], list[int]] = {}
    true = [room.reading.parts(state) for state in states]
    for at, (parts, state) in enumerate(zip(true, states, strict=True)):
        size = int(parts.shape[0]), int(parts.shape[1])
        alike.setdefault((size, compact(dict(room.rules_of(state)))), []).append(at)
    out = torch.zeros(len(states), device=images.device)
    for (size, rules), chosen in alike.items():
        rows = torch.tensor(chosen, device=images.device)
        seen = _reader(room.name, rules, size, images.device)(images[rows]).parts
        due = torch.as_tensor(np.stack([true[at] for at in chosen]), device=images.device)
        out[rows] = (seen == due).float().mean((1, 2))
    return out


@lru_cache(maxsize=16)
def _reader(name: str, rules: str, size: Size, device: torch.device) -> BatchedReader:
    return BatchedReader(looks(name, rules), size, device)
