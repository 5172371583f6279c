"""Nothing that a model is shown depends on the optimal length, whatever is played."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import puzzles
from protocols.aids import Aids
from protocols.episode import Episode
from protocols.messages import Reply, Request
from protocols.protocol import PROTOCOLS, Protocol, named
from puzzles.draws import Draws
from puzzles.instance import Instance
from render.encode import png
from render.noise import noise

DIFFICULTIES = ("easy", "medium", "hard")
SILENT = [protocol for protocol in PROTOCOLS.values() if not protocol.leaks]
SILENT += [named("oracle-vcot+last"), named("self-aug-vcot+last")]
CELL = 8


@lru_cache(maxsize=64)
def boards(family: str, difficulty: str) -> list[Instance]:
    return list(puzzles.make(family, difficulty, 2, seed=5))


def play(episode: Episode, way: str) -> Iterator[Request]:
    """Yield what the model is shown while ``way`` is played, to the end of the episode."""
    draws = Draws(way, episode.instance.board)
    plan = [] if way == "at random" else list(solution(episode.instance))
    while (request := episode.request) is not None:
        yield request
        episode.take(reply(episode, request, plan, draws, way))


@lru_cache(maxsize=64)
def solution_of(family: str, board: str) -> tuple[Any, ...]:
    room = puzzles.family(family)
    return tuple(puzzles.solve(room, room.parse(board, {})).actions)


def solution(instance: Instance) -> tuple[Any, ...]:
    return solution_of(instance.family, instance.board)


def reply(episode: Episode, request: Request, plan: list[Any], draws: Draws, way: str) -> Reply:
    room, state = episode.play.room, episode.play.state
    if request.due == "image":
        return Reply(images=(request.images[0].png,))
    if request.purpose == "probe":
        at_goal = room.is_solved(state) and way != "past the goal"
        return Reply("<answer>0</answer>" if at_goal else "<answer>3</answer>")
    if request.purpose == "answer":
        return Reply(room.format_answer(room.answer_of(state, solution(episode.instance))))
    legal = room.legal_actions(state)
    if plan:
        action = plan.pop(0)
    elif legal:
        action = draws.choice(legal)
    else:
        return Reply("there is nothing to do")
    return Reply(f"<STEP_JSON>{room.step.format(action, [])}</STEP_JSON>")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures of another generator for every board, three of each for stepwise protocols."""
    folder = tmp_path_factory.mktemp("pictures")
    for family in puzzles.NAMES:
        for difficulty in DIFFICULTIES:
            name = boards(family, difficulty)[0].id
            (folder / name).mkdir()
            for at, file in enumerate((f"{name}.png", *(f"{name}/{k}.png" for k in (1, 2, 3)))):
                (folder / file).write_bytes(png(noise(40, 60, at)))
    return folder


def shown(instance: Instance, protocol: Protocol, way: str, files: Path | None = None) -> list[Any]:
    """Return all that the model is shown before the end: roles, texts, the bytes of pictures."""
    donor = boards(instance.family, instance.difficulty)[1]
    episode = Episode(instance, protocol, Aids(CELL, donor=lambda _: donor, files=files))
    return [
        (
            request.due,
            request.purpose,
            request.round,
            [
                (message.role, [p if isinstance(p, str) else p.png for p in message.parts])
                for message in request.messages
            ],
        )
        for request in play(episode, way)
    ]


def ways(protocol: Protocol) -> tuple[str, ...]:
    return ("shortest", "past the goal", "at random") if protocol.stepwise else ("shortest",)


def of_another_length(instance: Instance) -> Instance:
    bucket = puzzles.family(instance.family).buckets[instance.difficulty]
    other = bucket.low if instance.optimal_length != bucket.low else bucket.high
    return instance.model_copy(update={"optimal_length": other, "answer": None, "stats": {}})


@pytest.mark.parametrize(
    "difficulty", ["easy", "medium", pytest.param("hard", marks=pytest.mark.audit)]
)
@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("protocol", SILENT, ids=lambda p: p.name)
def test_the_stored_length_shows_in_nothing(
    protocol: Protocol, family: str, difficulty: str, files: Path
) -> None:
    instance = boards(family, difficulty)[0]
    other = of_another_length(instance)
    assert other.optimal_length != instance.optimal_length
    for way in ways(protocol):
        one, two = (shown(i, protocol, way, files) for i in (instance, other))
        assert one
        assert one == two
        if protocol.stepwise and way != "at random":
            rounds = one[-1][2]
            assert rounds >= min(instance.optimal_length, other.optimal_length)


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_the_budget_tells_the_length_and_fixed_stopping_does_not(family: str) -> None:
    instance = boards(family, "easy")[0]
    other = of_another_length(instance)
    for name, told in (("oracle-vcot+budget", True), ("oracle-vcot", False)):
        one, two = (shown(i, named(name), "past the goal") for i in (instance, other))
        assert (one != two) == told


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_ids_and_boards_are_never_shown(family: str) -> None:
    instance = boards(family, "easy")[0]
    for protocol in SILENT[:3]:
        for _, _, _, messages in shown(instance, protocol, "shortest"):
            for _, parts in messages:
                for part in parts:
                    if isinstance(part, str):
                        assert instance.id not in part
                        assert instance.id[-16:] not in part
                        assert instance.board.split("\n")[0] not in part
