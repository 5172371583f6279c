"""Rows that trainers read: what is shown, what is said, what is rewarded, and the way back."""

import filecmp
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pyarrow import parquet
from typer.testing import CliRunner

import puzzles
from cli import app
from protocols.adapters import easyr1_reward, swift_reward, trl_rewards, verl_reward
from protocols.aids import Aids
from protocols.episode import Episode
from protocols.protocol import named
from protocols.training import TARGETS, TRAINERS, Training, storage_for
from protocols.training.presets import MARK
from protocols.training.targets import Conversation, asked, demonstrated
from puzzles import engine, load, make
from puzzles.content import Content
from puzzles.conversion import convert, copied
from puzzles.dataset import write
from puzzles.folder import Folder
from puzzles.generate import Recipe
from puzzles.narration import flaw
from puzzles.pictures import Pictured, draw
from puzzles.records import DatasetError
from puzzles.replay import initial, optimal_actions
from puzzles.rooms import family
from puzzles.shards.store import storage_of
from render.encode import png

CELL = 24
KINDS = [
    *(Training(trainer) for trainer in TRAINERS),
    *(Training(trainer, protocol="oracle-gta") for trainer in TRAINERS),
    *(
        Training(trainer, target)
        for trainer in ("trl", "verl", "swift", None)
        for target, one in TARGETS.items()
        if trainer is None or not one.drawn
    ),
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three instances of every family."""
    top = tmp_path_factory.mktemp("source")
    for name in puzzles.NAMES:
        make(name, lengths=(3, 6), n=3, seed=8, out=top / name, cell=CELL)
    return top


@pytest.fixture(scope="module")
def shown(source: Path) -> list[Pictured]:
    """An instance of every family with its pictures."""
    return [draw(([load(source / name)[1]], CELL))[0] for name in puzzles.NAMES]


def written(source: Path, out: Path, training: Training) -> list[dict[str, Any]]:
    """Return the rows of one family as their file holds them."""
    convert(copied(source), out, storage_for(training))
    if training.trainer == "swift":
        return [json.loads(line) for line in (out / "data.jsonl").read_text().splitlines()]
    (file,) = out.glob("*.parquet")
    return list(parquet.read_table(file).to_pylist())


def same_files(one: Path, other: Path) -> bool:
    names = [str(path.relative_to(one)) for path in sorted(one.rglob("*")) if path.is_file()]
    others = [str(path.relative_to(other)) for path in sorted(other.rglob("*")) if path.is_file()]
    return names == others and filecmp.cmpfiles(one, other, names, shallow=False)[0] == names


@pytest.mark.parametrize("training", KINDS, ids=lambda one: one.name)
def test_rows_lead_back_to_the_folder(source: Path, tmp_path: Path, training: Training) -> None:
    for name in puzzles.NAMES[::2]:
        written(source / name, tmp_path / "rows" / name, training)
        back = tmp_path / "back" / name
        convert(copied(tmp_path / "rows" / name), back, Folder)
        assert same_files(source / name, back)
        assert load(tmp_path / "rows" / name) == load(source / name)


@pytest.mark.parametrize("protocol", ["direct", "text-cot", "oracle-gta", "noise-vr"])
def test_prompts_are_those_of_a_run(shown: list[Pictured], protocol: str) -> None:
    for pictured in shown:
        request = Episode(pictured.instance, protocol, Aids(CELL)).request
        said = asked(pictured, named(protocol))
        assert request is not None
        assert [one.text for one in said.messages] == [one.text for one in request.messages]
        assert said.images == request.images
        assert said.reply is None


def texts(row: dict[str, Any]) -> Iterator[str]:
    """Yield all texts of a row that a model is shown or is to say."""
    for message in [*row.get("prompt", []), *row.get("messages", []), *row.get("completion", [])]:
        content = message["content"]
        if isinstance(content, str):
            yield content
        else:
            yield from (MARK if part["type"] == "image" else part["text"] for part in content)
    if "problem" in row:
        yield row["problem"]


@pytest.mark.parametrize("training", KINDS, ids=lambda one: one.name)
def test_every_picture_has_its_place(source: Path, tmp_path: Path, training: Training) -> None:
    for row in written(source / "maze", tmp_path / "rows", training):
        assert sum(text.count(MARK) for text in texts(row)) == len(row["images"]) > 0
        for image in row["images"]:
            path = None if training.trainer != "swift" else tmp_path / "rows" / image
            data = image["bytes"] if path is None else path.read_bytes()
            assert data.startswith(b"\x89PNG")


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize("protocol", ["direct", "text-cot", "oracle-gta", "noise-gta"])
def test_nothing_shown_tells_the_solution_or_its_length(
    shown: list[Pictured], trainer: str, protocol: str, tmp_path: Path
) -> None:
    """The same board with two stored lengths: all that a model is shown is the same to the byte."""
    training = Training(trainer, protocol=protocol)
    for pictured in shown:
        told = []
        for length, answer in ((4, pictured.instance.answer), (61, None)):
            changed = {"optimal_length": length, "answer": answer, "stats": {"moves": length}}
            instance = pictured.instance.model_copy(update=changed)
            said = training.conversation(pictured._replace(instance=instance))
            told.append((said.messages, [image.png for image in said.images]))
        assert told[0] == told[1]


@pytest.mark.parametrize("trainer", TRAINERS)
def test_the_record_is_in_no_prompt(source: Path, tmp_path: Path, trainer: str) -> None:
    training = Training(trainer)
    for name in puzzles.NAMES:
        rows = written(source / name, tmp_path / name, training)
        for row, instance in zip(rows, load(source / name), strict=True):
            said = "\n".join(texts(row))
            assert instance.answer not in said
            for secret in (instance.board, instance.id, "optimal_length", instance.line().strip()):
                assert secret not in said


def scores(trainer: str, rows: list[dict[str, Any]], replies: list[str]) -> list[float]:
    """Return what a trainer's reward function makes of replies, called with the columns by name."""
    if trainer == "trl":
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        prompts = columns.pop("prompt")
        chats = [[{"role": "assistant", "content": reply}] for reply in replies]
        return [one or 0 for one in trl_rewards.mix(prompts, chats, **columns)]
    if trainer == "verl":
        return [
            verl_reward.compute_score(
                row["data_source"], reply, row["reward_model"]["ground_truth"], row["extra_info"]
            )["score"]
            for row, reply in zip(rows, replies, strict=True)
        ]
    if trainer == "easyr1":
        inputs = [
            {"response": reply, "ground_truth": row["answer"]}
            for row, reply in zip(rows, replies, strict=True)
        ]
        return [one["overall"] for one in easyr1_reward.compute_score(inputs)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return swift_reward.ORMS["puzzles_mix"]()(replies, **columns)


@pytest.mark.parametrize("trainer", TRAINERS)
def test_reward_functions_find_the_record(source: Path, tmp_path: Path, trainer: str) -> None:
    for name in puzzles.NAMES:
        rows = written(source / name, tmp_path / name, Training(trainer))
        right = [str(instance.answer) for instance in load(source / name)]
        assert scores(trainer, rows, right) == pytest.approx([1, 1, 1])
        assert scores(trainer, rows, ["I don't know."] * 3) == [0, 0, 0]


def target(pictured: Pictured, name: str, protocol: str | None = None) -> Conversation:
    return demonstrated(pictured, name, Training(None, name, protocol).named)


def test_targets_in_text_are_right(shown: list[Pictured]) -> None:
    for pictured in shown:
        instance = pictured.instance
        room, state = family(instance.family), initial(instance)
        for name in ("answer", "steps"):
            reply = target(pictured, name).reply
            assert reply is not None
            verdict = puzzles.verify(instance, reply.text, strict=True)
            assert verdict.optimal
        told = target(pictured, "steps").reply
        assert told is not None
        assert flaw(room, state, told.text) is None
        assert target(pictured, "answer").reply.text == instance.answer  # type: ignore[union-attr]


def test_rounds_show_every_state_and_end_with_none_remaining(shown: list[Pictured]) -> None:
    for pictured in shown:
        instance = pictured.instance
        room, states = family(instance.family), [initial(instance)]
        for action in optimal_actions(instance):
            states.append(room.apply(states[-1], action))
        for protocol, drawn in (("oracle-vcot", room.draw), ("oracle-aug-vcot", room.draw_aid)):
            said = target(pictured, "vcot", protocol)
            assert [image.png for image in said.images] == [
                png(drawn(state, CELL)) for state in states
            ]
            replies = [one.text for one in said.messages if one.role == "assistant"]
            assert len(replies) == len(states)
            assert all("STEP_JSON" in reply for reply in replies[:-1])
            assert replies[-1] == "<answer>0</answer>"


def test_the_latest_picture_alone_is_shown_where_that_is_asked_for(shown: list[Pictured]) -> None:
    said = target(shown[0], "vcot", "oracle-vcot+last")
    assert len(said.images) == 1


def test_pictures_as_targets(shown: list[Pictured]) -> None:
    for pictured in shown:
        instance = pictured.instance
        room, state = family(instance.family), initial(instance)
        aid, overlay = (target(pictured, name) for name in ("aid", "overlay"))
        assert [image.png for image in aid.images] == [pictured.image, pictured.aid]
        solution = png(room.draw_solution(state, optimal_actions(instance), CELL))
        assert [image.png for image in overlay.images] == [pictured.image, solution]
        assert {one.messages[-1].role for one in (aid, overlay)} == {"assistant"}


def cut(path: Path, lines: int, more: str = "") -> None:
    kept = path.read_text("utf-8").splitlines(keepends=True)[:lines]
    path.write_text("".join(kept) + more, "utf-8")


def test_an_interrupted_folder_of_rows_is_completed(source: Path, tmp_path: Path) -> None:
    training = Training("swift", "vcot")
    for out in ("whole", "cut"):
        written(source / "maze", tmp_path / out, training)
    header = json.loads((tmp_path / "cut" / "dataset.json").read_text())
    header["complete"] = False
    (tmp_path / "cut" / "dataset.json").write_text(json.dumps(header))
    cut(tmp_path / "cut" / "metadata.jsonl", 1, '{"id": "maz')
    cut(tmp_path / "cut" / "data.jsonl", 2, '{"mess')
    convert(copied(source / "maze"), tmp_path / "cut", storage_for(training), resume=True)
    assert same_files(tmp_path / "whole", tmp_path / "cut")


def test_rows_that_are_missing_are_not_resumed_past(source: Path, tmp_path: Path) -> None:
    training, out = Training("swift"), tmp_path / "rows"
    written(source / "maze", out, training)
    cut(out / "data.jsonl", 1)
    with pytest.raises(DatasetError, match=r"data\.jsonl has 1 rows, not 3"):
        convert(copied(source / "maze"), out, storage_for(training), resume=True)


def test_replaced_rows_leave_nothing_behind(source: Path, tmp_path: Path) -> None:
    written(source / "maze", tmp_path / "rows", Training("swift", "vcot"))
    convert(copied(source / "maze"), tmp_path / "rows", Folder, force=True)
    assert same_files(source / "maze", tmp_path / "rows")


def test_other_rows_are_another_dataset(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows"
    written(source / "maze", out, Training("trl"))
    for other in (Training("trl", protocol="text-cot"), Training("trl", "answer")):
        with pytest.raises(DatasetError, match="was begun with layout"):
            convert(copied(source / "maze"), out, storage_for(other), resume=True)


WRONG = [
    (lambda: Training("foo"), "unknown --for 'foo'"),
    (lambda: Training("trl", "foo"), "unknown --sft 'foo'"),
    (lambda: Training(protocol="direct"), "give --for or --sft"),
    (lambda: Training("easyr1", "answer"), "EasyR1 trains by rewards alone"),
    (lambda: Training("verl", "overlay"), "--sft overlay is a picture"),
    (lambda: Training("trl", protocol="self-gta"), "doesn't go with --protocol self-gta"),
    (lambda: Training("trl", protocol="oracle-vcot"), "doesn't go with --protocol oracle-vcot"),
    (lambda: Training("trl", protocol="mismatch-gta"), "doesn't go with --protocol mismatch-gta"),
    (lambda: Training("trl", "steps", "direct"), "doesn't go with --protocol direct"),
    (lambda: Training("trl", "vcot", "direct"), "doesn't go with --protocol direct"),
    (lambda: Training("trl", protocol="nope"), "unknown protocol 'nope'"),
    (lambda: storage_for(Training("trl"), "webdataset"), "kept as parquet"),
    (lambda: storage_for(Training("swift"), "parquet"), "writes a folder"),
    (lambda: storage_for(Training("swift"), shards=2), "writes a folder"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_cant_be_meant_is_said(wrong: Callable[[], Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        wrong()


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_rows_from_the_command_line(tmp_path: Path) -> None:
    few = ("--cell", CELL, "--workers", 1, "-n", 2)
    made = run("make", *few, "--for", "trl", "--sft", "steps", "--out", tmp_path / "trl")
    assert made.exit_code == 0, made.output
    assert json.loads((tmp_path / "trl" / "dataset.json").read_text())["format"] == "parquet"
    rows = parquet.read_table(next((tmp_path / "trl").glob("*.parquet"))).to_pylist()
    assert {"prompt", "completion", "images", "record"} <= set(rows[0])
    sent = run("export", tmp_path / "trl", "--for", "swift", "-o", tmp_path / "swift")
    assert sent.exit_code == 0, sent.output
    assert len((tmp_path / "swift" / "data.jsonl").read_text().splitlines()) == 2


def test_easyr1_has_one_file_unless_told_otherwise(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzles.shards.store.SIZE", 1)
    for trainer, many in (("trl", True), ("easyr1", False)):
        convert(copied(source / "maze"), tmp_path / trainer, storage_for(Training(trainer)))
        assert (len(list((tmp_path / trainer).glob("*.parquet"))) > 1) is many
    convert(copied(source / "maze"), tmp_path / "two", storage_for(Training("easyr1"), shards=2))
    assert len(list((tmp_path / "two").glob("*.parquet"))) == 2


def test_rows_need_pictures(tmp_path: Path) -> None:
    made = run("make", "-n", 2, "--no-images", "--for", "verl", "--out", tmp_path / "rows")
    assert made.exit_code == 2
    assert "show pictures" in made.output
    assert not (tmp_path / "rows").exists()


@pytest.mark.parametrize("training", [Training("trl"), Training("trl", "vcot")])
def test_pictures_of_other_hands_are_shown_if_they_are_some(
    shown: list[Pictured], training: Training
) -> None:
    one = shown[0]
    out = BytesIO()
    Image.open(BytesIO(one.image or b"")).convert("RGB").save(out, "JPEG")
    rows = [training.row(one._replace(image=data)) for data in (one.image, out.getvalue())]
    assert rows[1]["images"][0]["bytes"] == out.getvalue()
    assert rows[1]["images"][1:] == rows[0]["images"][1:]  # drawn as large
    for data in (b"", b"no picture, but long enough to have a width where PNG has it"):
        with pytest.raises(ValueError, match=f"{one.instance.id}: its picture is none that can be"):
            training.row(one._replace(image=data))


@pytest.mark.parametrize("ids", [("../../evil", "b"), ("x", "x"), ("", ""), ("a/b", "a\0b")])
def test_pictures_of_rows_by_other_hands_stay_apart_and_in_the_folder(
    tmp_path: Path, ids: tuple[str, str]
) -> None:
    made = make("maze", lengths=(2, 3), n=2, out=tmp_path / "source", cell=CELL)
    lines = [one.model_copy(update={"id": id}).line() for one, id in zip(made, ids, strict=True)]
    (tmp_path / "source" / "metadata.jsonl").write_text("".join(lines))
    (tmp_path / "source" / "dataset.json").unlink()
    before = {*tmp_path.rglob("*")}
    rows = written(tmp_path / "source", tmp_path / "out", Training("swift", "vcot"))
    names = [name for row in rows for name in row["images"]]
    assert len(names) == len({*names}) == 3 + 4
    assert all((tmp_path / "out" / name).is_file() for name in names)
    new = {*tmp_path.rglob("*")} - before
    assert all(path.is_relative_to(tmp_path / "out") for path in new)
    convert(copied(tmp_path / "source"), tmp_path / "out", storage_of("webdataset"), force=True)
    assert not [*(tmp_path / "out").rglob("*.png")]


def test_export_wants_a_format_or_a_trainer(source: Path, tmp_path: Path) -> None:
    assert "say what to write" in run("export", source, "-o", tmp_path / "x").output
    unknown = run("export", source, "--format", "trl").output
    assert "a dataset as folder, parquet, webdataset, or with --for" in unknown
    wrong = run("export", source, "--format", "vgau", "--for", "trl")
    assert wrong.exit_code == 2
    assert "--for is for datasets" in wrong.output


@pytest.mark.parametrize("training", [Training("trl", "steps"), Training("swift", "vcot")])
def test_rows_made_by_other_processes_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, training: Training
) -> None:
    monkeypatch.setattr(engine, "WORTH", 0.0)
    what = Content(Recipe("maze", lengths=(2, 6)), 80, CELL)
    for out, workers in (("one", 1), ("two", 2)):
        write(what, tmp_path / out, storage_for(training), workers=workers)
    assert same_files(tmp_path / "one", tmp_path / "two")
    write(what, tmp_path / "plain", workers=1)
    convert(copied(tmp_path / "plain"), tmp_path / "copy", storage_for(training))
    assert same_files(tmp_path / "one", tmp_path / "copy")
