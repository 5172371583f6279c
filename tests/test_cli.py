"""The commands as a user types them: what they print, and one sentence where something is wrong."""

import json
import os
import pty
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image
from typer.testing import CliRunner

import cli
from puzzles import NAMES, family, load

ROOT = Path(__file__).parents[1]
MAZE = "S.G"


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(*words: str, stdin: str = "", cwd: Path = ROOT) -> Done:
    """Run a command in this process, which spares it loading all that it imports."""
    with chdir(cwd):
        done = CliRunner().invoke(cli.app, words, input=stdin)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


@pytest.mark.parametrize("board", ["S.G", "S#G", "S.X"])
def test_a_process_of_its_own_says_the_same(board: str) -> None:
    words = ["solve", "--family", "maze", board]
    done = subprocess.run(
        [sys.executable, "-m", "cli", *words], capture_output=True, text=True, check=False, cwd=ROOT
    )
    here = run(*words)
    assert (done.returncode, done.stderr) == (here.returncode, here.stderr)
    assert done.stdout.splitlines()[:2] == here.stdout.splitlines()[:2]  # then come seconds
    assert bool(done.stderr) == (board != "S.G")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, cli\n"
        "try: cli.app(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'numba', 'pydantic', 'PIL', 'puzzles', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "[]"
    for command in ("make", "verify", "solve", "show", "families"):
        assert command in done.stdout


