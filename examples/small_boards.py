"""Small boards of every family for the example, and the pieces of text that answers consist of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch import Tensor

from examples.pixel_policy import END
from puzzles import Instance, family, stream
from puzzles.curriculum import Entry, mixture
from puzzles.replay import initial

Size = tuple[int, int]

WALK = ("up", "right", "down", "left")
CELLS = ("cell",)
"""Stands for the words of a slot that takes a cell, written [row,column]."""


@dataclass(frozen=True)
class Task:
    """What is trained on, and how answers are written.

    sizes
        (rows, columns), each with the shortest and the longest optimal length.
    item
        The text of one item of an answer, with a place for each slot.
    slots
        The words that may stand in each place, or CELLS.
    cell
        Pixels a cell.
    """

    sizes: Mapping[Size, tuple[int, int]]
    item: str
    slots: tuple[tuple[str, ...], ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    cell: int = 8

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for slot in self.slots if slot is not CELLS for word in slot)

    @property
    def directions(self) -> tuple[bool, ...]:
        """Whether each of the words is a direction."""
        return tuple(word.lower() in WALK for word in self.words)


TASKS = {
    "maze": Task(
        {(4, 4): (1, 9), (5, 5): (1, 12), (6, 6): (1, 14)},
        '"{}"',
        (WALK,),
        {"border": False},
    ),
    "sokoban": Task({(6, 6): (1, 6)}, '"{}"', (WALK,), cell=10),
    "path": Task({(4, 4): (2, 6), (5, 5): (2, 8)}, "{}", (tuple("ABCDE"),), cell=14),
    "onet": Task({(4, 4): (2, 4)}, "[{},{}]", (CELLS, CELLS), cell=16),
    "parking": Task(
        {(5, 5): (1, 5)}, '{{"car":"{}","direction":"{}"}}', (tuple("ABCR"), WALK), cell=14
    ),
    "klotski": Task(
        {(5, 4): (1, 4)},
        '{{"from":{},"direction":"{}"}}',
        (CELLS, tuple(word.upper() for word in WALK)),
        cell=10,
    ),
}


def size_of(instance: Instance) -> Size:
    """Return the rows and columns of a board."""
    rows = instance.board.split("\n")
    return len(rows), len(rows[0])


def allowed(instance: Instance) -> Tensor:
    """Return which tokens each slot takes, bool (slots, tokens); before an item, the end too."""
    task, (rows, columns) = TASKS[instance.family], size_of(instance)
    words, cells = task.words, rows * columns if CELLS in task.slots else 0
    told = torch.zeros(len(task.slots), 1 + len(words) + cells, dtype=torch.bool)
    for at, slot in enumerate(task.slots):
        told[at, 1 + len(words) :] = slot is CELLS
        told[at, [1 + k for k, word in enumerate(words) if word in slot]] = True
    told[0, END] = True
    return told


def text(instance: Instance, tokens: Sequence[int]) -> str:
    """Return what a completion of these tokens says; an item that breaks off is said so far."""
    task, form = TASKS[instance.family], family(instance.family).answer_format
    words, slots, columns = task.words, len(task.slots), size_of(instance)[1]
    pieces = [
        words[token - 1] if token <= len(words) else _cell(token - 1 - len(words), columns)
        for token in tokens
        if token != END
    ]
    items = [pieces[at : at + slots] for at in range(0, len(pieces), slots)]
    body = ",".join(task.item.format(*item, *[""] * (slots - len(item))) for item in items)
    if form.tag is None:
        return f'{{"{form.key}":[{body}]}}'
    return f"<{form.tag}>{body if form.text else f'[{body}]'}</{form.tag}>"


def _cell(index: int, columns: int) -> str:
    return "[{},{}]".format(*divmod(index, columns))


def pictures(instances: Sequence[Instance]) -> Tensor:
    """Return the pictures of boards of one size, float (n, 3, height, width) from -1 to 1."""
    name = instances[0].family
    drawn = [family(name).draw(initial(one), TASKS[name].cell) for one in instances]
    pixels = np.stack([picture.palette[picture.pixels] for picture in drawn])
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 127.5 - 1


OPEN = 3
"""So many lengths of a size, the shortest, are sampled often from the beginning."""


def entries(name: str, size: Size) -> list[Entry]:
    """Return an entry of a stream for each length of a size, the shortest first."""
    task = TASKS[name]
    low, high = task.sizes[size]
    lengths = range(low, high + 1)
    return mixture(name, lengths=lengths, sizes=[size], options=dict(task.options))


class Boards:
    """Boards without end of the split train, more of those that can be learned just now.

    A length is drawn often while it isn't solved but the one before it is. The shortest are drawn
    often from the beginning, and each now and then.
    """

    def __init__(self, name: str, seed: int, sizes: Collection[Size] = ()):
        """Begin; ``sizes`` are those wanted, none for all."""
        self.streams = {
            size: stream(entries(name, size), seed=seed, split="train")
            for size in TASKS[name].sizes
            if not sizes or size in sizes
        }
        self.solved = {
            size: dict.fromkeys(range(low, high + 1), 0.0)
            for size, (low, high) in TASKS[name].sizes.items()
        }

    def take(self, n: int, step: int) -> list[Instance]:
        """Return ``n`` boards of one size; the sizes take turns from step to step."""
        size = list(self.streams)[step % len(self.streams)]
        boards, solved = self.streams[size], list(self.solved[size].values())
        before = [1.0] * OPEN + solved[OPEN - 1 :]
        weights = [0.2 + b * (1 - own) for b, own in zip(before, solved, strict=False)]
        boards.weights.update(dict(zip(boards.weights, weights, strict=True)))
        return [next(boards) for _ in range(n)]

    def told(self, instance: Instance, share: float) -> None:
        """Note which share of the completions for a board solves it: a mean that forgets."""
        solved, length = self.solved[size_of(instance)], instance.optimal_length
        solved[length] += 0.1 * (share - solved[length])

    def state_dict(self) -> dict[str, Any]:
        """Return where all stands."""
        streams = {size: boards.state_dict() for size, boards in self.streams.items()}
        return {"streams": streams, "solved": self.solved}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from where all stood; raise ValueError where other boards would come."""
        for size, boards in self.streams.items():
            boards.load_state_dict(state["streams"][size])
        self.solved = state["solved"]


def held_out(
    name: str, n: int, seed: int, sizes: Collection[Size] = ()
) -> Iterator[list[Instance]]:
    """Give for each size some ``n`` boards of the split eval, of all lengths alike, none twice."""
    for size in sizes or TASKS[name].sizes:
        kinds = entries(name, size)
        each = -(-n // len(kinds))
        found: dict[str, Instance] = {}
        for kind in kinds:
            for one in islice(stream(kind, seed=seed, split="eval"), each):
                found[one.board] = one
        yield list(found.values())
