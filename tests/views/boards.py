"""Small boards of every family, none of them square, with a solution each."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from puzzles.klotski import rules as klotski
from puzzles.maze import rules as maze
from puzzles.onet import rules as onet
from puzzles.parking import rules as parking
from puzzles.path import rules as path
from puzzles.sokoban import rules as sokoban


class Board(NamedTuple):
    family: str
    state: Any
    actions: Sequence[Any]


MAZE = Board(
    "maze",
    maze.parse("#######\n#S..#.#\n##.##.#\n#...G.#\n#######", {}),
    ["right", "down", "down", "right", "right"],
)
PATH = Board(
    "path",
    path.parse("SA.#\n#.##\n#B.G\nD##C\nE.##", {}),
    ["right", "down", "down", "right", "right"],
)
SOKOBAN = Board(
    "sokoban",
    sokoban.parse("#######\n#--@--#\n#-$-*-#\n#---.-#\n#-----#\n#######", {}),
    ["down", "left", "up"],
)
ONET = Board(
    "onet",
    onet.parse("AB..A\nC.D.B\nCaaD.", {"max_turns": 2, "outside": False}),
    [
        onet.Pair((1, 0), (2, 0)),
        onet.Pair((2, 1), (2, 2)),
        onet.Pair((1, 2), (2, 3)),
        onet.Pair((0, 1), (1, 4)),
        onet.Pair((0, 0), (0, 4)),
    ],
)
PARKING = Board(
    "parking",
    parking.parse("BB..C#\n.RR.C.\nDDD...\n#...E.\n....E.", {}),
    [parking.Slide("C", "down"), parking.Slide("R", "right"), parking.Slide("R", "left")],
)
KLOTSKI = Board(
    "klotski",
    klotski.parse("ATTB\nATTB\n.CC.\nDEF.\nDGGH", {"goal": [3, 1]}),
    [klotski.Slide((0, 0), "down"), klotski.Slide((2, 1), "right"), klotski.Slide((2, 2), "left")],
)
BOARDS = (MAZE, SOKOBAN, PATH, ONET, PARKING, KLOTSKI)
