"""Optimal search over packed states. Knows arrays, no puzzle.

``breadth_first`` holds the searches; it is imported where it is used, because numba takes a second.
"""

from solvers.system import SearchLimit, System, Unsolvable

__all__ = ["SearchLimit", "System", "Unsolvable"]
