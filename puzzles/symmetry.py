"""The rotations and mirror images of a board given as rows of text."""

from collections.abc import Iterable, Iterator

Rows = tuple[str, ...]


def transposed(rows: Rows) -> Rows:
    """Return the board mirrored at its main diagonal."""
    return tuple(map("".join, zip(*rows, strict=True)))


def upside_down(rows: Rows) -> Rows:
    return rows[::-1]


def mirrored(rows: Rows) -> Rows:
    """Return the board with left and right exchanged."""
    return tuple(row[::-1] for row in rows)


def all_eight(rows: Rows) -> Iterator[Rows]:
    """Yield the board's eight rotations and mirror images, itself first."""
    for board in (rows, transposed(rows)):
        across = mirrored(board)
        yield board
        yield across
        yield upside_down(board)
        yield upside_down(across)


def smallest(rows: Rows) -> str:
    """Return the smallest, as text, of the board's eight rotations and mirror images.

    All marks come after the line break, so texts are in the order of their rows; and a text read
    backwards is the board turned by a half.
    """
    text = "\n".join(rows)
    columns = [text[at :: len(rows[0]) + 1] for at in range(len(rows[0]))]
    four = (text, "\n".join(rows[::-1]), "\n".join(columns), "\n".join(columns[::-1]))
    return min(*four, *[text[::-1] for text in four])


def smallest_relabelled(boards: Iterable[Rows], keep: str) -> str:
    """Return the smallest of ``boards`` as text once the names are replaced; see ``relabelled``.

    Names are numbered as they appear, so the first rows alone rule most of the boards out.
    """
    heads = [(relabelled(rows[0] + "\n", keep), rows) for rows in boards]
    smallest = min(head for head, _ in heads)
    return min(relabelled("\n".join(rows), keep) for head, rows in heads if head == smallest)


def relabelled(board: str, keep: str) -> str:
    """Return ``board`` with its names replaced by the order in which they first appear.

    Characters in ``keep`` and line breaks stay. Two boards that differ only in their names
    become equal; the new names are private use characters, so any number of them fits.
    """
    first = 0xE000 + len(keep) + 1
    names = [mark for mark in dict.fromkeys(board) if mark not in keep and mark != "\n"]
    table = {ord(mark): first + at for at, mark in enumerate(names)}
    return board.translate(table)
