"""The icons of the letters A to Q, N apart: fruits."""

from puzzles.onet.produce import (
    BARK,
    BARK_DARK,
    BERRY,
    BERRY_DARK,
    BLACK,
    BLUSH,
    CREAM,
    EDGE,
    GRAPE,
    GRAPE_DARK,
    GREY,
    LEAF,
    LEAF_DARK,
    LIME,
    ORANGE,
    ORANGE_DARK,
    PEACH,
    PEACH_DARK,
    PEAR,
    PEAR_DARK,
    RED,
    RED_DARK,
    SHINE,
    STEM,
    YELLOW,
    YELLOW_DARK,
    body,
    curve,
    leaf,
    mirrored,
    stem,
)
from render.canvas import Painting
from render.shapes import bend, meet, union


def _apple(p: Painting) -> None:
    q = p.plane
    flesh = union(q.ellipse(0.37, 0.57, 0.235, 0.285), q.ellipse(0.63, 0.57, 0.235, 0.285))
    body(p, flesh, RED, RED_DARK)
    p.fill(q.ellipse(0.29, 0.48, 0.05, 0.1, -0.3), SHINE)
    p.fill(stem(q, (0.5, 0.36), (0.5, 0.24), (0.56, 0.14)), STEM)
    body(p, leaf(q, (0.8, 0.13), (0.54, 0.24), 0.5), LEAF, LEAF_DARK)


def _blueberries(p: Painting) -> None:
    q = p.plane
    body(p, leaf(q, (0.9, 0.26), (0.56, 0.26), 0.5), LEAF, LEAF_DARK)
    body(p, leaf(q, (0.62, 0.08), (0.5, 0.3), 0.5), LEAF, LEAF_DARK)
    for x, y in ((0.37, 0.4), (0.67, 0.53), (0.36, 0.7)):
        body(p, q.disc(x, y, 0.205), BERRY, BERRY_DARK)
        p.fill(q.disc(x + 0.03, y - 0.03, 0.07), BERRY_DARK)
        p.fill(q.disc(x - 0.09, y - 0.08, 0.03), SHINE)


def _pear(p: Painting) -> None:
    q = p.plane
    neck, hip, base = (0.63, 0.38), (0.74, 0.6), (0.5, 0.88)
    right = curve((0.5, 0.2), (0.63, 0.2), neck, (0.66, 0.5), hip, (0.83, 0.88), base)
    body(p, q.polygon(mirrored(right), 0.015), PEAR, PEAR_DARK)
    p.fill(q.ellipse(0.37, 0.62, 0.04, 0.09, -0.2), SHINE)
    p.fill(stem(q, (0.5, 0.22), (0.5, 0.14), (0.55, 0.09)), STEM)
    body(p, leaf(q, (0.78, 0.12), (0.54, 0.19), 0.5), LEAF, LEAF_DARK)


def _orange(p: Painting) -> None:
    """Cut across, so that its segments show."""
    q = p.plane
    rind = q.disc(0.5, 0.5, 0.4)
    body(p, rind, ORANGE, ORANGE_DARK)
    p.fill(rind + 0.075, CREAM)
    spokes = union(*(q.line([(0.5 - x, 0.5 - y), (0.5 + x, 0.5 + y)], 0.045) for x, y in _SPOKES))
    p.fill(meet(rind + 0.11, -spokes), ORANGE)
    p.fill(q.disc(0.5, 0.5, 0.05), CREAM)


_SPOKES = ((0.4, 0.0), (0.2, 0.3464), (-0.2, 0.3464))


def _lemon(p: Painting) -> None:
    q = p.plane
    tips = q.line([(0.14, 0.62), (0.87, 0.38)], 0.13)
    body(p, union(q.ellipse(0.5, 0.5, 0.33, 0.245, -0.35), tips), YELLOW, YELLOW_DARK)
    p.fill(q.ellipse(0.42, 0.4, 0.1, 0.035, -0.35), SHINE)
    body(p, leaf(q, (0.82, 0.12), (0.6, 0.26), 0.5), LEAF, LEAF_DARK)


