"""What the page is made of: where it keeps games, makes boards, and what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from oracle.limits import Limits
from oracle.store import Store
from oracle.workshop import Workshop
from protocols.selection import Selection

if TYPE_CHECKING:
    from oracle.page.study import Study


@dataclass(frozen=True)
class PageContext:
    """What the page's routes share.

    data
        The instances of the gallery, which games can be about by id; None where there are none.
    verdicts
        Files of verdicts whose episodes can be watched.
    study
        What participants are asked to solve; None where nobody is.
    answers
        The file that games are saved to; None where they can only be downloaded.
    """

    store: Store
    workshop: Workshop
    limits: Limits
    data: Selection | None = None
    verdicts: Sequence[Path] = ()
    study: Study | None = None
    answers: Path | None = None
