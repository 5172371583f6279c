"""textarena's Rush Hour: its generator, which scrambles and checks by a search of its own."""

from collections import deque

import textarena.envs.RushHour.env as rush
from boards import rush_hour
from contest import Play, serve


def parking() -> Play:
    """Its hard boards: 35 random moves away from where they began, found solvable."""
    game = rush.RushHourEnv("hard")

    def play() -> tuple[int, list[str]]:
        game.reset(num_players=1)
        cars = {cell: car.vid for car in game.initial_layout for cell in car.cells()}
        rows = [[cars.get((r, c), ".") for c in range(6)] for r in range(6)]
        return 1, ["\n".join(map("".join, rows)).replace("X", "R")]

    return play


class _Counted(deque):
    """A queue that counts what is taken from it: the states that a search expands."""

    taken = 0

    def popleft(self):
        _Counted.taken += 1
        return super().popleft()


def states(file: str) -> Play:
    """Its search, until solved or 1,000 states, on the boards without walls, which it lacks."""
    game = rush.RushHourEnv("easy")
    rush.deque = _Counted
    layouts = [_vehicles(text) for text in rush_hour(file) if "x" not in text][::6]

    def play() -> tuple[int, list[int]]:
        _Counted.taken = 0
        for vehicles in layouts:
            game._is_solvable(vehicles)
        return _Counted.taken, []

    return play


def _vehicles(text: str) -> list:
    vehicles = []
    for name in sorted(set(text) - set(".o")):
        first, length = text.index(name), text.count(name)
        across = text[first : first + 2] == name * 2
        vid = "X" if name == "A" else name
        vehicles.append(rush._Vehicle(vid, *divmod(first, 6), length, across))
    return vehicles


serve("textarena", {"parking": parking, "states": states})
