"""A Sokoban player's walk read from a picture in which it is drawn."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from heapq import heappop, heappush

from puzzles.directions import DIRECTIONS
from puzzles.drawing import Drawing
from puzzles.family import Cell, IllegalAction
from puzzles.sokoban.rules import State, apply, is_solved
from puzzles.sokoban.view import draw
from puzzles.ways import read_line
from render.boards.warping import RGB
from render.drawings.flaws import Flaw
from render.drawings.segments import Graph

MOST_STATES = 20_000
"""Beyond so many states of a walk over the line none is looked for."""


class Tangled(ValueError):
    """The line has too many walks to try them all."""


def read_drawing(image: RGB, state: State) -> Drawing:
    """Return a shortest walk that solves ``state`` over exactly the line drawn in a picture of it.

    The walk may go over a piece of the line several times. Its last step, a push, need not be
    drawn, since the line ends where that push is made from.
    """
    (graph, flaw, detail), wall, odd, beneath, photo = read_line(
        image, partial(draw, state), state.walls
    )
    walk = None
    if wall is not None and flaw not in (Flaw.OFF_BOARD, Flaw.SLANTED):
        flaw, detail = Flaw.CROSSES_WALL, f"the line lies on the wall at {wall}"
    elif not flaw and state.player not in graph:
        end = min(graph, key=lambda at: len(graph[at]))
        flaw, detail = Flaw.WRONG_START, f"the line begins at {end}, not at {state.player}"
    elif not flaw:
        try:
            walk = shortest_walk(state, graph)
        except Tangled as error:
            flaw, detail = Flaw.UNCERTAIN, str(error)
        else:
            flaw, detail = (None, "") if walk else (Flaw.NO_WALK, Flaw.NO_WALK.sentence)
    return Drawing(walk, flaw, detail, odd, beneath, photo=photo)


def shortest_walk(state: State, graph: Graph) -> list[str] | None:
    """Return the shortest walk over all edges of ``graph`` and no others that solves ``state``.

    Its last step, a push, may leave the graph. None where there is no such walk. Raises Tangled.

    A* over states and what has been walked on. No walk ends before all of the line has been walked
    on, nor sooner than the state could be solved if that didn't matter.
    """
    left = _distances(state, graph)
    edges = sorted({_edge(a, b) for a, near in graph.items() for b in near})
    bit = {edge: 1 << at for at, edge in enumerate(edges)}
    every = (1 << len(edges)) - 1
    known = defaultdict[State, list[tuple[int, int]]](list)
    came: list[tuple[int, str]] = []
    ahead = [(0, 0, -1, "", state, 0)]
    while ahead:
        bound, steps, before, direction, state, walked = heappop(ahead)
        steps = -steps
        if any(walked | one == one and took <= steps for one, took in known[state]):
            continue  # whatever follows from here could follow from there too
        known[state].append((walked, steps))
        came.append((before, direction))
        if walked == every and left[state] == 0:
            return _way(came)
        if len(came) > MOST_STATES:
            raise Tangled(f"no walk over the line was found in {MOST_STATES:,} states")
        for direction, after in _onward(state, graph):
            edge = bit.get(_edge(state.player, after.player), 0)
            on = walked | edge
            if after in left and (edge or on == every):  # off the line only the last step leads
                least = max(left[after], (every & ~on).bit_count())
                bound = steps + 1 + least
                heappush(ahead, (bound, -steps - 1, len(came) - 1, direction, after, on))
    return None


def _distances(state: State, graph: Graph) -> dict[State, int]:
    """Return how many steps each state that can be solved is from being so, by walks on ``graph``.

    A walk ends with a push that solves; what comes after that is left out. Raises Tangled.
    """
    before = defaultdict[State, list[State]](list)
    reached, ends = {state}, list[State]()
    ahead = [state]
    for state in ahead:
        for _, after in _onward(state, graph):
            before[after].append(state)
            if after not in reached:
                if len(reached) == MOST_STATES:
                    raise Tangled(f"the line leads to more than {MOST_STATES:,} states")
                reached.add(after)
                ahead.append(after)
                if is_solved(after):
                    ends.append(after)
    left = dict.fromkeys(ends, 0)
    for state in ends:
        for earlier in before[state]:
            if earlier not in left:
                left[earlier] = left[state] + 1
                ends.append(earlier)
    return left


def _onward(state: State, graph: Graph) -> Iterator[tuple[str, State]]:
    """Yield the steps along the line, and those off it that solve the board by a push."""
    for direction in DIRECTIONS:
        try:
            after = apply(state, direction)
        except IllegalAction:
            continue
        if after.player in graph.get(state.player, ()) or (
            after.boxes != state.boxes and is_solved(after)
        ):
            yield direction, after


def _edge(a: Cell, b: Cell) -> tuple[Cell, Cell]:
    return (a, b) if a < b else (b, a)


def _way(came: list[tuple[int, str]]) -> list[str]:
    at, way = len(came) - 1, list[str]()
    while at > 0:
        at, direction = came[at]
        way.append(direction)
    return way[::-1]
