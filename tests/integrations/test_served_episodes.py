"""Episodes at volume over HTTP: a server of its own process, 16 clients, and a crash in between."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from puzzles import NAMES, family
from tests.oracle.serving import Place, Server, judged, played

pytestmark = pytest.mark.integration


def places(n: int, seed: int) -> list[Place]:
    """Return ``n`` places, families and difficulties in turn."""
    buckets = [(name, difficulty) for name in NAMES for difficulty in family(name).buckets]
    return [Place(*buckets[k % len(buckets)], seed, k // len(buckets)) for k in range(n)]


def test_a_thousand_episodes_are_solved_and_judged_alike(tmp_path):
    with Server(tmp_path) as server:
        answers = played(server.url, places(1_000, seed=1))
    assert len(answers) == 1_000
    assert all(answer["verdict"]["optimal"] for answer in answers)
    assert judged(answers, tmp_path) == [answer["verdict"] for answer in answers]


def test_a_server_that_is_killed_goes_on_where_it_was(tmp_path):
    """Twice it ends in the middle of everything; no episode is lost, no step lost or doubled."""
    with Server(tmp_path) as server, ThreadPoolExecutor(1) as beside:
        games = beside.submit(played, server.url, places(96, seed=2))
        for _ in range(2):
            time.sleep(2.5)
            assert not games.done()
            server.kill()
            server.start()
        answers = games.result()
    assert len(answers) == 96
    assert all(answer["verdict"]["optimal"] for answer in answers)
    for answer in answers:
        assert len(answer["steps"]) == answer["verdict"]["optimal_length"]
    assert judged(answers, tmp_path) == [answer["verdict"] for answer in answers]
