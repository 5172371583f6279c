"""TRL: a class a family for ``GRPOTrainer(environment_factory=...)``; it needs no TRL itself.

A rollout is an episode of a stepwise protocol, with tools in the place of texts: one names an
action, and returns the next picture; the other says that the goal is reached.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, get_type_hints

from oracle.messages import Step
from oracle.session import Opening, Session
from oracle.trainers import rewards
from protocols import prompts
from protocols.adapters.rows import instance_of
from protocols.aids import CELL, Aids
from protocols.messages import Image
from protocols.protocol import Protocol, named
from protocols.reward import SEARCHING
from protocols.selection import Selection
from puzzles.replay import WrongInstance
from puzzles.rooms import NAMES, family

Content = list[dict[str, Any]]
"""Content blocks as chat templates take them: ``{"type": "image", "image": PIL}`` and text."""

_TOOLS = (
    "You play it with tools. A call of `{tool}` takes one action, and shows you the board after "
    "it. An action that isn't legal ends the puzzle as failed. {end}"
)
_FINISH = "When the goal is reached, call `finish`: only then the puzzle is solved."
_BUDGET = "The puzzle ends after exactly {n} actions."
_NEXT = "The picture shows the board after your action."
_OVER = "The puzzle is over."


class PuzzleEnvironment:
    """What the environments of all families share; see ``environment``.

    TRL takes every public function of the class for a tool, but for ``reset`` and ``get_reward``.
    """

    _family: ClassVar[str]
    _protocol: ClassVar[Protocol]
    _reward: ClassVar[rewards.Kind]
    _cell: ClassVar[int]

    def __init__(self) -> None:
        self._session: Session | None = None
        self._gave_up = False

    def reset(self, **row: Any) -> Content:
        """Begin the episode of a row of the dataset; return what the model is shown first.

        ``protocols.adapters.rows.instance_of`` says what a row may hold. Raises ValueError.
        """
        instance = instance_of(row, self._family)
        opening = Opening(instance, self._protocol.name, cell=self._cell)
        self._session = Session(opening, Aids(self._cell))
        self._gave_up = False
        puzzle = prompts.puzzle(instance, grid=self._protocol.aug)
        return [self._picture(0), _text(f"{puzzle}\n\n{self._rules(self._session)}")]

    def get_reward(self) -> float | None:
        """Return the reward of the episode so far; None where the instance is found to be wrong.

        An episode that hasn't been ended is a failure, wherever it stands.
        """
        if self._session is None or self._gave_up:
            return 0.0
        try:
            score = rewards.judged(
                self._session.episode,
                strict=False,  # a tool writes it
                progress=self._reward in SEARCHING,
            )
        except WrongInstance:
            return None
        return rewards.reward(self._reward, score)

    def _rules(self, session: Session) -> str:
        walk = session.episode.play.walk
        assert walk is not None
        end = _BUDGET.format(n=walk.cap) if self._protocol.budget else _FINISH
        return _TOOLS.format(tool=family(self._family).controls.tool.__name__, end=end)

    def _act(self, action: Any) -> Content:
        """Take an action, as the JSON value that the family reads; return what comes of it."""
        session = self._session
        if session is None or session.done or self._gave_up:
            return [_text(_OVER)]
        taken = session.take(Step(round=session.round + 1, action=action))
        shown: Content = [] if taken.image is None else [self._picture(taken.image)]
        if not session.done:
            return [*shown, _text(_NEXT)]
        said = _NEXT if taken.legal else f"The action can't be taken: {taken.detail}."
        return [*shown, _text(f"{said} {_OVER}")]

    def _picture(self, number: int) -> dict[str, Any]:
        assert self._session is not None
        return {"type": "image", "image": _pil(self._session.pictures.pop(number))}


class _Claiming(PuzzleEnvironment):
    """With a tool that ends the episode, as the protocols but for ``+budget`` want it."""

    def finish(self) -> Content:
        """Say that the goal is reached, which ends the puzzle."""
        session = self._session
        if session is not None and not session.done:
            if session.round:
                session.take(Step(round=session.round, remaining=0))
            else:
                self._gave_up = True  # no board is solved to begin with
        return [_text(_OVER)]


def environment(
    name: str,
    *,
    protocol: str = "oracle-vcot",
    reward: str = "efficiency",
    cell: int = CELL,
) -> type[PuzzleEnvironment]:
    """Return the class of a family, such as SokobanEnvironment, for ``environment_factory``.

    Its tools are the family's own, one that takes an action, and ``finish()``.

    protocol
        oracle-vcot or oracle-aug-vcot; ``+budget`` takes ``finish`` away and tells the optimum. The
        source noise is for controls.
    reward
        efficiency, optimal or feasible; see ``oracle.trainers.rewards``.
    cell
        Pixels a cell.

    Raises UnknownFamily, UnknownProtocol, and ValueError for a protocol that tools can't carry.
    """
    tool, chosen = family(name).controls.tool, _carried(protocol)
    members = {
        "__module__": __name__,
        "__doc__": f"{name}: one episode after the other, each begun by ``reset``.",
        "_family": name,
        "_protocol": chosen,
        "_reward": rewards.checked(reward),
        "_cell": cell,
        tool.__name__: _acting(tool),
    }
    base = PuzzleEnvironment if chosen.budget else _Claiming
    return type(f"{name.capitalize()}Environment", (base,), members)


def environments(**options: Any) -> dict[str, type[PuzzleEnvironment]]:
    """Return the classes of all families, by the name that rows carry as ``environment``."""
    return {name: environment(name, **options) for name in NAMES}


def rows(data: str | Path, **selection: Any) -> list[dict[str, Any]]:
    """Return the instances in ``data`` as rows for ``datasets.Dataset.from_list``.

    selection
        What ``protocols.selection.Selection`` takes: families, difficulties, limit.

    The picture is none of the columns: the environment draws it. Raises DatasetError.
    """
    selected = Selection([Path(data)], [named("oracle-vcot")], **selection)
    selected.check()
    return [
        {
            "prompt": [{"role": "user", "content": ""}],
            "environment": job.instance.family,
            "record": job.instance.line(),
        }
        for job in selected.jobs()
    ]


def _carried(name: str) -> Protocol:
    """Return the protocol; raise ValueError where it isn't played by tools that show pictures."""
    protocol = named(name)
    if (
        not protocol.stepwise
        or protocol.source not in ("oracle", "noise")
        or protocol.last
        or protocol.vgau
    ):
        raise ValueError(
            f"{name}: tools carry oracle-vcot, oracle-aug-vcot, noise-vcot, noise-aug-vcot, and "
            "these with +budget"
        )
    return protocol


