"""puzzles read as a user types it."""

import json
import os
import pty
import sys
from pathlib import Path
from subprocess import Popen
from typing import Any

import numpy as np
import pytest
from PIL import Image

from puzzles import family
from render.encode import png
from tests.test_cli import ROOT, run
from tests.views.forging import shown, stroked

BOARD = "########\n#S..#..#\n##.##..#\n#....G.#\n########"
AFTER = BOARD.replace("#S..#", "#.S.#")
WAY = [(1, 1), (1, 2), (3, 2), (3, 5)]


def picture(board: str, how: str = "draw", cell: int = 48) -> Any:
    room = family("maze")
    return getattr(room, how)(room.parse(board, {}), cell)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    room = family("maze")
    (tmp_path / "board.txt").write_text(BOARD)
    (tmp_path / "before.png").write_bytes(png(picture(BOARD)))
    (tmp_path / "after.png").write_bytes(png(picture(AFTER)))
    (tmp_path / "aid.png").write_bytes(png(picture(BOARD, "draw_aid", 64)))
    way = stroked(shown(room.draw(room.parse(BOARD, {}), 48)), 48, WAY)
    Image.fromarray(way).save(tmp_path / "way.png")
    (tmp_path / "words.png").write_text("not a picture")
    (tmp_path / "cut.png").write_bytes(png(picture(BOARD))[:300])
    Image.new("RGB", (1, 1)).save(tmp_path / "dot.png")
    (tmp_path / "empty").mkdir()
    for place in ("a/images", "b/images", "b/aids", "c/images", "d/deep/e/f/images"):
        (tmp_path / "set" / place).mkdir(parents=True)
        (tmp_path / "set" / place / "a.PNG").touch()
    return tmp_path


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_board_is_printed_in_its_notation(folder: Path) -> None:
    done = run("read", "before.png", "--family", "maze", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    first, *rows = done.stdout.splitlines()
    assert first == "before.png: maze, 5x8, least confidence 1.00"
    assert "\n".join(rows) == BOARD


def test_what_has_happened_since_the_reference_is_said(folder: Path) -> None:
    words = ("--reference", "board.txt", "--family", "maze")
    for name, said in (
        ("before.png", "it shows the reference itself"),
        ("after.png", 'one action after the reference: {"move":"right"}'),
    ):
        done = run("read", name, *words, cwd=folder)
        assert done.returncode == 0
        assert done.stdout.splitlines()[-1] == said
    done = run("read", "before.png", "after.png", *words, "--json", cwd=folder)
    same, after = records(done.stdout)
    assert same["since"] == {"same": True, "action": None, "fault": None, "cells": []}
    assert after["since"]["action"] == {"move": "right"}
    assert after["since"]["cells"] == [[1, 1], [1, 2]]


def test_a_record_says_all(folder: Path) -> None:
    done = run("read", "after.png", "--family", "maze", "--size", "5x8", "--json", cwd=folder)
    (record,) = records(done.stdout)
    assert (record["picture"], record["family"], record["readable"]) == ("after.png", "maze", True)
    assert (record["board"], record["rules"], record["size"]) == (AFTER, {}, [5, 8])
    assert np.array(record["confidence"]).shape == (5, 8)
    assert np.min(record["confidence"]) > 0.9
    assert record["matrix"] == [[48, 0, 0], [0, 48, 0]]
    assert (record["unknown"], record["reason"]) == ([], None)


def test_the_family_is_found_where_it_is_not_said(folder: Path) -> None:
    rows = [row + "##" for row in BOARD.split("\n")] + ["#" * 10] * 5
    (folder / "usual.png").write_bytes(png(picture("\n".join(rows))))
    done = run("read", "usual.png", cwd=folder)
    assert done.stdout.splitlines() == ["usual.png: maze, 10x10, least confidence 1.00", *rows]


def test_what_can_not_be_told_is_marked_and_named(folder: Path) -> None:
    pixels = shown(picture(BOARD)).copy()
    pixels[48:96, 96:144] = (200, 30, 200)
    Image.fromarray(pixels).save(folder / "covered.png")
    words = ("read", "covered.png", "--family", "maze", "--size", "5x8")
    done = run(*words, "--overlay", "seen.png", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    first, *rows = done.stderr.splitlines()
    assert first == (
        "covered.png: maze, 5x8, least confidence 0.00, "
        "unreadable: what stands at (1,2) can't be told"
    )
    assert rows == BOARD.replace("#S..#", "#S?.#").split("\n")
    (record,) = records(run(*words, "--json", cwd=folder).stdout)
    assert (record["board"], record["unknown"]) == (None, [[1, 2]])
    assert record["reason"] == "what stands at (1,2) can't be told"
    with Image.open(folder / "seen.png") as overlay:
        assert overlay.width > 2 * 8 * 48


def test_a_drawn_solution_is_judged(folder: Path) -> None:
    words = ("--family", "maze", "--reference", "board.txt", "--what", "drawing")
    done = run("read", "way.png", *words, "--overlay", "seen.png", cwd=folder)
    assert done.stdout.splitlines() == [
        "way.png: maze, an optimal solution",
        '<ANSWER_JSON>["right","down","down","right","right","right"]</ANSWER_JSON>',
    ]
    (record,) = records(run("read", "before.png", *words, "--json", cwd=folder).stdout)
    assert (record["flaw"], record["answer"], record["feasible"]) == ("none_drawn", None, False)
    other = run("read", "dot.png", *words, cwd=folder)
    assert other.returncode == 1
    assert other.stderr.startswith("dot.png: maze, other picture, unreadable: ")


def test_an_aid_is_checked(folder: Path) -> None:
    words = ("--family", "maze", "--reference", "board.txt", "--what", "aid")
    done = run("read", "aid.png", *words, cwd=folder)
    assert done.stdout.splitlines() == [
        "aid.png: maze, 100% of the grid, 40 of 40 labels",
        "all of the aid is there, and the board beneath is what it was",
    ]
    pixels = shown(picture(BOARD, "draw_aid", 64)).copy()
    pixels[:64, :64] = shown(picture(BOARD, cell=64))[:64, :64]
    Image.fromarray(pixels).save(folder / "spoilt.png")
    done = run("read", "spoilt.png", *words, "--overlay", "seen.png", cwd=folder)
    assert "the label is missing: (0,0)" in done.stdout
    (record,) = records(run("read", "spoilt.png", *words, "--json", cwd=folder).stdout)
    assert (record["missing"], record["labels"]) == ([[0, 0]], {"missing": 1, "right": 39})


def test_many_pictures_and_their_overlays(folder: Path) -> None:
    words = ("--family", "maze", "--size", "5x8", "--json", "--overlay", "seen")
    done = run("read", "*e*o*.png", "after.png", "words.png", *words, cwd=folder)
    assert done.returncode == 1
    assert [(record["picture"], record["readable"]) for record in records(done.stdout)] == [
        ("before.png", True),
        ("after.png", True),
        ("words.png", False),
    ]
    assert sorted(path.name for path in (folder / "seen").iterdir()) == ["after.png", "before.png"]
    done = run("read", "words.png", "after.png", *words[:-2], cwd=folder)
    assert done.returncode == 1
    done = run("read", ".", "--family", "maze", "--size", "5x8", "--json", cwd=folder)
    assert len(records(done.stdout)) == 7


def test_a_record_of_what_is_no_picture_has_the_same_keys(folder: Path) -> None:
    told = ("--family", "maze", "--json")
    for words in (told, (*told, "--reference", "board.txt"), ("--json",)):
        done = run("read", "words.png", "before.png", *words, cwd=folder)
        none, some = records(done.stdout)
        assert none.keys() == some.keys()
        assert (none["readable"], none["board"], none["confidence"]) == (False, None, None)
        assert none["reason"].startswith("the picture is not an image")
    for what in ("drawing", "aid"):
        words = ("--reference", "board.txt", "--what", what)
        done = run("read", "words.png", *told, *words, cwd=folder)
        (record,) = records(done.stdout)
        assert (record["family"], record["readable"]) == ("maze", False)
        assert record["reason"].startswith("the picture is not an image")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("words.png", "words.png: unreadable: the picture is not an image that can be read"),
        ("cut.png", "cut.png: unreadable: the picture is cut off: "),
        ("dot.png --family maze", "dot.png: maze, unreadable: the picture has 1x1 pixels"),
        ("before.png --family maze --size 3x9", "which is not the shape of a board of 3 rows"),
        ("before.png --family maze --size 900x900", "too few for a board of 900 rows"),
        ("before.png --family onet --size 5x8", "onet, "),
    ],
)
def test_what_is_unreadable_says_why(words: str, reason: str, folder: Path) -> None:
    done = run("read", *words.split(), cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr
    assert "unreadable: " in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("nothing.png", "there is no file nothing.png"),
        ("*.tiff", "there is no file *.tiff"),
        ("empty", ".bmp)\n"),
        ("set", ".bmp); there are some in set/a/images, set/b/aids and 2 folders more\n"),
        ("set/a", ".bmp); there are some in set/a/images\n"),
        ("/dev/null", "/dev/null is no file"),
        ("before.png --family chess", "unknown family 'chess'"),
        ("before.png --size big", "--size is ROWSxCOLUMNS, e.g. 12x8, not 'big'"),
        ("before.png --size 0x5", "a size is ROWSxCOLUMNS, both 1 or more, not 0x5"),
        ("before.png --what is", "--what is board or drawing or aid, not 'is'"),
        ("before.png --what aid", "--what aid needs a --reference: the board that it was drawn on"),
        ("before.png --reference board.txt --size 5x8", "give --size or --reference, not both"),
        ("before.png --reference maze-easy-0000000000000000", "no instance has the id"),
        ('before.png --rules {"goal":[1,1]}', "--rules are those of a family: say its --family"),
        ('before.png --family maze --rules {"a":1}', "maze: unknown rule 'a'"),
        ("before.png --overlay seen.jpg", "the picture is a PNG: name it *.png, not seen.jpg"),
        ("before.png --overlay before.png", "the overlay would replace the picture, before.png"),
        ("before.png --overlay words.png", "words.png holds something other than a picture"),
        ("before.png aid.png --overlay seen.png", "go to a folder, not to seen.png"),
        ("before.png aid.png --overlay .", "would replace the picture before.png"),
    ],
)
def test_bad_use_is_one_sentence(words: str, sentence: str, folder: Path) -> None:
    done = run("read", *words.split(), cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.startswith("puzzles: ")
    assert done.stderr.count("\n") == 1


def test_a_terminal_sees_the_board_drawn(folder: Path) -> None:
    reader, writer = pty.openpty()
    process = Popen(
        [sys.executable, "-m", "cli", "read", "before.png", "--family", "maze"],
        stdout=writer,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"},
    )
    os.close(writer)
    out = b""
    while True:
        try:
            piece = os.read(reader, 65536)
        except OSError:
            break
        out += piece
    os.close(reader)
    assert process.wait() == 0
    assert "▀".encode() in out
    assert b"#S..#..#" in out
