"""Streams: the boards of `make`, each to one reader, on from any place, as the weights say."""

import json
import pickle
import re
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import NAMES, Entry, Instance, family, make, mixture, stream
from puzzles.dataset import kin_of, load
from puzzles.family import GenerationError
from puzzles.generate import generate
from puzzles.instance import kinship, split_of
from puzzles.replay import initial
from puzzles.shards.layouts import PLAIN
from puzzles.streaming import Stream

MAZES = mixture("maze", lengths=[2, (3, 5)], sizes=[(4, 5), None], options={"border": False})
EVERY = [Entry(name, "easy") for name in NAMES]


def taken(boards: Stream[Instance], n: int) -> list[str]:
    return [instance.line() for instance in islice(boards, n)]


def test_a_stream_has_the_boards_that_are_made_one_by_one() -> None:
    for instance in islice(stream(EVERY, seed=3), 60):
        index = instance.index or 0
        recipe = Entry(instance.family, "easy").recipe(3, "any")
        assert instance == generate(recipe, index).instance


def test_a_stream_of_one_kind_is_the_dataset_until_a_board_comes_again() -> None:
    streamed = taken(stream(Entry("maze", "hard"), seed=5), 100)
    assert streamed == [instance.line() for instance in make("maze", "hard", 100, seed=5)]


@pytest.mark.parametrize("name", ["maze", "parking", "onet"])
def test_shares_take_every_index_once(name: str) -> None:
    block, entry = family(name).block, Entry(name, "easy")
    shares = [stream(entry, shard=(k, 3)) for k in range(3)]
    indices = [[one.index for one in islice(share, 2 * block)] for share in shares]
    assert sorted(chain.from_iterable(indices)) == list(range(6 * block))
    for k, share in enumerate(indices):
        assert {index // block % 3 for index in share if index is not None} == {k}


@given(st.integers(0, 150), st.integers(0, 2))
@settings(deadline=None, max_examples=15)
def test_a_stream_goes_on_from_its_state(n: int, k: int) -> None:
    first = stream(MAZES, seed=1, shard=(k, 3))
    taken(first, n)
    state = json.loads(json.dumps(first.state_dict()))
    other = stream(MAZES, seed=1, shard=(k, 3))
    other.load_state_dict(state)
    assert taken(other, 90) == taken(first, 90)
    assert other.counts == first.counts
    assert other.position == n + 90


def test_every_family_goes_on_from_its_state() -> None:
    first, other = (stream(EVERY, seed=2) for _ in range(2))
    taken(first, 33)
    other.load_state_dict(first.state_dict())
    assert taken(other, 20) == taken(first, 20)


def test_a_state_goes_back_too() -> None:
    boards = stream(MAZES)
    start = boards.state_dict()
    first = taken(boards, 70)
    boards.load_state_dict(start)
    assert taken(boards, 70) == first


def test_weights_decide_how_often_an_entry_is_drawn() -> None:
    easy, hard = Entry("maze", "easy", weight=3), Entry("maze", "hard")
    boards = stream([easy, hard])
    taken(boards, 2000)
    assert sum(boards.counts.values()) == 2000
    assert 1400 < boards.counts["maze/easy"] < 1600  # 1500, and five standard deviations


def test_the_entry_of_the_last_board_is_known() -> None:
    boards = stream(MAZES)
    assert boards.entry == ""
    for instance in islice(boards, 40):
        assert boards.entry.split("/")[1] == ("2" if instance.optimal_length == 2 else "3-5")
        assert ("4x5" in boards.entry) == (len(instance.board) == 4 * 6 - 1)


def test_weights_change_while_streaming() -> None:
    boards = stream([Entry("maze", "easy"), Entry("maze", "hard"), Entry("onet", "easy")])
    taken(boards, 10)
    boards.weights.update({"maze/easy": 0, "onet/easy": 0.0})
    assert {one.difficulty for one in islice(boards, 50)} == {"hard"}
    boards.weights["onet/easy"] = 1
    boards.weights["maze/hard"] = 0
    assert {one.family for one in islice(boards, 20)} == {"onet"}
    assert boards.weights == {"maze/easy": 0, "maze/hard": 0, "onet/easy": 1}
    other = stream([Entry("maze", "easy"), Entry("maze", "hard"), Entry("onet", "easy")])
    other.load_state_dict(boards.state_dict())
    assert other.weights == boards.weights
    assert taken(other, 5) == taken(boards, 5)


def test_weights_that_are_none_change_nothing() -> None:
    boards = stream([Entry("maze", "easy"), Entry("maze", "hard")])
    for bad in (-1, float("nan"), float("inf"), 1e10, "1", None):
        with pytest.raises(ValueError, match="the weight of maze/hard is a number from 0 to"):
            boards.weights.update({"maze/easy": 5, "maze/hard": bad})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="no entry 'maze/harder'"):
        boards.weights["maze/harder"] = 1
    with pytest.raises(ValueError, match="at least one weight must be above 0"):
        boards.weights.update({"maze/easy": 0, "maze/hard": 0})
    assert boards.weights == {"maze/easy": 1, "maze/hard": 1}


