"""Maps of MovingAI (.map), and the scenarios (.scen) that set start and goal on them."""

import re
from collections.abc import Iterator
from pathlib import Path

from puzzles.exchange import BadRecord, Entry, Source, lines_of
from puzzles.maze.exchange import placed
from puzzles.maze.rules import State

_MAP = re.compile(r"\ufeff?\s*type[ \t]+\w+[ \t]*[\r\n]\s*(height|width)\b")
_SCENARIOS = re.compile(r"\ufeff?\s*version[ \t]+\d[^\t\r\n]*(?:[\r\n]|\Z)")
_BLOCKED, _OPEN = re.compile("[^.GS]"), re.compile("[GS]")
_FIELDS = 9

Walls = tuple[str, ...]


def claims(text: str) -> bool:
    """Return whether the text begins as a .map or a .scen file does."""
    return bool(_MAP.match(text) or _SCENARIOS.match(text))


def read(source: Source) -> Iterator[Entry]:
    """Yield the maze of a map, or those of all scenarios of a file.

    A walker takes four directions here, and may enter ``.``, ``G`` and ``S``. The optima of the
    scenarios are those of eight directions, so they are left out.
    """
    if _SCENARIOS.match(source.text):
        yield from _scenarios(source)
        return
    try:
        walls = _walls(source.text)
        if not {"start", "goal"} <= source.options.keys():
            raise BadRecord("a .map needs --start and --goal, or a .scen file that sets them")
        start, goal = source.options["start"], source.options["goal"]
        yield Entry(1, source.text, placed(walls, tuple(start), tuple(goal)))
    except BadRecord as error:
        yield Entry(1, source.text, problem=str(error))


def _walls(text: str) -> Walls:
    """Return the rows of a map; raise BadRecord where they aren't as its head says."""
    lines = [line.rstrip("\r\n") for line in lines_of(text.lstrip("\ufeff"))]
    words = [line.split() for line in lines]
    if ["map"] not in words:
        raise BadRecord("the map has no line 'map' between its head and its rows")
    first = words.index(["map"]) + 1
    head = dict(pair for pair in words[:first] if len(pair) == 2)
    rows = lines[first:]
    while rows and not rows[-1].strip():
        rows.pop()
    height, width = (_number(head.get(name, "nothing"), name) for name in ("height", "width"))
    if not height or not width:
        raise BadRecord("the map has no cells")
    if len(rows) != height:
        raise BadRecord(f"the map has {len(rows)} rows, its height is {height}")
    for at, row in enumerate(rows):
        if len(row) != width:
            raise BadRecord(f"row {at} of the map has {len(row)} cells, its width is {width}")
    return tuple(_OPEN.sub(".", _BLOCKED.sub("#", row)) for row in rows)


def _number(word: str, name: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise BadRecord(f"the {name} is {word}, not a whole number")
    return int(word)


def _scenarios(source: Source) -> Iterator[Entry]:
    """Yield each scenario; the head and blank lines belong to the one that follows, or the last."""
    maps: dict[str, Walls | BadRecord] = {}
    entry, record = None, ""
    for number, line in enumerate(lines_of(source.text), 1):
        if not line.strip() or _SCENARIOS.match(line):
            record += line
            continue
        if entry:
            yield entry
        try:
            entry = Entry(number, record + line, _scenario(line, source.path.parent, maps))
        except BadRecord as error:
            entry = Entry(number, record + line, problem=str(error))
        record = ""
    entry = entry or Entry(1, "", problem="the file has no scenario")
    yield entry._replace(record=entry.record + record)


def _fields(line: str) -> list[str]:
    fields = line.strip("\r\n").split("\t")
    return fields if len(fields) == _FIELDS else line.split()


def _name_of_map(fields: list[str]) -> str:
    return re.split(r"[/\\]", fields[1])[-1]


def beside(source: Source) -> list[Path]:
    """Return the maps that the scenarios of a file name; none for a map."""
    if not _SCENARIOS.match(source.text):
        return []
    lines = map(_fields, lines_of(source.text))
    names = {_name_of_map(fields) for fields in lines if len(fields) == _FIELDS}
    return [source.path.parent / name for name in sorted(names)]


def _scenario(line: str, folder: Path, maps: dict[str, Walls | BadRecord]) -> State:
    fields = _fields(line)
    if len(fields) != _FIELDS:
        raise BadRecord(
            f"a scenario has {_FIELDS} fields with tabs between, this has {len(fields)}"
        )
    names = ("map width", "map height", "start x", "start y", "goal x", "goal y")
    width, height, *at = (
        _number(word, name) for word, name in zip(fields[2:8], names, strict=True)
    )
    name = _name_of_map(fields)
    if name not in maps:
        maps[name] = _map_beside(folder, name)
    walls = maps[name]
    if isinstance(walls, BadRecord):
        raise walls
    rows, columns = len(walls), len(walls[0])
    if (rows, columns) != (height, width):
        raise BadRecord(
            f"the scenario is for a map of {height}x{width} cells, {name} has {rows}x{columns}"
        )
    return placed(walls, (at[1], at[0]), (at[3], at[2]))


def _map_beside(folder: Path, name: str) -> Walls | BadRecord:
    try:
        return _walls((folder / name).read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError) as error:
        if isinstance(error, BadRecord):
            return BadRecord(f"{name}: {error}")
        return BadRecord(f"its map {name} does not lie beside the file")
