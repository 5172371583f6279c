"""What a picture is seen to show, to be said, written as JSON, and looked at.

>>> from puzzles.sights import see_board, see_drawing, see_aid
"""

from puzzles.sights.aid import AidSight, see_aid
from puzzles.sights.board import BoardSight, see_any_board, see_board
from puzzles.sights.drawing import DrawingSight, see_drawing

__all__ = [
    "AidSight",
    "BoardSight",
    "DrawingSight",
    "see_aid",
    "see_any_board",
    "see_board",
    "see_drawing",
]