def test_shares_and_seeds_differ() -> None:
    lines = [taken(stream(MAZES, seed=s, shard=(k, 2)), 30) for s in (0, 1) for k in (0, 1)]
    assert len({line for one in lines for line in one}) == 120


def test_the_state_of_another_stream_is_refused() -> None:
    state = stream(MAZES, seed=1, shard=(0, 2)).state_dict()
    others = (
        stream(MAZES, seed=2, shard=(0, 2)),
        stream(MAZES[::-1], seed=1, shard=(0, 2)),
        stream(MAZES, seed=1, split="train", shard=(0, 2)),
    )
    for other in others:
        with pytest.raises(ValueError, match="the state is that of another stream"):
            other.load_state_dict(state)
    with pytest.raises(ValueError, match="that of shard 0 of 2, this is shard 0 of 4"):
        stream(MAZES, seed=1, shard=(0, 4)).load_state_dict(state)


@pytest.mark.parametrize(
    "change",
    [
        {"counts": None},
        {"counts": {"maze/2": 1}},
        {"shard": 3},
        {"shard": ["a"]},
        {"counts": {entry.name: -1 for entry in MAZES}},
        {"weights": {"maze/2": 1.0}},
    ],
)
def test_what_is_no_state_is_refused_and_changes_nothing(change: dict[str, object]) -> None:
    boards = stream(MAZES)
    before = boards.state_dict()
    with pytest.raises(ValueError, match="that is no state of a stream"):
        boards.load_state_dict({**before, **change})
    assert boards.state_dict() == before


def test_a_board_that_there_is_not_ends_no_stream() -> None:
    impossible = Entry("maze", lengths=(90, 90), size=(4, 4))
    boards = stream([Entry("maze", "easy"), impossible])
    boards.weights["maze/easy"] = 0
    before = boards.state_dict()
    with pytest.raises(GenerationError, match="maze: a 4x4 board"):
        next(boards)
    assert boards.state_dict() == before
    boards.weights.update({"maze/easy": 1, impossible.name: 0})
    assert next(boards).difficulty == "easy"


def test_a_split_and_what_is_excluded_hold(tmp_path: Path) -> None:
    small = Entry("maze", lengths=(2, 3), size=(3, 3), options={"border": False})
    make("maze", lengths=(2, 3), size=(3, 3), options={"border": False}, n=20, out=tmp_path / "d")
    known = {kin_of(instance) for instance in load(tmp_path / "d")}
    plain = {kin_of(one) for one in islice(stream(small, seed=9), 300)}
    assert known & plain  # so there is something to leave out
    boards = stream(small, seed=9, exclude=[tmp_path / "d"])
    first = list(islice(boards, 100))
    other = stream(small, seed=9, exclude=[tmp_path / "d"])
    other.load_state_dict(boards.state_dict())
    for instance in [*first, *islice(other, 200)]:
        assert kin_of(instance) not in known
    for split in ("train", "eval"):
        for one in islice(stream(small, seed=9, split=split), 100):
            canonical = family("maze").canonical(initial(one))
            assert one.split == split == split_of(kinship("maze", canonical))


