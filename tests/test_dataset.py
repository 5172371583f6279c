"""Datasets: the same files whatever happens while they are made, and never over something else."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from puzzles import NAMES, dataset, engine, family, load, make
from puzzles import generate as generate_module
from puzzles.content import Content
from puzzles.dataset import kin_of, write
from puzzles.folder import Folder
from puzzles.generate import Recipe
from puzzles.instance import kinship, split_of
from puzzles.records import DatasetError
from puzzles.symmetry import all_eight
from tests.killed import killed, listen

ROOT = Path(__file__).parents[1]


def content(n: int = 20, difficulty: str = "easy", cell: int | None = None, **more) -> Content:
    return Content(Recipe("maze", difficulty=difficulty, **more), n, cell)


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def command(*words: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=listen,
    )


def make_words(folder: Path, n: int, *more: str) -> list[str]:
    return ["make", "--difficulty", "hard", "-n", str(n), "--out", str(folder), *more]


def test_a_folder_holds_what_the_spec_says(tmp_path: Path) -> None:
    write(content(3, cell=32), tmp_path / "d")
    instances = load(tmp_path / "d")
    assert sorted(os.listdir(tmp_path / "d")) == [
        "aids",
        "dataset.json",
        "images",
        "metadata.jsonl",
    ]
    assert [instance.index for instance in instances] == [0, 1, 2]
    for instance in instances:
        assert (tmp_path / "d" / str(instance.file_name)).is_file()
        assert (tmp_path / "d" / str(instance.aid_file_name)).is_file()
    header = json.loads((tmp_path / "d" / "dataset.json").read_text())
    assert header["complete"]
    assert header["count"] == 3
    assert sum(header["lengths"].values()) == 3


def test_hash_seeds_change_nothing(tmp_path: Path) -> None:
    more = ("--cell", "16")
    first = command(*make_words(tmp_path / "a", 40, *more), PYTHONHASHSEED="1")
    second = command(*make_words(tmp_path / "b", 40, *more), PYTHONHASHSEED="2")
    assert first.wait() == second.wait() == 0
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert len(files(tmp_path / "a")) == 82


def test_a_pool_of_workers_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(content(300), tmp_path / "a", workers=1)
    monkeypatch.setattr(engine, "WORTH", 0.0)
    monkeypatch.setattr(dataset, "_TASK", 20)
    write(content(300), tmp_path / "b", workers=2)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_killed_run_is_resumed_to_the_same_files(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    made, metadata = content(250, "hard", 16), torn / "metadata.jsonl"
    write(made, whole)
    for _ in range(3):
        killed(
            2,
            *make_words(torn, 250, "--cell", "16", "--resume"),
            written=lambda: metadata.stat().st_size if metadata.exists() else 0,
        )
    assert not json.loads((torn / "dataset.json").read_text())["complete"]
    assert 0 < len(load(torn)) < 250
    write(made, torn, resume=True)
    assert files(whole) == files(torn)


def test_ctrl_c_ends_with_one_sentence(tmp_path: Path) -> None:
    run = command(*make_words(tmp_path / "d", 400_000))
    while not (tmp_path / "d" / "metadata.jsonl").exists():
        assert run.poll() is None
        time.sleep(0.01)
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    # Where the signal comes within an exec() of some import, CPython ends by the signal itself, at
    # the very end; a shell calls both 130.
    assert run.returncode in (130, -signal.SIGINT)
    assert errors.decode() == "puzzles: interrupted; --resume completes a dataset\n"


def test_a_torn_last_line_is_redone(tmp_path: Path) -> None:
    write(content(20), tmp_path / "d")
    before = files(tmp_path / "d")
    metadata = tmp_path / "d" / "metadata.jsonl"
    os.truncate(metadata, metadata.stat().st_size - 7)
    with pytest.raises(DatasetError, match=r"line 20 is cut off; `puzzles make --resume`"):
        load(tmp_path / "d")
    write(content(20), tmp_path / "d", resume=True)
    assert files(tmp_path / "d") == before


def test_resume_of_a_complete_dataset_changes_nothing_and_more_may_be_added(tmp_path: Path) -> None:
    write(content(20), tmp_path / "d")
    before = files(tmp_path / "d")
    write(content(20), tmp_path / "d", resume=True)
    assert files(tmp_path / "d") == before
    write(content(30), tmp_path / "d", resume=True)
    write(content(30), tmp_path / "e")
    assert files(tmp_path / "d") == files(tmp_path / "e")


def test_a_dataset_is_not_overwritten(tmp_path: Path) -> None:
    write(content(5), tmp_path / "d")
    before = files(tmp_path / "d")
    with pytest.raises(DatasetError, match="already holds a dataset; --resume completes it"):
        write(content(5), tmp_path / "d")
    with pytest.raises(DatasetError, match="was begun with seed 0, not 7"):
        write(content(5, seed=7), tmp_path / "d", resume=True)
    with pytest.raises(DatasetError, match="already holds 5 instances, more than the 4"):
        write(content(4), tmp_path / "d", resume=True)
    assert files(tmp_path / "d") == before


def test_force_replaces_a_dataset_and_leaves_the_rest(tmp_path: Path) -> None:
    write(content(5, cell=32), tmp_path / "d")
    (tmp_path / "d" / "answers.jsonl").write_text("mine")
    write(content(4, cell=32, seed=1), tmp_path / "d", force=True)
    names = set(files(tmp_path / "d"))
    assert "answers.jsonl" in names
    assert len(names) == 3 + 8


@pytest.mark.parametrize("force", [False, True])
def test_something_else_is_not_touched(tmp_path: Path, force: bool) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DatasetError, match=r"holds something else \(thesis.txt\)"):
        write(content(5), tmp_path, force=force)
    with pytest.raises(DatasetError, match="is a file, not a folder"):
        write(content(5), tmp_path / "thesis.txt", force=force)
    assert files(tmp_path) == {"thesis.txt": b"mine"}


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with Folder(tmp_path, content()) as folder:
        assert list(folder.open(resume=False, force=False)) == []
        with pytest.raises(DatasetError, match="another run is writing"):
            write(content(), tmp_path)


def test_too_few_distinct_boards_are_said_to_be_so(tmp_path: Path) -> None:
    tiny = Content(Recipe("maze", lengths=(1, 1), size=(4, 4)), 50, None)
    with pytest.raises(ValueError, match="no more distinct 4x4 boards of optimal length 1"):
        write(tiny, tmp_path / "d")
    held = load(tmp_path / "d")
    assert len({kin_of(instance) for instance in held}) == len(held)


def test_excluded_boards_do_not_come_up(tmp_path: Path) -> None:
    write(content(50), tmp_path / "a")
    write(content(50), tmp_path / "b", exclude=[tmp_path / "a"])
    first, second = ({kin_of(i) for i in load(tmp_path / name)} for name in "ab")
    assert not first & second
    header = json.loads((tmp_path / "b" / "dataset.json").read_text())
    assert header["content"]["exclude"] == [
        json.loads((tmp_path / "a" / "dataset.json").read_text())["fingerprint"]
    ]


def test_splits_are_disjoint_whatever_the_seed() -> None:
    train = make("maze", "easy", 200, split="train", seed=1)
    held_out = make("maze", "easy", 50, split="eval", seed=2)
    assert {i.split for i in train} == {"train"}
    assert {i.split for i in held_out} == {"eval"}
    assert not {kin_of(i) for i in train} & {kin_of(i) for i in held_out}
    share = sum(i.split == "eval" for i in make("maze", "medium", 1000)) / 1000
    assert 0.07 < share < 0.13


def test_lengths_outside_every_bucket_are_custom() -> None:
    found = {i.optimal_length: i.difficulty for i in make("maze", lengths=(17, 31), n=30)}
    assert found[17] == "medium"
    assert found[18] == "hard"
    assert found[31] == "custom"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"family": "chess", "difficulty": "easy"}, "unknown family 'chess' (known: maze, "),
        ({"family": "maze", "difficulty": "tough"}, "unknown difficulty 'tough' (known: easy, "),
        ({"family": "maze", "difficulty": "easy", "n": 0}, "n must be 1 or more, not 0"),
        ({"family": "maze"}, "give either a difficulty or lengths"),
        ({"family": "maze", "lengths": (5, 3)}, "lengths go from 1 up, LOW-HIGH, not 5-3"),
        ({"family": "maze", "difficulty": "easy", "split": "test"}, "unknown split 'test'"),
        ({"family": "maze", "difficulty": "easy", "rules": {"wet": 1}}, "unknown rule 'wet'"),
        ({"family": "maze", "difficulty": "hard", "size": (4, 4)}, "4x4"),
    ],
)
def test_what_can_not_be_meant_is_refused(arguments: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        make(**arguments)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{}", "line 2: family: Field required"),
        ("not json", "line 2: the line: Invalid JSON"),
        ('{"family":"maze","board":"S","optimal_length":-1}', "line 2: optimal_length"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, sentence: str) -> None:
    write(content(2), tmp_path)
    metadata = tmp_path / "metadata.jsonl"
    lines = metadata.read_text().splitlines()
    metadata.write_text(f"{lines[0]}\n{line}\n")
    with pytest.raises(DatasetError, match=r".") as caught:
        load(tmp_path)
    assert sentence in str(caught.value)


def test_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"holds no dataset: there is no metadata.jsonl"):
        load(tmp_path / "nowhere")


def test_a_run_that_makes_nothing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="4x4"):
        write(Content(Recipe("maze", difficulty="hard", size=(4, 4)), 5, 32), tmp_path / "d")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_pictures_of_yours_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "maze-photo.png").write_text("mine")
    with pytest.raises(DatasetError, match="holds something else"):
        write(content(3), tmp_path)
    assert files(tmp_path) == {"images/maze-photo.png": b"mine"}


def test_force_replaces_another_family_without_a_trace(tmp_path: Path) -> None:
    write(content(3, cell=32), tmp_path / "d")
    (tmp_path / "d" / "images" / "maze-photo.png").write_text("mine")
    path = Content(Recipe("path", difficulty="easy"), 3, 32)
    write(path, tmp_path / "d", force=True)
    write(path, tmp_path / "e")
    names = set(files(tmp_path / "d")) - {"images/maze-photo.png"}
    assert names == set(files(tmp_path / "e"))


def test_force_replaces_nothing_by_nothing(tmp_path: Path) -> None:
    write(content(3), tmp_path / "d")
    before = files(tmp_path / "d")
    impossible = Content(Recipe("maze", lengths=(40, 40), size=(4, 4)), 3, None)
    with pytest.raises(ValueError, match="maze"):
        write(impossible, tmp_path / "d", force=True)
    with pytest.raises(ValueError, match="give one of them"):
        write(content(3), tmp_path / "d", force=True, resume=True)
    assert files(tmp_path / "d") == before


def test_a_dataset_of_others_is_not_replaced(tmp_path: Path) -> None:
    for header in ("{}", "[]", '{"content": 5}', '{"content": {"my": "data"}}', "[" * 9999):
        (tmp_path / "dataset.json").write_text(header)
        (tmp_path / "metadata.jsonl").write_text("{}\n")
        before = files(tmp_path)
        for flags in ({"force": True}, {"resume": True}, {}):
            with pytest.raises(DatasetError, match=r"not made here|does not describe a dataset"):
                write(content(3), tmp_path, **flags)
        assert files(tmp_path) == before


def test_resume_restores_pictures_and_refuses_changed_lines(tmp_path: Path) -> None:
    write(content(4, cell=32), tmp_path / "d")
    before = files(tmp_path / "d")
    pictures = sorted((tmp_path / "d" / "images").iterdir())
    pictures[0].unlink()
    pictures[1].write_bytes(b"")
    write(content(4, cell=32), tmp_path / "d", resume=True)
    assert files(tmp_path / "d") == before
    metadata = tmp_path / "d" / "metadata.jsonl"
    lines = metadata.read_text().splitlines(keepends=True)
    for old, new, sentence in (
        ('"optimal_length":', '"optimal_length":7', "optimal_length is 7"),
        ('"seed":0', '"seed":5', "seed is 5, not 0"),
        ('"split":"', '"split":"x', "has been changed since it was completed"),
    ):
        metadata.write_text("".join([lines[0].replace(old, new, 1), *lines[1:]]))
        with pytest.raises(DatasetError, match=sentence):
            write(content(4, cell=32), tmp_path / "d", resume=True)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_told_to_end_before_it_has_made_anything(
    tmp_path: Path, sign: signal.Signals
) -> None:
    run = command(*make_words(tmp_path / "d", 5, "--size", "9x9", "--length", "39"))
    while not (tmp_path / "d").exists() and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(sign)
    run.communicate(timeout=60)
    write(content(3), tmp_path / "d")
    assert len(load(tmp_path / "d")) == 3


def test_a_full_disk_is_one_sentence_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(content(60), tmp_path / "whole")
    write(content(20), tmp_path / "d")
    kept = (tmp_path / "d" / "metadata.jsonl").read_bytes()

    def full(self: Folder, instances: object) -> None:
        raise OSError(28, "No space left on device", str(self.path / "metadata.jsonl"))

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "append", full)
        with pytest.raises(OSError, match="No space left on device"):
            write(content(60), tmp_path / "d", resume=True)
    assert (tmp_path / "d" / "metadata.jsonl").read_bytes() == kept
    write(content(60), tmp_path / "d", resume=True)
    assert files(tmp_path / "d") == files(tmp_path / "whole")


def test_explicit_defaults_give_the_same_boards() -> None:
    plain = make("maze", "easy", 5)
    assert make("maze", "easy", 5, options={"border": True}) == plain
    assert make("maze", "easy", 5, options={"border": False}) != plain
    assert make("onet", "easy", 2, rules={"max_turns": 2}) == make("onet", "easy", 2)


@pytest.mark.parametrize("name", NAMES)
def test_the_split_is_that_of_all_symmetric_boards(name: str) -> None:
    room = family(name)
    for instance in make(name, "medium", 5):
        rows = tuple(instance.board.split("\n"))
        state = room.parse(instance.board, instance.rules)
        same = [
            "\n".join(board)
            for board in all_eight(rows)
            if len(board) == len(rows) and len(board[0]) == len(rows[0])
        ]
        kins = set()
        for board in same:
            try:
                other = room.parse(board, instance.rules)
            except ValueError:
                continue  # a rotation that the family's rules don't allow
            if room.canonical(other) == room.canonical(state):
                kins.add(split_of(kinship(name, room.canonical(other))))
        assert kins == {instance.split}


def test_a_sampler_that_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from puzzles.maze import FAMILY

    def longer(*arguments: object) -> list[object]:
        return [
            sample and sample._replace(actions=[*sample.actions, "up", "down"])
            for sample in FAMILY.sample(*arguments)
        ]

    liar = replace(FAMILY, sample=longer)
    monkeypatch.setattr(generate_module, "family", lambda name: liar)
    with pytest.raises(RuntimeError, match="the sampler's solution of length"):
        make("maze", "easy", 1)


def test_a_folder_to_exclude_may_be_given_by_itself(tmp_path: Path) -> None:
    made = make("maze", "easy", 5, out=tmp_path / "d", images=False)
    seen, fingerprints = dataset.excluded(str(tmp_path / "d"))
    assert len(fingerprints) == 1
    assert all(dataset.kin_of(one) in seen for one in made)


def test_more_than_anyone_can_make(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="n is at most 1,000,000,000,000"):
        make("maze", "easy", 10**25, out=tmp_path / "d")
    assert not (tmp_path / "d").exists()
