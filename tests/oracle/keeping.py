"""What every store must do, whatever its database; each database has a test class of its own."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from oracle.store import Store

OPENING = {"instance": {"board": "#S.G#\n\x00é"}, "protocol": "oracle-vcot", "donor": None}


class Contract:
    """The tests; a class that inherits them has a fixture ``place``, an empty database."""

    @pytest.fixture
    def store(self, place: Any) -> Iterator[Store]:
        store = Store(place)
        yield store
        store.close()

    def test_an_episode_and_its_steps_come_back(self, store: Store, place: Any) -> None:
        store.open("one", OPENING, 1.0)
        assert store.opening("one") == OPENING
        assert store.steps("one") == []
        steps = ['{"round":1}', '{"reply":"é\\u0000"}', ""]
        for number, step in enumerate(steps, 1):
            assert store.append("one", number, step, False, 2.0)
        for after in range(5):
            assert store.steps("one", after) == steps[after:]
        other = Store(place)  # what another process would see
        assert (other.opening("one"), other.steps("one")) == (OPENING, steps)
        other.close()

    def test_what_is_not_there_is_none(self, store: Store) -> None:
        store.open("one", OPENING, 1.0)
        assert store.opening("two") is None
        assert store.steps("two") is None
        assert store.append("two", 1, "{}", False, 1.0) is False
        assert store.delete("two") is False

    def test_each_number_is_taken_once_and_in_turn(self, store: Store) -> None:
        store.open("one", OPENING, 1.0)
        assert store.append("one", 2, "skipped", False, 1.0) is False
        assert store.append("one", 1, "first", False, 1.0) is True
        assert store.append("one", 1, "again", False, 1.0) is False
        assert store.append("one", 3, "skipped", False, 1.0) is False
        assert store.append("one", 2, "second", True, 1.0) is True
        assert store.steps("one") == ["first", "second"]

    def test_deleting_takes_the_steps_along(self, store: Store) -> None:
        for name in ("one", "two"):
            store.open(name, OPENING, 1.0)
            store.append(name, 1, name, False, 1.0)
        assert store.delete("one") is True
        assert store.steps("one") is None
        assert store.append("one", 2, "late", False, 1.0) is False
        store.open("one", OPENING, 1.0)
        assert store.steps("one") == []
        assert store.steps("two") == ["two"]

    def test_open_are_those_that_go_on(self, store: Store) -> None:
        assert store.open_count() == 0
        for name in ("one", "two", "three"):
            store.open(name, OPENING, 1.0)
        store.append("one", 1, "{}", True, 1.0)
        store.append("two", 1, "{}", False, 1.0)
        assert store.open_count() == 2
        store.delete("three")
        assert store.open_count() == 1

    def test_the_idle_go_and_a_step_keeps_alive(self, store: Store) -> None:
        for at, name in enumerate(("old", "stepped", "new")):
            store.open(name, OPENING, float(at))
        store.append("stepped", 1, "{}", False, 9.0)
        assert store.expire(2.0) == 1
        assert [store.opening(name) is None for name in ("old", "stepped", "new")] == [
            *(True, False, False)
        ]
        assert store.expire(9.0) == 1
        assert store.expire(9.0) == 0
        assert store.steps("stepped") == ["{}"]

    def test_at_most_a_thousand_go_at_a_time_the_oldest_first(self, store: Store) -> None:
        for number in range(1_003):
            store.open(f"{number}", {}, float(number))
        assert store.expire(5_000.0) == 1_000
        assert [store.opening(f"{n}") is None for n in (0, 999, 1_000)] == [True, True, False]
        assert store.expire(5_000.0) == 3

    def test_documents_are_kept_by_kind_and_name(self, store: Store) -> None:
        store.put("game", "b", {"x": "é\x00"}, 2.0)
        store.put("game", "a", {"x": [1, None]}, 3.0)
        store.put("person", "a", {}, 1.0)
        assert store.get("game", "b") == {"x": "é\x00"}
        assert store.get("game", "c") is None
        assert store.all("game") == [("b", {"x": "é\x00"}), ("a", {"x": [1, None]})]
        store.put("game", "b", {"x": 2}, 9.0)
        assert store.all("game") == [("b", {"x": 2}), ("a", {"x": [1, None]})]
        assert store.drop("game", "a") is True
        assert store.drop("game", "a") is False
        assert store.all("game") == [("b", {"x": 2})]
        assert store.all("person") == [("a", {})]

    def test_a_document_is_swapped_for_what_it_was(self, store: Store) -> None:
        first, second = {"x": [0.1, "\ud800 é"], "y": None}, {"x": 2}
        store.put("game", "a", first, 1.0)
        assert store.swap("game", "a", second, {}, 2.0) is False
        assert store.swap("game", "b", first, {}, 2.0) is False
        assert store.get("game", "a") == first
        assert store.swap("game", "a", first, second, 2.0) is True
        assert store.swap("game", "a", first, {}, 3.0) is False
        assert store.get("game", "a") == second

    def test_documents_fade_by_kind_unless_they_are_kept_anew(self, store: Store) -> None:
        for name in ("old", "put", "swapped", "new"):
            store.put("game", name, {}, 9.0 if name == "new" else 1.0)
        store.put("person", "old", {}, 1.0)
        store.put("game", "put", {}, 7.0)
        store.swap("game", "swapped", {}, {"x": 1}, 8.0)
        assert (store.count("game"), store.fade("game", 5.0), store.count("game")) == (4, 1, 3)
        assert {name for name, _ in store.all("game")} == {"put", "swapped", "new"}
        assert store.get("person", "old") == {}

    def test_of_many_who_append_one_number_one_does(self, store: Store) -> None:
        store.open("one", OPENING, 1.0)
        taken: list[tuple[int, int]] = []

        def append(who: int) -> None:
            for number in range(1, 21):
                if store.append("one", number, f"{who}", False, 1.0):
                    taken.append((number, who))
                while len(store.steps("one") or []) < number:
                    pass  # another has it, and is about to be seen

        threads = [threading.Thread(target=append, args=(who,)) for who in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(number for number, _ in taken) == list(range(1, 21))
        assert store.steps("one") == [f"{who}" for _, who in sorted(taken)]
