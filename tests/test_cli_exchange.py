"""puzzles import and export as they are typed: what is printed, where, and the exit code."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from puzzles import family, load, make
from tests.killed import killed
from tests.test_cli import on_a_terminal

ROOT = Path(__file__).parents[1]
MAZES = "S.G\n\nS#G\n\nGS\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the commands run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mazes.txt").write_text(MAZES)
    return tmp_path


def run(*words: str, stdin: bytes = b"") -> Any:
    """Run a command in this process; stdout, stderr and exit_code of what is returned count."""
    return CliRunner().invoke(cli.app, words, input=stdin)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_import_says_what_came_of_it(here: Path) -> None:
    done = run("import", "mazes.txt", "--family", "maze", "--no-images")
    assert done.exit_code == 1
    assert done.stderr == "mazes.txt:3: unsolvable: 1 state can be reached, and none is a goal\n"
    assert done.stdout == (
        "data/mazes: imported 2 of 3 boards (text, maze), optimal lengths 1 to 2; 1 left out, "
        "see data/mazes/left_out.jsonl\n"
    )
    assert sorted(os.listdir("data/mazes")) == ["dataset.json", "left_out.jsonl", "metadata.jsonl"]
    done = run("import", "mazes.txt", "--family", "maze", "--no-images", "--resume")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    (here / "good.txt").write_text("S.G\n")
    done = run("import", "good.txt", "--family", "maze", "--cell", "20", "-o", "d")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "d: imported 1 of 1 board (text, maze), optimal length 2\n"
    assert len(contents(here / "d")) == 4


def test_import_of_what_holds_no_board(here: Path) -> None:
    (here / "bad.txt").write_text("S#G\n")
    done = run("import", "bad.txt", "--family", "maze")
    assert done.exit_code == 1
    assert done.stdout == "imported 0 of 1 board (text, maze); nothing is written\n"
    assert sorted(os.listdir(here)) == ["bad.txt", "mazes.txt"]


def test_import_from_standard_input(here: Path) -> None:
    done = run(
        "import", "-", "-o", "d", "--family", "maze", "--no-images", stdin=b"S.G\r\n\r\n??\n"
    )
    assert done.exit_code == 1
    assert done.stderr.startswith("stdin:3: ")
    assert load("d")[0].source["record"] == "S.G\r\n\r\n"


def test_several_files(here: Path) -> None:
    (here / "more.txt").write_text("S..G\n")
    words = ("import", "mazes.txt", "more.txt", "--family", "maze", "--no-images")
    done = run(*words)
    assert (done.exit_code, done.stderr) == (2, "puzzles: name the folder to write with -o\n")
    assert run(*words, "-o", "d").exit_code == 1
    assert [instance.source["file"] for instance in load("d")] == [
        "mazes.txt",
        "mazes.txt",
        "more.txt",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("import nothing.txt", "there is no file nothing.txt"),
        ("import .", ". is a folder; name the files in it"),
        ("import mazes.txt --family chess", "unknown family 'chess' (known: maze, "),
        ("import mazes.txt --format chess", "unknown format 'chess' (known: csv, "),
        ("import mazes.txt --family maze --format rush", "maze: there is no format rush (known: "),
        ("import mazes.txt --metric push", "unknown metric 'push' (known: cell, slide)"),
        ("import mazes.txt --rules 3", "--rules is a JSON object, not '3'"),
        ("import mazes.txt --start 3", "--start is ROW,COLUMN from 0, e.g. 3,0, not '3'"),
        ("import mazes.txt --goal x", "--goal is ROW,COLUMN from 0"),
        (
            "import mazes.txt --memory much",
            "--memory is a number with its unit, e.g. 512MB or 2GB, not 'much'",
        ),
        ("import mazes.txt --resume --force", "give one of them"),
        ("import mazes.txt -o used", "used holds something else (thesis.txt)"),
        ("import mazes.txt -o mazes.txt", "mazes.txt is a file, not a folder"),
        ("import -", "name the folder to write with -o"),
        ("export d --format chess", "unknown format 'chess' (known: csv, "),
        ("export nowhere --format csv", "nowhere holds no dataset"),
        ("export mazes.txt --format csv", "mazes.txt is a file; name the folder of the dataset"),
        ("export d --format csv -o mazes.txt", "mazes.txt is there already; --force replaces it"),
        ("export d --format csv -o used --force", "used is a folder; name a file in it"),
        ("export d --format csv -o no/where.csv", "there is no folder no"),
    ],
)
def test_bad_input_is_one_sentence(words: str, sentence: str, here: Path) -> None:
    make("maze", "easy", 1, out=here / "d", images=False)
    (here / "used").mkdir()
    (here / "used" / "thesis.txt").write_text("mine")
    before = contents(here)
    named = words.split()
    if named[0] == "import" and "--family" not in named:
        named += ["--family", "maze"]
    done = run(*named)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert done.stderr.startswith("puzzles: ")
    assert (done.stderr.count("\n"), done.stdout) == (1, "")
    assert contents(here) == before


@pytest.mark.parametrize(
    ("flags", "field", "value"),
    [
        ("--format notation", "format", "notation"),
        ('--rules {"goal":[1,1]}', "rules", {"goal": [1, 1]}),
        ("--start 1,2", "start", [1, 2]),
        ("--goal (3,4)", "goal", [3, 4]),
        ("--metric slide", "metric", "slide"),
        ("--limit 77", "limit", {"states": 77, "memory": 4 << 30}),
        ("--memory 1MB", "limit", {"states": 20_000_000, "memory": 1 << 20}),
        ("--no-images", "cell", None),
        ("--cell 20", "cell", 20),
        ("--workers 1", "family", "klotski"),
    ],
)
def test_every_flag_of_import_reaches_the_dataset(
    flags: str, field: str, value: object, here: Path
) -> None:
    (here / "k.txt").write_text("TT.\nTT.\n...\n")
    rules = () if "--rules" in flags else ("--rules", '{"goal":[1,0]}')
    done = run("import", "k.txt", "--family", "klotski", "-o", "d", *rules, *flags.split())
    assert (done.exit_code, done.stderr) == (0, "")
    header = json.loads((here / "d" / "dataset.json").read_text())
    assert header["content"][field] == value
    assert header["content"]["files"][0][0] == "k.txt"


def test_nothing_in_a_file_steers_the_terminal(here: Path) -> None:
    (here / "\x1b[31m.txt").write_text("\x1b[2J\x07\n\nS.G\n")
    done = run("import", "\x1b[31m.txt", "--family", "maze", "--no-images", "-o", "d")
    assert done.stderr.startswith("\\x1b[31m.txt:1: ")
    assert all(mark.isprintable() or mark == "\n" for mark in done.stderr)


def test_export_gives_records_back(here: Path) -> None:
    run("import", "mazes.txt", "--family", "maze", "--no-images", "-o", "d", "--format", "notation")
    done = run("export", "d", "--format", "notation")
    assert (done.exit_code, done.stdout) == (0, "S.G\n\nGS\n")
    assert done.stderr == "wrote 2 of 2 instances\n"
    done = run("export", "d", "--format", "notation", "-o", "back.txt")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "wrote 2 of 2 instances to back.txt\n"
    assert (here / "back.txt").read_text() == "S.G\n\nGS\n"
    (here / "back.txt").write_text("mine")
    assert run("export", "d", "--format", "jsonl", "-o", "back.txt", "--force").exit_code == 0
    assert len((here / "back.txt").read_text().splitlines()) == 2
    assert [path.name for path in here.iterdir() if "back" in path.name] == ["back.txt"]


def test_export_names_what_it_can_not_write(here: Path) -> None:
    for name in ("maze", "parking"):
        make(name, "easy", 2, size=(6, 6), out=here / "d" / name, images=False)
    done = run("export", "d", "--format", "rush", "-o", "out.txt")
    assert done.exit_code == 1
    assert done.stderr == (
        "2 instances of maze: rush is a format for parking\nwrote 2 of 4 instances to out.txt\n"
    )
    assert len((here / "out.txt").read_text().splitlines()) == 2
    done = run("export", "d/maze", "--format", "rush", "-o", "none.txt")
    assert done.exit_code == 1
    assert not (here / "none.txt").exists()
    run("import", "out.txt", "-o", "back", "--no-images")
    room = family("parking")
    for one, two in zip(load("d/parking"), load("back"), strict=True):
        kin = {room.canonical(room.parse(each.board, {})) for each in (one, two)}
        assert len(kin) == 1
        assert one.optimal_length == two.optimal_length


def test_export_of_a_json_array(here: Path) -> None:
    make("parking", "easy", 3, out=here / "d", images=False)
    for words in (("vgau",), ("jsonl",)):
        done = run("export", "d", "--format", *words, "-o", "out.json", "--force")
        assert (done.exit_code, done.stderr) == (0, "wrote 3 of 3 instances to out.json\n")
        assert len(json.loads((here / "out.json").read_text())) == 3
        done = run("import", "out.json", "-o", f"{words[0]}-back", "--no-images")
        assert (done.exit_code, done.stderr) == (0, "")
    done = run("export", "d", "--format", "notation", "-o", "out2.json")
    assert done.exit_code == 1
    assert done.stderr.count("the record is not JSON; give a file that is not named *.json") == 3
    assert not (here / "out2.json").exists()


def test_export_of_tables_with_different_columns(here: Path) -> None:
    make("maze", "easy", 1, out=here / "d" / "a", images=False)
    (here / "t.csv").write_text("board,name\nS.G,mine\n")
    run("import", "t.csv", "--family", "maze", "-o", "d/b", "--no-images")
    done = run("export", "d", "--format", "csv")
    assert done.exit_code == 1
    assert done.stdout.startswith("id,family,board,rules,cells,slides\n")
    assert done.stdout.count("\n") == 2
    assert done.stderr.endswith(
        ": its table has other columns than the first one\nwrote 1 of 2 instances\n"
    )


def test_on_a_terminal_sentences_stand_above_the_bar(here: Path) -> None:
    (here / "good.csv").write_text("board,cells\nS.G,7\n")
    words = ("--family", "maze", "--no-images", "-o", str(here / "[b]x"))
    text = on_a_terminal("import", str(here / "good.csv"), *words)
    assert "good.csv:2: imported, but the file states an optimum of 7 (cell); it is 2" in text
    assert "2/2" in text  # the progress bar counts lines
    assert "[b]x: imported 1 of 1 board" in text


def test_a_killed_import_is_resumed_to_the_same_bytes(here: Path) -> None:
    room = family("maze")
    boards = [one.board for one in make("maze", "hard", 150)]
    boards[::4] = [board.replace("G", "#") for board in boards[::4]]
    (here / "many.txt").write_text("\n\n".join(boards))
    words = ("import", "many.txt", "--family", "maze", "--format", "notation", "--cell", "24")
    assert run(*words, "-o", "whole").exit_code == 1
    assert room.size == (10, 10)
    log = here / "torn" / "metadata.jsonl"
    for end in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
        _, said = killed(
            1,
            *(*words, "-o", "torn", "--resume"),
            written=lambda: log.stat().st_size if log.exists() else 0,
            end=end,
            cwd=here,
        )
        if end == signal.SIGINT:
            assert said.endswith("puzzles: interrupted; --resume completes a dataset\n")
    assert len(load("torn")) < len(load("whole"))
    assert run(*words, "-o", "torn", "--resume").exit_code == 1
    assert contents(here / "torn") == contents(here / "whole")


def test_the_boxes_of_make(here: Path) -> None:
    done = run("make", "--family", "maze", "--boxes", "2", "-n", "1", "--no-images")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "puzzles: --boxes: there are no boxes in maze\n"
    words = ("--difficulty", "easy", "-n", "1", "--no-images", "--boxes", "2", "--out", "d")
    done = run("make", "--family", "maze,sokoban", *words)
    assert (done.exit_code, done.stderr) == (0, "")
    (made,) = load("d/sokoban-easy")
    assert made.board.count("$") + made.board.count("*") == 2
    assert len(load("d/maze-easy")) == 1


def test_boxes_are_said_once(here: Path) -> None:
    done = run("make", "--family", "sokoban", "--boxes", "2", "--option", "boxes=3", "-n", "1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "puzzles: --boxes and --option boxes=... say the same: give one of them\n"
    )


def test_files_of_one_name_are_told_apart(here: Path) -> None:
    for name, text in (
        ("a/x.txt", "S.G"),
        ("b/x.txt", "S..G\n"),
        ("y.csv", "board,n\nRR.A/...A/...A/....,1\n"),
    ):
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)
    done = run("import", "a/x.txt", "b/x.txt", "y.csv", "--no-images", "-o", "d")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "d: imported 3 of 3 boards (a/x.txt: text, maze; b/x.txt: text, maze; "
        "y.csv: csv, parking), optimal lengths 2 to 3\n"
    )
    assert [one.source["file"] for one in load("d")] == ["a/x.txt", "b/x.txt", "y.csv"]
    done = run("export", "d", "--format", "text")
    assert done.stdout == "S.G\n\nS..G\n"
    assert done.stderr == (
        "1 instance of parking: text is a format for maze\nwrote 2 of 3 instances\n"
    )
    done = run("import", "a/x.txt", "./a/x.txt", "-o", "e")
    assert (done.exit_code, done.stderr) == (2, "puzzles: the file ./a/x.txt is named twice\n")


def test_a_format_that_is_only_read(here: Path) -> None:
    make("maze", "easy", 3, out=here / "d", images=False)
    done = run("export", "d", "--format", "movingai")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "puzzles: movingai is only read, not written\n"


def test_names_like_emoji_stay_as_they_are(here: Path) -> None:
    (here / ":smile:.csv").write_text("board,cells\nS.G,7\n")
    text = on_a_terminal(
        "import",
        str(here / ":smile:.csv"),
        "--family",
        "maze",
        "--no-images",
        "-o",
        str(here / "d"),
    )
    assert ":smile:.csv:2: imported" in text
