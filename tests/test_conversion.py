"""Datasets turned from any format into any other and back: no byte of them is lost."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from cli import app
from puzzles import NAMES, load, make
from puzzles.conversion import convert, copied
from puzzles.instance import Instance
from puzzles.records import DatasetError, files, header, pictures
from puzzles.shards.layouts import IMAGE, TEXT, Layout, picture
from puzzles.shards.store import storage_of
from puzzles.store import Store
from tests.test_dataset import files as contents

pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs the extra data")
parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra data")

FORMATS = ("folder", "parquet", "webdataset")


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def export(source: Path, format: str, out: Path, **more) -> None:
    size = None if format == "folder" else 4
    convert(copied(source), out, storage_of(format, size=size), **more)


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Datasets as they may come: with pictures and without, imported, in slides."""
    here = tmp_path_factory.mktemp("originals")
    for name in NAMES:
        make(name, "easy", 3, out=here / name, cell=32)
    make("maze", "hard", 9, out=here / "bare", images=False)
    (here / "levels.txt").write_bytes(
        "; naïve\n#####\n#@$.#\n#####\n\n#####\n#@-$#\n#####\n".encode()
    )
    found = run("import", here / "levels.txt", "-o", here / "imported", "--cell", "24")
    assert found.exit_code == 1, found.output  # the second can't be solved
    (here / "cars.txt").write_text("ooxoooooooooAAoBoooooBooooooooCCCoox\n")
    done = run("import", here / "cars.txt", "-o", here / "slides", "--metric", "slide")
    assert done.exit_code == 0, done.output
    return {path.name: path for path in here.iterdir() if path.is_dir()}


@pytest.mark.parametrize("name", [*NAMES, "bare", "imported", "slides"])
def test_every_way_and_back_is_without_loss(
    tmp_path: Path, originals: dict[str, Path], name: str
) -> None:
    held = {"folder": originals[name]}
    for before, format in (("folder", "parquet"), ("folder", "webdataset")):
        held[format] = tmp_path / format
        export(held[before], format, held[format])
    for source in FORMATS:
        for format in FORMATS:
            out = tmp_path / f"{source}-{format}"
            export(held[source], format, out)
            assert contents(out) == contents(held[format]), f"{source} to {format}"
    assert len({header(path)["fingerprint"] for path in held.values()}) == 1


def test_an_imported_dataset_keeps_its_sources_and_its_log(
    tmp_path: Path, originals: dict[str, Path]
) -> None:
    export(originals["imported"], "parquet", tmp_path / "p")
    (instance,) = load(tmp_path / "p")
    assert instance.source["record"].startswith("; naïve\n")
    assert header(tmp_path / "p")["left_out"] == 1
    assert "not be" not in (tmp_path / "p" / "left_out.jsonl").read_text()
    done = run("export", tmp_path / "p", "--format", "xsb", "-o", tmp_path / "back.txt")
    assert done.exit_code == 0
    assert (tmp_path / "back.txt").read_text().startswith("; naïve\n#####\n")
    export(originals["slides"], "webdataset", tmp_path / "w")
    (instance,) = load(tmp_path / "w")
    assert instance.metric == "slide"


def test_pictures_that_are_not_ours_go_along(tmp_path: Path) -> None:
    (made,) = make("maze", "easy", 1, out=tmp_path / "d", cell=32)
    (tmp_path / "d" / str(made.file_name)).write_bytes(b"drawn elsewhere")
    export(tmp_path / "d", "parquet", tmp_path / "p")
    (path,) = files(tmp_path / "p")
    assert [image for _, image, _ in pictures(path)] == [b"drawn elsewhere"]


@pytest.mark.parametrize("format", FORMATS)
def test_an_interrupted_export_is_resumed_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    make("maze", "easy", 100, out=tmp_path / "d", cell=16)
    export(tmp_path / "d", format, tmp_path / "whole")
    append, count = Store.append, []

    def interrupted(self: Store, chunk: list) -> None:
        count.append(chunk)
        if len(count) == 3:
            raise KeyboardInterrupt
        append(self, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "append", interrupted)
        with pytest.raises(KeyboardInterrupt):
            export(tmp_path / "d", format, tmp_path / "torn")
    assert 0 < len(load(tmp_path / "torn")) < 100
    with pytest.raises(DatasetError, match="already holds a dataset"):
        export(tmp_path / "d", format, tmp_path / "torn")
    export(tmp_path / "d", format, tmp_path / "torn", resume=True)
    assert contents(tmp_path / "torn") == contents(tmp_path / "whole")


