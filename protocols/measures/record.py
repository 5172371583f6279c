"""What is measured of the pictures in an answer: the shape of ``measured`` in a verdict."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from protocols.scores import Percent, Scores

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
Code = Annotated[str, Field(pattern="^[a-z_]{1,40}$")]


class Trouble(StrEnum):
    """Why nothing, or not all, can be said of a picture."""

    NO_FILE = "no_file"
    OUTSIDE = "outside"
    UNUSABLE = "unusable"
    NO_BOARD = "no_board"
    UNCLEAR = "unclear"
    NO_STATE = "no_state"

    @property
    def sentence(self) -> str:
        """What the code means, in one sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Trouble.NO_FILE: "The file is not there.",
    Trouble.OUTSIDE: "The file is not in the folder of the answers.",
    Trouble.UNUSABLE: "The file is no picture that can be opened.",
    Trouble.NO_BOARD: "The picture shows no board of the family and size.",
    Trouble.UNCLEAR: "What stands in some cells can't be told.",
    Trouble.NO_STATE: "Every cell can be told, but together they make no board.",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DrawnSolution(_Part):
    """A solution drawn onto the board, read and replayed.

    image
        The file.
    answer
        What is drawn, in wire format; None where no answer can be made of it.
    feasible, optimal
        Of the drawing; None where that can't be told: the file can't be opened, or the drawing is
        ``uncertain``.
    reason
        A flaw of the drawing (``render.drawings.flaws.Flaw``), else what the replay says
        (``puzzles.verdict.Reason``), or the ``Trouble`` with the file.
    agrees
        Whether the answer in text says the same; None where there is none, or nothing can be read.
    """

    image: str
    answer: str | None = None
    feasible: bool | None = None
    optimal: bool | None = None
    reason: Code
    detail: str
    agrees: bool | None = None


class Frame(_Part):
    """One picture of a state, frame k of the answer.

    image, at
        The file, None where a round has none; of a video the number of the picture in it, from 0.
    fidelity
        Share of the cells that show what the true state after action k has there; cells that can't
        be told count as others. None where the picture can't be read, and where there is no true
        state: the text has no action k.
    exact
        Whether all cells do; None where that can't be told.
    background
        Whether all that no action changes is as on the first board.
    legal
        Whether one legal action leads here from what the frame before shows.
    solved
        Whether the goal holds in what the frame shows, with its background kept.
    closer
        Whether it is closer to the goal than the frame before, by exact distances.
    quality
        How readable, sharp and true in colour it is, 0 to 100.
    reason, detail
        The ``Trouble`` with the picture, and what it is in a sentence.
    """

    image: str | None
    at: Count | None = None
    fidelity: Share | None = None
    exact: bool | None = None
    background: bool | None = None
    legal: bool | None = None
    solved: bool | None = None
    closer: bool | None = None
    quality: Percent | None = None
    reason: Trouble | None = None
    detail: str = ""


Story = Literal["solved", "unsolved", "illegal_change", "unreadable"]


class Frames(_Part):
    """The pictures of states, in order.

    video
        They come from one video: the distinct states that it rests on, without the first board.
    expected
        How many there would be: one for each legal action of the text; None without a text.
    exact, fidelity
        How many frames are exact; mean of the fidelities that there are.
    drift, drift_detail
        The first frame, from 1, that shows another state than the true one, and what differs.
    answer, feasible, optimal, reason, detail
        Of the frames by themselves, whatever the text says: the actions that they show, in wire
        format, where each is a legal successor of the one before; whether they reach the goal, None
        where a frame can't be read; and why.
    agrees
        Whether text and frames tell the same: as many frames as actions, each the true state. None
        where there is no text, or a frame that can't be told leaves it open.
    """

    video: bool = False
    expected: Count | None = None
    exact: Count = 0
    fidelity: Share | None = None
    drift: Count | None = None
    drift_detail: str = ""
    answer: str | None = None
    feasible: bool | None = None
    optimal: bool | None = None
    reason: Story
    detail: str = ""
    agrees: bool | None = None
    frames: list[Frame] = Field(default_factory=list)


class DrawnAid(_Part):
    """A grid with coordinates drawn onto the board; see ``render.drawings.aid_check.AidCheck``.

    lines, stray
        Share of the pieces of grid lines that are where they belong; lines where none belongs.
    labels
        How many cells are to have coordinates; of them ``right``, ``wrong``, ``missing`` and
        ``unclear``. ``added``: cells with coordinates where none belong.
    changed, preserved
        How many cells are another beneath the aid; whether the board is there and none is.
    correlation
        How well the picture lies on the board, up to 1.
    complete
        Whether all lines and labels are there, rightly, and nothing else; None where all that is
        against it are labels that can't be read.
    reason, detail
        The ``Trouble`` with the file; then all else is None.
    """

    image: str
    lines: Share | None = None
    stray: Count | None = None
    labels: Count | None = None
    right: Count | None = None
    wrong: Count | None = None
    missing: Count | None = None
    unclear: Count | None = None
    added: Count | None = None
    changed: Count | None = None
    preserved: bool | None = None
    correlation: Finite | None = None
    complete: bool | None = None
    reason: Trouble | None = None
    detail: str = ""


class Measured(Scores):
    """The four judgements, as the engine makes them, and what they are made of.

    One of ``drawing``, ``frames`` and ``aid`` is there. ``problem`` says why there is none, in a
    sentence.
    """

    model_config = ConfigDict(populate_by_name=True)

    drawing: DrawnSolution | None = None
    frames: Frames | None = None
    aid: DrawnAid | None = None
    problem: str | None = None
