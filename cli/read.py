"""puzzles read: what pictures show, a board, a drawn solution or a visual aid."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cli.arguments import one_of, parse_rules, parse_size
from cli.boards import check_picture, print_picture
from cli.given import given, instance_of
from cli.options import AsJson, BoardRules, Data
from cli.say import escape_output, sentences, tell

if TYPE_CHECKING:
    from puzzles.sights import AidSight, BoardSight, DrawingSight

    Sight = AidSight | BoardSight | DrawingSight
    Look = Callable[[Any], Sight]

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")
"""Files of a folder that are taken for pictures."""
_NAMED = 2
"""Folders that a hint names."""
_SEARCHED = 1_000_000
"""States within which the length of a shortest solution is sought, where nobody has said it."""


def read(
    pictures: Annotated[
        list[str], typer.Argument(help="Pictures: files, folders, or patterns in quotes.")
    ],
    family: Annotated[
        str | None,
        typer.Option(help="Its family [default: that of the reference, or the one that fits]."),
    ] = None,
    size: Annotated[
        str | None, typer.Option(help="ROWSxCOLUMNS [default: found from the grid].")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(help="The board that the picture was made from: text, a file, or an id."),
    ] = None,
    data: Data = Path("data"),
    rules: BoardRules = None,
    what: Annotated[str, typer.Option(help="board, drawing (a drawn solution) or aid.")] = "board",
    overlay: Annotated[
        Path | None,
        typer.Option(help="Write a PNG to look at, of what is read (of several: a folder)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read pictures: the board they show, the solution or the aid that is drawn in them."""
    unreadable = False
    with sentences():
        one_of("--what", what, "board", "drawing", "aid")
        paths = list(_found(pictures))
        look = _looker(what, family, size, reference, data, rules)
        places = _places(paths, overlay)
        escape_output()
        for path in paths:
            readable = _read_one(path, look, places.get(path), as_json)
            unreadable = unreadable or not readable
    if unreadable:
        raise typer.Exit(1)


def _found(words: list[str]) -> Iterator[Path]:
    """Yield the files that are meant, each once; raise ValueError where there is none."""
    seen = set[Path]()
    for word in words:
        path = Path(word)
        if path.is_dir():
            files = sorted(at for at in path.iterdir() if _is_picture(at) and not at.is_dir())
            if not files:
                raise ValueError(f"{word} holds no picture ({', '.join(_PICTURES)}){_deeper(path)}")
        elif path.exists():
            if not path.is_file():
                raise ValueError(f"{word} is no file")
            files = [path]
        else:
            files = sorted(at for at in map(Path, glob(word, recursive=True)) if at.is_file())
            if not files:
                raise ValueError(f"there is no file {word}")
        for at in files:
            if at not in seen:
                seen.add(at)
                yield at


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in _PICTURES


def _deeper(folder: Path) -> str:
    """Return where the pictures are that lie at least depth below, as those of a dataset do."""
    for pattern in ("*/*", "*/*/*", "*/*/*/*"):
        found = sorted({at.parent for at in folder.glob(pattern) if _is_picture(at)})
        if found:
            more = f" and {len(found) - _NAMED:,} folders more" if len(found) > _NAMED else ""
            return f"; there are some in {', '.join(map(str, found[:_NAMED]))}{more}"
    return ""


def _places(paths: list[Path], overlay: Path | None) -> dict[Path, Path]:
    """Return where the overlay of each picture goes; raise ValueError where it can't go there."""
    if overlay is None:
        return {}
    if len(paths) == 1 and not overlay.is_dir():
        check_picture(overlay, ".png")
        if overlay.exists() and overlay.samefile(paths[0]):
            raise ValueError(f"the overlay would replace the picture, {overlay}")
        return {paths[0]: overlay}
    if overlay.suffix or (overlay.exists() and not overlay.is_dir()):
        raise ValueError(f"the overlays of several pictures go to a folder, not to {overlay}")
    places = {path: overlay / f"{path.stem}.png" for path in paths}
    if len({*places.values()}) < len(paths):
        places = {path: overlay / f"{path.name}.png" for path in paths}
    if len({*places.values()}) < len(paths):
        raise ValueError("pictures of one name need overlays in folders of their own")
    for path, place in places.items():
        if place.exists() and place.resolve() in {at.resolve() for at in paths}:
            raise ValueError(f"the overlay of {path} would replace the picture {place}")
    overlay.mkdir(parents=True, exist_ok=True)
    return places


