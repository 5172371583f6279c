"""What the engine has measured of the pictures in answers, as columns."""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel

from protocols.measures.record import DrawnAid, DrawnSolution, Frames
from protocols.reports.columns import unpacked

Part = Literal["drawing", "frames", "aid"]
_SHAPES: dict[Part, type[BaseModel]] = {"drawing": DrawnSolution, "frames": Frames, "aid": DrawnAid}


def part(rows: Any, name: Part) -> Any:
    """Return the rows that have that part of ``measured``, and its fields as further columns.

    These are called ``drawing.feasible`` and so on, ``frames.frames`` a list of Frame. Flags are
    1 or 0, and nan where nothing can be told.
    """
    kept = rows[rows["error"].isna() & rows["measured"].notna()]
    found = {
        at: dict(_SHAPES[name].model_validate(said))
        for at, packed in kept["measured"].items()
        if (said := unpacked(packed).get(name)) is not None
    }
    names = [f"{name}.{field}" for field in _SHAPES[name].model_fields]
    columns = [*zip(*(fields.values() for fields in found.values()), strict=True)]
    fields = dict(zip(names, map(_column, columns or [()] * len(names)), strict=True))
    return kept.loc[list(found)].join(pd.DataFrame(fields, list(found)))


def _column(values: tuple[Any, ...]) -> Any:
    """Return a column: flags and numbers as floats, texts such that a column can hold them."""
    values = tuple(
        value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
        for value in values  # half a surrogate pair, in the name of a file, is no text
    )
    kinds = {type(value) for value in values} - {type(None)}
    return pd.Series(values, dtype=float if kinds <= {bool, int, float} else object).to_numpy()
