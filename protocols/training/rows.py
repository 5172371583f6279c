"""Which rows are written: for which trainer, with which target, under which protocol."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protocols.protocol import PROTOCOLS, Protocol, named
from protocols.training.presets import LAYOUTS, Columns, filled
from protocols.training.swift import SwiftFolder
from protocols.training.targets import TARGETS, Conversation, asked, asks, demonstrated
from puzzles.content import Contents
from puzzles.pictures import Pictured
from puzzles.shards.layouts import Layout
from puzzles.shards.store import storage_of
from puzzles.store import Storage, Store

TRAINERS = ("trl", "verl", "easyr1", "swift")
"""The trainers that rows are written for."""


@dataclass(frozen=True)
class Training:
    """What rows hold besides the record.

    trainer
        One of ``TRAINERS``; None for chats that no trainer in particular reads.
    target
        One of ``TARGETS``; None for prompts alone, whose completions are to be rewarded.
    protocol
        How the prompt is put; that of the target unless given, or direct.

    Raises ValueError for what can't be meant.
    """

    trainer: str | None = None
    target: str | None = None
    protocol: str | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("--for", self.trainer, TRAINERS),
            ("--sft", self.target, tuple(TARGETS)),
        ):
            if value is not None and value not in known:
                raise ValueError(f"unknown {name} {value!r} (known: {', '.join(known)})")
        if self.trainer is None and self.target is None:
            raise ValueError("--protocol says how prompts are put: give --for or --sft with it")
        if self.target and self.trainer == "easyr1":
            raise ValueError("EasyR1 trains by rewards alone: leave out --sft, or --for")
        if self.trainer and self.target and TARGETS[self.target].drawn:
            raise ValueError(
                f"--sft {self.target} is a picture, which {self.trainer} doesn't train: leave out "
                "--for"
            )
        self._check_protocol()

    def _check_protocol(self) -> None:
        target = TARGETS[self.target] if self.target else None
        fits = target.fits if target else asks
        if not fits(self.named):
            fitting = ", ".join(name for name, one in PROTOCOLS.items() if fits(one))
            what = f"--sft {self.target}" if target else f"--for {self.trainer}"
            raise ValueError(f"{what} doesn't go with --protocol {self.protocol}: {fitting} do")

    @property
    def named(self) -> Protocol:
        if self.protocol is not None:
            return named(self.protocol)
        return named(TARGETS[self.target].protocol if self.target else "direct")

    @property
    def name(self) -> str:
        """What dataset.json calls the layout; other rows have another name."""
        return "/".join(filter(None, (self.trainer or "chat", self.target, self.named.name)))

    def conversation(self, pictured: Pictured) -> Conversation:
        """Return what is put to a model, and what it is to reply."""
        if self.target is None:
            return asked(pictured, self.named)
        return demonstrated(pictured, self.target, self.named)

    @property
    def columns(self) -> Columns:
        kind = "sft" if self.target else "rl"
        if self.trainer == "trl" and self.target and not self.named.stepwise:
            kind = "completion"
        return LAYOUTS[self.trainer or "chat", kind]

    def row(self, pictured: Pictured) -> dict[str, Any]:
        """Return a row; tasks carry this method, so all it needs is in the three names."""
        return filled(self.columns, pictured.instance, self.conversation(pictured))

    @property
    def layout(self) -> Layout:
        """The columns of a Parquet row."""
        columns = self.columns
        places = {"record": columns.record, "image": "images.0", "aid": ""}
        return Layout(self.name, columns.features, self.row, **places)


def storage_for(
    training: Training,
    format: str | None = None,
    *,
    shards: int | None = None,
    size: int | None = None,
) -> Storage:
    """Return the storage of rows for training; raise ValueError for what can't be meant.

    shards, size
        As for ``storage_of``; EasyR1 has one shard unless told otherwise.
    """
    if training.trainer == "swift":
        if shards is not None or size is not None or format not in (None, "folder"):
            raise ValueError("--for swift writes a folder: leave out --format and --shards")
        layout = training.layout
        return _with_pictures(lambda path, content: SwiftFolder(path, content, layout))
    if format not in (None, "parquet"):
        raise ValueError(f"rows for training are kept as parquet, not as {format}")
    if training.trainer == "easyr1" and shards is size is None:
        shards = 1  # it takes one file; in a folder it takes dataset.json for rows too
    return _with_pictures(storage_of("parquet", shards=shards, size=size, layout=training.layout))


def _with_pictures(storage: Storage) -> Storage:
    def checked(path: Path, content: Contents) -> Store:
        if content.cell is None:
            raise ValueError(
                "rows for training show pictures: make the dataset without --no-images"
            )
        return storage(path, content)

    return checked