def _banana(p: Painting) -> None:
    q = p.plane
    outer = bend((0.2, 0.16), (0.16, 0.86), (0.86, 0.76), 12)
    inner = bend((0.88, 0.66), (0.4, 0.62), (0.33, 0.15), 12)
    body(p, q.polygon([*outer, *inner], 0.03), YELLOW, YELLOW_DARK)
    p.fill(q.line(bend((0.27, 0.26), (0.32, 0.68), (0.76, 0.71)), 0.03), YELLOW_DARK)
    p.fill(q.box(0.19, 0.09, 0.33, 0.19, 0.03), STEM)
    p.fill(q.disc(0.875, 0.71, 0.05), BARK_DARK)


def _watermelon(p: Painting) -> None:
    q = p.plane
    below = q.box(-1, 0.32, 2, 3, 0.02)
    for radius, colour in ((0.42, LEAF_DARK), (0.39, LEAF), (0.33, CREAM), (0.3, RED)):
        p.fill(meet(q.disc(0.5, 0.32, radius), below), colour)
    for x, y in ((0.34, 0.41), (0.5, 0.41), (0.66, 0.41), (0.42, 0.52), (0.58, 0.52)):
        p.fill(q.ellipse(x, y, 0.021, 0.036), BLACK)


def _grapes(p: Painting) -> None:
    q = p.plane
    p.fill(stem(q, (0.5, 0.3), (0.5, 0.16), (0.6, 0.08)), STEM)
    body(p, leaf(q, (0.2, 0.1), (0.48, 0.2), 0.6), LEAF, LEAF_DARK)
    for row, count in enumerate((4, 3, 2, 1)):
        for i in range(count):
            x, y = 0.5 + (i - (count - 1) / 2) * 0.205, 0.33 + row * 0.165
            body(p, q.disc(x, y, 0.125), GRAPE, GRAPE_DARK)
            p.fill(q.disc(x - 0.04, y - 0.04, 0.025), SHINE)


def _strawberry(p: Painting) -> None:
    q = p.plane
    right = curve((0.5, 0.3), (0.84, 0.2), (0.82, 0.46), (0.76, 0.74), (0.5, 0.9))
    body(p, q.polygon(mirrored(right), 0.02), RED, RED_DARK)
    for x, y in ((0.34, 0.46), (0.5, 0.52), (0.66, 0.46), (0.41, 0.64), (0.59, 0.64), (0.5, 0.77)):
        p.fill(q.ellipse(x, y, 0.018, 0.03), YELLOW)
    for tip in ((0.2, 0.3), (0.34, 0.42), (0.66, 0.42), (0.8, 0.3)):
        p.fill(leaf(q, tip, (0.5, 0.26), 0.4), LEAF_DARK)
    for tip in ((0.25, 0.26), (0.5, 0.42), (0.75, 0.26)):
        body(p, leaf(q, tip, (0.5, 0.24), 0.5), LEAF, LEAF_DARK)
    p.fill(stem(q, (0.5, 0.26), (0.5, 0.16), (0.56, 0.1)), LEAF_DARK)


def _melon(p: Painting) -> None:
    q = p.plane
    ball = q.disc(0.5, 0.54, 0.37)
    body(p, ball, LIME, LEAF_DARK)
    for rx in (0.3, 0.15):
        rib = q.ellipse(0.5, 0.54, rx, 0.37)
        p.fill(meet(abs(rib) - 0.024, ball + EDGE), LEAF)
    p.fill(meet(q.line([(0.5, 0.1), (0.5, 0.98)], 0.048), ball + EDGE), LEAF)
    p.fill(q.line([(0.5, 0.19), (0.5, 0.1), (0.6, 0.08)], 0.055), LEAF_DARK)


def _cherries(p: Painting) -> None:
    q = p.plane
    for end, control in (((0.31, 0.58), (0.36, 0.3)), ((0.7, 0.64), (0.72, 0.4))):
        p.fill(stem(q, end, control, (0.58, 0.12), width=0.04), LEAF_DARK)
    body(p, leaf(q, (0.9, 0.16), (0.58, 0.12), 0.45), LEAF, LEAF_DARK)
    for x, y in ((0.3, 0.68), (0.69, 0.74)):
        body(p, q.disc(x, y, 0.185), RED_DARK, BLACK)
        p.fill(q.disc(x - 0.06, y - 0.06, 0.035), SHINE)


