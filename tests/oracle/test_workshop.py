"""The workshop: boards made, settled and solved elsewhere, and what becomes of those that can't."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import puzzles
from oracle import making
from oracle.errors import NoWay, Refused, TooLarge, TooMany, TooSlow, Unavailable
from oracle.limits import Limits
from oracle.worker import Worker
from oracle.workshop import Workshop
from puzzles import Instance
from puzzles.generate import Recipe, generate
from tests.oracle.solving import CORRIDOR

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def workshop() -> Iterator[Workshop]:
    workshop = Workshop(Limits(seconds=60))
    yield workshop
    workshop.close()


def refused(kind: type[Refused], asked: Awaitable[Any], *words: str) -> None:
    with pytest.raises(kind) as error:
        asyncio.run(_waited(asked))
    assert type(error.value) is kind
    assert "\n" not in str(error.value)
    for word in words:
        assert word in str(error.value)


async def _waited(asked: Awaitable[Any]) -> Any:
    return await asked


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize(("difficulty", "seed", "index"), [("easy", 0, 0), ("hard", 7, 65)])
def test_a_board_is_the_one_that_is_made_at_that_place(
    workshop: Workshop, family: str, difficulty: str, seed: int, index: int
) -> None:
    recipe = Recipe(family, seed, difficulty)
    made = asyncio.run(workshop.make(family, difficulty, seed, index))
    assert made == generate(recipe, index).instance


@pytest.mark.parametrize("family", puzzles.NAMES)
def test_a_settled_board_has_its_optimum_and_a_way_there(workshop: Workshop, family: str) -> None:
    one = generate(Recipe(family, 3, "medium"), 2).instance
    settled = asyncio.run(workshop.settle(family, one.board, one.rules))
    same = ("id", "family", "difficulty", "board", "rules", "optimal_length", "metric")
    assert [getattr(settled, name) for name in same] == [getattr(one, name) for name in same]
    assert puzzles.verify(settled, settled.answer or "").optimal
    room = puzzles.family(family)
    way = asyncio.run(workshop.solve(family, one.board, one.rules))
    assert len(way) == one.optimal_length
    state = room.parse(one.board, one.rules)
    for value in way:
        (action,) = room.step.parse(value)
        state = room.apply(state, action)
    assert room.is_solved(state)


def test_a_corridor_is_settled_as_one_can_see(workshop: Workshop) -> None:
    settled = asyncio.run(workshop.settle("maze", CORRIDOR))
    assert (settled.optimal_length, settled.difficulty) == (2, "easy")
    assert settled.answer == '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    assert asyncio.run(workshop.solve("maze", CORRIDOR)) == [{"move": "right"}] * 2
    assert asyncio.run(workshop.solve("maze", "####\n#*.#\n####")) == []


@pytest.mark.parametrize(
    ("family", "board", "words"),
    [
        ("chess", CORRIDOR, "unknown family 'chess'"),
        ("maze", "####\n#*.#\n####", "solved already"),
        ("maze", "no board", "'n' at (0,0)"),
        ("maze", "", ""),
        ("klotski", "\x00", ""),
    ],
)
def test_boards_that_are_none_are_refused(
    workshop: Workshop, family: str, board: str, words: str
) -> None:
    refused(Refused, workshop.settle(family, board), words)


@pytest.mark.parametrize(("family", "board"), [("maze", "#####\n#S#G#\n#####"), ("onet", "AB\nBA")])
def test_a_board_without_a_way_is_told_from_one_that_is_none(
    workshop: Workshop, family: str, board: str
) -> None:
    refused(NoWay, workshop.settle(family, board), "unsolvable")
    refused(NoWay, workshop.solve(family, board), "unsolvable")


@pytest.mark.parametrize("family", puzzles.NAMES)
@pytest.mark.parametrize("value", [None, [], "x", -1, 1 << 80, [1, "a"], {"a": {}}, True])
def test_rules_that_are_none_are_refused_or_read(
    workshop: Workshop, family: str, value: Any
) -> None:
    board = generate(Recipe(family, 3, "easy"), 2).instance.board
    for name in ("surprise", *puzzles.family(family).rule_options):
        try:
            asyncio.run(workshop.settle(family, board, {name: value}))
        except Refused as error:
            assert name in str(error)  # noqa: PT017
            continue
        assert name != "surprise"


def test_a_large_board_is_refused_before_its_turn() -> None:
    workshop = Workshop(Limits(cells=18))
    workshop.check("maze", CORRIDOR)
    wider = CORRIDOR.replace("######", "#######").replace(".#", "..#")
    refused(TooLarge, workshop.settle("maze", wider), "21 cells, more than 18")
    refused(TooLarge, workshop.solve("maze", "#" * 19), "19 cells")
    workshop.close()


def test_a_search_that_would_store_too_much_is_refused() -> None:
    board = generate(Recipe("klotski", 3, "hard"), 2).instance.board
    with pytest.raises(Refused, match="search limit of 100 states"):
        making.settle("klotski", board, {}, Limits(states=100))


def test_an_answer_is_found_in_the_metric_of_the_instance(workshop: Workshop) -> None:
    board = "......\n......\nRR..A.\n....A.\n......\n......"
    one = Instance(family="parking", board=board, optimal_length=2, metric="slide")
    found = asyncio.run(workshop.answered(one))
    assert puzzles.verify(found, found.answer or "").optimal
    assert found.model_copy(update={"answer": None}) == one
    broken = one.model_copy(update={"board": "?"})
    refused(Refused, workshop.answered(broken), "parking")


@pytest.mark.parametrize(
    ("family", "difficulty", "words"),
    [("chess", "easy", "unknown family"), ("maze", "severe", "unknown difficulty 'severe'")],
)
def test_what_there_is_none_of_is_not_made(
    workshop: Workshop, family: str, difficulty: str, words: str
) -> None:
    refused(Refused, workshop.make(family, difficulty, 0, 0), words)


def test_this_process_loads_no_compiler() -> None:
    code = """
