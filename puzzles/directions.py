"""The four directions: their steps, and the words that people write for them."""

from collections.abc import Iterable

from puzzles.family import Cell

STEPS: dict[str, Cell] = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
DIRECTIONS = tuple(STEPS)

_VARIANTS = {
    "up": ("u", "north", "n", "upward", "upwards", "↑", "⬆", "⇧", "⇑"),
    "right": ("r", "east", "e", "rightward", "rightwards", "→", "➡", "⇨", "⇒"),
    "down": ("d", "south", "s", "downward", "downwards", "↓", "⬇", "⇩", "⇓"),
    "left": ("l", "west", "w", "leftward", "leftwards", "←", "⬅", "⇦", "⇐"),
}
_WORDS = {word: name for name, words in _VARIANTS.items() for word in (name, *words)}
_PLAIN = {word: name for name in STEPS for word in (name, name.upper())}


def parse_direction(word: str) -> str:
    """Return up, right, down or left where ``word`` means one of them, else ``word`` unchanged."""
    return _PLAIN.get(word) or _WORDS.get(word.strip().rstrip("\ufe0f").lower(), word)


def moved(cell: Cell, direction: str) -> Cell:
    """Return the neighbour of ``cell`` in ``direction``."""
    row, col = STEPS[direction]
    return cell[0] + row, cell[1] + col


def walk(cell: Cell, directions: Iterable[str]) -> list[Cell]:
    """Return the cells of a walk from ``cell``, itself first."""
    cells = [cell]
    for direction in directions:
        cells.append(moved(cells[-1], direction))
    return cells


def quoted(value: object) -> str:
    """Return ``value`` as a message quotes it, cut short where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
