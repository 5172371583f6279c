"""A grid with coordinates that a model has drawn, as numbers and marks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from protocols.measures import marks
from protocols.measures.glance import SAME_BOARD, drawn
from protocols.measures.quality import Likeness, likeness
from protocols.measures.record import DrawnAid, Measured
from puzzles.instance import Instance
from puzzles.reading import check_aid
from puzzles.rooms import family
from render.boards.looks import RGB
from render.drawings.aid_check import MISSING, RIGHT, UNCLEAR, WRONG, AidCheck

WHOLE = 0.95
"""Share of the pieces of lines from which on they are all taken to be there: on ground as red as
they are, a piece can't be told in a photo."""


def of_aid(instance: Instance, start: Any, name: str, image: RGB) -> Measured:
    """Return what is measured of an aid that was drawn onto the board of ``start``."""
    room = family(instance.family)
    check = check_aid(room, image, start)
    record = _record(name, check)
    found = _likeness(image, drawn(room, start), drawn(room, start, aug=True))
    look = None if found is None else found.quality
    cells = len(instance.board.replace("\n", ""))
    if check.correlation < SAME_BOARD:
        look = 0.0
    kept = 1 - len(check.changed) / cells if check.correlation >= SAME_BOARD else 0.0
    return _judged(record, look, kept)


def _likeness(image: RGB, board: RGB, aid: RGB) -> Likeness | None:
    """Compare with the aid or, where it does not lie on that, with the bare board.

    A board with no grid on it may still be a good picture: what is missing is judged elsewhere.
    """
    return likeness(image, [board, aid]) or likeness(image, [aid, board])


def _record(name: str, check: AidCheck) -> DrawnAid:
    counts = Counter(check.labels.values())
    preserved = check.correlation >= SAME_BOARD and not check.changed
    due: list[bool | None] = [check.lines >= WHOLE, not check.stray, not check.added]
    due += [not counts[WRONG], not counts[MISSING], None if counts[UNCLEAR] else True]
    return DrawnAid(
        image=name,
        lines=round(check.lines, 4),
        stray=check.stray,
        labels=len(check.labels),
        right=counts[RIGHT],
        wrong=counts[WRONG],
        missing=counts[MISSING],
        unclear=counts[UNCLEAR],
        added=len(check.added),
        changed=len(check.changed),
        preserved=preserved,
        correlation=round(float(check.correlation), 4),
        complete=marks.all_of(due),
    )


def _judged(record: DrawnAid, look: float | None, kept: float) -> Measured:
    """Return the judgements; the rules of an aid are that nothing is added in a wrong place."""
    labels = (record.right or 0) / record.labels if record.labels else 1.0
    there = ((record.lines or 0.0) + labels) / 2 if kept else 0.0
    rules = bool(kept) and not (record.stray or record.added or record.wrong)
    known = marks.Marks(record.preserved, rules, look, record.complete)
    over_all = marks.process([record.preserved], [rules], [look], [record.complete])
    return Measured(
        rubric=marks.rubric(look, kept, marks.correctness(record.complete, record.complete, there)),
        checklist=marks.checklist(100 * there, over_all),
        result=marks.result(known),
        process=over_all,
        passes=marks.all_of([record.complete, record.preserved]),
        aid=record,
    )
