"""Figures as inline SVG: elements as text, colours by CSS class, so that a page can set its theme.

Every mark may have a title, which browsers show on hover and screen readers read.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """A plot: what it shows in a title and a sentence, its legend, and the SVG itself."""

    title: str
    note: str
    legend: list[tuple[str, str]]
    """Each entry's CSS class and text."""
    svg: str


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """Return an element; ``class_`` stands for class, and other underscores for hyphens.

    Children are markup: text goes through ``text`` or ``title``.
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_written(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{said}>{''.join(children)}</{name}>" if children else f"<{name}{said}/>"


def _written(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def text(words: str, x: float, y: float, kind: str = "", anchor: str = "start") -> str:
    """Return a line of text; ``kind`` is its CSS class."""
    return tag("text", escape(words), x=x, y=y, class_=kind, text_anchor=anchor)


def titled(words: str, *children: str, **attributes: str | float) -> str:
    """Return a group whose title is ``words``."""
    return tag("g", tag("title", escape(words)), *children, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def curve(points: Iterable[tuple[float, float]], kind: str) -> str:
    """Return a line through ``points``."""
    return tag("polyline", points=_points(points), class_=kind)


def shape(points: Iterable[tuple[float, float]], kind: str) -> str:
    """Return what a line around ``points`` encloses."""
    return tag("polygon", points=_points(points), class_=kind)


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_written(x)},{_written(y)}" for x, y in points)


def marker(form: int, x: float, y: float, kind: str, r: float = 4) -> str:
    """Return a disc, a square, a diamond or a triangle, so that colour is not all that tells."""
    if form % 4 == 0:
        return tag("circle", cx=x, cy=y, r=r, class_=kind)
    corners = {
        1: [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2: [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
        3: [(0, -1.2), (1.15, 0.9), (-1.15, 0.9)],
    }[form % 4]
    return shape(((x + r * dx, y + r * dy) for dx, dy in corners), kind)


def figure(name: str, words: str, width: float, height: float, *children: str) -> str:
    """Return the whole drawing, named ``words`` for those who don't see it."""
    own = f"{name}-title"
    return tag(
        "svg",
        tag("title", escape(words), id=own),
        *children,
        viewBox=f"0 0 {_written(width)} {_written(height)}",
        style=f"--natural:{_written(width)}px",
        role="img",
        aria_labelledby=own,
    )


def axis_of_percents(x: float, wide: float, top: float, bottom: float, head: str) -> list[str]:
    """Return a horizontal axis from 0 to 100%, its grid from ``top`` to ``bottom``."""
    parts = [text(head, x + wide / 2, top - 24, "head", "middle")]
    for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end")):
        here = x + wide * share
        parts.append(line(here, top, here, bottom, "grid"))
        parts += [text(f"{share:.0%}", here, y, "tick", anchor) for y in (top - 7, bottom + 16)]
    return parts


def present(column: Any) -> list[str]:
    """Return the values that occur in a column, in the order of its categories."""
    found = set(column.dropna())
    known = column.cat.categories if hasattr(column, "cat") else sorted(found)
    return [str(value) for value in known if value in found]
