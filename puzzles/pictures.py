"""The pictures of a dataset, drawn in chunks by whatever processes there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, NamedTuple

from puzzles.directions import quoted
from puzzles.engine import Engine
from puzzles.family import GenerationError, Size
from puzzles.instance import Instance
from puzzles.notation import size_of
from puzzles.png import width
from puzzles.replay import initial
from puzzles.rooms import family as room_of

FOLDERS = ("images", "aids")
CELLS = (16, 512)
"""The fewest and the most pixels a cell at which boards are drawn."""
MOST_PIXELS = 100_000_000
"""Pixels of the largest picture that is drawn."""
_PLAIN, _DRAWN = 256, 32
"""Instances of a chunk without pictures, and with them."""


class Pictured(NamedTuple):
    """An instance with the PNG files of the board and of its aid; None where it has none.

    Its ``file_name`` and ``aid_file_name`` say how they are called, whatever they are kept in.
    ``row`` is what the layout of a store makes of all this; None where it is left to the store.
    """

    instance: Instance
    image: bytes | None = None
    aid: bytes | None = None
    row: dict[str, Any] | None = None


Row = Callable[[Pictured], dict[str, Any]]
"""Makes a row of an instance; tasks carry it, so it is a function of a module."""


def check_cell(cell: int) -> None:
    """Raise ValueError for a number of pixels a cell at which boards are not drawn."""
    fewest, most = CELLS
    if not isinstance(cell, Integral) or not fewest <= cell <= most:
        raise ValueError(f"cell is {fewest} to {most} pixels, not {quoted(cell)}")


def check_pixels(size: Size, cell: int) -> None:
    """Raise ValueError for a picture that no memory holds."""
    pixels = size[0] * size[1] * cell * cell
    if pixels > MOST_PIXELS:
        raise ValueError(
            f"a {size[0]}x{size[1]} board at {cell} pixels a cell has {pixels:,} pixels, more than "
            f"{MOST_PIXELS:,}: take a smaller cell (--cell) or no pictures (--no-images)"
        )


def cell_of(picture: bytes, board: str) -> int:
    """Return about how many pixels a cell of ``board`` has in a picture of it, within ``CELLS``.

    Raises ValueError for what is no picture.
    """
    pixels = width(picture)
    if pixels is None:  # a PNG file is looked at without Pillow, which is ten times as long
        from render.decode import header

        found = header(picture)
        if found is None:
            raise ValueError("its picture is none that can be shown")
        pixels = found.width
    fewest, most = CELLS
    return min(max(pixels // size_of(board)[1], fewest), most)


def drawn(
    instances: Iterator[Instance],
    n: int,
    cell: int | None,
    engine: Engine,
    row: Row | None = None,
) -> Iterator[list[Pictured]]:
    """Yield the ``n`` instances in chunks with their pictures, and with their rows if any.

    There are no pictures where ``cell``, the pixels a cell, is None.
    """
    if cell is None and row is None:
        for chunk in _chunks(instances, _PLAIN):
            yield [Pictured(instance) for instance in chunk]
    else:
        tasks = ((chunk, cell, row) for chunk in _chunks(instances, _DRAWN))
        yield from engine.map(_draw_rows, tasks, -(-n // _DRAWN))


def _draw_rows(task: tuple[list[Instance], int | None, Row | None]) -> list[Pictured]:
    instances, cell, row = task
    if cell is None:
        return with_rows([Pictured(instance) for instance in instances], row)
    return with_rows(draw((instances, cell)), row)


def with_rows(chunk: list[Pictured], row: Row | None) -> list[Pictured]:
    """Return the same with the rows that ``row`` makes of them, if it is given."""
    return chunk if row is None else [one._replace(row=row(one)) for one in chunk]


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


def draw(task: tuple[list[Instance], int]) -> list[Pictured]:
    """Draw a chunk at so many pixels a cell; the instances say how their pictures are called."""
    instances, cell = task
    from render.encode import png

    drawn = []
    for instance in instances:
        room, state = room_of(instance.family), initial(instance)
        names = {
            "file_name": f"images/{instance.id}.png",
            "aid_file_name": f"aids/{instance.id}.png",
        }
        pictures = png(room.draw(state, cell)), png(room.draw_aid(state, cell))
        drawn.append(Pictured(instance.model_copy(update=names), *pictures))
    return drawn
