"""Settings: all that a server is started with, in a form that its workers are handed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from oracle.limits import Limits

STORE = "puzzles-episodes.sqlite"
"""Where episodes are kept unless it is said: in the folder that the server is started in."""
VARIABLE = "PUZZLES_SERVE"
"""The environment variable in which workers find the settings."""


@dataclass(frozen=True)
class Settings:
    """What `puzzles serve` is told; its options say what the fields are.

    store
        A file for SQLite, or a URL of PostgreSQL.
    warm
        Load at once what boards are made with, so that the first one doesn't wait for it.
    study_per_bucket
        How many instances of each family and difficulty a participant is handed.

    Raises ValueError where the settings contradict each other.
    """

    data: tuple[Path, ...] = ()
    store: str = STORE
    host: str = "127.0.0.1"
    token_file: Path | None = None
    stateless: bool = False
    aids: Path | None = None
    verdicts: tuple[Path, ...] = ()
    page: bool = True
    study: bool = False
    study_per_bucket: int | None = None
    study_intro: Path | None = None
    answers: Path | None = None
    warm: bool = True
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.stateless and self.token_file is None:
            raise ValueError(
                "--stateless lets whoever may ask try every branch, so it needs --token-file"
            )
        if self.study and not self.page:
            raise ValueError("--study is taken on the page; leave out --no-page")
        if not self.study and (self.study_per_bucket, self.study_intro) != (None, None):
            raise ValueError("--study-per-bucket and --study-intro are about a study: say --study")

    @property
    def saved(self) -> Path | None:
        """The file that people's games are appended to."""
        return self.answers or (Path("answers.jsonl") if self.study else None)

    def record(self) -> str:
        """Return the settings as JSON; ``of`` reads it."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def of(cls, record: str) -> Settings:
        """Return the settings that ``record`` holds."""
        found: dict[str, Any] = json.loads(record)
        for name in ("token_file", "aids", "study_intro", "answers"):
            found[name] = found[name] and Path(found[name])
        for name in ("data", "verdicts"):
            found[name] = tuple(map(Path, found[name]))
        return cls(**{**found, "limits": Limits(**found["limits"])})

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings that the command has left for its workers."""
        return cls.of(environment[VARIABLE])
