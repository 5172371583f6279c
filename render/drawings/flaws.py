"""What can be wrong with a drawn solution."""

from enum import StrEnum


class Flaw(StrEnum):
    """Why a drawing shows no solution, or not one that was asked for."""

    OTHER_PICTURE = "other_picture"
    NONE_DRAWN = "none_drawn"
    WRONG_COLOUR = "wrong_colour"
    UNCERTAIN = "uncertain"
    OFF_BOARD = "off_board"
    SLANTED = "slanted"
    CROSSES_WALL = "crosses_wall"
    GAP = "gap"
    SEVERAL = "several"
    BRANCH = "branch"
    WRONG_START = "wrong_start"
    WRONG_END = "wrong_end"
    NO_WALK = "no_walk"
    NO_ORDER = "no_order"
    TURNS = "turns"
    NOT_A_PAIR = "not_a_pair"
    NUMBERING = "numbering"

    @property
    def sentence(self) -> str:
        """What the code means, in one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Flaw.OTHER_PICTURE: "The picture does not show the board that was to be drawn on.",
    Flaw.NONE_DRAWN: "Nothing is drawn onto the board.",
    Flaw.WRONG_COLOUR: "Something is drawn, but not in the colour that was asked for.",
    Flaw.UNCERTAIN: "What is drawn can't be told for certain.",
    Flaw.OFF_BOARD: "The line runs off the board.",
    Flaw.SLANTED: "The line does not keep to rows and columns, from centre to centre.",
    Flaw.CROSSES_WALL: "The line lies on a wall.",
    Flaw.GAP: "The line is broken.",
    Flaw.SEVERAL: "There is more than one line, or something beside the line.",
    Flaw.BRANCH: "The line branches, or comes back to a cell that it has already been on.",
    Flaw.WRONG_START: "The line does not begin where the way begins.",
    Flaw.WRONG_END: "The line does not end where the way ends.",
    Flaw.NO_WALK: "No walk over exactly the drawn line solves the board.",
    Flaw.NO_ORDER: "In no order of removal is every drawn line free.",
    Flaw.TURNS: "A line makes more turns than are allowed.",
    Flaw.NOT_A_PAIR: "A line does not join two tiles of one kind.",
    Flaw.NUMBERING: "The markers are not numbered from 1 without gaps and repeats.",
}
