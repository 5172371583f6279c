"""What a verdict says of pictures, held to the shape that ``puzzles verify`` writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from protocols.measures.record import Measured
from puzzles.printable import printable

_LONGEST = 120


class Unfit:
    """Checks ``measured``, and knows of how many lines it was left out, and of which first."""

    def __init__(self) -> None:
        self._count = 0
        self._first = (0, 0, "")

    def checked(self, measured: dict[str, Any] | None, file: int, line: int) -> Any:
        """Return ``measured``, or what says of it that it has another shape.

        Another version may have written it, or another hand: nothing else reads it unchecked, and
        what the verdict says of the text stands.
        """
        if not measured:
            return None
        try:
            Measured.model_validate(measured)
        except ValidationError as error:
            why = _first(error)
            if not self._count:
                self._first = file, line, why
            self._count += 1
            return {"problem": f"what is measured of them has a shape that is not ours ({why})"}
        return measured

    def told(self, paths: Sequence[Path]) -> str:
        """Return in a sentence how many were left out, and where the first is; "" for none."""
        if not self._count:
            return ""
        file, line, why = self._first
        return (
            "what is measured of pictures is left out where its shape is not ours: "
            f"{self._count:,}, the first in {printable(str(paths[file]))} line {line} ({why})"
        )


def _first(error: ValidationError) -> str:
    """Return the first field that is wrong, and how."""
    found = error.errors(include_url=False, include_input=False, include_context=False)[0]
    field = ".".join(map(str, ("measured", *found["loc"])))
    return printable(f"{field[:_LONGEST]}: {found['msg']}")
