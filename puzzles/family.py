"""What a puzzle family is: a record of the parts that every room fills in, and the error types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from puzzles.verdict import Reason, Replay

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from puzzles.controls import Controls
    from puzzles.draws import Draws
    from puzzles.exchange import Format
    from puzzles.narration import Narration
    from puzzles.reading import Reading
    from render.canvas import Picture
    from solvers import System

Cell = tuple[int, int]
Size = tuple[int, int]
S = TypeVar("S")
A = TypeVar("A")


class InvalidBoard(ValueError):
    """The text is not a board of the family; the message names the place."""


class MalformedAnswer(ValueError):
    """The object is not an answer of the family's shape."""


class IllegalAction(ValueError):
    """The action is not allowed in this state."""

    def __init__(self, reason: Reason, detail: str):
        super().__init__(detail)
        self.reason = reason


class GenerationError(ValueError):
    """No board of the wanted kind could be made; the message says which and what to change."""


class Bucket(NamedTuple):
    """The lengths of one difficulty, both ends included.

    ``cycle`` lists the lengths in the proportions wanted; empty means each equally often.
    """

    low: int
    high: int
    cycle: tuple[int, ...] = ()

    def lengths(self) -> tuple[int, ...]:
        return self.cycle or tuple(range(self.low, self.high + 1))


@dataclass(frozen=True)
class Words:
    """What a prompt says of a family, whatever the protocol.

    Sentences are whole; phrases (keep, aid, drawing) begin in lower case and have no full stop.

    legend, rules, goal
        What is drawn, which actions are legal, what is to be reached.
    answer
        How an answer is written: sentences that end before an example would come.
    examples
        Answers in wire format. A prompt shows one that doesn't solve the board, so there are many,
        and which one it is says nothing about the solution.
    step
        How one action alone is written, with placeholders in place of an example, since an example
        might be the right action.
    keep
        What a drawing leaves as it is: "the walls, the floor, ...".
    change
        What the next picture may differ in after an action.
    aid, drawing
        What is to be added for the visual aid, and to draw a solution; "Add" stands before them,
        and "with" where they are shown.
    """

    title: str
    legend: str
    rules: str
    goal: str
    answer: str
    examples: tuple[str, ...] = ()
    step: str = ""
    keep: str = ""
    change: str = ""
    aid: str = ""
    drawing: str = ""


@dataclass(frozen=True)
class AnswerFormat:
    """Where an answer stands in a reply.

    tag
        The tag around it as a model is asked to write it; None where it is a bare JSON object.
    key
        The key that holds the list when the answer is an object; None where it is the list.
    text
        The content is words rather than JSON.
    repair
        Rewrites slips that are known of this family into JSON.
    joint
        What stands between two items in wire format, where an answer is such items in a row; it
        lets them be read one by one (``puzzles.wire``).
    """

    tag: str | None
    key: str | None = None
    text: bool = False
    repair: Callable[[str], str] | None = None
    joint: str = ""


@dataclass(frozen=True)
class StepFormat(Generic[A]):
    """How one action of a stepwise protocol is written, inside ``<STEP_JSON>``.

    parse
        The actions that a JSON value names: one, or more where the reply breaks the format. Raises
        MalformedAnswer, or IllegalAction for a word that names no action.
    format
        The JSON of one action, and of the answer's items that go with it (path: the labels newly
        passed; the other families have none); of the action alone where the items are None.
    sentence
        The actions that prose states (``puzzles.prose``), where a family reads it.
    items
        The items of the answer that the JSON value names beside the action. None where the answer
        is the list of actions.
    same
        What two ways to write one action have in common: they are the same where it is equal.
    """

    parse: Callable[[Any], list[A]]
    format: Callable[[A, Sequence[Any] | None], str]
    sentence: Callable[[str], list[A]] | None = None
    items: Callable[[Any], list[Any]] | None = None
    same: Callable[[A], Any] = lambda action: action


class Sample(NamedTuple, Generic[S, A]):
    """A board with an optimal solution; and its stats, where the sampler knows them already."""

    state: S
    actions: list[A]
    stats: dict[str, Any] | None = None


