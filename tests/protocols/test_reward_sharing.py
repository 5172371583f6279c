"""Rewards are what they are whoever asks, and whatever was asked before: threads and processes."""

from __future__ import annotations

import multiprocessing
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import pytest

from protocols import given as kept
from protocols.reward import Score, score
from puzzles import NAMES, family, make
from puzzles.replay import WrongInstance, initial, optimal_actions
from solvers import Limit


def pairs() -> list[tuple[str, str]]:
    """Return replies with their instances: right ones, cut ones, others' and none."""
    found = []
    for name in NAMES:
        instances = make(name, "easy", 3, seed=8)
        for one, other in zip(instances, [*instances[1:], instances[0]], strict=True):
            wire = str(one.answer)
            cut = family(name).format_answer([*_read(name, wire)][:-1])
            found += [(reply, one.line()) for reply in (wire, cut, str(other.answer), "")]
    return found


def _read(name: str, wire: str) -> list[Any]:
    from puzzles.answers import extract

    return extract(wire, family(name)).answer or []


@pytest.fixture(scope="module")
def told() -> list[tuple[tuple[str, str], Score]]:
    return [(pair, score(*pair)) for pair in pairs()]


def test_threads_say_what_one_says(told: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzles.distances.KEPT", 500)  # so that tables come and go
    kept.DISTANCES.clear()
    kept._kept.cache_clear()
    kept._read.cache_clear()
    order = told * 4
    random.Random(1).shuffle(order)
    with ThreadPoolExecutor(8) as threads:
        again = list(threads.map(lambda one: score(*one[0]), order))
    assert again == [found for _, found in order]


def test_a_process_that_is_forked_while_another_thread_searches(told: Any) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with kept.DISTANCES._lock:
            held.set()
            done.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    try:
        context = multiprocessing.get_context("fork")
        results = context.SimpleQueue()
        child = context.Process(target=lambda: results.put([score(*pair) for pair, _ in told]))
        child.start()
        child.join(60)
        alive = child.is_alive()
        child.kill()
    finally:
        done.set()
        thread.join()
    assert not alive
    assert child.exitcode == 0
    assert results.get() == [found for _, found in told]


def test_a_process_of_its_own_says_the_same(told: Any) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        again = pool.starmap(score, [pair for pair, _ in told])
    assert again == [found for _, found in told]


def test_nothing_is_left_of_a_call_before(told: Any) -> None:
    for (reply, record), found in told:
        with pytest.raises(WrongInstance):
            score(reply, record.replace('"board":"', '"board":"?'))
        score("x" * 1000, record)
        assert score(reply, record) == found


def test_at_the_search_limit_the_order_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("puzzles.solve"), "_SMALL", 10)
    monkeypatch.setattr("puzzles.distances.SEARCH", Limit(states=225))  # just enough at first
    monkeypatch.setattr("puzzles.distances.SPACE", Limit(states=0))
    board = make("sokoban", "medium", 1, seed=2)[0]
    room, state = family("sokoban"), initial(board)
    way = [state := room.apply(state, action) for action in optimal_actions(board)]
    origin = kept.given(board)
    assert origin.left(initial(board)) == len(way)

    def told(order: list[Any]) -> list[float | None]:
        kept.DISTANCES.clear()
        return [origin.left(one) for one in order]

    assert None in told(way[:-1])
    assert told(way[::-1])[::-1] == told(way)
    assert told([initial(board), *way])[1:] == told(way)
