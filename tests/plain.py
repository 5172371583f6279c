"""Slow, plain searches over rules.py alone: an opinion that shares nothing with the kernels."""

from collections import deque
from typing import Any

from puzzles.family import Family


def shortest_length(room: Family[Any, Any], start: Any) -> int | None:
    """Return the length of a shortest solution by breadth-first search, None if there is none."""
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        state, depth = queue.popleft()
        if room.is_solved(state):
            return depth
        for action in room.legal_actions(state):
            after = room.apply(state, action)
            if after not in seen:
                seen.add(after)
                queue.append((after, depth + 1))
    return None


def any_length(room: Family[Any, Any], start: Any) -> int | None:
    """Return the length of some solution by depth-first search.

    Enough where every solution has the same length, as when each action removes one pair.
    """
    seen, stack = {start}, [(start, 0)]
    while stack:
        state, depth = stack.pop()
        if room.is_solved(state):
            return depth
        for action in room.legal_actions(state):
            after = room.apply(state, action)
            if after not in seen:
                seen.add(after)
                stack.append((after, depth + 1))
    return None


SEARCH = {"onet": any_length}
"""The search for each family that does not take ``shortest_length``."""


def length(room: Family[Any, Any], start: Any) -> int | None:
    """Return the optimal length of ``start``, found without kernels."""
    return SEARCH.get(room.name, shortest_length)(room, start)
