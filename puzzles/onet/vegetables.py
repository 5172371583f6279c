"""The icons of the letters N and R to Z: vegetables."""

from puzzles.onet.produce import (
    BARK,
    CREAM,
    EDGE,
    EGGPLANT,
    GRAPE,
    GREY,
    LEAF,
    LEAF_DARK,
    LIME,
    MAGENTA,
    NIGHT,
    ORANGE,
    ORANGE_DARK,
    PEACH_DARK,
    RED_DARK,
    SHINE,
    YELLOW,
    YELLOW_DARK,
    body,
    curve,
    leaf,
    stem,
)
from render.canvas import Painting
from render.shapes import bend, meet, union


def _carrot(p: Painting) -> None:
    q = p.plane
    for tip in ((0.6, 0.07), (0.8, 0.1), (0.92, 0.24)):
        body(p, leaf(q, tip, (0.62, 0.36), 0.35), LEAF, LEAF_DARK)
    body(p, q.polygon([(0.48, 0.3), (0.72, 0.52), (0.13, 0.89)], 0.055), ORANGE, ORANGE_DARK)
    for x, y in ((0.42, 0.42), (0.46, 0.62), (0.3, 0.6)):
        p.fill(q.line([(x, y), (x + 0.07, y + 0.06)], 0.03), ORANGE_DARK)


def _eggplant(p: Painting) -> None:
    q = p.plane
    tail, low, top = (0.22, 0.82), (0.6, 0.78), (0.74, 0.4)
    upper = curve((0.66, 0.28), (0.38, 0.24), (0.22, 0.46), (0.06, 0.68), tail)
    lower = curve(tail, (0.4, 0.96), low, (0.76, 0.62), top)
    body(p, q.polygon([*upper, *lower[1:]], 0.02), EGGPLANT, NIGHT)
    p.fill(q.line(bend((0.23, 0.66), (0.24, 0.52), (0.38, 0.42)), 0.05), GRAPE)
    p.fill(stem(q, (0.7, 0.3), (0.78, 0.22), (0.8, 0.12), width=0.08), LEAF_DARK)
    rim = [(0.8, 0.34), (0.8, 0.5), (0.7, 0.44), (0.62, 0.5), (0.58, 0.38), (0.48, 0.34)]
    body(p, q.polygon([(0.5, 0.22), (0.66, 0.2), *rim], 0.02), LEAF, LEAF_DARK)


def _mushroom(p: Painting) -> None:
    q = p.plane
    body(p, q.polygon([(0.42, 0.5), (0.58, 0.5), (0.61, 0.84), (0.39, 0.84)], 0.04), CREAM, BARK)
    cap = meet(q.ellipse(0.5, 0.52, 0.4, 0.38), q.box(-1, -1, 2, 0.56))
    body(p, cap, PEACH_DARK, BARK)
    for x, y, r in ((0.36, 0.4, 0.06), (0.56, 0.3, 0.07), (0.71, 0.45, 0.05)):
        p.fill(q.disc(x, y, r), CREAM)


def _radish(p: Painting) -> None:
    q = p.plane
    for tip, fat in (((0.3, 0.06), 0.5), ((0.52, 0.03), 0.5), ((0.76, 0.1), 0.5)):
        body(p, leaf(q, tip, (0.5, 0.42), fat), LEAF, LEAF_DARK)
    p.fill(q.polygon([(0.36, 0.72), (0.64, 0.72), (0.51, 0.9), (0.5, 0.9)]), CREAM)
    flesh = q.disc(0.5, 0.58, 0.265)
    body(p, flesh, MAGENTA, RED_DARK)
    p.fill(meet(q.box(-1, 0.72, 2, 2), flesh + EDGE), CREAM)
    p.fill(q.line([(0.5, 0.84), (0.52, 0.91)], 0.03), MAGENTA)
    p.fill(q.ellipse(0.38, 0.5, 0.035, 0.07, -0.3), SHINE)


