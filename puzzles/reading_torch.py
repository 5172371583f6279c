"""Pictures back to states, many at once and where they are: what generated frames earn."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from puzzles.family import Family, Size
from puzzles.notation import compact
from puzzles.reading import looks, mend_of, read_cells
from puzzles.rooms import family
from render.boards.decode_torch import planes, whole_levels
from render.boards.looks import UNKNOWN
from render.read import UnreadableImage
from render.read_torch import BatchedReader, SeenBoards

S = TypeVar("S")


def read_batch(
    room: Family[S, Any],
    images: Tensor,
    size: Size | None = None,
    rules: Mapping[str, Any] | None = None,
    fallback: bool = True,
) -> SeenBoards:
    """Return what stands in each cell of pictures of one size, on the device where they are.

    images
        (N, 3, H, W) or (N, H, W, 3), uint8 or floats from 0 to 1.
    size
        Rows and columns of all boards; the family's usual ones, if None.
    rules
        As for ``puzzles.reading.read``.
    fallback
        Give pictures in which a cell can't be told to ``puzzles.reading.read_cells``, one by one on
        the CPU, so that what is seen is what it sees. It looks for the board once more, which may
        help; without it such cells are unknown.

    A picture that shows no board has unknown cells only. Raises ValueError for what is no such
    batch, UnreadableImage (which is one) for pictures that have not the shape of a board.
    """
    device = images.device if isinstance(images, Tensor) else torch.device("cpu")
    size, known = size or room.size, compact(dict(rules or {}))
    seen = _reader(room.name, known, size, device)(images)
    for row in (seen.parts == UNKNOWN).flatten(1).any(1).nonzero()[:, 0].tolist() * fallback:
        pixels = planes(whole_levels(images[row, None].detach()))[0].byte()
        try:
            other = read_cells(room, pixels.permute(1, 2, 0).cpu().numpy(), size=size, rules=rules)
        except UnreadableImage:
            seen.parts[row], seen.confidence[row] = UNKNOWN, 0
        else:
            seen.parts[row] = torch.as_tensor(other.parts)
            seen.confidence[row] = torch.as_tensor(other.confidence)
    return seen


def fidelity(
    room: Family[S, Any], images: Tensor, states: Sequence[S], fallback: bool = True
) -> Tensor:
    """Return of each picture the share of its cells that show the state, float32 (N,).

    Cells that can't be told show nothing. 1 where a picture is the board of its state: an exact
    reward for generated frames. Boards may differ in size and rules; pictures and ``fallback`` are
    as for ``read_batch``, and raise as there.
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
        seen = read_batch(room, images[rows], size, json.loads(rules), fallback).parts
        due = torch.as_tensor(np.stack([true[at] for at in chosen]), device=images.device)
        out[rows] = (seen == due).float().mean((1, 2))
    return out


@lru_cache(maxsize=16)
def _reader(name: str, rules: str, size: Size, device: torch.device) -> BatchedReader:
    return BatchedReader(looks(name, rules), size, device, mend_of(family(name)))
