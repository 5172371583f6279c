"""How an answer fared: the reason codes, each with its sentence, and the verdict."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

READER = "2"
"""Version of the code that extracts and judges answers; it stands in every verdict."""


class Reason(StrEnum):
    """Why an answer got its verdict."""

    SOLVED = "solved"
    UNSOLVED = "unsolved"
    NO_ANSWER = "no_answer"
    BAD_FORMAT = "bad_format"
    UNKNOWN_ACTION = "unknown_action"
    OUT_OF_BOUNDS = "out_of_bounds"
    HITS_WALL = "hits_wall"
    BLOCKED = "blocked"
    WRONG_AXIS = "wrong_axis"
    NO_SUCH_PIECE = "no_such_piece"
    REVISIT = "revisit"
    WRONG_LABELS = "wrong_labels"
    EMPTY_CELL = "empty_cell"
    NOT_A_PAIR = "not_a_pair"
    NO_LINK = "no_link"
    CLAIM_TOO_EARLY = "claim_too_early"
    CLAIM_TOO_LATE = "claim_too_late"
    PROBE_UNREADABLE = "probe_unreadable"
    ROUND_CAP = "round_cap"
    SEVERAL_ACTIONS = "several_actions"
    NO_IMAGE = "no_image"

    @property
    def sentence(self) -> str:
        """What the code means, in one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Reason.SOLVED: "Every action is legal and the goal holds at the end.",
    Reason.UNSOLVED: "Every action is legal, but the goal does not hold at the end.",
    Reason.NO_ANSWER: "The reply holds no complete answer.",
    Reason.BAD_FORMAT: "The last complete answer is not of the family's shape.",
    Reason.UNKNOWN_ACTION: "The action is not one that the family knows.",
    Reason.OUT_OF_BOUNDS: "The action leaves the board or names a cell outside it.",
    Reason.HITS_WALL: "The action runs into a wall.",
    Reason.BLOCKED: "Another piece is in the way.",
    Reason.WRONG_AXIS: "The vehicle can't move along that axis.",
    Reason.NO_SUCH_PIECE: "No piece of that name, or at that place, is on the board.",
    Reason.REVISIT: "The route comes back to a cell it has already been on.",
    Reason.WRONG_LABELS: "The labels are not those of the route, in order.",
    Reason.EMPTY_CELL: "The action names a cell with nothing in it.",
    Reason.NOT_A_PAIR: "The two cells do not hold two tiles of one kind.",
    Reason.NO_LINK: "No link of the allowed number of turns joins the two tiles.",
    Reason.CLAIM_TOO_EARLY: "The episode was ended before the goal was reached.",
    Reason.CLAIM_TOO_LATE: "The goal was reached, but the episode was not ended there.",
    Reason.PROBE_UNREADABLE: "The number of remaining steps could not be read.",
    Reason.ROUND_CAP: "The episode reached its round cap.",
    Reason.SEVERAL_ACTIONS: "The reply names more than one action.",
    Reason.NO_IMAGE: "The picture that was asked for did not come, or can't be used.",
}


class Stop(StrEnum):
    """What ended a stepwise episode."""

    CLAIM = "claim"
    """The model said that no steps remain; under the published rules, that some do at the goal."""
    CAP = "cap"
    """The round cap of the family and difficulty, or under ``budget`` the number of rounds."""
    ACTION = "action"
    """An illegal action, several, or none."""
    PROBE = "probe"
    """The number of remaining steps could not be read."""
    IMAGE = "image"
    """The picture of the next state did not come."""
    DETOUR = "detour"
    """An action off every shortest path, where the published rules are followed."""
    BREAK = "break"
    """The record of the rounds ends before the episode does."""


class Replay(NamedTuple):
    """An answer played out: the last legal state, and what stopped it, if anything did."""

    state: Any
    legal: int
    at: int | None = None
    reason: Reason | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of one answer; the fields are those of a line of verdicts.jsonl.

    answer
        What was extracted, in wire format; None where nothing was.
    format_ok
        The reply met the answer format to the letter.
    moves, optimal_length
        Number of actions in the answer, and the exact optimum (of slides, where the instance
        counts these).
    legal_moves, at
        Number of legal actions before the first illegal one, and its index (or None).
    distance, dead
        Exact distance of the last legal state to the goal, and whether the goal can no longer
        be reached; None unless asked for, or beyond the search limit.
    rounds, stop
        Number of rounds of a stepwise episode, and what ended it; None for other answers.
    """

    answer: str | None
    format_ok: bool
    feasible: bool
    optimal: bool
    moves: int | None
    optimal_length: int
    legal_moves: int
    at: int | None
    reason: Reason
    detail: str
    distance: int | None = None
    dead: bool | None = None
    rounds: int | None = None
    stop: Stop | None = None
    reader: str = READER
