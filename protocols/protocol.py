"""The protocols by name: a paradigm, the source of its visual aid, and how it stops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Literal

Paradigm = Literal["direct", "text-cot", "gta", "vcot", "vr", "draw"]
Source = Literal["self", "oracle", "noise", "mismatch", "files"]

SOURCES: tuple[Source, ...] = ("self", "oracle", "noise", "mismatch", "files")
VARIANTS = ("budget", "last", "vgau")
"""What may follow the name of a stepwise protocol after a plus sign."""


@dataclass(frozen=True)
class Protocol:
    """How an instance is put to a model.

    source
        Who draws the visual aid; of draw-own and draw-true, whose answer is drawn (self, oracle).
    aug
        The pictures of a stepwise protocol carry the grid and the coordinates.
    budget
        The episode lasts as many rounds as the optimum, and says so. Else the model is asked after
        every round how many steps remain, and 0 ends it.
    last
        Only the latest image is shown, for models that take one.
    vgau
        The rules of the published suite: see ``protocols.stepwise``.
    """

    paradigm: Paradigm
    source: Source | None = None
    aug: bool = False
    budget: bool = False
    last: bool = False
    vgau: bool = False

    @property
    def name(self) -> str:
        variants = [variant for variant in VARIANTS if getattr(self, variant)]
        return "+".join([self._bare_name, *variants])

    @property
    def _bare_name(self) -> str:
        if self.paradigm == "draw":
            return "draw-own" if self.source == "self" else "draw-true"
        return "-".join(filter(None, (self.source, "aug" if self.aug else None, self.paradigm)))

    @property
    def stepwise(self) -> bool:
        return self.paradigm == "vcot"

    @property
    def draws(self) -> bool:
        """Whether the model draws something."""
        return self.source == "self" or self.paradigm == "draw"

    @property
    def answers(self) -> bool:
        """Whether the model gives an answer in text or in actions."""
        return self.name != "draw-true"

    @property
    def leaks(self) -> bool:
        """Whether what is shown may depend on the solution or its length, as the protocol says."""
        shows_solution = self.paradigm in ("vr", "draw") and self.source == "oracle"
        return shows_solution or self.budget or self.vgau


def _all() -> dict[str, Protocol]:
    protocols = [Protocol("direct"), Protocol("text-cot")]
    protocols += [Protocol("gta", source) for source in SOURCES]
    protocols += [Protocol("vcot", source) for source in SOURCES]
    protocols += [Protocol("vcot", source, aug=True) for source in SOURCES]
    protocols += [Protocol("vr", source) for source in SOURCES]
    protocols += [Protocol("draw", "self"), Protocol("draw", "oracle")]
    return {protocol.name: protocol for protocol in protocols}


PROTOCOLS = _all()
"""The protocols without variants, by name."""


class UnknownProtocol(ValueError):
    """There is no protocol of that name; the message lists those that there are."""


def named(name: str) -> Protocol:
    """Return the protocol called ``name``, such as oracle-vcot or oracle-vcot+budget+last.

    Raises UnknownProtocol.
    """
    bare, *variants = name.split("+")
    protocol = PROTOCOLS.get(bare)
    if protocol is None:
        near = get_close_matches(bare, PROTOCOLS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UnknownProtocol(f"unknown protocol {name!r}: {hint}known: {', '.join(PROTOCOLS)}")
    for variant in variants:
        if variant not in VARIANTS or not protocol.stepwise:
            takes = ", ".join(f"+{known}" for known in VARIANTS) if protocol.stepwise else "none"
            raise UnknownProtocol(
                f"unknown protocol {name!r}: {bare} takes these variants: {takes}"
            )
    if {"budget", "vgau"} <= set(variants):
        raise UnknownProtocol(f"{name!r}: +vgau asks after every round, +budget never does")
    budget, last, vgau = (variant in variants for variant in VARIANTS)
    return replace(protocol, budget=budget, last=last, vgau=vgau)
