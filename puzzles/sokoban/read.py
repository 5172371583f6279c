"""What the cells of a Sokoban picture can look like."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from puzzles import changes
from puzzles.reading import Parts, alone, board_of, parts_of
from puzzles.sokoban.rules import State, notation

_HOME = 0.1
"""Share of cells that boxes at home may be on a board without walls."""
_WALLS = ("#-#-#-#-#-", "----------", "----------")


def specimens(rules: Mapping[str, Any]) -> Iterator[State]:
    """Yield boards that show every part below a wall, where the floor is shaded, and elsewhere."""
    for row in (1, 2):
        targets, boxes = ((row, 0), (row, 2)), ((row, 2), (row, 4))
        yield State(_WALLS, (row, 6), boxes, targets)
        yield State(_WALLS, (row, 0), boxes, targets)


def parts(state: State) -> Parts:
    """Return the characters of the notation."""
    return parts_of(notation(state))


assemble = board_of


def mended(seen: Parts) -> Parts:
    """Return the parts without a second agent, and with walls.

    A board of boxes at home and no wall at all is one whose walls have other colours.
    """
    if (seen != ord("#")).all() and (seen == ord("*")).mean() > _HOME:
        seen = np.where(seen == ord("*"), np.int16(ord("#")), seen)
    return alone(seen, "@+")


def changed(before: State, after: State) -> str:
    """Name what is another in ``after`` though no move changes it; "" where nothing is."""
    other = changes.walls(before.walls, after.walls)
    return other or changes.cells("target", before.targets, after.targets)
