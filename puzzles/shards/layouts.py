"""Which columns a row of a Parquet shard has; the plain layout, and what others are made of.

Columns are described as Hugging Face `datasets` writes them down, so one description gives both
the types of the file and the features that `load_dataset` finds in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypedDict

from pydantic_core import to_json

from puzzles.instance import Instance
from puzzles.pictures import Pictured, Row

Feature = dict[str, Any]
"""A type as `datasets` says it: one of these constants, ``listed(...)``, or a dict of several."""
TEXT: Feature = {"dtype": "string", "_type": "Value"}
WHOLE: Feature = {"dtype": "int64", "_type": "Value"}
REAL: Feature = {"dtype": "float64", "_type": "Value"}
IMAGE: Feature = {"_type": "Image"}
"""A picture: a struct of its ``bytes`` and of the ``path`` that it would be kept under."""


def listed(feature: Feature) -> Feature:
    """Return the type of a list, of any length, of what ``feature`` describes."""
    return {"feature": feature, "_type": "List"}


class Layout(NamedTuple):
    """Which columns a row has, and where an instance is found again in one.

    name
        As dataset.json and the shards themselves say it.
    features
        The columns in order.
    row
        Returns the values of a row, by column; pictures as ``picture`` makes them. A function of a
        module: the tasks of an engine carry it.
    record
        Where the record stands as a line of JSON; "" where the columns are its fields. Such a place
        is a column and what is in it, with dots: ``extra_info.record``, ``images.0``.
    image, aid
        Where the pictures stand; "" where a row doesn't hold them.
    """

    name: str
    features: Mapping[str, Feature]
    row: Row
    record: str
    image: str = "image"
    aid: str = "aid"

    def without_pictures(self) -> Layout:
        """Return the same without the columns that hold nothing but pictures."""
        kept = {
            name: feature for name, feature in self.features.items() if not _is_picture(feature)
        }
        return self._replace(features=kept)

    def told(self) -> str:
        """Return as JSON what a shard says of its layout, so that any reader finds the records."""
        places = {"record": self.record, "image": self.image, "aid": self.aid}
        return json.dumps({"layout": self.name, **places})


def _is_picture(feature: Feature) -> bool:
    return feature == IMAGE or ("feature" in feature and _is_picture(feature["feature"]))


class Picture(TypedDict):
    """A picture as a column of type ``IMAGE`` holds it."""

    bytes: bytes
    path: str | None


DATA, PLACE = Picture.__annotations__
"""The names of its two fields."""


def picture(data: bytes | None, path: str | None) -> Picture | None:
    """Return the value of a column of type ``IMAGE``; None where there is no picture."""
    return None if data is None else Picture(bytes=data, path=path)


FIELDS: dict[str, Feature] = {
    **dict.fromkeys(("id", "family", "difficulty", "board", "rules"), TEXT),
    **{"optimal_length": WHOLE, "metric": TEXT, "answer": TEXT},
    **{"seed": WHOLE, "index": WHOLE, "generator": TEXT, "attempt": WHOLE, "split": TEXT},
    **{"stats": TEXT, "source": TEXT},
}
"""The fields of a record in their order; those in ``_JSON`` as JSON, since families differ."""
_JSON = ("rules", "stats", "source")
_PICTURES = {"image": "file_name", "aid": "aid_file_name"}
"""The columns that hold pictures; their paths are fields of the record."""


def _row(pictured: Pictured) -> dict[str, Any]:
    instance, image, aid, _ = pictured
    row = {name: getattr(instance, name) for name in FIELDS}
    for name in _JSON:
        if row[name] is not None:
            row[name] = to_json(row[name]).decode()
    row["image"] = picture(image, instance.file_name)
    row["aid"] = picture(aid, instance.aid_file_name)
    return row


PLAIN = Layout("plain", {**FIELDS, "image": IMAGE, "aid": IMAGE}, _row, record="")
"""Every field of the record, the picture and the aid: the columns that a folder loads with."""


def record_of(row: Mapping[str, Any]) -> str:
    """Return the line of JSON whose fields a plain row holds: that of ``Instance.line``.

    Columns that are not there are left out; what is no JSON shows when the line is parsed.
    """
    parts = []
    for name in FIELDS:
        if name not in row or (name == "metric" and row[name] == "cell"):
            continue
        value = row[name]
        is_json = name in _JSON and isinstance(value, str)
        parts.append(f'"{name}":{value if is_json else json.dumps(value, ensure_ascii=False)}')
    held = {field: row.get(name) for name, field in _PICTURES.items()}
    paths = {
        field: one.get(PLACE) if isinstance(one, Mapping) else None for field, one in held.items()
    }
    if paths["file_name"] is not None:
        parts += (f'"{name}":{json.dumps(path)}' for name, path in paths.items())
    return "{" + ",".join(parts) + "}\n"


NEEDED = sorted(name for name in FIELDS if Instance.model_fields[name].is_required())
"""The columns without which a file holds no instances."""
