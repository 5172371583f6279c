"""Our side of every race, in a process of its own like that of a peer."""

from itertools import count
from pathlib import Path

import boards
from contest import Play, serve

from puzzles import corridors, family, make, solve
from puzzles.draws import Draws
from puzzles.klotski import FAMILY as KLOTSKI
from puzzles.maze.sample import TEXTURES
from puzzles.parking.direct import reachable
from solvers.breadth_first import layers


def _made(name: str, n: int, difficulty: str = "hard") -> Play:
    """Make ``n`` instances at a time; their boards are what comes out."""
    seed = count()

    def play() -> tuple[int, list[str]]:
        made = make(name, difficulty, n, seed=next(seed))
        return n, [instance.board for instance in made]

    return play


def bare_mazes() -> Play:
    """The sampler alone: walls, the cells of the route and so its length, as arrays."""
    draws, texture = Draws("race"), TEXTURES["medium"]
    low, high, prefer = texture

    def play() -> tuple[int, list[int]]:
        for length in range(7, 18):
            corridors.grow(draws.state, 10, 10, 1, length, low, high, prefer, 3000)
        return 11, []

    return play


def path(file: str) -> Play:
    """From the State to the list of actions."""
    room = family("maze")
    state = room.parse(Path(file).read_text(), {})

    def play() -> tuple[int, list[int]]:
        return 1, [len(solve(room, state).actions)]

    return play


def states(file: str) -> Play:
    """All states that can be reached from each board."""
    room = family("parking")
    starts = [room.parse(text, {}) for text in boards.rush_hour(file)]

    def play() -> tuple[int, list[int]]:
        return sum(map(reachable, starts)), []

    return play


def _trays(file: str) -> list:
    return [
        KLOTSKI.parse(text.replace("/", "\n"), {"goal": [3, 1]}) for text in boards.klotski(file)
    ]


def klotski(file: str) -> Play:
    """A shortest solution in slides of each board."""
    starts = _trays(file)

    def play() -> tuple[int, list[int]]:
        return len(starts), [solve(KLOTSKI, start, metric="slide").length for start in starts]

    return play


def klotski_all(file: str) -> Play:
    """All states that can be reached from each of a few boards, in slides."""
    starts = _trays(file)[: boards.FEW]

    def play() -> tuple[int, list[int]]:
        for start in starts:
            level, words = KLOTSKI.pack(start)
            layers(KLOTSKI.systems["slide"], level, words[None])
        return len(starts), []

    return play


def boxoban(file: str) -> Play:
    """A shortest solution of each level in moves of the player."""
    room = family("sokoban")
    records = boards.sokoban(file)
    starts = [room.parse(record["board"], {}) for record in records]
    known = [record["moves"] for record in records]

    def play() -> tuple[int, list[int]]:
        lengths = [len(solve(room, start).actions) for start in starts]
        if lengths != known:
            raise ValueError(f"lengths {lengths} are not the published {known}")
        return len(starts), []

    return play


serve(
    "puzzles",
    {
        "sokoban": lambda: _made("sokoban", 256),
        "maze": lambda: _made("maze", 2048, "medium"),
        "long-maze": lambda: _made("maze", 2048),
        "bare-maze": bare_mazes,
        "parking": lambda: _made("parking", 34),
        "path": path,
        "states": states,
        "klotski": klotski,
        "klotski-all": klotski_all,
        "boxoban": boxoban,
    },
)
