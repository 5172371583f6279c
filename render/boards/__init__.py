"""Boards in pictures: where one lies, and what stands in its cells; ``render.read`` leads in."""
