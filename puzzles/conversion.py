"""Datasets turned from one format of storage into another: the same records, the same pictures."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from puzzles.engine import Engine, Local, using
from puzzles.instance import Instance
from puzzles.pictures import Pictured, Row, cell_of, draw, with_rows
from puzzles.records import FORM, DatasetError, datasets, files, header, parse_line, pictures, read
from puzzles.store import LEFT_OUT, Storage, Store
from puzzles.summary import Summary
from puzzles.version import VERSION

_CHUNK = 32
"""Instances that are copied at a time."""

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Copied:
    """What a copy is to hold: what the dataset in the folder ``source`` holds.

    ``more`` is what its dataset.json says besides the usual.
    """

    source: Path
    n: int
    cell: int | None
    content: dict[str, Any]
    more: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """Return the content options of the dataset that is copied."""
        return self.content

    def check(self, instance: Instance, at: int, place: str) -> None:
        """Anything may be a line of it; ``convert`` compares each with the original."""


def copied(source: Path) -> Copied:
    """Return what a copy of the dataset in ``source`` is to hold.

    Raises DatasetError where it can't be read, is not complete, or was changed after completion.
    """
    said, summary = header(source), Summary()
    for instance, _ in read(source):
        summary.add(instance, instance.line())
    if not summary.count:
        raise DatasetError(f"{source} holds no instances")
    content = said.get("content")
    if not isinstance(content, dict):  # made by other hands
        cell = _measured(source)
        content = {"cell": cell, "engine_version": VERSION}
        return Copied(source, summary.count, cell, content, {})
    if not said.get("complete"):
        raise DatasetError(
            f"{source} is not complete; `puzzles make --resume`, or import, completes it"
        )
    if said.get("fingerprint") != summary.fingerprint:
        raise DatasetError(
            f"{source} has been changed since it was completed: its fingerprint is "
            f"{summary.fingerprint}, not {said.get('fingerprint')}; without its dataset.json it is "
            "taken as it is"
        )
    usual = {"complete", "content", *FORM, *summary.record()}
    more = {name: value for name, value in said.items() if name not in usual}
    return Copied(source, summary.count, content.get("cell"), content, more)


def _measured(source: Path) -> int | None:
    """Return the pixels a cell of the first picture in ``source``; None where there is none."""
    for path in files(source):
        for line, image, _ in pictures(path):
            if image is not None:
                try:
                    return cell_of(image, parse_line(line.text, line.said).board)
                except ValueError as error:
                    raise DatasetError(f"{line.said}: {error}") from None
    return None


def _pictured(source: Path) -> Iterator[Pictured]:
    """Yield the instances with the pictures that are held."""
    for path in files(source):
        for line, image, aid in pictures(path):
            instance = parse_line(line.text, line.said)
            yield Pictured(instance, image, aid)


def _finish(task: tuple[list[Pictured], int | None, Row | None]) -> list[Pictured]:
    """Draw again what a layout doesn't hold of the pictures that are named; make the rows."""
    chunk, cell, row = task
    return with_rows([_whole(one, cell) for one in chunk], row)


def _lacks(one: Pictured) -> bool:
    instance, image, aid, _ = one
    lacking = image is None and instance.file_name, aid is None and instance.aid_file_name
    return any(lacking)


def _whole(one: Pictured, cell: int | None) -> Pictured:
    if cell is None or not _lacks(one):
        return one
    (again,) = draw(([one.instance], cell))
    return Pictured(one.instance, one.image or again.image, one.aid or again.aid)


def targets(folders: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Return where the copy of each dataset in and below ``folders`` goes.

    That is ``out`` itself for a single one, else a folder in it for each. Raises ValueError where
    two would go to one place, or where ``out`` lies among what is copied.
    """
    for folder in folders:
        if out.resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"{out} lies in {folder}; name a folder outside what is exported")
    found = [(top, one) for top in folders for one in datasets(top)]
    if len(found) == 1:
        return {found[0][1]: out}
    goals: dict[Path, Path] = {}
    for top, one in found:
        goal = out / (one.relative_to(top) if one != top else top.resolve().stem)
        if goal in goals.values() and one not in goals:
            raise ValueError(f"two datasets would go to {goal}; export them one by one")
        goals[one] = goal
    return goals


def convert(
    content: Copied,
    out: Path,
    storage: Storage,
    *,
    workers: int | None = None,
    engine: Engine | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress = lambda done: None,
) -> Summary:
    """Write the dataset that ``content`` describes to ``out``; return what it holds.

    The rows of other layouts, and pictures that the original doesn't hold, are made by the tasks of
    ``engine``, or else of ``workers`` processes; what is only to be copied is copied here.

    An interrupted run leaves what ``resume`` completes to the same files. Raises DatasetError
    where the folder can't be used or holds something else.
    """
    if resume and force:
        raise ValueError("--resume completes a dataset, --force replaces it: give one of them")
    with storage(out, content) as store, using(engine, workers) as tasked:
        found = enumerate(_pictured(content.source))
        originals = (store.placed(one, number) for number, one in found)
        _check_kept(store, originals, content.cell, resume=resume, force=force)
        progress(store.summary.count)
        first = list(islice(originals, _CHUNK))
        rest = chain(first, originals)
        chunks = iter(lambda: list(islice(rest, _CHUNK)), [])
        tasks = ((chunk, content.cell, store.row) for chunk in chunks)
        left = content.n - store.summary.count
        is_copy = store.row is None and not any(map(_lacks, first))
        for chunk in (Local(1) if is_copy else tasked).map(_finish, tasks, -(-left // _CHUNK)):
            store.append(chunk)
            progress(store.summary.count)
        if (content.source / LEFT_OUT).exists():
            shutil.copyfile(content.source / LEFT_OUT, out / LEFT_OUT)
        store.complete(content.more)
        return store.summary


def _check_kept(
    store: Store, originals: Iterator[Pictured], cell: int | None, *, resume: bool, force: bool
) -> None:
    """Open ``store``; hold what an interrupted run has left in it against the originals."""
    for instance in store.open(resume=resume, force=force):
        original = next(originals)
        if original.instance != instance:
            raise DatasetError(
                f"{store.path} holds another dataset: {instance.id or 'an instance'} is not the "
                f"original's number {store.summary.count}"
            )
        if store.lacks(instance):
            store.restore(_whole(original, cell))
