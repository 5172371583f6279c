"""Streams in torch's loader and in torchdata's: shared out, steered while they run, resumed."""

import gc
import os
import re
import subprocess
import sys
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

try:
    import torch
    from torch.utils.data import DataLoader
    from torchdata.stateful_dataloader import StatefulDataLoader
except ModuleNotFoundError:
    pytest.skip("torch and torchdata are no part of this environment", allow_module_level=True)

from puzzles import Entry, family, mixture, stream
from puzzles.instance import Instance
from puzzles.pictures import draw
from puzzles.replay import initial
from puzzles.shards.layouts import PLAIN
from puzzles.streaming_torch import WORKERS, PuzzleStream, pixels
from render.decode import rgb

pytestmark = pytest.mark.integration

ROOT = Path(__file__).parents[2]
MAZES = mixture("maze", lengths=[2, 3, 4], sizes=[(5, 6)], options={"border": False})


@pytest.fixture(autouse=True)
def _no_loader_left() -> None:
    """Let go of the last test's loaders: a worker that inherits one ends what it shares with us."""
    gc.collect()


def line(instance: Instance) -> str:
    return instance.line()


def lines(seed: int = 1, **more: Any) -> PuzzleStream:
    return PuzzleStream(MAZES, seed=seed, transform=line, **more)


def taken(loader: Any, batches: int) -> list[str]:
    return list(chain.from_iterable(islice(iter(loader), batches)))


def lengths(*batches: list[str]) -> set[int]:
    texts = chain.from_iterable(batches)
    return {Instance.model_validate_json(text).optimal_length for text in texts}


def test_workers_and_ranks_read_the_shares_of_one_stream() -> None:
    got = []
    for rank in range(2):
        loader = DataLoader(lines(shard=(rank, 2)), batch_size=10, num_workers=2)
        batches = list(islice(iter(loader), 6))
        for worker in range(2):
            share = stream(MAZES, seed=1, shard=(2 * rank + worker, 4))
            expected = [instance.line() for instance in islice(share, 30)]
            assert list(chain.from_iterable(batches[worker::2])) == expected
        got += chain.from_iterable(batches)
    assert len(set(got)) == 120


def test_spawned_workers_read_the_same() -> None:
    forked, spawned = (
        DataLoader(lines(), batch_size=10, num_workers=2, multiprocessing_context=method)
        for method in ("fork", "spawn")
    )
    assert taken(spawned, 4) == taken(forked, 4)


def test_batches_are_pictures_and_what_is_said_of_them() -> None:
    batch = next(iter(DataLoader(PuzzleStream(MAZES, cell=16), batch_size=7)))
    assert batch["image"].shape == (7, 3, 5 * 16, 6 * 16)
    assert batch["image"].dtype == torch.uint8
    for k, text in enumerate(batch["record"]):
        instance = Instance.model_validate_json(text)
        assert batch["entry"][k] == f"maze/{instance.optimal_length}/5x6/border=false"
        assert instance.optimal_length == batch["optimal_length"][k]
        (pictured,) = draw(([instance], 16))
        assert pictured.image is not None
        expected = torch.from_numpy(rgb(pictured.image).copy()).permute(2, 0, 1)
        assert torch.equal(batch["image"][k], expected)


def test_rows_of_a_layout() -> None:
    rows = PuzzleStream(Entry("onet", "easy"), cell=16, row=PLAIN)
    loader = DataLoader(rows, batch_size=None)
    assert next(iter(loader)) == next(stream(Entry("onet", "easy"), cell=16, row=PLAIN))


def test_weights_reach_workers_and_counts_come_back() -> None:
    boards = lines()
    batches = iter(DataLoader(boards, batch_size=5, num_workers=2, prefetch_factor=1))
    first = [next(batches) for _ in range(10)]
    assert lengths(*first) == {2, 3, 4}
    names = list(boards.counts)
    boards.weights.update({names[0]: 0, names[1]: 0})
    for _ in range(4):  # prepared before, or under way
        next(batches)
    for _ in range(6):
        assert lengths(next(batches)) == {4}
    counts = boards.counts
    assert 100 <= sum(counts.values()) <= 120  # two batches may be prepared, two under way
    assert counts[names[0]] < 50
    assert counts[names[2]] > 30


