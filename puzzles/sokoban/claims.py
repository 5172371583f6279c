"""What is told of pushes, held against the board."""

from __future__ import annotations

from collections import deque
from typing import Any

from puzzles.directions import moved
from puzzles.family import Cell
from puzzles.narration import Facts, Scene
from puzzles.sokoban.rules import State
from puzzles.walking import legal_steps
from puzzles.wayfinding import BACK, floor, lies, nearer, on_board


def cornered(state: State, cell: Cell) -> bool:
    """Whether a box on ``cell``, which is no target, could never be pushed again."""
    open_ways = legal_steps(state.walls, cell)
    pushable = [way for way in open_ways if BACK[way] in open_ways]
    return not pushable and cell not in state.targets


def steps_to(state: State, to: Cell, *, boxes: bool) -> int | None:
    """Return how many steps the player is from ``to``, with or without boxes in its way."""
    found, ahead = {state.player: 0}, deque([state.player])
    while ahead:
        cell = ahead.popleft()
        for way in legal_steps(state.walls, cell):
            near = moved(cell, way)
            if near not in found and not (boxes and near in state.boxes):
                found[near] = found[cell] + 1
                ahead.append(near)
    return found.get(to)


def straight(one: Cell, other: Cell) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _next_push(scene: Scene[State, str]) -> tuple[Cell, str, Cell]:
    """Return the box that is pushed next, in which direction, and from where."""
    for at in range(scene.at, len(scene.actions)):
        state, way = scene.states[at], scene.actions[at]
        if moved(state.player, way) in state.boxes:
            return moved(state.player, way), way, state.player
    return (-1, -1), "", (-1, -1)


def _start(scene: Scene[State, str], facts: Facts) -> Any:
    state = scene.state
    boxes, targets = facts.get("boxes"), facts.get("targets")
    if boxes is None:
        boxes, targets = (facts["box"],), (facts["target"],)
    return (facts["player"], boxes, targets) == (state.player, state.boxes, state.targets)


def _offset(scene: Scene[State, str], facts: Facts) -> Any:
    return lies(scene.state.boxes[0], scene.state.targets[0], facts)


def _barred(scene: Scene[State, str], facts: Facts) -> Any:
    """Whether a wall stops the next box from going where the target is: ahead of it or behind."""
    box, _, _ = _next_push(scene)
    way, wall, walls = facts["way"], facts["wall"], scene.state.walls
    toward = way in nearer(box, scene.state.targets[0])
    return toward and on_board(walls, wall) and not floor(walls, wall)


def _ahead(scene: Scene[State, str], facts: Facts) -> Any:
    box, _, _ = _next_push(scene)
    return _barred(scene, facts) and facts["wall"] == moved(box, facts["way"])


def _behind(scene: Scene[State, str], facts: Facts) -> Any:
    box, _, _ = _next_push(scene)
    return _barred(scene, facts) and facts["wall"] == moved(box, BACK[facts["way"]])


def _cut_off(scene: Scene[State, str], facts: Facts) -> Any:
    box, _, _ = _next_push(scene)
    stand = moved(box, BACK[facts["way"]])
    return facts["stand"] == stand and steps_to(scene.state, stand, boxes=True) is None


def _stuck(scene: Scene[State, str], facts: Facts) -> Any:
    box, _, _ = _next_push(scene)
    cell = moved(box, facts["way"])
    return facts["cell"] == cell and floor(scene.state.walls, cell) and cornered(scene.state, cell)


def _away(scene: Scene[State, str], facts: Facts) -> Any:
    box, way, _ = _next_push(scene)
    return facts["way"] == way not in nearer(box, scene.state.targets[0])


def _stance(scene: Scene[State, str], facts: Facts) -> Any:
    way = facts["way"]
    told = facts["box"], way, facts["stand"]
    return told == _next_push(scene) and facts["side"] == BACK[way]


def _longer(scene: Scene[State, str], facts: Facts, *, boxes: bool) -> Any:
    """Whether the walk to the next push takes n steps, and m without what is in its way."""
    _, _, stand = _next_push(scene)
    n, without = (steps_to(scene.state, stand, boxes=one) for one in (True, False))
    m = without if boxes else straight(scene.state.player, stand)
    same = boxes or without == n
    return (facts["n"], facts["m"]) == (n, m) and m < n and same if n and m is not None else False


def _walk(scene: Scene[State, str], facts: Facts) -> Any:
    at = scene.at
    for leg in facts["legs"]:
        at += leg.n
        if leg.n < 1 or scene.states[at].player != leg.to:
            return False
    return scene.states[at].boxes == scene.state.boxes


def _push(scene: Scene[State, str], facts: Facts) -> Any:
    """Whether every step pushes one box, and box and player end where it says."""
    n = facts.get("n", 1)
    end, start = scene.states[scene.at + n], scene.state
    box = moved(end.player, facts["way"])
    return (
        moved(start.player, facts["way"]) in start.boxes
        and (facts["player"], facts["box"]) == (end.player, box)
        and box in end.boxes
        and (n > 1) == ("n" in facts)
    )


def _level(axis: int) -> Any:
    def holds(scene: Scene[State, str], facts: Facts) -> Any:
        return scene.state.boxes[0][axis] == scene.state.targets[0][axis]

    return holds


def _on_target(scene: Scene[State, str], facts: Facts) -> Any:
    """Whether the box that was pushed last stands on a target."""
    return moved(scene.state.player, scene.actions[scene.at - 1]) in (
        *(box for box in scene.state.boxes if box in scene.state.targets),
    )


HOLDS = {
    **dict.fromkeys(("start", "start several"), _start),
    **dict.fromkeys(("offset", "offset rows", "offset columns"), _offset),
    **{"ahead is wall": _ahead, "stand is wall": _behind, "stand is cut off": _cut_off},
    **{"corner": _stuck, "away": _away, "stance": _stance},
    "there": lambda scene, facts: _next_push(scene)[2] == scene.state.player,
    "box between": lambda scene, facts: _longer(scene, facts, boxes=True),
    "walls between": lambda scene, facts: _longer(scene, facts, boxes=False),
    **{"walk": _walk, "push": _push, "push once": _push},
    **{"in row": _level(0), "in column": _level(1), "on target": _on_target},
    "done": lambda scene, facts: facts["n"] == scene.at,
}
