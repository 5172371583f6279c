"""Optimal search over packed states. Knows arrays, no puzzle.

The searches are imported where they are used, because numba takes a second.
"""

from solvers.system import DEFAULT, NEVER, Limit, Path, SearchLimit, System, Unsolvable

__all__ = ["DEFAULT", "NEVER", "Limit", "Path", "SearchLimit", "System", "Unsolvable"]
