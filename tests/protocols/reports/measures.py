"""The field `measured` of verdicts, made up for tests."""

from typing import Any

from protocols.measures.record import DrawnAid, DrawnSolution, Frame, Frames, Measured, Trouble


def measured(**parts: Any) -> dict[str, Any]:
    """Return the field as `puzzles verify` writes it."""
    return Measured(**parts).model_dump(mode="json", by_alias=True)


def drawn(feasible: bool | None, **fields: Any) -> dict[str, Any]:
    """Return what is measured of a drawn solution."""
    usual = {"image": "a.png", "reason": "solved" if feasible else "gap", "detail": ""}
    solution = DrawnSolution(**{**usual, "feasible": feasible, "optimal": feasible, **fields})
    return measured(drawing=solution, **{"pass": feasible})


def frames(told: str, *, expected: int | None = None, **fields: Any) -> dict[str, Any]:
    """Return what is measured of frames, a letter each.

    ``x`` is exact, ``.`` shows a state of which half of the cells are others, ``?`` can't be told,
    ``-`` is a round without a picture.
    """
    shown: dict[str, tuple[float | None, bool | None, Trouble | None]] = {
        "x": (1.0, True, None),
        ".": (0.5, False, None),
        "?": (None, None, Trouble.UNCLEAR),
    }
    shown["-"] = (None, None, Trouble.NO_FILE)
    made = [
        Frame(
            image=None if one == "-" else f"{at}.png",
            fidelity=shown[one][0],
            exact=shown[one][1],
            reason=shown[one][2],
        )
        for at, one in enumerate(told)
    ]
    known = [frame.fidelity for frame in made if frame.fidelity is not None]
    usual = {
        "expected": len(told) if expected is None else expected,
        "exact": told.count("x"),
        "fidelity": sum(known) / len(known) if known else None,
        "drift": told.index(".") + 1 if "." in told else None,
        "reason": "unreadable" if "?" in told else "solved",
        "frames": made,
    }
    return measured(frames=Frames(**{**usual, **fields}))


def aid(**fields: Any) -> dict[str, Any]:
    """Return what is measured of an aid, which is right but for ``fields``."""
    usual = {"image": "a.png", "lines": 1.0, "stray": 0, "labels": 100, "right": 100, "wrong": 0}
    usual |= {"missing": 0, "unclear": 0, "added": 0, "changed": 0, "preserved": True}
    return measured(aid=DrawnAid(**{**usual, **fields}))
