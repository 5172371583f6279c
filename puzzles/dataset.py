"""Datasets: instances made in parallel without duplicates, and read back."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from puzzles import asked
from puzzles.asked import checked, wanted
from puzzles.content import Content
from puzzles.engine import Engine, using
from puzzles.family import GenerationError, Size
from puzzles.folder import Folder
from puzzles.generate import Made, Recipe, generate, generate_block
from puzzles.instance import Instance, kinship
from puzzles.numbers import Numbers
from puzzles.pictures import check_cell, check_pixels, draw, drawn
from puzzles.records import DatasetError, datasets, read
from puzzles.replay import initial
from puzzles.rooms import family as room_of
from puzzles.shards.store import storage_of
from puzzles.store import Storage
from puzzles.summary import Summary

ATTEMPTS = 300
"""How often a duplicate is redrawn before we say that there are no more boards of its kind."""
_TASK = 256
"""Instances that one task of a worker makes."""

Progress = Callable[[int], None]


def make(
    family: str,
    difficulty: str | None = None,
    n: int | None = None,
    *,
    lengths: tuple[int, int] | None = None,
    seed: int = 0,
    size: Size | None = None,
    rules: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    split: str = "any",
    exclude: Iterable[str | Path] = (),
    out: str | Path | None = None,
    images: bool = True,
    cell: int = 64,
    workers: int = 1,
    format: str = "folder",
    shards: int | None = None,
    shard_size: int | None = None,
    engine: Engine | None = None,
) -> list[Instance]:
    """Return ``n`` instances, no two the same board up to symmetry.

    family, difficulty
        Names; instead of a difficulty, ``lengths`` gives the first and last optimal length.
    n
        How many; the suite's 20, 30 or 50 unless given.
    size, rules, options
        (rows, columns); rules of the board; what the sampler is told, e.g. ``{"border": False}``.
    split
        train, eval or any; it follows from the board alone.
    exclude
        Folders of datasets whose boards must not come up.
    out
        A folder to write the dataset to, with pictures of ``cell`` pixels a cell if ``images``.
    format, shards, shard_size
        How it is kept there: folder, parquet or webdataset; the latter two in so many shards, or in
        shards of so many rows.
    workers, engine
        Processes that make them, or what else runs the tasks; see ``puzzles.engine``.

    Raises ValueError for options that make no sense, GenerationError where there are no such
    boards, DatasetError where the folder can't be used.
    """
    check_cell(cell)
    recipe = checked(
        Recipe(
            family=family,
            seed=seed,
            difficulty=difficulty,
            lengths=lengths,
            size=size,
            rules={} if rules is None else rules,
            options={} if options is None else options,
            split=split,
        )
    )
    n = wanted(recipe, n)
    if out is not None:
        content = Content(recipe, n, cell if images else None)
        storage = storage_of(format, shards=shards, size=shard_size)
        write(content, Path(out), storage, exclude=exclude, workers=workers, engine=engine)
        return load(out)
    with using(engine, workers) as tasked, _no_collector():
        seen, _ = excluded(exclude)
        return [made.instance for made in accepted(recipe, 0, n, seen, tasked)]


@contextmanager
def _no_collector() -> Iterator[None]:
    """Keep the cyclic collector from walking all instances made so far, which hold no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def load(folder: str | Path) -> list[Instance]:
    """Return the instances of the dataset in ``folder``; raise DatasetError naming the place."""
    return [instance for instance, _ in read(Path(folder))]


def excluded(folders: str | Path | Iterable[str | Path]) -> tuple[Numbers, list[str]]:
    """Return the kinship numbers of all boards in and below ``folders``, and the fingerprints."""
    seen = Numbers()
    fingerprints = []
    for folder in chain.from_iterable(map(datasets, asked.folders(folders))):
        summary = Summary()
        for instance, line in read(folder):
            seen.add(kin_of(instance))
            summary.add(instance, line)
        fingerprints.append(summary.fingerprint)
    return seen, fingerprints


def kin_of(instance: Instance) -> int:
    """Return the number that the board of ``instance`` shares with its kin."""
    room = room_of(instance.family)
    return kinship(instance.family, room.canonical(initial(instance)))


def accepted(recipe: Recipe, start: int, n: int, seen: Numbers, engine: Engine) -> Iterator[Made]:
    """Yield instances ``start`` to ``n - 1``, none of them kin to another or to ``seen``.

    A duplicate is redrawn with the next attempt, in the order of the indices, so the outcome does
    not depend on which worker made what. ``seen`` grows.
    """
    block = recipe.block
    per_task = max(1, min(_TASK, n - start) // block)
    end = (n - 1) // block + 1
    starts = range(start // block, end, per_task)
    tasks = ((recipe, range(at, min(at + per_task, end))) for at in starts)
    for blocks in engine.map(_generate_blocks, tasks, len(starts)):
        for made in blocks:
            index = made.instance.index or 0
            if start <= index < n:
                new = distinct(recipe, index, made, seen)
                seen.add(new.kin)
                yield new


def _generate_blocks(task: tuple[Recipe, range]) -> list[Made]:
    recipe, blocks = task
    return [made for block in blocks for made in generate_block(recipe, block)]


def distinct(recipe: Recipe, index: int, made: Made, seen: Numbers) -> Made:
    """Return ``made``, instance ``index``, or the next attempt at it that is no kin to ``seen``.

    Raises GenerationError where there seems to be none.
    """
    attempt = 0
    while made.kin in seen:
        attempt += 1
        if attempt > ATTEMPTS:
            rows, columns = recipe.board_size
            raise GenerationError(
                f"{recipe.family}: there seem to be no more distinct {rows}x{columns} boards of "
                f"optimal length {recipe.length(index)}: instance {index} came out as an earlier "
                f"or excluded board {ATTEMPTS} times; ask for {index} or fewer, or a larger size"
            )
        made = generate(recipe, index, attempt)
    return made


def write(
    content: Content,
    path: Path,
    storage: Storage = Folder,
    *,
    exclude: Iterable[str | Path] = (),
    workers: int | None = None,
    engine: Engine | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress = lambda done: None,
) -> Summary:
    """Write a dataset as ``storage`` says and return what it holds.

    Tasks are run by ``engine``, or else by ``workers`` processes, as many as there are cores unless
    given. An interrupted run leaves a folder that ``resume`` completes to the same files.
    ``progress`` is called with the number of instances that are written. Raises DatasetError where
    the folder holds something else, GenerationError where there are not enough boards.
    """
    if resume and force:
        raise ValueError("--resume completes a dataset, --force replaces it: give one of them")
    if content.cell is not None:
        check_pixels(content.recipe.board_size, content.cell)
    seen, fingerprints = excluded(exclude)
    if force:
        generate(content.recipe, 0)  # fails before anything is replaced
    content = content.excluding(fingerprints)
    with storage(path, content) as store, using(engine, workers) as tasked:
        for instance in store.open(resume=resume, force=force):
            seen.add(kin_of(instance))
            if content.cell is not None and store.lacks(instance):
                store.restore(*draw(([instance], content.cell)))
        progress(store.summary.count)
        start, n = store.summary.count, content.n
        made = accepted(content.recipe, start, n, seen, tasked) if start < n else iter(())
        instances = (one.instance for one in made)
        for chunk in drawn(instances, n - start, content.cell, tasked, store.row):
            store.append(chunk)
            progress(store.summary.count)
        store.complete()
        return store.summary


__all__ = ["DatasetError", "load", "make", "write"]
