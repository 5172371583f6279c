"""Searches over the rules of Klotski alone, where a move takes one piece any distance."""

from puzzles.directions import moved
from puzzles.klotski import rules
from puzzles.klotski.rules import State

Cell = tuple[int, int]


def reach(state: State, at: Cell) -> dict[Cell, tuple[State, int]]:
    """Return where moves of the block at ``at`` alone lead: its cell, the state, and how many."""
    places = {at: (state, 0)}
    for here in (queue := [at]):
        before, steps = places[here]
        for action in rules.legal_actions(before):
            there = moved(here, action.direction)
            if action.at == here and there not in places:
                places[there] = rules.apply(before, action), steps + 1
                queue.append(there)
    return places


def fewest_slides(start: State) -> int | None:
    """Return in how many moves T gets to its goal, where a move takes one piece any distance."""
    seen, layer, depth = {start}, [start], 0
    while layer:
        if any(map(rules.is_solved, layer)):
            return depth
        depth += 1
        fresh: list[State] = []
        for state in layer:
            for cells in rules.blocks_of(state.board).values():
                for after, _ in reach(state, cells[0]).values():
                    if after not in seen:
                        seen.add(after)
                        fresh.append(after)
        layer = fresh
    return None
