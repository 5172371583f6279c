"""What the server gives to a request, to an episode, and to all of them together."""

from __future__ import annotations

from dataclasses import dataclass

from oracle.errors import TooLarge
from puzzles.notation import size_of


@dataclass(frozen=True)
class Limits:
    """The limits of a server; above them a request is refused with one sentence.

    body_bytes
        Of a request, the drawings in it included.
    request_seconds
        From the first byte of a request to the beginning of its response.
    steps
        Of one episode, and of the steps that a stateless transition brings.
    characters
        Of a text that a step brings; reading takes some microseconds for each.
    episode_bytes
        Of all steps of one episode as they are kept.
    open_episodes
        That go on at once, over all workers of one store.
    cells
        Of a board, rows times columns.
    pixels
        Of a picture that is drawn.
    drawing_pixels
        Of a drawing that a step brings.
    seconds
        For making, solving or settling one board once its turn has come, and for waiting for it.
    waiting
        Boards that wait for their turn at once.
    states, state_bytes
        What a search for the optimum of a board from outside may store.
    idle_seconds
        After these an episode that nobody has stepped is forgotten, be it over or not.
    games, game_seconds
        Games on the page that are kept at once, and the seconds after which one that nobody has
        gone on with is forgotten; people save them days later. A study is never forgotten.
    cached, cached_bytes
        Episodes that a worker keeps in memory, and the bytes that they were sent; the others are
        rebuilt from the store when they are asked for.
    """

    body_bytes: int = 8 << 20
    request_seconds: float = 60.0
    steps: int = 1_000
    characters: int = 1_000_000
    episode_bytes: int = 256 << 20
    open_episodes: int = 100_000
    cells: int = 2_500
    pixels: int = 16_000_000
    drawing_pixels: int = 5_000_000
    seconds: float = 10.0
    waiting: int = 64
    states: int = 5_000_000
    state_bytes: int = 1 << 30
    idle_seconds: float = 24 * 3600.0
    games: int = 100_000
    game_seconds: float = 30 * 24 * 3600.0
    cached: int = 1_000
    cached_bytes: int = 256 << 20

    def check_cells(self, board: str) -> None:
        """Raise TooLarge for a board of too many cells."""
        rows, columns = size_of(board)
        if rows * columns > self.cells:
            raise TooLarge(f"the board has {rows * columns:,} cells, more than {self.cells:,}")

    def check_pixels(self, board: str, cell: int) -> None:
        """Raise TooLarge for a picture of too many pixels, ``cell`` of them a cell."""
        rows, columns = size_of(board)
        pixels = rows * columns * cell * cell
        if pixels > self.pixels:
            raise TooLarge(
                f"the picture has {pixels:,} pixels, more than {self.pixels:,}: "
                f"ask for a smaller cell"
            )
