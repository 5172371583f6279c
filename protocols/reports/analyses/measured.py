"""What the engine has measured of the pictures in answers, as columns."""

from __future__ import annotations

from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, ValidationError

from protocols.measures.record import DrawnAid, DrawnSolution, Frames
from protocols.reports.columns import unpacked

Part = Literal["drawing", "frames", "aid"]
_SHAPES: dict[Part, type[BaseModel]] = {"drawing": DrawnSolution, "frames": Frames, "aid": DrawnAid}


def part(rows: Any, name: Part) -> Any:
    """Return the rows that have that part of ``measured``, and its fields as further columns.

    These are called ``drawing.feasible`` and so on, ``frames.frames`` a list of Frame. Flags are
    1 or 0, and nan where nothing can be told. What another version has written, in another shape,
    is left out; ``attrs["left_out"]`` counts it.
    """
    kept = rows[rows["error"].isna() & rows["measured"].notna()]
    found, left_out = {}, 0
    for at, packed in kept["measured"].items():
        if (said := unpacked(packed).get(name)) is not None:
            try:
                found[at] = dict(_SHAPES[name].model_validate(said))
            except ValidationError:
                left_out += 1
    names = [f"{name}.{field}" for field in _SHAPES[name].model_fields]
    columns = [*zip(*(fields.values() for fields in found.values()), strict=True)]
    fields = dict(zip(names, map(_column, columns or [()] * len(names)), strict=True))
    frame = kept.loc[list(found)].join(pd.DataFrame(fields, list(found)))
    frame.attrs["left_out"] = left_out
    return frame


def _column(values: tuple[Any, ...]) -> Any:
    """Return a column: flags and numbers as floats."""
    kinds = {type(value) for value in values} - {type(None)}
    return pd.Series(values, dtype=float if kinds <= {bool, int, float} else object).to_numpy()


def left_out(frame: Any) -> str:
    """Return a sentence on what was left out; none where nothing was."""
    count = frame.attrs["left_out"]
    return f" Of another version, and left out: {count:,}." if count else ""