def _acting(tool: Callable[..., Any]) -> Callable[..., Content]:
    """Return the method that acts as ``tool`` names it, with its name, types and words."""
    signature = inspect.signature(tool)

    def method(self: PuzzleEnvironment, *args: Any, **kwargs: Any) -> Content:
        try:
            action = tool(*args, **kwargs)
        except TypeError:  # arguments that it doesn't take: a bad action, as in any other protocol
            action = kwargs
        return self._act(action)

    receiver = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [receiver, *signature.parameters.values()]
    return _described(method, tool, signature.replace(parameters=parameters))


def _described(
    method: Callable[..., Content], tool: Callable[..., Any], signature: inspect.Signature
) -> Callable[..., Content]:
    """Give ``method`` what a tool is told by; ``wraps`` would hide that it has a receiver."""
    method.__name__ = method.__qualname__ = tool.__name__
    method.__doc__ = tool.__doc__
    method.__annotations__ = {**get_type_hints(tool), "return": Content}
    # What inspect.signature looks for first; the type of functions doesn't know it.
    method.__signature__ = signature.replace(return_annotation=Content)  # type: ignore[attr-defined]
    return method


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _pil(image: Image) -> Any:
    from PIL import Image as Pillow

    return Pillow.open(BytesIO(image.png)).convert("RGB")
