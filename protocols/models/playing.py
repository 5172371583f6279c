"""What all built-in players have in common: how they answer, act, count and draw."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from protocols.episode import Episode, Play
from protocols.messages import Image, Purpose, Reply, Request
from protocols.models import AskError
from protocols.models.foresight import legal_part
from puzzles.draws import Draws
from solvers import SearchLimit


@dataclass(frozen=True)
class Player(ABC):
    """Replies to the requests of episodes; see ``players.player``.

    A reply is a pure function of the name, the run and the episode, so episodes may be interleaved
    and asked from several threads.
    """

    name: str
    run: int = 1
    prose: ClassVar[str] = ""
    """What is said before an answer where there is room for reasoning."""

    @abstractmethod
    def plan(self, play: Play) -> list[Any]:
        """Return the actions that solve the board, as the player believes."""

    @abstractmethod
    def action(self, play: Play) -> Any | None:
        """Return the next action of a stepwise episode; None where the player gives up."""

    @abstractmethod
    def count(self, play: Play) -> int:
        """Return how many actions remain, as the player believes."""

    def reply(self, episode: Episode) -> Reply:
        """Return what the player says or draws; raise ValueError where nothing is asked any more.

        Raises AskError where the board is too large for what the player has to know.
        """
        if episode.request is None:
            raise ValueError("the episode is over; nothing is asked")
        try:
            return self._reply(episode.request, episode.play)
        except SearchLimit as error:
            raise AskError(f"{episode.instance.id}: {self.name} has no reply: {error}") from None

    def _reply(self, request: Request, play: Play) -> Reply:
        if request.purpose == "answer":
            return Reply(self._answer_text(play), finish="stop")
        if request.purpose == "action":
            return Reply(self._action_text(play), finish="stop")
        if request.purpose == "probe":
            return Reply(f"<answer>{self.count(play)}</answer>", finish="stop")
        return Reply(images=(self._picture(play, request.purpose).png,), finish="stop")

    def answer(self, play: Play) -> list[Any]:
        """Return the answer that names the plan."""
        return list(play.room.answer_of(play.state, self.plan(play)))

    def _answer_text(self, play: Play) -> str:
        wire = str(play.room.format_answer(self.answer(play)))
        return wire if play.protocol.paradigm == "direct" else f"{self.prose}\n\n{wire}"

    def _action_text(self, play: Play) -> str:
        action, step = self.action(play), play.room.step
        if action is None:
            return "I know no action to take."
        items: list[Any] = []
        if step.items is not None and play.walk is not None:
            passed = play.room.answer_of(play.state, [action])
            items = [item for item in passed if item not in play.walk.items]
        return f"<STEP_JSON>{step.format(action, items)}</STEP_JSON>"

    def _picture(self, play: Play, purpose: Purpose) -> Image:
        if purpose == "drawing":
            drawn = legal_part(play.room, play.state, self.plan(play))
            return play.aids.solution(play.instance, drawn)
        grid = purpose == "aid" or play.protocol.aug
        return play.aids.board(play.instance, play.state, aug=grid)

    def draws(self, play: Play, *what: Any) -> Draws:
        """Return the random numbers of one decision."""
        instance = play.instance
        board = instance.id or (instance.family, instance.board)
        return Draws(self.name, self.run, board, play.protocol.name, *what)


def taken(play: Play) -> list[Any]:
    """Return the actions taken so far."""
    return play.walk.actions if play.walk else []
