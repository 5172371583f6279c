"""How a dataset is kept, from the options of make and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puzzles.store import Storage


def storage(
    format: str | None,
    shards: int | None,
    size: int | None,
    *,
    trainer: str | None,
    target: str | None,
    protocol: str | None,
) -> Storage:
    """Return the storage of a format, or of rows for training; raise ValueError."""
    if trainer is None and target is None and protocol is None:
        from puzzles.shards.store import storage_of

        return storage_of("folder" if format is None else format, shards=shards, size=size)
    from protocols.training import Training, storage_for

    training = Training(trainer, target, protocol)
    return storage_for(training, format, shards=shards, size=size)
