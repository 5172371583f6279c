"""Optimal search over packed states. Knows arrays, no puzzle.

The searches are imported where they are used, because numba takes a second.
"""

from solvers.system import NEVER, Limit, Path, SearchLimit, System, Unsolvable

__all__ = ["NEVER", "Limit", "Path", "SearchLimit", "System", "Unsolvable"]