@dataclass(frozen=True)
class Family(Generic[S, A]):
    """One kind of puzzle. To add a family is to fill in this record (docs/adding-a-family.md).

    ``S`` is the family's State, ``A`` its Action. An answer is a list of what the model is asked
    to name: actions in every family but path, whose answers name the labels passed.
    """

    name: str
    generator: str
    """Version of the sampling code: it changes whenever a seed would give another board."""
    words: Callable[[Mapping[str, Any]], Words]
    """What a prompt says of boards with these rules."""
    answer_format: AnswerFormat
    buckets: Mapping[str, Bucket]
    size: Size

    # The rules: plain Python, the reference for every verdict.
    parse: Callable[[str, Mapping[str, Any]], S]
    format: Callable[[S], str]
    canonical: Callable[[S], bytes]
    legal_actions: Callable[[S], list[A]]
    apply: Callable[[S, A], S]
    is_solved: Callable[[S], bool]
    parse_answer: Callable[[Any], list[Any]]
    format_answer: Callable[[Sequence[Any]], str]
    step: StepFormat[A]
    """How one action alone is written and read."""
    controls: Controls[S, A]
    """How one action is taken by hand, and by a tool."""
    replay: Callable[[S, Sequence[Any]], Replay]

    # The same rules as kernels, and the way across.
    systems: Mapping[str, System]
    pack: Callable[[S], tuple[Any, NDArray[np.uint64]]]
    repack: Callable[[Any, S], NDArray[np.uint64]]
    """The words of another state of the same board, in the level of the first."""
    unpack: Callable[[Any, NDArray[np.uint64]], S]
    decode: Callable[[Any, int], A]

    # Boards of exact lengths, and what can be said of their structure.
    sample: Callable[
        [Draws, Sequence[int], Size, Mapping[str, Any], Mapping[str, Any]],
        list[Sample[S, A] | None],
    ]
    stats: Callable[[S, Sequence[A]], dict[str, Any]]

    # Pictures.
    draw: Callable[[S, int], Picture]
    draw_aid: Callable[[S, int], Picture]
    draw_solution: Callable[[S, Sequence[A], int], Picture]

    narration: Callable[[], Narration[S, A]]
    """How a solution is told in sentences."""

    rule_options: Mapping[str, Any] = field(default_factory=dict)
    """What ``rules`` of an instance may hold, with the defaults."""
    sample_options: Mapping[str, Any] = field(default_factory=dict)
    """What the sampler may be told, with the defaults."""
    block: int = 1
    """How many consecutive instances are taken from one exploration."""
    answer_of: Callable[[S, Sequence[A]], list[Any]] = lambda state, actions: list(actions)
    """The answer that names these actions."""
    rules_of: Callable[[S], dict[str, Any]] = lambda state: {}
    """What the board can't say of ``state``: the ``rules`` of its instance."""
    counts_actions: bool = True
    """An answer lists actions, so that their number decides whether it is optimal."""
    one_length: bool = False
    """Every solution of a board has the same length, so that whatever solves it is optimal."""
    joins: Callable[[A, A], bool] | None = None
    """Whether the second of two actions moves the piece on that the first has moved: they are one
    slide. None where the family has no such metric; else there is ``systems["slide"]``."""
    unfold: Callable[[S, Any, int], list[A]] | None = None
    """The actions that a code of ``systems["slide"]`` stands for in a state of that level."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """The published suite's names of its metrics, by feasible and optimal, with {level}."""
    formats: Mapping[str, Format] = field(default_factory=dict)
    """The formats of others that boards of this family are read from and written in, by name."""
    reading: Reading[S] | None = None
    """How pictures of this family are read."""

    def difficulty(self, length: int) -> str:
        """Return the bucket that holds ``length``, or ``custom``."""
        for name, bucket in self.buckets.items():
            if bucket.low <= length <= bucket.high:
                return name
        return "custom"

    def tier(self, length: int) -> str:
        """Return the bucket whose structure a board of ``length`` follows."""
        for name, bucket in self.buckets.items():
            if length <= bucket.high:
                return name
        return list(self.buckets)[-1]


class Late:
    """The way to a function whose module is imported when the function is first called.

    ``Late("puzzles.maze").view.draw`` stands for ``puzzles.maze.view.draw``. Judging needs only the
    rules, so it must not wait for numba and pictures to load.
    """

    def __init__(self, path: str):
        self._path = path
        self._function: Callable[..., Any] | None = None

    def __getattr__(self, name: str) -> Late:
        if name.startswith("__"):
            raise AttributeError(name)
        return Late(f"{self._path}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._function is None:
            module, _, name = self._path.rpartition(".")
            self._function = getattr(import_module(module), name)
        return self._function(*args, **kwargs)
