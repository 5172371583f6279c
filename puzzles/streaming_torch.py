"""Streams for torch: shared out over ranks and workers of a loader, their weights within reach."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from puzzles.asked import pair
from puzzles.curriculum import Entry, Plan, Weights
from puzzles.directions import quoted
from puzzles.instance import Instance
from puzzles.pictures import Pictured
from puzzles.replay import initial
from puzzles.rooms import family
from puzzles.shards.layouts import Layout
from puzzles.streaming import Shard, Stream, finishing

_STATEFUL = "take torchdata's StatefulDataLoader, or num_workers=0"
WORKERS = 256
"""Workers of one loader, at most: each keeps its counts in a row of shared memory."""


class PuzzleStream(IterableDataset[Any]):
    """A stream (``puzzles.stream``) as an IterableDataset that never ends.

    Worker w of W in rank r of R reads share r·W + w of R·W, so no two have the same instance of an
    entry. The weights and the counts lie in memory that the workers share: ``weights`` set in the
    main process hold for what the workers make from then on, a few batches after what they have
    prepared.

    A loader that is iterated again goes on where its workers were; what they had prepared and
    nobody took is not made again. With another number of workers the shares are others, and the
    stream begins anew.
    """

    def __init__(
        self,
        entries: Entry | Iterable[Entry],
        *,
        seed: int = 0,
        split: str = "any",
        shard: Shard | None = None,
        exclude: Iterable[str | Path] = (),
        cell: int | None = None,
        row: Layout | Callable[[Pictured], Any] | None = None,
        transform: Callable[[Instance], Any] | None = None,
    ):
        """Check what is asked for, as ``puzzles.stream`` does, and raise as there.

        shard
            (rank, number of ranks); those of ``torch.distributed``, or of RANK and WORLD_SIZE, if
            not given.
        transform
            What is made of an instance; without it and ``row``, a dict: the ``entry`` by name,
            ``optimal_length``, the ``record`` as a line of JSON, and where there is a ``cell`` the
            ``image``, uint8 (3, H, W). Boards of one size make batches.
        """
        if transform is not None and (row is not None or cell is not None):
            raise ValueError("a transform makes all of an item: leave out row and cell")
        if transform is not None and not callable(transform):
            raise ValueError(f"transform is a function of an Instance, not {quoted(transform)}")
        self._plan = Plan.of(entries, seed, split, exclude)
        said = "a shard is a pair: the rank, and the number of ranks"
        self._shard = _ranks() if shard is None else pair(shard, said)
        finish = finishing(self._plan, row, cell)
        if transform is not None:
            finish = partial(_transformed, transform)
        elif row is None:
            finish = partial(_item, cell)
        self._finish = finish
        self._weights = torch.tensor(self._plan.weights, dtype=torch.float64).share_memory_()
        width = len(self._plan.names)
        self._rows = torch.zeros(WORKERS, 1 + width, dtype=torch.int64).share_memory_()
        self._counts = array("q", bytes(8 * width))
        self._stream: Stream[Any] | None = None
        self._loaded: int | None = None
        self._row()[0] = self._here().shard[1]

    def __iter__(self) -> Iterator[Any]:
        stream, row = self._here(), self._row()
        if row[0] != stream.shard[1]:
            row[:] = [stream.shard[1], *([0] * len(self._counts))]
        if self._loaded is None:
            self._counts[:] = array("q", row[1:].tolist())
        self._loaded = None
        return _Items(stream, self._counts, row)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_stream": None}

    @property
    def weights(self) -> Weights:
        """The weights by the names of the entries, to be read and set, also while workers run."""
        return Weights(self._plan.names, self._weights.numpy())

    @property
    def counts(self) -> dict[str, int]:
        """How many boards of each entry this rank has made, in all its workers."""
        rows = self._rows[self._rows[:, 0] == self._rows[0, 0]]
        return dict(zip(self._plan.names, rows[:, 1:].sum(0).tolist(), strict=True))

    def state_dict(self) -> dict[str, Any]:
        """Return where the stream stands: that of this worker, or of a loader without workers.

        Raises ValueError in the main process of a loader with workers, whose states are its own:
        take ``torchdata``'s StatefulDataLoader, which asks each worker.
        """
        stream = self._here()
        if get_worker_info() is None and self._row().tolist() != [stream.shard[1], *self._counts]:
            raise ValueError(
                f"workers have read the stream, and each has its own state: {_STATEFUL}"
            )
        return stream.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from a state; raise ValueError for one of another stream, ranks or workers."""
        stream = self._here()
        stream.load_state_dict(state)
        self._row()[:] = [stream.shard[1], *self._counts]
        self._loaded = os.getpid()

    def _here(self) -> Stream[Any]:
        """Return the share of the process that asks.

        It counts in memory of its own, which it copies to its row: another loader of the same
        stream may have that row too.
        """
        info, (rank, ranks) = get_worker_info(), self._shard
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        if workers > WORKERS:
            raise ValueError(f"a stream has up to {WORKERS} workers a rank, not {workers}")
        if self._loaded not in (None, os.getpid()):
            raise ValueError(f"the state was not loaded by the workers that read on: {_STATEFUL}")
        shard = rank * workers + worker, ranks * workers
        if self._stream is None or self._stream.shard != shard:
            weights = self._weights.numpy()
            self._stream = Stream(self._plan, shard, self._finish, weights, self._counts)
        return self._stream

    def _row(self) -> NDArray[np.int64]:
        """Return the row of this process: how many shares there are, and its counts."""
        info = get_worker_info()
        row: NDArray[np.int64] = self._rows[0 if info is None else info.id].numpy()
        return row


class _Items(Iterator[Any]):
    """The items of a stream, which tells its counts to a row that all processes see.

    It has no state of its own, or loaders would keep that twice.
    """

    def __init__(self, stream: Stream[Any], counts: array[int], row: NDArray[np.int64]):
        self._stream, self._counts, self._row = stream, counts, row

    def __next__(self) -> Any:
        item = next(self._stream)
        self._row[:] = [self._stream.shard[1], *self._counts]
        return item


def _transformed(transform: Callable[[Instance], Any], instance: Instance, name: str) -> Any:
    return transform(instance)


def _item(cell: int | None, instance: Instance, name: str) -> dict[str, Any]:
    """Make of an instance what batches are made of; see ``PuzzleStream``."""
    length, record = instance.optimal_length, instance.line()
    item = {"entry": name, "optimal_length": length, "record": record}
    return item if cell is None else {**item, "image": pixels(instance, cell)}


def pixels(instance: Instance, cell: int) -> Tensor:
    """Return the picture of a board at ``cell`` pixels a cell: uint8 (3, H, W)."""
    drawn = family(instance.family).draw(initial(instance), cell)
    planes = np.ascontiguousarray(drawn.palette.T)
    return torch.from_numpy(planes.take(drawn.pixels, axis=1, mode="clip"))


def _ranks() -> Shard:
    """Return which rank this process is, of how many."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return torch.distributed.get_rank(), torch.distributed.get_world_size()
    said = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    if not all(number.isdecimal() for number in said):
        raise ValueError("RANK and WORLD_SIZE are {!r} and {!r}, not numbers".format(*said))
    return int(said[0]), int(said[1])
