"""A data folder as the documents of a harness: each holds all that an episode is made of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from protocols.aids import Aids
from protocols.episode import Episode
from protocols.protocol import PROTOCOLS, Protocol, named
from protocols.selection import Selection
from puzzles.instance import Instance

CARRIED = tuple(name for name, protocol in PROTOCOLS.items() if not protocol.draws)
"""The protocols that a harness of text replies can carry: in these the model draws nothing."""
METRICS = ("optimal", "feasible", "format_ok")
"""The fields of a verdict that harnesses count."""


class NotCarried(ValueError):
    """A harness can't carry a protocol; the message says which and why."""


class Document(NamedTuple):
    """What a harness keeps of one instance; its fields are text and numbers.

    record, donor
        The instance, and the one whose aid is shown under mismatch ("" where none is), as lines of
        metadata.jsonl.
    bucket
        Family and difficulty.
    cell
        Pixels a cell.
    """

    record: str
    donor: str
    bucket: tuple[str, str]
    cell: int

    @property
    def instance(self) -> Instance:
        return Instance.model_validate_json(self.record)

    def aids(self, files: Path | None) -> Aids:
        if not self.donor:
            return Aids(self.cell, files=files)
        donor = Instance.model_validate_json(self.donor)
        return Aids(self.cell, lambda instance: donor, files)

    def episode(self, protocol: Protocol, files: Path | None) -> Episode:
        """Return the episode at its beginning; raise AidsError."""
        return Episode(self.instance, protocol, self.aids(files))


def carried(name: str) -> Protocol:
    """Return the protocol called ``name``; raise NotCarried or UnknownProtocol."""
    protocol = named(name)
    if protocol.draws:
        raise NotCarried(
            f"{name}: the model draws in it, and a harness of text replies can't carry that; "
            f"`puzzles run` can, and here there are {', '.join(CARRIED)}"
        )
    return protocol


def documents(
    data: Path, protocols: Sequence[Protocol], cell: int | None, files: Path | None
) -> list[Document]:
    """Return the instances in ``data`` and below it, by family and difficulty.

    cell
        Pixels a cell; None for what each dataset was drawn with.

    Raises DatasetError, and AidsError where an aid of one of the protocols can't be had.
    """
    selection = Selection([data], protocols, cell=cell, files=files)
    selection.check()
    mismatch = any(protocol.source == "mismatch" for protocol in protocols)
    found = [
        _document(job.instance, job.aids, mismatch)
        for job in selection.jobs()
        if job.protocol == protocols[0]
    ]
    return sorted(found, key=lambda document: document.bucket)


def _document(instance: Instance, aids: Aids, mismatch: bool) -> Document:
    donor = aids.donor(instance).line() if mismatch and aids.donor else ""
    return Document(instance.line(), donor, (instance.family, instance.difficulty), aids.cell)
