"""What the icons of Onet share: their colours, leaves and stems."""

from render.canvas import Painting
from render.palette import Colour
from render.shapes import Field, Plane, Point, bend

LEAF: Colour = (92, 168, 66)
LEAF_DARK: Colour = (48, 112, 52)
STEM: Colour = (110, 76, 48)
RED: Colour = (220, 52, 50)
RED_DARK: Colour = (160, 30, 40)
SHINE: Colour = (255, 246, 230)
YELLOW: Colour = (252, 214, 66)
YELLOW_DARK: Colour = (206, 150, 30)
ORANGE: Colour = (250, 146, 40)
ORANGE_DARK: Colour = (204, 100, 24)
PEAR: Colour = (190, 206, 74)
PEAR_DARK: Colour = (132, 150, 44)
GRAPE: Colour = (132, 84, 186)
GRAPE_DARK: Colour = (86, 50, 134)
BERRY: Colour = (74, 104, 190)
BERRY_DARK: Colour = (44, 62, 130)
BLUSH: Colour = (250, 148, 116)
PEACH: Colour = (253, 186, 132)
PEACH_DARK: Colour = (226, 128, 92)
CREAM: Colour = (253, 244, 216)
BARK: Colour = (122, 82, 52)
BARK_DARK: Colour = (84, 54, 36)
LIME: Colour = (160, 208, 84)
NIGHT: Colour = (58, 36, 74)
EGGPLANT: Colour = (92, 58, 118)
BLACK: Colour = (44, 36, 36)
MAGENTA: Colour = (214, 62, 128)
TEAL: Colour = (126, 190, 150)
GREY: Colour = (226, 222, 230)
COLOURS = (
    *(LEAF, LEAF_DARK, STEM, RED, RED_DARK, SHINE, YELLOW, YELLOW_DARK, ORANGE, ORANGE_DARK),
    *(PEAR, PEAR_DARK, GRAPE, GRAPE_DARK, BERRY, BERRY_DARK, BLUSH, PEACH, PEACH_DARK, CREAM),
    *(BARK, BARK_DARK, LIME, NIGHT, EGGPLANT, BLACK, MAGENTA, TEAL, GREY),
)
EDGE = 0.028


def body(painting: Painting, shape: Field, colour: Colour, edge: Colour) -> None:
    painting.fill(shape, edge).fill(shape + EDGE, colour)


def curve(*points: Point) -> list[Point]:
    """A smooth outline through every second point, the ones between pulling at it."""
    out = [points[0]]
    for start, control, end in zip(points[::2], points[1::2], points[2::2], strict=False):
        out += bend(start, control, end)[1:]
    return out


def mirrored(right: list[Point]) -> list[Point]:
    """An outline whose right half runs from top to bottom, completed on the left."""
    return [*right, *((1 - x, y) for x, y in reversed(right[1:-1]))]


def leaf(plane: Plane, tip: Point, root: Point, fat: float) -> Field:
    """A pointed leaf between two points, ``fat`` of its length wide."""
    (ax, ay), (bx, by) = root, tip
    mx, my, dx, dy = (ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay
    left = bend(root, (mx - dy * fat, my + dx * fat), tip)
    right = bend(tip, (mx + dy * fat, my - dx * fat), root)
    return plane.polygon([*left, *right[1:-1]])


def stem(plane: Plane, *points: Point, width: float = 0.05) -> Field:
    return plane.line(bend(points[0], points[1], points[2]) if len(points) == 3 else points, width)