class _Reference(NamedTuple):
    """The board that a picture was made from, and how long a shortest solution is, if known."""

    room: Any
    state: Any
    metric: str
    optimum: int | None


def _looker(
    what: str,
    family: str | None,
    size: str | None,
    reference: str | None,
    data: Path,
    rules: str | None,
) -> Look:
    """Return what looks at a picture as the options say; raise ValueError."""
    from puzzles import family as room_of
    from puzzles import sights
    from puzzles.notation import known_rules

    family = None if family == "auto" else family
    room = None if family is None else room_of(family)
    if reference is not None:
        if size is not None:
            raise ValueError("the reference has a size: give --size or --reference, not both")
        known = _reference(reference, family, rules, data)
        if what == "drawing":
            return lambda image: _drawing(image, known)
        if what == "aid":
            return lambda image: sights.see_aid(known.room, image, known.state)
        return lambda image: sights.see_board(known.room, image, known.state)
    if what != "board":
        raise ValueError(f"--what {what} needs a --reference: the board that it was drawn on")
    shape, options = parse_size(size), parse_rules(rules, "--rules")
    if shape is not None and min(shape) < 1:
        raise ValueError(f"a size is ROWSxCOLUMNS, both 1 or more, not {shape[0]}x{shape[1]}")
    if room is None:
        if options:
            raise ValueError("--rules are those of a family: say its --family")
        return lambda image: sights.see_any_board(image, shape)
    known_rules(options, room.rule_options, room.name)
    return lambda image: sights.see_board(room, image, size=shape, rules=options or None)


def _reference(name: str, family: str | None, rules: str | None, data: Path) -> _Reference:
    from puzzles.instance import ID

    room, state, metric = given(name, family, rules, data)
    if family is not None and room.name != family:
        raise ValueError(f"the reference is a board of {room.name}, not of {family}")
    optimum = instance_of(name, data).optimal_length if ID.fullmatch(name) else None
    return _Reference(room, state, metric, optimum)


def _drawing(image: Any, known: _Reference) -> DrawingSight:
    """Return the solution that is drawn; its optimum is sought where it is not known."""
    from puzzles.sights import see_drawing
    from puzzles.solve import solve
    from solvers import Limit, SearchLimit

    room, state, metric, optimum = known
    sight = see_drawing(room, image, state, optimum, metric)
    if sight.feasible and sight.optimal is None:
        try:
            optimum = solve(room, state, Limit(_SEARCHED), metric=metric).length
        except SearchLimit:
            return sight
        sight = see_drawing(room, image, state, optimum, metric)
    return sight


def _read_one(path: Path, look: Look, place: Path | None, as_json: bool) -> bool:
    """Read a picture, and print or write what it shows; return whether it could be read."""
    from render.decode import UnusablePicture, rgb

    name = str(path)
    try:
        image = rgb(path)
    except UnusablePicture as error:
        reason = str(error).removeprefix(f"{path}: ")
        if as_json:
            record = {"picture": name, **look(path).record(), "reason": reason}
            print(json.dumps(record, ensure_ascii=False), flush=True)
        else:
            tell(f"{name}: unreadable: {reason}")
        return False
    sight = look(image)
    if place is not None:
        _write(place, sight.overlay(image))
    if as_json:
        print(json.dumps({"picture": name, **sight.record()}, ensure_ascii=False), flush=True)
    else:
        _print(name, sight)
    return sight.readable


def _write(place: Path, image: Any) -> None:
    from PIL import Image

    Image.fromarray(image).save(place)


def _print(name: str, sight: Sight) -> None:
    from puzzles.printable import printable

    if not sight.readable:
        tell(f"{name}: {sight.title}, unreadable: {sight.reason}")
        for line in sight.lines():
            print(line, file=sys.stderr)
        return
    print(f"{printable(name)}: {sight.title}")
    if sys.stdout.isatty() and sight.picture is not None:
        print_picture(sight.picture)
    for line in sight.lines():
        print(line)
