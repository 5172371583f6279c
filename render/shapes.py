"""Shapes as fields of signed distance, by + - * / sqrt alone: equal bits on every machine."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float64]  # (H, W), in cells; negative inside the shape
Point = tuple[float, float]  # (x, y) in cells, y downwards


class Plane:
    """Pixel centres of a sprite of ``rows`` by ``cols`` cells of ``cell`` pixels.

    Every method returns a Field over them; lengths are in cells.
    """

    def __init__(self, rows: int, cols: int, cell: int):
        self.x = ((np.arange(cols * cell) + 0.5) / cell)[None, :]
        self.y = ((np.arange(rows * cell) + 0.5) / cell)[:, None]

    def disc(self, x: float, y: float, radius: float) -> Field:
        dx, dy = self.x - x, self.y - y
        distance: Field = np.sqrt(dx * dx + dy * dy) - radius
        return distance

    def ellipse(self, x: float, y: float, rx: float, ry: float, lean: float = 0.0) -> Field:
        """An ellipse; ``lean`` is the slope (rise over run, y down) of its first axis."""
        c = 1 / sqrt(1 + lean * lean)
        s = lean * c
        dx, dy = self.x - x, self.y - y
        u, v = (dx * c + dy * s) / rx, (dy * c - dx * s) / ry
        uu, vv = u * u + v * v, (u * u) / (rx * rx) + (v * v) / (ry * ry)
        distance: Field = (uu - 1) * np.sqrt(uu) / (np.sqrt(vv) * (np.sqrt(uu) + 1) + 1e-12)
        return distance

    def box(self, x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> Field:
        """A rectangle with rounded corners."""
        dx = abs(self.x - (x0 + x1) / 2) - ((x1 - x0) / 2 - radius)
        dy = abs(self.y - (y0 + y1) / 2) - ((y1 - y0) / 2 - radius)
        ox, oy = np.maximum(dx, 0), np.maximum(dy, 0)
        distance: Field = np.sqrt(ox * ox + oy * oy) + np.minimum(np.maximum(dx, dy), 0) - radius
        return distance

    def line(self, points: Sequence[Point], width: float) -> Field:
        """A polyline with round caps and joins."""
        near = self._square_distance(points[0], points[0])
        for a, b in pairwise(points):
            near = np.minimum(near, self._square_distance(a, b))
        return np.sqrt(near) - width / 2

    def polygon(self, points: Sequence[Point], radius: float = 0.0) -> Field:
        """A filled polygon, grown by ``radius`` so that its corners are round."""
        inside = np.zeros((self.y.size, self.x.size), bool)
        near = np.full(inside.shape, 1e9)
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
            near = np.minimum(near, self._square_distance((ax, ay), (bx, by)))
            if ay != by:
                crossing = ax + (self.y - ay) * ((bx - ax) / (by - ay))
                inside ^= ((self.y < ay) != (self.y < by)) & (self.x < crossing)
        distance = np.sqrt(near)
        signed: Field = np.where(inside, -distance, distance) - radius
        return signed

    def _square_distance(self, a: Point, b: Point) -> Field:
        dx, dy = self.x - a[0], self.y - a[1]
        bx, by = b[0] - a[0], b[1] - a[1]
        length = bx * bx + by * by
        if length:
            t = np.minimum(np.maximum((dx * bx + dy * by) / length, 0.0), 1.0)
            dx, dy = dx - t * bx, dy - t * by
        return dx * dx + dy * dy


def union(*fields: Field) -> Field:
    out = fields[0]
    for field in fields[1:]:
        out = np.minimum(out, field)
    return out


def meet(*fields: Field) -> Field:
    """What all the shapes cover; ``meet(a, -b)`` is a without b."""
    out = fields[0]
    for field in fields[1:]:
        out = np.maximum(out, field)
    return out


def ring(field: Field, width: float) -> Field:
    """A band of ``width`` just inside the edge of a shape."""
    return np.maximum(field, -field - width)


def bend(a: Point, control: Point, b: Point, steps: int = 8) -> list[Point]:
    """Points along a quadratic curve, both ends included."""
    out = []
    for i in range(steps + 1):
        t = i / steps
        p, q, r = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        out.append((p * a[0] + q * control[0] + r * b[0], p * a[1] + q * control[1] + r * b[1]))
    return out
