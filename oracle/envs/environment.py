"""The Gymnasium environment, one class for all families."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from numbers import Integral
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Space
from numpy.typing import NDArray

from oracle.envs.boards import Choice
from oracle.envs.play import Play
from oracle.envs.rewards import Terms, check_known
from oracle.envs.spaces import Actions
from puzzles.directions import quoted
from puzzles.family import IllegalAction
from puzzles.instance import Instance
from puzzles.pictures import check_pixels
from puzzles.rooms import family as room_of
from puzzles.steps import read, written
from puzzles.verdict import Reason

Info = dict[str, Any]
Observation = NDArray[np.uint8]
_FAR = 1 << 40
"""Boards without end begin at some index below."""
_PIXELS = range(8, 257)
_ACTIONS = (1 << 31) - 1
"""As many as the kernels can number."""


class PuzzleEnv(gymnasium.Env[Observation, np.int64]):
    """A puzzle to be solved action by action; docs/environments.md says it all.

    family
        Its name; the registered ids set it.
    observation
        state: uint8 (rows, columns), each cell's index in ``legend``. image: uint8
        (rows * cell, columns * cell, 3), RGB.
    cell, render_cell
        Pixels a cell of observations, and of what ``render()`` draws.
    options
        Which boards are played (``oracle.envs.boards.Choice``), and what they are worth
        (``oracle.envs.rewards.Terms``).

    Raises ValueError, with one sentence, for options that can't be meant.
    """

    # A class attribute that Gymnasium declares as one of instances, so it is no ClassVar here.
    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        family: str,
        *,
        observation: str = "state",
        cell: int = 16,
        render_cell: int = 64,
        render_mode: str | None = None,
        **options: Any,
    ):
        choice, self._terms = _read(options)
        check_known("observation", observation, ("state", "image"))
        if render_mode is not None:
            check_known("render_mode", render_mode, self.metadata["render_modes"])
        self.room = room_of(family)
        self.boards = choice.of(family)
        self.render_mode, self._image = render_mode, observation == "image"
        self._cell = self._pixels("cell", cell, self._image)
        self._render_cell = self._pixels("render_cell", render_cell, render_mode == "rgb_array")
        self._reward = self._terms.new_reward()
        self._play = Play(self.room, self.boards.distances.of, self._terms.max_steps)
        self._numbering = self.room.controls.numbering
        self._next: int | None = None
        self._over = True
        self._actions = self._counted()
        self.action_space = Actions(self._actions)
        self.observation_space = self._observations()

    def _pixels(self, name: str, cell: int, drawn: bool) -> int:
        if type(cell) is not int or cell not in _PIXELS:
            raise ValueError(f"{name} is {_PIXELS[0]} to {_PIXELS[-1]} pixels, not {quoted(cell)}")
        if drawn:
            check_pixels(self.boards.size, cell)
        return cell

    def _counted(self) -> int:
        rows, columns = self.boards.size
        count = self._numbering.count(self.boards.size)
        if count > _ACTIONS:
            raise ValueError(
                f"a {rows}x{columns} board of {self.room.name} has {count:,} actions; "
                f"an environment numbers {_ACTIONS:,} at most"
            )
        return count

    def _observations(self) -> Space[Observation]:
        rows, columns = self.boards.size
        if self._image:
            return Box(0, 255, (rows * self._cell, columns * self._cell, 3), np.uint8)
        return Box(0, len(self.legend) - 1, (rows, columns), np.uint8)

    @property
    def legend(self) -> str:
        """The characters of the board's notation; a state observation holds indices of it."""
        return self.room.controls.legend

    @property
    def instance(self) -> Instance:
        """The instance that is played: its board, rules, optimum, and a solution."""
        return self.play.board.instance

    @property
    def play(self) -> Play:
        """The episode, as rewards see it; raises ResetNeeded before the first one."""
        if not hasattr(self._play, "board"):
            raise ResetNeeded("no episode has begun: call reset()")
        return self._play

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin an episode; ``seed`` decides its board and those of the episodes that follow.

        ``options={"index": k}`` asks for board k of the pool, of the instances given, or of the
        recipe. Raises ValueError for another option, or an index that there is not.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._next = None
        asked = self._asked(options or {})
        board = self.boards.at(self._drawn() if asked is None else asked)
        play = self._play
        play.begin(board)
        self._over = False
        start = getattr(self._reward, "start", None)
        if start is not None:
            start(play)
        info = {
            "action_mask": play.mask,
            "id": board.instance.id,
            "optimal_length": board.optimum,
        }
        return self._look(), info

    def _asked(self, options: Mapping[str, Any]) -> int | None:
        unknown = set(options) - {"index"}
        if unknown:
            raise ValueError(f"reset has no option {quoted(min(unknown))} (known: index)")
        asked, count = options.get("index"), self.boards.count
        if asked is None:
            return None
        whole = isinstance(asked, Integral) and not isinstance(asked, bool)
        if not whole or asked < 0 or (count is not None and asked >= count):
            end = "" if count is None else f" to {count - 1}"
            raise ValueError(f"index is a whole number from 0{end}, not {quoted(asked)}")
        return int(asked)

    def _drawn(self) -> int:
        """Return the index of the next board."""
        if self.boards.count is not None:
            return int(self.np_random.integers(self.boards.count))
        drawn = int(self.np_random.integers(_FAR)) if self._next is None else self._next
        self._next = drawn + 1
        return drawn

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Take the action with this number; see docs/environments.md for ``info``.

        Raises ResetNeeded when the episode is over, ValueError for what is no number of an action.
        """
        if self._over:
            raise ResetNeeded("the episode is over: call reset()")
        number = self._numbered(action)
        play, terms = self._play, self._terms
        play.take(number)
        reward = float(self._reward(play)) - terms.step_cost
        if not play.legal:
            reward -= terms.penalty(play)
        terminated = play.solved or play.stuck or (terms.ends and not play.legal)
        truncated = not terminated and play.steps >= play.cap
        info = {"action_mask": play.mask, "legal": play.legal}
        if terminated or truncated:
            self._over = True
            info.update(self._outcome(number))
        return self._look(), reward, terminated, truncated, info

    def _numbered(self, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._actions:
            raise ValueError(
                f"an action is a whole number from 0 to {self._actions - 1}, not {quoted(action)}"
            )
        return number

    def _outcome(self, number: int) -> Info:
        """Return what ``info`` says when the episode is over, as a verdict would."""
        play = self._play
        reason, detail = Reason.SOLVED if play.solved else Reason.UNSOLVED, ""
        if not play.legal and self._terms.ends:
            try:
                self.room.apply(play.state, self._numbering.action(play.board.size, number))
            except IllegalAction as error:
                reason, detail = error.reason, str(error)
        elif not play.solved and not play.stuck:
            reason = Reason.ROUND_CAP
        return {
            "solved": play.solved,
            "optimal": play.solved and play.moves <= play.board.optimum,
            "moves": play.moves,
            "optimal_length": play.board.optimum,
            "reason": str(reason),
            "detail": detail or reason.sentence,
        }

    def _look(self) -> Observation:
        return self._drawing(self._cell) if self._image else self._play.codes()

    def _drawing(self, cell: int) -> Observation:
        picture = self.room.draw(self.play.state, cell)
        return picture.palette.take(picture.pixels, axis=0)  # four times as fast as an index

    def render(self) -> Any:
        """Return the picture, uint8 (H, W, 3), or the board's notation; None without a mode."""
        if self.render_mode == "ansi":
            return self.room.format(self.play.state) + "\n"
        return self._drawing(self._render_cell) if self.render_mode else None

    def action(self, number: int) -> Any:
        """Return the JSON value of an action, such as ``{"move": "up"}``, from its number.

        Raises ValueError for what is no number of an action.
        """
        action = self._numbering.action(self.boards.size, self._numbered(number))
        return written(self.room.step, action)

    def number(self, value: Any) -> int:
        """Return the number of an action from its JSON value; raise ValueError."""
        named = read(self.room.step, value)
        size, same = self.boards.size, self.room.step.same
        number = self._numbering.number(size, named)
        if 0 <= number < self._actions:
            meant = self._numbering.action(size, number)
            if same(meant) == same(named):
                return number
        rows, columns = size
        raise ValueError(f"{quoted(value)} is no action of a {rows}x{columns} board")


def _read(options: Mapping[str, Any]) -> tuple[Choice, Terms]:
    """Return ``options`` by what they are about."""
    kinds = {kind: [each.name for each in fields(kind)] for kind in (Choice, Terms)}
    known = [name for names in kinds.values() for name in names]
    for name in options:
        if name not in known:
            known_names = ", ".join(["observation", "cell", "render_cell", "render_mode", *known])
            raise ValueError(f"unknown option {name!r} (known: {known_names})")
    given = ({name: options[name] for name in names if name in options} for names in kinds.values())
    return Choice(**next(given)), Terms(**next(given))