def test_pictures_and_rows(tmp_path: Path) -> None:
    make("maze", "easy", 3, seed=4, cell=16, out=tmp_path)
    entry = Entry("maze", "easy")
    pictured = list(islice(stream(entry, seed=4, cell=16), 3))
    assert [one.instance for one in pictured] == load(tmp_path)
    for one in pictured:
        assert one.image == (tmp_path / str(one.instance.file_name)).read_bytes()
        assert one.aid == (tmp_path / str(one.instance.aid_file_name)).read_bytes()
    row = next(stream(entry, seed=4, cell=16, row=PLAIN))
    assert list(row) == list(PLAIN.features)
    assert row["image"]["bytes"] == pictured[0].image
    assert set(PLAIN.features) - set(next(stream(entry, row=PLAIN))) == {"image", "aid"}
    lengths = stream(entry, row=lambda pictured: pictured.instance.optimal_length)
    assert next(lengths) == next(stream(entry)).optimal_length


def test_a_stream_can_be_sent_to_another_process() -> None:
    boards = stream(MAZES, cell=16, row=PLAIN)
    next(boards)
    copy = pickle.loads(pickle.dumps(boards))
    assert next(copy) == next(boards)


def test_entries_have_names() -> None:
    entry = Entry("maze", lengths=(4, 9), size=(5, 7), options={"border": False})
    assert entry.name == "maze/4-9/5x7/border=false"
    assert [one.name for one in mixture(["maze", "path"], difficulties=["easy"], lengths=[7])] == [
        *("maze/easy", "maze/7", "path/easy", "path/7")
    ]
    same = Entry("maze", lengths=7, size=[6, 5])  # type: ignore[arg-type]  # as out of JSON
    other = Entry("maze", lengths=(7, 7), size=(6, 5))
    assert same.name == other.name == "maze/7/6x5"
    assert next(stream(same)) == next(stream(other))
    assert len(mixture(NAMES, lengths=range(3, 6), sizes=[(4, 4), (5, 5)])) == 6 * 3 * 2


@pytest.mark.parametrize(
    ("entries", "options", "message"),
    [
        ([], {}, "at least one entry"),
        ([Entry("maze", "easy"), Entry("maze", "easy")], {}, "maze/easy is given twice"),
        (Entry("maze"), {}, "either a difficulty or lengths"),
        (Entry("maze", "easy", lengths=5), {}, "either a difficulty or lengths"),
        (Entry("maze", lengths=0), {}, "lengths go from 1 up"),
        (Entry("maze", "easy", size=(0, 5)), {}, "a size is ROWSxCOLUMNS"),
        (Entry("maze", "easy", options={"cycles": {1}}), {}, "option cycles is of type int"),
        (Entry("maze", "hardest"), {}, "unknown difficulty 'hardest'"),
        (Entry("mazes", "easy"), {}, "unknown family 'mazes'"),
        (Entry("maze", "easy", weight=-1), {}, "the weight of maze/easy is a number from 0"),
        (Entry("maze", "easy", weight=0), {}, "at least one weight must be above 0"),
        (Entry("maze", "easy"), {"split": "test"}, "unknown split 'test'"),
        (Entry("maze", "easy"), {"shard": (2, 2)}, "not 2 of 2"),
        (Entry("maze", "easy"), {"cell": 8}, "cell is 16 to 512 pixels, not 8"),
        (Entry("maze", "easy"), {"exclude": ["nowhere"]}, "nowhere holds no dataset"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(entries, options, message) -> None:
    with pytest.raises(ValueError, match=message):
        stream(entries, **options)


def test_what_the_page_shows_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[1] / "docs" / "streaming.md").read_text()
    space: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        if "torch" not in code and "loader" not in code:
            exec(code, space)
    counts = {int(name.split("/")[1]): n for name, n in space["boards"].counts.items()}
    # Solved half of the time at length 7: what is about that hard comes most often.
    assert sum(counts[length] for length in (6, 7, 8)) > 1.5 * sum(
        counts[length] for length in (2, 3, 11)
    )
