"""Our own rules in plain Python: a breadth-first search that shares nothing with the kernels."""

from collections import deque

from boards import rush_hour
from contest import Play, serve

from puzzles.parking import rules

MOST = 300
"""States that are expanded of each board: enough for a rate."""


def states(file: str) -> Play:
    starts = [rules.parse(text, {}) for text in rush_hour(file)]

    def play() -> tuple[int, list[int]]:
        return sum(map(_expand, starts)), []

    return play


def _expand(start: rules.State) -> int:
    seen, queue, expanded = {start}, deque([start]), 0
    while queue and expanded < MOST:
        state = queue.popleft()
        expanded += 1
        for action in rules.legal_actions(state):
            after = rules.apply(state, action)
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return expanded


serve("puzzles", {"states": states}, title="plain Python over the rules of ")
