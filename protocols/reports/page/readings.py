"""What the engine has read in the drawings of an answer, in the few words beside each."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from typing import Any

from protocols.measures.record import DrawnAid, DrawnSolution, Frame, Frames, Measured, Trouble
from protocols.reports.page.played import in_words
from puzzles.answers import extract
from puzzles.family import Family
from puzzles.rooms import NAMES, family
from render.drawings.flaws import Flaw

Reading = dict[str, str]
"""As JSON: ``tone`` (good, bad or open), ``said`` and, where there is more to say, ``detail``."""
_MOST_ACTIONS = 40
_LONGEST = 300


class Readings:
    """The readings of one answer; ``of`` hands out those of a file in their order.

    film
        The file of each picture of a state, and of a video the number in it.
    whole
        What is said of all pictures together, and of them and the text, in a sentence or two.
    """

    def __init__(self, measured: Any, name: str | None):
        self.film: list[tuple[str, int | None]] = []
        self.whole = ""
        self._left: defaultdict[str, deque[Reading]] = defaultdict(deque)
        record = Measured.model_validate(measured or {})
        self.whole = _whole(record)
        if record.drawing is not None:
            room = family(name) if name in NAMES else None
            self._left[record.drawing.image].append(_of_drawing(record.drawing, room))
        if record.aid is not None:
            self._left[record.aid.image].append(_of_aid(record.aid))
        if record.frames is not None:
            for number, frame in enumerate(record.frames.frames, 1):
                if frame.image is None:
                    continue
                self._left[frame.image].append(_of_frame(frame, number, record.frames))
                self.film.append((frame.image, frame.at))

    def of(self, name: Any) -> Mapping[str, Reading]:
        """Return ``reading``, that of the next picture called ``name``; nothing where none is."""
        left = self._left.get(name) if isinstance(name, str) else None
        if not left:
            return {}
        return {"reading": left.popleft() if len(left) > 1 else left[0]}


def _whole(record: Measured) -> str:
    parts = [f"The pictures: {record.problem}." if record.problem else ""]
    if record.frames is not None and record.frames.frames:
        parts.append(_told(record.frames))
    for subject, part in (("frames", record.frames), ("drawing", record.drawing)):
        if part is not None and part.agrees is not None:
            parts.append(f"Text and {subject} {'agree' if part.agrees else 'disagree'}.")
    return " ".join(filter(None, parts))


def _told(frames: Frames) -> str:
    """Return what the frames tell by themselves, and how many are true."""
    true = f"{frames.exact} of {len(frames.frames)} show the true state"
    if frames.expected is not None and frames.expected != len(frames.frames):
        true += f", {frames.expected} are expected"
    drift = f"; the first that does not is {frames.drift}" if frames.drift else ""
    alone = f"{frames.reason.replace('_', ' ')}, {frames.detail}"
    return f"The frames by themselves: {alone}. {true}{drift}."


def _reading(tone: str, said: str, detail: str = "") -> Reading:
    return {"tone": tone, "said": _short(said)} | ({"detail": _short(detail)} if detail else {})


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _of_drawing(drawing: DrawnSolution, room: Family[Any, Any] | None) -> Reading:
    read, reason = _answer(drawing.answer, room), _sentence(drawing.reason)
    if drawing.feasible is None:
        return _reading("open", reason, drawing.detail)
    if drawing.feasible:
        how = "solves the board" + (", optimally" if drawing.optimal else ", not optimally")
        return _reading("good", f"{how}: {read}")
    return _reading("bad", f"{reason}: {read}" if read else reason, drawing.detail)


def _sentence(reason: str) -> str:
    """Return what a reason code means; that of a replay is said by itself."""
    known = [kind(reason).sentence for kind in (Flaw, Trouble) if reason in set(kind)]
    return known[0].rstrip(".") if known else reason.replace("_", " ")


def _answer(wire: str | None, room: Family[Any, Any] | None) -> str:
    """Return an answer in words; nothing where there is none."""
    actions = extract(wire, room).answer if wire and room else None
    if not actions or room is None:
        return wire or ""
    more = f", and {len(actions) - _MOST_ACTIONS} more" if len(actions) > _MOST_ACTIONS else ""
    return ", ".join(in_words(room, action) for action in actions[:_MOST_ACTIONS]) + more


def _of_frame(frame: Frame, number: int, frames: Frames) -> Reading:
    detail = "; ".join(filter(None, (_fault(frame), _why(frame, number, frames))))
    if frame.exact:
        return _reading("good", "the true state", detail)
    if frame.reason is not None and frame.exact is None:
        return _reading("open", frame.reason.sentence.rstrip("."), detail)
    if frame.fidelity is not None:
        return _reading("bad", f"{_percent(frame.fidelity)} of the cells true", detail)
    if frame.exact is False:
        none = frame.reason in (Trouble.NO_BOARD, Trouble.NO_STATE)
        return _reading("bad", "no state of the board" if none else "no such step", detail)
    tone = {True: "good", False: "bad", None: "open"}[frame.legal]
    words = {True: "one legal action on", False: "no legal action leads here", None: "not told"}
    return _reading(tone, words[frame.legal], detail)


def _fault(frame: Frame) -> str:
    return "the board itself is changed" if frame.background is False and not frame.reason else ""


def _why(frame: Frame, number: int, frames: Frames) -> str:
    return frame.detail or (frames.drift_detail if number == frames.drift else "")


def _of_aid(aid: DrawnAid) -> Reading:
    if aid.lines is None or aid.stray is None or aid.added is None:
        return _reading("open", "can't be looked at", aid.detail)
    lines = f"lines {_percent(aid.lines)}" + (f" and {aid.stray} stray" if aid.stray else "")
    labels = f"labels {aid.right} of {aid.labels}" + (f" and {aid.added} more" * bool(aid.added))
    kept = "board kept" if aid.preserved else f"board changed in {_cells(aid.changed)}"
    unclear = f", {aid.unclear} can't be told" if aid.unclear else ""
    right = aid.complete if aid.preserved else False
    tone = {True: "good", False: "bad", None: "open"}[right]
    return _reading(tone, f"{lines}, {labels}{unclear}, {kept}", aid.detail)


def _cells(count: int | None) -> str:
    return "the whole" if not count else f"{count} cell{'s' * (count != 1)}"


def _percent(share: float) -> str:
    """Return a share in whole percents, 100 only for all."""
    return f"{int(100 * share)}%"