def test_another_dataset_is_not_resumed(tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 1)):
        make("maze", "easy", 8, out=tmp_path / name, images=False, seed=seed)
    export(tmp_path / "a", "parquet", tmp_path / "p")
    with pytest.raises(DatasetError, match="was begun with seed 0, not 1"):
        export(tmp_path / "b", "parquet", tmp_path / "p", resume=True)


def test_what_is_torn_or_changed_is_not_exported(tmp_path: Path) -> None:
    make("maze", "easy", 5, out=tmp_path / "d", cell=16)
    metadata = tmp_path / "d" / "metadata.jsonl"
    whole = metadata.read_text()
    metadata.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    with pytest.raises(DatasetError, match="has been changed since it was completed"):
        export(tmp_path / "d", "parquet", tmp_path / "p")
    metadata.write_text(whole)
    said = json.loads((tmp_path / "d" / "dataset.json").read_text())
    (tmp_path / "d" / "dataset.json").write_text(json.dumps(said | {"complete": False}))
    with pytest.raises(DatasetError, match="is not complete; `puzzles make --resume`"):
        export(tmp_path / "d", "parquet", tmp_path / "p")
    (tmp_path / "d" / "dataset.json").write_text(json.dumps(said))
    gone = next((tmp_path / "d" / "aids").iterdir())
    gone.unlink()
    with pytest.raises(DatasetError, match=f"{gone.name}: No such file"):
        export(tmp_path / "d", "parquet", tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_a_dataset_by_other_hands_is_taken_as_it_is(tmp_path: Path) -> None:
    made = make("maze", "easy", 3, out=tmp_path / "d", cell=24)
    (tmp_path / "d" / "dataset.json").unlink()
    export(tmp_path / "d", "webdataset", tmp_path / "w")
    assert load(tmp_path / "w") == made
    assert header(tmp_path / "w")["content"]["cell"] == 24
    (tmp_path / "e").mkdir()
    lines = [one.model_copy(update={"id": f"../{k}.x"}) for k, one in enumerate(made)]
    bare = [Instance(id=one.id, family="maze", board=one.board, optimal_length=1) for one in lines]
    (tmp_path / "e" / "metadata.jsonl").write_text("".join(one.line() for one in bare))
    for format in ("webdataset", "parquet"):
        export(tmp_path / "e", format, tmp_path / f"e-{format}")
        assert load(tmp_path / f"e-{format}") == bare


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("order", [(0, 0, 1), (0, 1, 0), (1, 0, 0, 0)])
def test_a_record_that_is_there_twice_stays_there_twice(
    tmp_path: Path, format: str, order: tuple[int, ...]
) -> None:
    make("maze", "easy", 2, out=tmp_path / "d", cell=16)
    log = tmp_path / "d" / "metadata.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[at] for at in order))
    (tmp_path / "d" / "dataset.json").unlink()
    export(tmp_path / "d", format, tmp_path / "there")
    export(tmp_path / "there", "folder", tmp_path / "back")
    assert (tmp_path / "back" / "metadata.jsonl").read_text() == log.read_text()


@pytest.mark.parametrize("name", [None, "board.png", ""])
def test_a_picture_without_a_place_is_given_one_in_a_folder(
    tmp_path: Path, name: str | None
) -> None:
    make("maze", "easy", 40, out=tmp_path / "p", cell=16, format="parquet")
    (path,) = files(tmp_path / "p")
    held = [two for _, *two in pictures(path)]
    table = parquet.read_table(path)
    rows = table.to_pylist()
    for row in rows:  # as `datasets` writes pictures that it has changed, or uploaded
        row["image"]["path"] = row["aid"]["path"] = name
    parquet.write_table(pyarrow.Table.from_pylist(rows, table.schema), path)
    (tmp_path / "p" / "dataset.json").unlink()
    export(tmp_path / "p", "folder", tmp_path / "f")
    (log,) = files(tmp_path / "f")
    assert [two for _, *two in pictures(log)] == held
    whole = contents(tmp_path / "f")
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:33]))
    header = json.loads((tmp_path / "f" / "dataset.json").read_text())
    (tmp_path / "f" / "dataset.json").write_text(json.dumps(header | {"complete": False}))
    export(tmp_path / "p", "folder", tmp_path / "f", resume=True)
    assert contents(tmp_path / "f") == whole