import asyncio, sys
from oracle.limits import Limits
from oracle.workshop import Workshop
if __name__ == "__main__":
    workshop = Workshop(Limits(seconds=60))
    made = asyncio.run(workshop.make("maze", "easy", 0, 0))
    asyncio.run(workshop.settle(made.family, made.board))
    workshop.close()
    assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


# Time.

WIDE = "\n".join(["TTaabb.", "TTccdd.", "efghijk", "lmnopqr", "stuvwxy", "AABBCC."])
"""Little blocks of which the states can't be counted, let alone searched."""


def test_a_board_that_takes_too_long_is_given_up_and_the_next_is_done() -> None:
    workshop = Workshop(Limits(seconds=1, states=1 << 40, state_bytes=8 << 30))
    begun = time.monotonic()
    refused(TooSlow, workshop.settle("klotski", WIDE), "more than the 1 seconds")
    assert 0.9 < time.monotonic() - begun < 30
    workshop.limits = Limits(seconds=60)  # a new process has its kernels to load
    settled = asyncio.run(workshop.settle("maze", CORRIDOR))
    assert settled.optimal_length == 2
    workshop.close()


def test_the_start_of_the_worker_is_nobody_s_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop = Workshop(Limits(seconds=0.2))
    monkeypatch.setattr(workshop._worker, "call", lambda *_, seconds: time.sleep(seconds or 0.5))

    async def ask() -> None:
        warming = asyncio.create_task(workshop.warm())
        await asyncio.sleep(0.05)
        await workshop.settle("maze", CORRIDOR)
        await warming

    asyncio.run(ask())
    workshop.close()


def test_while_kernels_are_compiled_a_request_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop = Workshop(Limits())
    monkeypatch.setattr("oracle.workshop._PATIENCE", 0.1)
    monkeypatch.setattr(workshop._worker, "call", lambda *_, seconds: time.sleep(0.5))

    async def ask() -> None:
        warming = asyncio.create_task(workshop.warm())
        await asyncio.sleep(0.05)
        with pytest.raises(Unavailable, match="being compiled"):
            await workshop.settle("maze", CORRIDOR)
        await workshop.loaded()
        await warming
        await workshop.settle("maze", CORRIDOR)

    asyncio.run(ask())
    workshop.close()


def test_those_behind_a_slow_board_wait_so_long_and_so_many() -> None:
    limits = Limits(seconds=1.0, waiting=3, states=1 << 40, state_bytes=8 << 30)
    workshop = Workshop(limits)

    async def ask() -> list[Any]:
        slow = [workshop.settle("klotski", WIDE) for _ in range(2)]
        quick = [workshop.settle("maze", CORRIDOR) for _ in range(2)]
        return await asyncio.gather(*slow, *quick, return_exceptions=True)

    found = asyncio.run(ask())
    assert [type(one) for one in found] == [TooSlow, TooSlow, TooSlow, TooMany]
    assert "more than the 1 seconds" in str(found[0])
    assert "has waited for 1 seconds" in str(found[2])
    assert "3 boards wait" in str(found[3])
    workshop.close()


# The process.


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


def pid(worker: Worker) -> int:
    return int(worker.call(os.getpid, seconds=60))


def test_a_worker_that_is_killed_is_replaced(worker: Worker) -> None:
    first = pid(worker)
    assert first != os.getpid()
    assert pid(worker) == first
    with pytest.raises(TooLarge, match="perhaps for want of memory"):
        worker.call(os._exit, 3, seconds=60)
    second = pid(worker)
    assert second != first
    os.kill(second, signal.SIGKILL)
    with pytest.raises(TooLarge, match="perhaps for want of memory"):
        worker.call(os.getpid, seconds=60)
    assert pid(worker) not in (first, second)


@pytest.mark.parametrize(
    ("function", "argument", "error"),
    [
        (int, "x", RuntimeError),
        (bytes, 1 << 60, TooLarge),
        (Worker, "unexpected", RuntimeError),
    ],
)
def test_what_a_function_raises_comes_back_and_the_worker_goes_on(
    worker: Worker, function: Callable[..., Any], argument: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        worker.call(function, argument, seconds=60)
    assert worker.call(int, "3", seconds=60) == 3


def test_closing_ends_what_it_is_at() -> None:
    worker = Worker()
    begun = time.monotonic()

    async def closed() -> None:
        waiting = asyncio.create_task(asyncio.to_thread(worker.call, time.sleep, 60, seconds=None))
        await asyncio.sleep(0.5)
        worker.close()
        with pytest.raises(TooLarge):
            await waiting

    asyncio.run(closed())
    assert time.monotonic() - begun < 30
    worker.close()


def test_the_worker_ends_with_its_parent_even_when_that_is_killed() -> None:
    code = """
import os, threading, time
from oracle.worker import Worker
if __name__ == "__main__":
    worker = Worker()
    print(worker.call(os.getpid, seconds=60), flush=True)
    worker.call(time.sleep, 600, seconds=None)
"""
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    end = time.monotonic() + 20
    while _runs(child):
        assert time.monotonic() < end
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # dead, and nobody has asked after it