def test_a_loader_that_is_iterated_again_repeats_nothing() -> None:
    loader = DataLoader(lines(), batch_size=5, num_workers=2)
    first, again = taken(loader, 6), taken(loader, 6)
    assert len({*first, *again}) == 60
    more_workers = DataLoader(loader.dataset, batch_size=5, num_workers=3)
    fresh = DataLoader(lines(), batch_size=5, num_workers=3)
    assert taken(more_workers, 6) == taken(fresh, 6)
    alone = DataLoader(loader.dataset, batch_size=5)
    assert taken(alone, 2) == taken(DataLoader(lines(), batch_size=5), 2)
    assert not {*taken(alone, 2)} & {*taken(DataLoader(lines(), batch_size=5), 2)}


def test_a_loader_without_workers_goes_on_from_the_state_of_its_stream() -> None:
    boards, other = lines(), lines()
    items = iter(DataLoader(boards, batch_size=4))
    for _ in range(9):
        next(items)
    boards.weights["maze/3/5x6/border=false"] = 4
    state = boards.state_dict()
    other.load_state_dict(state)
    assert sum(other.counts.values()) == 36
    assert other.weights["maze/3/5x6/border=false"] == 4
    assert taken(DataLoader(other, batch_size=4), 9) == [
        *chain.from_iterable(islice(items, 9)),
    ]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_stateful_loader_goes_on_in_the_middle(workers: int) -> None:
    loader = StatefulDataLoader(lines(), batch_size=7, num_workers=workers)
    batches = iter(loader)
    for _ in range(13):
        next(batches)
    state = loader.state_dict()
    rest = [next(batches) for _ in range(9)]
    again = StatefulDataLoader(lines(), batch_size=7, num_workers=workers)
    again.load_state_dict(state)
    assert list(islice(iter(again), 9)) == rest
    loader.load_state_dict(state)  # and back, in the same process
    assert list(islice(iter(loader), 9)) == rest


def state(boards: PuzzleStream) -> dict[str, Any]:
    loader = StatefulDataLoader(boards, batch_size=7, num_workers=2)
    next(iter(loader))
    found = loader.state_dict()
    del loader
    gc.collect()
    return found


def test_the_state_of_another_stream_is_refused() -> None:
    other = StatefulDataLoader(lines(seed=2), batch_size=7, num_workers=2)
    other.load_state_dict(state(lines()))
    with pytest.raises(ValueError, match="the state is that of another stream"):
        next(iter(other))


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_have_states_of_their_own(workers: int) -> None:
    boards = lines()
    next(iter(DataLoader(boards, num_workers=workers)))
    with pytest.raises(ValueError, match="workers have read the stream"):
        boards.state_dict()


def test_a_state_that_workers_did_not_load_is_refused() -> None:
    boards = lines()
    boards.load_state_dict(boards.state_dict())
    with pytest.raises(ValueError, match="not loaded by the workers that read on"):
        next(iter(DataLoader(boards, num_workers=1)))


def test_two_loaders_of_one_stream_do_not_disturb_each_other() -> None:
    boards = lines()
    first = StatefulDataLoader(boards, batch_size=5, num_workers=2)
    batches = iter(first)
    begun = [next(batches) for _ in range(8)]
    again = StatefulDataLoader(boards, batch_size=5, num_workers=2)
    again.load_state_dict(first.state_dict())
    others = iter(again)
    pairs = [(next(batches), next(others)) for _ in range(20)]
    assert all(one == other for one, other in pairs)
    fresh = iter(DataLoader(lines(), batch_size=5, num_workers=2))
    assert begun + [one for one, _ in pairs] == list(islice(fresh, 28))


