"""Words that several families share: the grid, a drawn way, numbered markers, a walker's answers.

They say what ``render`` draws, closely enough that a model can draw it and read it.
"""

from puzzles.walking import format_directions

WALKER_STEP = (
    'Write the action as <STEP_JSON>{"move":"DIRECTION"}</STEP_JSON>, where DIRECTION is up, '
    "right, down or left."
)
WALKER_EXAMPLES = tuple(
    format_directions(ways.split())
    for ways in (
        "left left",
        "right right right",
        "up up left left",
        "down right down down down",
        "down down down right right right",
        "up up up left left up up",
        "left left left down left left left up up",
        "right down down down right up right down right right down down",
    )
)
"""At most one of them solves a board with one walker and at most one box: they end in different
places, and so does a box, wherever it is met."""


def grid(lines: str = "thin red lines", cells: str = "every cell") -> str:
    """Return the phrase for the visual aid of ``render.grid``."""
    return (
        f"{lines} along every boundary between two rows or two columns of cells, across the whole "
        f"picture, and the coordinates of {cells} at its centre, in black with a light outline, as "
        "(row,column), counted from 0, with (0,0) at the top left"
    )


def way(course: str) -> str:
    """Return the phrase for a way of ``render.strokes`` that takes ``course``."""
    return (
        "one continuous bright red line, about an eighth of a cell wide, that runs from cell "
        f"centre to cell centre, straight up, right, down or left, {course}"
    )


def markers(piece: str) -> str:
    """Return the phrase for the numbered hints of ``render.chips`` on pieces."""
    return (
        f"one small pink marker for each action, on the {piece} that it moves: it shows in white "
        "the number of the action, counted from 1 in their order, and after it an arrow up, "
        f"right, down or left for its direction; no {piece} is moved, and all markers of a {piece} "
        "stand on it where it is now"
    )
