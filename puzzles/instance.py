"""What a line of a dataset holds, and what follows from a board alone: its id and its split."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

ID = re.compile(r"[a-z0-9]+-[a-z]+-[0-9a-f]{16}")
"""What the ids that we give look like; see ``identity``."""
_sorted = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
EVAL_PERCENT = 10
"""Share of all boards that belong to the split ``eval``."""


class Instance(BaseModel):
    """A puzzle with its exact optimal length; the fields are those of metadata.jsonl.

    Where an instance is given inline, only family, board and optimal_length are needed.

    ``metric`` says what ``optimal_length`` counts: actions (cell), or runs of actions that move one
    piece (slide).
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    family: str
    difficulty: str = "custom"
    board: str
    rules: dict[str, Any] = Field(default_factory=dict)
    optimal_length: int = Field(ge=0)
    metric: Literal["cell", "slide"] = "cell"
    answer: str | None = None
    seed: int | None = None
    index: int | None = None
    generator: str | None = None
    attempt: int | None = None
    split: str | None = None
    stats: dict[str, Any] = Field(default_factory=dict)
    source: dict[str, Any] | None = None
    file_name: str | None = None
    aid_file_name: str | None = None

    def line(self) -> str:
        """Return the instance as one line of metadata.jsonl, the line break included."""
        without = set() if self.file_name else {"file_name", "aid_file_name"}
        if self.metric == "cell":
            without.add("metric")
        return self.model_dump_json(exclude=without) + "\n"

    def told(self) -> dict[str, Any]:
        """Return as JSON what a verdict depends on, with the name and the bucket; no solution."""
        fields = {"id", "family", "difficulty", "board", "rules", "optimal_length"}
        if self.metric != "cell":
            fields.add("metric")
        return self.model_dump(mode="json", include=fields)

    @property
    def essence(self) -> tuple[Any, ...]:
        """What a verdict depends on."""
        return self.family, self.board, self.rules, self.metric, self.optimal_length


def identity(
    family: str, difficulty: str, board: str, rules: Mapping[str, Any], metric: str = "cell"
) -> str:
    """Return the id of a board: family, difficulty and 16 hex digits of board, rules and metric."""
    written = _sorted(dict(rules)) if rules else "{}"
    content = board + "\n" + written + ("" if metric == "cell" else "\n" + metric)
    return f"{family}-{difficulty}-{blake2b(content.encode(), digest_size=8).hexdigest()}"


def stands_for(name: str, instance: Instance) -> bool:
    """Whether the id ``name`` is that of the board, the rules and the metric of ``instance``.

    What is no id of ours says nothing, and so fits. The difficulty isn't looked at.
    """
    if not ID.fullmatch(name):
        return True
    own = identity("", "", instance.board, instance.rules, instance.metric)
    return name.partition("-")[0] == instance.family and name[-16:] == own[-16:]


def kinship(family: str, canonical: bytes) -> int:
    """Return a 64-bit number that two boards share when they are equal up to symmetry."""
    digest = blake2b(family.encode() + b"\n" + canonical, digest_size=8).digest()
    return int.from_bytes(digest, "big")


def split_of(kin: int) -> str:
    """Return train or eval: it follows from the canonical board alone, so no board is in both."""
    return "eval" if kin % 100 < EVAL_PERCENT else "train"


_MOST = (1 << 63) - 1


def bounded(stats: dict[str, Any]) -> dict[str, Any]:
    """Return ``stats`` with None for whole numbers of more than 64 bits.

    No column of a data frame or of Parquet holds these, and large boards have many solutions.
    """
    large = [name for name, value in stats.items() if type(value) is int and value > _MOST]
    return {**stats, **dict.fromkeys(large)} if large else stats