def _onion(p: Painting) -> None:
    q = p.plane
    neck = q.polygon([(0.36, 0.38), (0.64, 0.38), (0.52, 0.14), (0.48, 0.14)], 0.02)
    bulb = union(q.ellipse(0.5, 0.6, 0.34, 0.27), neck)
    body(p, bulb, GREY, GRAPE)
    for rx in (0.1, 0.22):
        p.fill(meet(abs(q.ellipse(0.5, 0.6, rx, 0.27)) - 0.014, bulb + EDGE), GRAPE)
    for x in (0.44, 0.5, 0.56):
        p.fill(q.line([(0.5, 0.86), (x, 0.91)], 0.025), BARK)


def _broccoli(p: Painting) -> None:
    q = p.plane
    stalk = q.polygon([(0.4, 0.5), (0.6, 0.5), (0.58, 0.88), (0.42, 0.88)], 0.04)
    body(p, stalk, LIME, LEAF_DARK)
    for x in (0.36, 0.64):
        p.fill(q.line([(x, 0.56), (0.5 + (x - 0.5) * 0.3, 0.68)], 0.1), LIME)
    florets = ((0.27, 0.46), (0.73, 0.46), (0.38, 0.28), (0.62, 0.28), (0.5, 0.46))
    body(p, union(*(q.disc(x, y, 0.17) for x, y in florets)), LEAF_DARK, NIGHT)
    for x, y in florets:
        p.fill(q.disc(x - 0.02, y - 0.04, 0.07), LEAF)


def _pepper(p: Painting) -> None:
    q = p.plane
    lobes = ((0.31, 0.57), (0.5, 0.6), (0.69, 0.57))
    body(p, union(*(q.ellipse(x, y, 0.18, 0.3) for x, y in lobes)), YELLOW, YELLOW_DARK)
    for x, control in ((0.4, 0.35), (0.6, 0.65)):
        p.fill(q.line(bend((x, 0.38), (control, 0.6), (x, 0.8)), 0.026), YELLOW_DARK)
    p.fill(q.ellipse(0.24, 0.5, 0.03, 0.09), SHINE)
    p.fill(stem(q, (0.5, 0.32), (0.5, 0.18), (0.6, 0.1), width=0.08), LEAF_DARK)
    body(p, q.ellipse(0.5, 0.32, 0.16, 0.055), LEAF, LEAF_DARK)


def _corn(p: Painting) -> None:
    q = p.plane
    cob = q.ellipse(0.5, 0.45, 0.2, 0.38)
    body(p, cob, YELLOW, YELLOW_DARK)
    rows = [q.line([(0.4 + 0.1 * k, 0), (0.4 + 0.1 * k, 1)], 0.018) for k in range(3)]
    rows += [q.line([(0, 0.14 + 0.1 * k), (1, 0.14 + 0.1 * k)], 0.018) for k in range(7)]
    p.fill(meet(union(*rows), cob + EDGE), YELLOW_DARK)
    for tip in ((0.16, 0.3), (0.84, 0.3)):
        body(p, leaf(q, tip, (0.5, 0.92), 0.5), LEAF, LEAF_DARK)


def _pumpkin(p: Painting) -> None:
    q = p.plane
    p.fill(stem(q, (0.5, 0.36), (0.5, 0.2), (0.62, 0.15), width=0.09), LEAF_DARK)
    for x, rx in ((0.26, 0.18), (0.74, 0.18), (0.38, 0.19), (0.62, 0.19), (0.5, 0.16)):
        body(p, q.ellipse(x, 0.59, rx, 0.275), ORANGE, ORANGE_DARK)


def _peas(p: Painting) -> None:
    q = p.plane
    body(p, leaf(q, (0.9, 0.23), (0.1, 0.74), 0.56), LEAF, LEAF_DARK)
    p.fill(leaf(q, (0.82, 0.3), (0.18, 0.7), 0.4), LEAF_DARK)
    p.fill(q.line([(0.88, 0.24), (0.93, 0.16)], 0.05), LEAF_DARK)
    for x, y in ((0.33, 0.6), (0.5, 0.49), (0.67, 0.38)):
        body(p, q.disc(x, y, 0.1), LIME, LEAF_DARK)
        p.fill(q.disc(x - 0.03, y - 0.03, 0.025), SHINE)


VEGETABLES = {
    "N": _carrot,
    "R": _eggplant,
    "S": _mushroom,
    "T": _radish,
    "U": _onion,
    "V": _broccoli,
    "W": _pepper,
    "X": _corn,
    "Y": _pumpkin,
    "Z": _peas,
}