def test_pixels_a_cell_are_told_of_pictures_in_any_format(tmp_path: Path) -> None:
    (made,) = make("maze", "easy", 1, out=tmp_path / "d", cell=24)
    (tmp_path / "d" / "dataset.json").unlink()
    path = tmp_path / "d" / str(made.file_name)
    with Image.open(path) as image:
        image.convert("RGB").save(path, "JPEG")
    assert copied(tmp_path / "d").cell == 24
    path.write_bytes(b"no picture, but long enough to have a width where PNG has it")
    with pytest.raises(DatasetError, match=r"metadata.jsonl line 1: its picture is none that can"):
        copied(tmp_path / "d")


def test_no_picture_is_written_outside_a_folder(tmp_path: Path) -> None:
    make("maze", "easy", 1, out=tmp_path / "p", cell=16, format="parquet")
    (path,) = (tmp_path / "p").glob("*.parquet")
    table = parquet.read_table(path)
    rows = table.to_pylist()
    rows[0]["image"]["path"] = "../evil.png"
    parquet.write_table(pyarrow.Table.from_pylist(rows, table.schema), path)
    (tmp_path / "p" / "dataset.json").unlink()
    with pytest.raises(DatasetError, match=r"a folder holds no picture called '../evil.png'"):
        export(tmp_path / "p", "folder", tmp_path / "f")


@pytest.mark.parametrize("name", ["../secret.png", "/etc/hostname", "images/../../secret.png"])
def test_no_file_outside_a_folder_is_taken_for_a_picture(tmp_path: Path, name: str) -> None:
    (made,) = make("maze", "easy", 1, out=tmp_path / "d", images=False)
    (tmp_path / "secret.png").write_text("secret")
    one = made.model_copy(update={"file_name": name, "aid_file_name": None})
    (tmp_path / "d" / "metadata.jsonl").write_text(one.line())
    (tmp_path / "d" / "dataset.json").unlink()
    with pytest.raises(DatasetError, match=f"the picture '{name}' lies outside of the folder"):
        export(tmp_path / "d", "parquet", tmp_path / "p")


def test_what_a_layout_does_not_hold_is_drawn_again(tmp_path: Path) -> None:
    layout = Layout(
        "small",
        {"record": TEXT, "picture": IMAGE},
        lambda one: {"record": one.instance.line(), "picture": picture(one.image, None)},
        record="record",
        image="picture",
        aid="",
    )
    make("maze", "easy", 3, out=tmp_path / "d", cell=16)
    convert(copied(tmp_path / "d"), tmp_path / "s", storage_of("parquet", layout=layout))
    export(tmp_path / "s", "folder", tmp_path / "back")
    assert contents(tmp_path / "back") == contents(tmp_path / "d")


# As it is typed.


def test_several_datasets_keep_their_names(tmp_path: Path) -> None:
    for name in ("maze", "path"):
        make(name, "easy", 2, out=tmp_path / "data" / name, images=False)
    done = run("export", tmp_path / "data", "--format", "parquet", "-o", tmp_path / "out")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        f"{tmp_path / 'out' / name}: 2 instances" for name in ("maze", "path")
    ]
    assert load(tmp_path / "out" / "path") == load(tmp_path / "data" / "path")


