"""The pictures of a dataset, drawn in chunks by whatever processes there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from puzzles.engine import Engine
from puzzles.family import GenerationError, Size
from puzzles.instance import Instance
from puzzles.replay import initial
from puzzles.rooms import family as room_of

FOLDERS = ("images", "aids")
MOST_PIXELS = 100_000_000
"""Pixels of the largest picture that is drawn."""
_PLAIN, _DRAWN = 256, 32
"""Instances of a chunk without pictures, and with them."""


def check_pixels(size: Size, cell: int) -> None:
    """Raise ValueError for a picture that no memory holds."""
    pixels = size[0] * size[1] * cell * cell
    if pixels > MOST_PIXELS:
        raise ValueError(
            f"a {size[0]}x{size[1]} board at {cell} pixels a cell has {pixels:,} pixels, more than "
            f"{MOST_PIXELS:,}: take a smaller cell (--cell) or no pictures (--no-images)"
        )


def has_pictures(instance: Instance, path: Path) -> bool:
    """Whether the pictures of ``instance`` are there; a kill or a full disk may leave holes."""
    places = [path / name / f"{instance.id}.png" for name in FOLDERS]
    return all(place.exists() and place.stat().st_size for place in places)


def drawn(
    instances: Iterator[Instance], n: int, path: Path, cell: int | None, engine: Engine
) -> Iterator[list[Instance]]:
    """Yield the ``n`` instances in chunks whose pictures, if any, have been written."""
    if cell is None:
        yield from _chunks(instances, _PLAIN)
    else:
        tasks = ((chunk, path, cell) for chunk in _chunks(instances, _DRAWN))
        yield from engine.map(draw, tasks, -(-n // _DRAWN))


def _chunks(instances: Iterator[Instance], size: int) -> Iterator[list[Instance]]:
    """Yield lists of ``size``; where there are no more boards, first what there is."""
    chunk: list[Instance] = []
    try:
        for instance in instances:
            chunk.append(instance)
            if len(chunk) == size:
                yield chunk
                chunk = []
    except GenerationError:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def draw(task: tuple[list[Instance], Path, int]) -> list[Instance]:
    """Write the pictures of a chunk; return its instances with their file names."""
    instances, path, cell = task
    from render.encode import png

    drawn = []
    for instance in instances:
        room, state = room_of(instance.family), initial(instance)
        names = {
            "file_name": f"images/{instance.id}.png",
            "aid_file_name": f"aids/{instance.id}.png",
        }
        (path / names["file_name"]).write_bytes(png(room.draw(state, cell)))
        (path / names["aid_file_name"]).write_bytes(png(room.draw_aid(state, cell)))
        drawn.append(instance.model_copy(update=names))
    return drawn
