"""Small boards of every family, whose solutions a reader can see, and pictures of them in files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from protocols.measures import Measured, measure
from puzzles import Instance
from puzzles.rooms import family
from render.canvas import Picture

CELL = 64
BOARDS: dict[str, tuple[str, dict[str, Any], int]] = {
    "maze": ("#####\n#S.G#\n#.#.#\n#####", {}, 2),
    "sokoban": ("######\n#@-$.#\n#----#\n######", {}, 2),
    "path": ("#####\n#SAG#\n#B###\n#####", {}, 2),
    "onet": ("AB.\n.BA\n...", {}, 2),
    "parking": ("....\nRRA.\n..A.\n....", {}, 3),
    "klotski": ("TTa\nTT.\nb..", {"goal": [0, 1]}, 3),
}
"""By family: a board, its rules, and in how many actions it is solved."""
ACTIONS: dict[str, list[Any]] = {
    "maze": ["right", "right"],
    "sokoban": ["right", "right"],
    "path": ["right", "right"],
    "onet": [[[0, 1], [1, 1]], [[0, 0], [1, 2]]],
    "parking": [
        {"car": "A", "direction": "down"},
        {"car": "R", "direction": "right"},
        {"car": "R", "direction": "right"},
    ],
    "klotski": [
        {"from": [0, 2], "direction": "down"},
        {"from": [1, 2], "direction": "down"},
        {"from": [0, 0], "direction": "right"},
    ],
}
"""A shortest solution of each, action by action as a step names it."""


def pixels(picture: Picture) -> Image.Image:
    return Image.fromarray(picture.palette[picture.pixels])


@dataclass
class Case:
    """A board and a folder that pictures are put into."""

    name: str
    folder: Path

    def __post_init__(self) -> None:
        board, rules, length = BOARDS[self.name]
        self.room: Any = family(self.name)
        self.start = self.room.parse(board, rules)
        self.actions = [self.room.step.parse(value)[0] for value in ACTIONS[self.name]]
        self.states = [self.start]
        for action in self.actions:
            self.states.append(self.room.apply(self.states[-1], action))
        answer = self.room.format_answer(self.room.answer_of(self.start, self.actions))
        self.instance = Instance(
            family=self.name, board=board, rules=rules, optimal_length=length, answer=answer
        )

    def state(self, board: str) -> Any:
        """Return another state with the rules of this board."""
        return self.room.parse(board, BOARDS[self.name][1])

    def picture(self, state: Any, *, aug: bool = False) -> Image.Image:
        return pixels((self.room.draw_aid if aug else self.room.draw)(state, CELL))

    def solution(self, actions: Sequence[Any] | None = None) -> Image.Image:
        chosen = self.actions if actions is None else list(actions)
        return pixels(self.room.draw_solution(self.start, chosen, CELL))

    def saved(self, image: Image.Image, name: str, **options: Any) -> str:
        image.save(self.folder / name, **options)
        return name

    def frames(
        self, shown: Sequence[Image.Image | str], protocol: str = "self-vcot", **options: Any
    ) -> Measured:
        """Measure an episode of the right actions with these pictures, or files, beside them."""
        suffix = options.pop("suffix", "png")
        names = [
            one if isinstance(one, str) else self.saved(one, f"{k}.{suffix}", **options)
            for k, one in enumerate(shown, 1)
        ]
        steps = [
            {"action": value, "image": name, "remaining": len(names) - k}
            for k, (value, name) in enumerate(zip(ACTIONS[self.name], names, strict=False), 1)
        ]
        line = {"protocol": protocol, "steps": steps, "images": names}
        return measure(self.instance, line, self.folder)

    def drawing(
        self, image: Image.Image, response: str | None = None, protocol: str = "self-vr"
    ) -> Measured:
        """Measure a drawn solution beside an answer in text, the right one unless given."""
        said = self.instance.answer if response is None else response
        line = {"protocol": protocol, "response": said, "images": [self.saved(image, "d.png")]}
        return measure(self.instance, line, self.folder)


def blank(size: tuple[int, int] = (320, 256)) -> Image.Image:
    return Image.new("RGB", size, "white")


def darker(image: Image.Image, by: float) -> Image.Image:
    return Image.fromarray((np.asarray(image) * by).astype(np.uint8))


def as_line(case: Case, **more: Any) -> str:
    """Return a line of answers.jsonl to the instance of a case, which stands in it."""
    inline = json.loads(case.instance.model_dump_json())
    return json.dumps({"instance": inline, **more}) + "\n"