def test_a_single_shard_is_exported(tmp_path: Path) -> None:
    made = make("maze", "easy", 6, out=tmp_path / "d", cell=16, format="parquet", shards=2)
    words = ("export", tmp_path / "d" / "data-00001-of-00002.parquet", "--format")
    assert run(*words, "webdataset", "-o", tmp_path / "w").exit_code == 0
    assert load(tmp_path / "w") == made[3:]
    done = run(*words, "notation")
    assert done.exit_code == 0
    assert made[3].board in done.stdout


def test_make_writes_shards(tmp_path: Path) -> None:
    words = ("make", "-n", "7", "--cell", "16", "--format", "webdataset", "--shard-size", "3")
    done = run(*words, "--out", tmp_path / "d")
    assert done.exit_code == 0, done.output
    assert len(files(tmp_path / "d")) == 3
    assert len(load(tmp_path / "d")) == 7


def sentences(here: Path) -> list[tuple[str, str]]:
    return [
        ("export d --format parquet", "name the folder to write with -o"),
        ("export d --format parquet -o d/p", "d/p lies in d; name a folder outside"),
        ("export d --format parquet -o d --force", "d lies in d; name a folder outside"),
        ("export d --format folder --shards 2 -o x", "a folder has no shards"),
        ("export d --format parquet --shards 9 -o x", "--shards 9: there are 2 rows to cut"),
        ("export d --format csv --shards 2", "--shards is for datasets, not for their boards"),
        ("export d --format csv --resume", "--resume is for datasets"),
        ("export d e --format parquet -o x", "two datasets would go to x/d"),
        ("export g --format parquet -o x", "g holds no instances"),
        ("export f --format parquet -o x", "f holds no dataset"),
        ("export d --format folder -o f", "f holds something else (mine.txt)"),
        (
            "make --format= --out x",
            "unknown format '' (known: folder, parquet, webdataset)",
        ),
        ("make --difficulty= --out x", "unknown difficulty '' (known: easy, medium, hard)"),
        ("make --for trl --protocol= --out x", "unknown protocol ''"),
        ("make --format zip --out x", "unknown format 'zip' (known: folder, parquet, webdataset)"),
        ("make --shards 3 --out x", "a folder has no shards"),
        ("make --format parquet --shards 30 -n 4 --out x", "there are 4 rows to cut"),
    ]


def test_what_can_not_be_meant_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make("maze", "easy", 2, out="d", images=False)
    make("maze", "easy", 2, out="e/d", images=False, seed=1)
    os.mkdir("f")
    Path("f/mine.txt").write_text("mine")
    os.mkdir("g")
    Path("g/metadata.jsonl").touch()
    before = contents(tmp_path)
    for words, sentence in sentences(tmp_path):
        done = run(*words.split())
        assert done.exit_code == 2, words
        assert sentence in done.stderr, words
        assert done.stderr.count("\n") == 1, words
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("", "images/maze-easy-"),
        ("--format parquet", "data-00000-of-00001.parquet"),
        ("--format webdataset", "data-00000-of-00001.tar"),
        ("--for swift --sft vcot", "images/maze-easy-"),
        ("--no-images", "metadata.jsonl"),
    ],
)
def test_a_file_that_can_t_be_written_is_named(tmp_path: Path, words: str, named: str) -> None:
    command = ["make", "-n", "30", "--workers", "1", "--out", str(tmp_path / "d"), *words.split()]
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))"
    code = f"import resource, cli; {limit}; cli.app({command})"
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(rf"puzzles: {tmp_path}/d/{named}\S*: File too large\n", done.stderr)
    assert run(*command, "--resume").exit_code == 0
    assert len(load(tmp_path / "d")) == 30


def test_rows_beside_a_folder_are_not_resumed_without_them(tmp_path: Path) -> None:
    words = ("make", "-n", "3", "--cell", "16", "--out", str(tmp_path / "d"))
    for first, second, begun in (
        ((), ("--for", "swift"), "begun with layout null, not"),
        (("--for", "swift"), (), 'begun with layout "swift/direct", not null'),
    ):
        assert run(*words, *first, "--force").exit_code == 0
        before = contents(tmp_path)
        done = run(*words, *second, "--resume")
        assert done.exit_code == 2
        assert begun in done.stderr
        assert contents(tmp_path) == before
