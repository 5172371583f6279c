"""Datasets: instances made in parallel without duplicates, and read back."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from puzzles.content import Content
from puzzles.engine import Engine
from puzzles.family import GenerationError, Size
from puzzles.folder import Folder
from puzzles.generate import Made, Recipe, generate, generate_block
from puzzles.instance import Instance, kinship
from puzzles.pictures import check_pixels, draw, drawn, has_pictures
from puzzles.records import DatasetError, datasets, read
from puzzles.replay import initial
from puzzles.rooms import family as room_of
from puzzles.summary import Summary

ATTEMPTS = 300
"""How often a duplicate is redrawn before we say that there are no more boards of its kind."""
SUITE = {"easy": 20, "medium": 30, "hard": 50}
"""Instances of each difficulty in a benchmark suite."""
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

    Raises ValueError for options that make no sense, GenerationError where there are no such
    boards, DatasetError where the folder can't be used.
    """
    if not 16 <= cell <= 512:
        raise ValueError(f"cell is 16 to 512 pixels, not {cell}")
    recipe = checked(
        Recipe(
            family=family,
            seed=seed,
            difficulty=difficulty,
            lengths=lengths,
            size=size,
            rules=dict(rules or {}),
            options=dict(options or {}),
            split=split,
        )
    )
    n = wanted(recipe, n)
    if out is not None:
        content = Content(recipe, n, cell if images else None)
        write(content, Path(out), exclude=exclude, workers=workers)
        return load(out)
    with Engine(workers) as engine, _no_collector():
        seen, _ = excluded(exclude)
        return [made.instance for made in accepted(recipe, 0, n, seen, engine)]


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


def wanted(recipe: Recipe, n: int | None) -> int:
    """Return how many instances to make; raise ValueError for a number below 1."""
    if n is None:
        return SUITE.get(recipe.difficulty or "", 20)
    if type(n) is not int or n < 1:
        raise ValueError(f"n must be 1 or more, not {n}")
    return n


def checked(recipe: Recipe) -> Recipe:
    """Return ``recipe``; raise ValueError with one sentence where it can't be meant."""
    room = room_of(recipe.family)
    if (recipe.difficulty is None) == (recipe.lengths is None):
        raise ValueError("give either a difficulty or lengths")
    if recipe.difficulty is not None and recipe.difficulty not in room.buckets:
        known = ", ".join(room.buckets)
        raise ValueError(f"unknown difficulty {recipe.difficulty!r} (known: {known})")
    low, high = recipe.bucket[:2]
    if not 1 <= low <= high:
        raise ValueError(f"lengths go from 1 up, LOW-HIGH, not {low}-{high}")
    if recipe.size is not None and min(recipe.size) < 1:
        rows, columns = recipe.size
        raise ValueError(f"a size is ROWSxCOLUMNS, both 1 or more, not {rows}x{columns}")
    if recipe.split not in ("train", "eval", "any"):
        raise ValueError(f"unknown split {recipe.split!r} (known: train, eval, any)")
    for given, known_names, what in (
        (recipe.rules, room.rule_options, "rule"),
        (recipe.options, room.sample_options, "option"),
    ):
        for name in given:
            if name not in known_names:
                known = ", ".join(known_names) or "none"
                raise ValueError(f"{recipe.family}: unknown {what} {name!r} (known: {known})")
    for name, value in recipe.options.items():
        default = room.sample_options[name]
        if type(value) is not type(default):
            kind = type(default).__name__
            raise ValueError(f"{recipe.family}: option {name} is of type {kind}, not {value!r}")
    return recipe


def excluded(folders: Iterable[str | Path]) -> tuple[set[int], list[str]]:
    """Return the kinship numbers of all boards in and below ``folders``, and the fingerprints."""
    seen: set[int] = set()
    fingerprints = []
    for folder in chain.from_iterable(datasets(Path(folder)) for folder in folders):
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


def accepted(recipe: Recipe, start: int, n: int, seen: set[int], engine: Engine) -> Iterator[Made]:
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
                yield _distinct(recipe, index, made, seen)


def _generate_blocks(task: tuple[Recipe, range]) -> list[Made]:
    recipe, blocks = task
    return [made for block in blocks for made in generate_block(recipe, block)]


def _distinct(recipe: Recipe, index: int, made: Made, seen: set[int]) -> Made:
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
    seen.add(made.kin)
    return made


def write(
    content: Content,
    path: Path,
    *,
    exclude: Iterable[str | Path] = (),
    workers: int | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress = lambda done: None,
) -> Summary:
    """Write a dataset folder and return what it holds.

    An interrupted run leaves a folder that ``resume`` completes to the same files. ``progress``
    is called with the number of instances that are safely written. Raises DatasetError where the
    folder holds something else, GenerationError where there are not enough boards.
    """
    if resume and force:
        raise ValueError("--resume completes a dataset, --force replaces it: give one of them")
    if content.cell is not None:
        check_pixels(content.recipe.board_size, content.cell)
    seen, fingerprints = excluded(exclude)
    if force:
        generate(content.recipe, 0)  # fails before anything is replaced
    with Folder(path, content.excluding(fingerprints)) as folder, Engine(workers) as engine:
        for instance in folder.open(resume=resume, force=force):
            seen.add(kin_of(instance))
            if content.cell is not None and not has_pictures(instance, path):
                draw(([instance], path, content.cell))
        progress(folder.summary.count)
        start, n = folder.summary.count, content.n
        made = accepted(content.recipe, start, n, seen, engine) if start < n else iter(())
        instances = (one.instance for one in made)
        for chunk in drawn(instances, n - start, path, content.cell, engine):
            folder.append(chunk)
            progress(folder.summary.count)
        folder.complete()
        return folder.summary


__all__ = ["DatasetError", "load", "make", "write"]