def test_verify_never_waits_for_numba(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(
        json.dumps(
            {"response": "", "instance": {"family": "maze", "board": "SG", "optimal_length": 1}}
        )
    )
    code = (
        "import sys, cli\n"
        f"try: cli.app(['verify', {str(tmp_path / 'answers.jsonl')!r}])\n"
        "except SystemExit as end: assert not end.code\n"
        "print(sorted({'numba', 'PIL', 'networkx', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_make_every_family(tmp_path: Path) -> None:
    done = run("make", "--family", "all", "--difficulty", "easy", "-n", "2", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == len(NAMES)
    for name in NAMES:
        made = load(tmp_path / f"{name}-easy")
        assert [instance.family for instance in made] == [name, name]
        with Image.open(tmp_path / f"{name}-easy" / str(made[0].aid_file_name)) as picture:
            rows, columns = family(name).size
            assert picture.size == (64 * columns, 64 * rows)


def test_make_into_the_default_folder(tmp_path: Path) -> None:
    done = run("make", "--length", "3-4", "-n", "2", "--no-images", cwd=tmp_path)
    assert done.stdout == "data/maze-3-4: 2 instances, lengths 3 to 4\n"
    assert sorted(path.name for path in (tmp_path / "data" / "maze-3-4").iterdir()) == [
        "dataset.json",
        "metadata.jsonl",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("make --family chess", "unknown family 'chess' (known: maze, "),
        ("make --difficulty tough", "unknown difficulty 'tough' (known: easy, medium, hard)"),
        ("make -n 0", "n must be 1 or more, not 0"),
        ("make -n -3", "n must be 1 or more, not -3"),
        ("make --length 9-", "--length is LOW-HIGH or one number, not '9-'"),
        ("make --length 9-3", "lengths go from 1 up, LOW-HIGH, not 9-3"),
        ("make --length 3 --difficulty easy", "give --difficulty or --length, not both"),
        ("make --size big", "--size is ROWSxCOLUMNS, e.g. 12x8, not 'big'"),
        ("make --size 0x5", "a size is ROWSxCOLUMNS, both 1 or more, not 0x5"),
        ("make --size 4x4 --difficulty hard", "4x4"),
        ("make --rules [] ", "--rules is a JSON object, not '[]'"),
        ("make --option border", "--option is NAME=VALUE, not 'border'"),
        ("make --option colour=red", "maze: unknown option 'colour' (known: border, cycles)"),
        ("make --exclude nowhere", "nowhere holds no dataset"),
        ("make --out thesis.txt", "thesis.txt is a file, not a folder"),
        ("make --out .", ". holds something else (thesis.txt)"),
        ("verify nothing.jsonl", "there is no file nothing.jsonl"),
        ("solve --family maze SSG", "maze: a second agent at (0,1); the first is at (0,0)"),
        ("solve --family maze S.x", "maze: 'x' at (0,2) is not one of #.SG*"),
        ("solve --family maze S/.G", "maze: row 1 has 2 cells, row 0 has 1"),
        ("solve maze-hard-0000000000000000", "no instance has the id"),
        ("solve --family parking RR./.B./...", "parking: vehicle B at (1,1)"),
        ("show --family maze SG --animate", "--animate needs a file: -o solution.gif"),
        ("show --family maze SG --aid --solution", "exclude each other"),
        ("families chess", "unknown family 'chess'"),
    ],
)
def test_bad_input_is_one_sentence(words: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = run(*words.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.startswith("puzzles: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_solve(tmp_path: Path) -> None:
    answer = '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    for board in (MAZE, "#####\\n#S.G#\\n#####"):
        done = run("solve", "--family", "maze", board)
        assert done.stdout.splitlines()[:2] == ["optimal length 2", answer]
    (tmp_path / "board.txt").write_text("S.G\n")
    for words, stdin in (((str(tmp_path / "board.txt"),), ""), ((), "S.G\n"), (("-",), "S.G\n")):
        done = run("solve", "--family", "maze", "--json", *words, stdin=stdin)
        record = json.loads(done.stdout)
        assert (record["result"], record["length"], record["answer"]) == ("solved", 2, answer)
        assert record["expanded"] == 2


def test_solve_in_slides() -> None:
    board = "....C\nRR..C\n....C\n.....\n....."
    for metric, length, cells in (("cell", 5, 5), ("slide", 2, 5)):
        done = run("solve", "--family", "parking", "--metric", metric, "--json", board)
        record = json.loads(done.stdout)
        assert (record["metric"], record["length"]) == (metric, length)
        assert record["answer"].count("car") == cells
    done = run("solve", "--family", "parking", "--metric", "slide", board)
    assert done.stdout.startswith("optimal length 2 (5 moves by one cell)\n<ANSWER_JSON>")


@pytest.mark.parametrize("algorithm", ["bfs", "astar", "auto"])
def test_solve_says_how(algorithm: str) -> None:
    board = "######\n#@$-.#\n######"
    done = run("solve", "--family", "sokoban", board, "--algorithm", algorithm, "--memory", "1.5GB")
    assert done.stdout.startswith(
        'optimal length 2\n<ANSWER_JSON>["right","right"]</ANSWER_JSON>\n'
    )
    assert "states expanded by " in done.stdout
    assert "(limit 20,000,000 states, 1.5 GB)" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--metric slide", "maze: there is no metric 'slide', only cell: no piece slides"),
        ("--metric hops", "unknown metric 'hops' (known: cell, slide)"),
        ("--algorithm dfs", "unknown algorithm 'dfs' (known: auto, bfs, astar)"),
        ("--memory much", "--memory is a number with its unit, e.g. 512MB or 2GB, not 'much'"),
        ("--memory 20", "--memory is a number with its unit, e.g. 512MB or 2GB, not '20'"),
        ("--memory 0MB", "--memory is a number with its unit, e.g. 512MB or 2GB, not '0MB'"),
    ],
)
def test_solve_refuses(words: str, sentence: str) -> None:
    done = run("solve", "--family", "maze", "S.G", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"puzzles: {sentence}\n"


def test_solve_by_id(tmp_path: Path) -> None:
    run("make", "--difficulty", "easy", "-n", "1", "--no-images", "--out", str(tmp_path / "d"))
    made = load(tmp_path / "d")[0]
    done = run("solve", made.id, "--data", str(tmp_path))
    assert done.stdout.startswith(f"optimal length {made.optimal_length}\n{made.answer}\n")


def test_what_has_no_solution_says_why() -> None:
    done = run("solve", "--family", "maze", "S#G")
    assert done.returncode == 1
    assert done.stderr == "unsolvable: 1 state can be reached, and none is a goal\n"
    done = run("solve", "--family", "maze", "S" + "." * 50 + "G", "--limit", "10", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["result"] == "limit"


@pytest.mark.parametrize("name", NAMES)
def test_show(name: str, tmp_path: Path) -> None:
    run("make", "--family", name, "-n", "1", "--no-images", "--out", str(tmp_path / "d"))
    made = load(tmp_path / "d")[0]
    words = ("show", made.id, "--data", str(tmp_path / "d"))
    assert run(*words).stdout == made.board + "\n"
    for flag, suffix in (
        ("", "png"),
        ("--aid", "png"),
        ("--solution", "png"),
        ("--animate", "gif"),
    ):
        out = tmp_path / f"picture{flag}.{suffix}"
        done = run(*words, "-o", str(out), "--cell", "32", *([flag] if flag else []))
        assert done.returncode == 0, done.stderr
        with Image.open(out) as picture:
            assert picture.size == (32 * family(name).size[1], 32 * family(name).size[0])
            frames = getattr(picture, "n_frames", 1)
            assert frames == (made.optimal_length + 1 if flag == "--animate" else 1)


def test_families() -> None:
    done = run("families")
    for name in NAMES:
        assert name in done.stdout
    records = json.loads(run("families", "--json").stdout)
    assert [record["name"] for record in records] == list(NAMES)
    assert records[0]["buckets"]["hard"] == [18, 30]


@pytest.mark.parametrize(
    ("flags", "field", "value"),
    [
        ("--seed 5", "seed", 5),
        ("--size 12x9", "size", [12, 9]),
        ("--split train", "split", "train"),
        ("--length 3-4", "length_range", [3, 4]),
        ("--option border=false", "options", {"border": False, "cycles": 0}),
        ('--family onet --rules {"max_turns":1}', "rules", {"max_turns": 1, "outside": False}),
        ("--difficulty medium", "difficulty", "medium"),
        ("--no-images", "cell", None),
        ("--cell 20", "cell", 20),
        ("--workers 1", "family", "maze"),
    ],
)
def test_every_flag_of_make_reaches_the_dataset(
    flags: str, field: str, value: object, tmp_path: Path
) -> None:
    done = run("make", "-n", "3", "--out", str(tmp_path / "d"), *flags.split())
    assert done.returncode == 0, done.stderr
    header = json.loads((tmp_path / "d" / "dataset.json").read_text())
    assert header["content"][field] == value
    made = load(tmp_path / "d")
    assert len(made) == header["count"] == 3
    if field == "size":
        assert len(made[0].board.split("\n")) == 12
    if field == "cell" and value:
        with Image.open(tmp_path / "d" / str(made[0].file_name)) as picture:
            assert picture.size == (200, 200)


def test_exclude_resume_and_force(tmp_path: Path) -> None:
    first, second = str(tmp_path / "a"), str(tmp_path / "b")
    words = ("make", "-n", "5", "--no-images", "--out")
    assert run(*words, first).returncode == 0
    assert run(*words, second, "--exclude", str(tmp_path)).returncode == 0
    assert not {i.board for i in load(first)} & {i.board for i in load(second)}
    assert run(*words, first).returncode == 2
    assert run(*words, first, "--resume").returncode == 0
    assert run(*words, first, "--seed", "3", "--force").returncode == 0
    assert load(first)[0].seed == 3


def test_pictures_replace_pictures_only(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("S.G\n")
    (tmp_path / "mine.png").write_text("not a picture")
    for words, sentence in (
        (("board.txt", "-o", "board.txt"), "name it *.png, not board.txt"),
        (("board.txt", "-o", "mine.png"), "mine.png holds something other than a picture"),
        (("board.txt", "-o", "a.gif"), "name it *.png, not a.gif"),
        (("board.txt", "-o", "a.png", "--animate"), "name it *.gif, not a.png"),
    ):
        done = run("show", "--family", "maze", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr
    for _ in range(2):
        assert run("show", "--family", "maze", "S.G", "-o", "b.png", cwd=tmp_path).returncode == 0
    assert (tmp_path / "board.txt").read_text() == "S.G\n"
    assert (tmp_path / "mine.png").read_text() == "not a picture"


def on_a_terminal(*words: str) -> str:
    """Return what a command prints on a terminal of 120 columns."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"COLUMNS": "120", "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
        os.execv(sys.executable, [sys.executable, "-m", "cli", *words])
    said = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side has gone
            break
        if not part:
            break
        said += part
    assert os.waitpid(pid, 0)[1] == 0, said.decode()
    return said.decode()


def test_on_a_terminal(tmp_path: Path) -> None:
    made = on_a_terminal("make", "-n", "40", "--no-images", "--out", str(tmp_path / "[/x]"))
    assert "40/40" in made  # the progress bar
    assert "walkable" in made  # the table: structure,
    assert "1 █" in made  # and a histogram of lengths
    assert "[/x]" in made
    shown = on_a_terminal("show", load(tmp_path / "[/x]")[0].id, "--data", str(tmp_path))
    assert "▀" in shown
    assert "\x1b[38;2;" in shown
    assert "maze" in on_a_terminal("families", "maze")