def test_ranks_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "5")
    first = next(iter(lines()))
    assert first == next(stream(MAZES, seed=1, shard=(3, 5))).line()
    assert lines().state_dict()["shard"] == [3, 5]
    monkeypatch.setenv("RANK", "five")
    with pytest.raises(ValueError, match="RANK and WORLD_SIZE are 'five' and '5'"):
        lines()
    monkeypatch.setenv("RANK", "5")
    with pytest.raises(ValueError, match="not 5 of 5"):
        lines()


RANKED = """
import torch.distributed as dist
from torch.utils.data import DataLoader
from itertools import islice
from puzzles import Entry
from puzzles.streaming_torch import PuzzleStream
dist.init_process_group("gloo")
stream = PuzzleStream(Entry("maze", "easy"))
batches = islice(DataLoader(stream, batch_size=8, num_workers=2), 4)
found = [name for batch in batches for name in batch["record"]]
ids = [None, None]
dist.all_gather_object(ids, found)
if dist.get_rank() == 0:
    print(len(set(ids[0]) | set(ids[1])), len(ids[0]), len(ids[1]))
dist.destroy_process_group()
"""


def test_real_ranks_have_boards_of_their_own(tmp_path: Path) -> None:
    script = tmp_path / "ranked.py"
    script.write_text(RANKED)
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "--standalone"]
    done = subprocess.run(
        [*launch, str(script)],
        capture_output=True,
        text=True,
        timeout=240,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
    )
    assert done.stdout.split() == ["64", "32", "32"], done.stderr


def test_pictures_of_every_kind_are_tensors() -> None:
    for name in ("parking", "klotski"):
        instance = next(stream(Entry(name, "easy")))
        state = initial(instance)
        rows, columns = family(name).size
        image = pixels(instance, 20)
        assert image.shape == (3, 20 * rows, 20 * columns)
        drawn = family(name).draw(state, 20)
        assert (image.permute(1, 2, 0).numpy() == drawn.palette[drawn.pixels]).all()


def test_what_makes_no_sense_is_one_sentence() -> None:
    with pytest.raises(ValueError, match="leave out row and cell"):
        PuzzleStream(MAZES, cell=16, transform=line)
    with pytest.raises(ValueError, match="no entry 'maze'"):
        lines().weights["maze"] = 1
    boards = lines()
    with pytest.raises(ValueError, match=f"up to {WORKERS} workers"):
        _in_worker(boards, WORKERS + 1)


def _in_worker(boards: PuzzleStream, workers: int) -> None:
    from torch.utils.data._utils import worker

    info = worker.WorkerInfo(id=0, num_workers=workers, seed=0, dataset=boards)
    worker._worker_info = info
    try:
        iter(boards)
    finally:
        worker._worker_info = None


def test_what_the_page_shows_runs() -> None:
    page = (ROOT / "docs" / "streaming.md").read_text()
    space: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        if "torch" in code:
            exec(code, space)
    assert space["images"].shape == (32, 3, 96, 96)
    counts = space["boards"].counts
    assert counts["maze/2/6x6"] < counts["maze/3/6x6"]
    second = next(iter(space["other"]))
    assert second["record"] == next(space["batches"])["record"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"shard": ("a", 2)}, r"a shard is a pair: the rank, and .* not \('a', 2\)"),
        ({"shard": 3}, "a shard is a pair: the rank, and the number of ranks, not 3"),
        ({"shard": (2, 2)}, "not 2 of 2"),
        ({"cell": "16"}, "cell is 16 to 512 pixels, not '16'"),
        ({"transform": 3}, "transform is a function of an Instance, not 3"),
        ({"row": "trl"}, "row is a layout or a function of a Pictured, not 'trl'"),
        ({"seed": "x"}, "a seed is a whole number, not 'x'"),
        ({"entries": "maze"}, "a stream draws from entries, such as .* not 'maze'"),
    ],
)
def test_what_can_t_be_meant_is_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        PuzzleStream(**{"entries": MAZES, **given})