def _peach(p: Painting) -> None:
    q = p.plane
    flesh = union(q.ellipse(0.44, 0.58, 0.3, 0.3), q.ellipse(0.56, 0.58, 0.3, 0.3))
    body(p, flesh, PEACH, PEACH_DARK)
    blush = meet(q.disc(0.7, 0.66, 0.26), flesh + EDGE)
    p.fill(blush, BLUSH)
    p.fill(q.line(bend((0.5, 0.3), (0.3, 0.46), (0.36, 0.74)), 0.03), PEACH_DARK)
    p.fill(q.ellipse(0.27, 0.5, 0.03, 0.07, -0.3), SHINE)
    body(p, leaf(q, (0.86, 0.16), (0.5, 0.27), 0.5), LEAF, LEAF_DARK)
    p.fill(stem(q, (0.5, 0.32), (0.48, 0.2), (0.42, 0.14)), STEM)


def _pineapple(p: Painting) -> None:
    q = p.plane
    for tip in ((0.24, 0.2), (0.76, 0.2), (0.36, 0.08), (0.64, 0.08), (0.5, 0.03)):
        body(p, leaf(q, tip, (0.5, 0.42), 0.3), LEAF, LEAF_DARK)
    flesh = q.ellipse(0.5, 0.63, 0.235, 0.305)
    body(p, flesh, YELLOW_DARK, BARK)
    for k in range(-2, 3):
        x = 0.5 + k * 0.15
        for lean in (0.3, -0.3):
            stripe = q.line([(x - lean, 0.63 - 0.36), (x + lean, 0.63 + 0.36)], 0.026)
            p.fill(meet(stripe, flesh + EDGE), BARK)


def _coconut(p: Painting) -> None:
    q = p.plane
    body(p, q.disc(0.5, 0.5, 0.405), BARK, BARK_DARK)
    p.fill(q.disc(0.5, 0.5, 0.315), CREAM)
    p.fill(q.ellipse(0.5, 0.53, 0.215, 0.2), GREY)
    for x, y in ((0.2, 0.27), (0.83, 0.35), (0.25, 0.78), (0.75, 0.8)):
        p.fill(q.line([(x - 0.02, y + 0.02), (x + 0.02, y - 0.02)], 0.02), BARK_DARK)


def _kiwi(p: Painting) -> None:
    q = p.plane
    body(p, q.ellipse(0.5, 0.5, 0.41, 0.37), BARK, BARK_DARK)
    p.fill(q.ellipse(0.5, 0.5, 0.345, 0.305), LIME)
    p.fill(q.ellipse(0.5, 0.5, 0.12, 0.095), CREAM)
    for x, y in _SEEDS:
        p.fill(q.ellipse(0.5 + 0.21 * x, 0.5 + 0.18 * y, 0.022, 0.03), BLACK)


_SEEDS = (
    *((1.0, 0.0), (0.81, 0.59), (0.31, 0.95), (-0.31, 0.95), (-0.81, 0.59)),
    *((-1.0, 0.0), (-0.81, -0.59), (-0.31, -0.95), (0.31, -0.95), (0.81, -0.59)),
)


def _avocado(p: Painting) -> None:
    q = p.plane
    neck, hip, base = (0.68, 0.34), (0.76, 0.54), (0.5, 0.9)
    right = curve((0.5, 0.11), (0.66, 0.11), neck, (0.7, 0.44), hip, (0.88, 0.9), base)
    skin = q.polygon(mirrored(right), 0.01)
    p.fill(skin, LEAF_DARK).fill(skin + 0.055, LIME).fill(skin + 0.1, CREAM)
    body(p, q.disc(0.5, 0.63, 0.155), BARK, BARK_DARK)
    p.fill(q.disc(0.45, 0.58, 0.035), PEACH)


FRUITS = {
    "A": _apple,
    "B": _blueberries,
    "C": _pear,
    "D": _orange,
    "E": _lemon,
    "F": _banana,
    "G": _watermelon,
    "H": _grapes,
    "I": _strawberry,
    "J": _melon,
    "K": _cherries,
    "L": _peach,
    "M": _pineapple,
    "O": _coconut,
    "P": _kiwi,
    "Q": _avocado,
}
