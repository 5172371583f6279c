"""XSB files as they are found: levels between titles, comments, codes and mistakes."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.dataset import make
from puzzles.exchange import Entry, Source
from puzzles.instance import Instance
from puzzles.sokoban import FAMILY, rules

XSB = FAMILY.formats["xsb"]


def entries(text: str) -> list[Entry]:
    """Read ``text``; the records together are all of it."""
    found = list(XSB.read(Source(Path("levels.xsb"), text)))
    assert not found or "".join(entry.record for entry in found) == text
    return found


def boards(text: str) -> list[str]:
    return [entry.problem or rules.format(entry.state) for entry in entries(text)]


def imported(entry: Entry) -> Instance:
    source = {"format": "xsb", "record": entry.record}
    board = rules.format(entry.state)
    return Instance(family="sokoban", board=board, optimal_length=0, source=source)


WILD = """\
Two rooms, by nobody

Title: The first
Author: A. N. Other
; a comment

    #####
    #   #  \t
    #$  #
  ###  $##
  # @$. .#
  ####  .#
     #####
Title after it: The first
Comment:
####
#@$#
####
Comment-End:

2

-_-_-
 ####
##.*##
#_@--#
#--$-#
######
-----
"""


def test_a_collection() -> None:
    first, second = entries(WILD)
    assert rules.format(first.state).split("\n") == [
        "########",
        "###---##",
        "###$--##",
        "###--$##",
        "#-@$.-.#",
        "####--.#",
        "########",
    ]
    assert rules.format(second.state) == "######\n##.*##\n#-@--#\n#--$-#\n######"
    assert (first.line, second.line) == (7, 23)
    assert first.record.endswith("Comment-End:\n")
    assert second.record.startswith("\n2\n\n-_-_-\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_make_no_difference(end: str) -> None:
    assert boards(WILD.replace("\n", end)) == boards(WILD)
    assert [entry.line for entry in entries(WILD.replace("\n", end))] == [7, 23]


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("#####\n#@$.#\n#####", "#####\n#@$.#\n#####"),
        ("\ufeff#####\n#@$.#\n#####\n\n\n", "#####\n#@$.#\n#####"),
        ("\t#####\n\t#@$.#\t\n\t#####", "#####\n#@$.#\n#####"),
        # Run-length code, also in one line.
        ("5#\n#@$.#\n5#", "#####\n#@$.#\n#####"),
        ("8#|#@-$2-.#|8#", "########\n#@-$--.#\n########"),
        ("3#2-$.#|#@2-2#2-", "###--$.#\n#@--##--"),
        # Rows without a wall, and an open side.
        ("@$.\n---", "@$.\n---"),
        ("---\n@$.\n---", "---\n@$.\n---"),
        # Players, boxes and targets in one cell; a level that is solved.
        ("####\n#+$#\n####", "####\n#+$#\n####"),
        ("####\n#@*#\n####", "####\n#@*#\n####"),
        # Rooms within the walls that nothing leads to.
        ("########\n#@$.#  #\n########", "########\n#@$.####\n########"),
        # A box or a target out of reach keeps its room.
        ("########\n#@$.#*-#\n########", "########\n#@$.#*-#\n########"),
    ],
)
def test_one_level(text: str, board: str) -> None:
    assert XSB.claims(text)
    assert boards(text) == [board]


def test_the_picture_has_no_floor_outside() -> None:
    """Reachable floor stays, floor outside becomes wall, margins of nothing but it go."""
    text = "\n".join(
        [
            "        ",
            "   ####         ",
            "   #  ###",
            " ###@$ .#   -----",
            " #  #####",
            " ####",
        ]
    )
    assert boards(text) == ["########\n###--###\n###@$-.#\n########\n########"]


@pytest.mark.parametrize(
    ("level", "problem"),
    [
        ("#####\n#-$.#\n#####", "the board has no player"),
        ("#####\n#@-.#\n#####", "the board has no box"),
        ("######\n#@$@.#\n######", "a second player at (1,3); the first is at (1,1)"),
        ("######\n#@$$.#\n######", "2 boxes ((1,2), (1,3)) but 1 targets ((1,4))"),
        ("#####\n#@$x#\n#####", "'x' at (1,3) is not one of #-@+$*."),
        ("999999999#\n#@$.#", "2 rows of up to 1,000,000,009 cells"),
        ("#####\n#---#\n#####", "the board has no player"),
    ],
)
def test_a_wrong_level_is_told_among_others(level: str, problem: str) -> None:
    good = "#####\n#@$.#\n#####"
    found = entries(f"; 0\n{good}\n\n; 1\n{level}\n\n; 2\n{good}\n")
    assert len(found) == 3
    assert found[1].problem.startswith(f"sokoban: {problem}")
    assert (found[1].line, found[1].state) == (7, None)
    assert [found[0].problem, found[2].problem] == ["", ""]


def test_ornaments_are_no_levels() -> None:
    assert boards("***\n\n+---+\n\n#####\n\n--------\n.....\n") == []
    assert boards("# 1\n1.\n###\nLevel #2: @home for 5$\n") == []
    assert boards("") == boards("\n\n") == []


def test_boxoban_files(reference: Path) -> None:
    """Numbers stand before the levels. Lists of its levels are JSON lines, and not ours."""
    text = (reference / "sokoban.jsonl").read_text()
    records = [json.loads(line) for line in text.splitlines()]
    numbered = entries("\n\n".join(f"; {at}\n{one['board']}" for at, one in enumerate(records)))
    for record, one in zip(records, numbered, strict=True):
        assert one.state == rules.parse(record["board"], {})
    assert not XSB.claims(text)
    assert XSB.claims(numbered[0].record)


def test_rows_in_the_quotes_of_a_table_are_no_comments() -> None:
    text = 'name,level\nfirst,"####\n#@$.#\n####"\n\n#####\n#@$.#\n#####\n'
    broken, whole = entries(text)
    assert broken.problem.startswith("sokoban: ")
    assert broken.state is None
    assert whole.problem == ""
    assert boards('Level "#1", by me\n\n#####\n#@$.#\n#####\n; ####, "x"\n') == [
        "#####\n#@$.#\n#####"
    ]


def test_only_levels_are_claimed(reference: Path) -> None:
    claimed = {
        str(path.relative_to(reference))
        for path in reference.rglob("*.*")
        if path.is_file()
        if XSB.claims(path.read_text())
    }
    assert claimed == set()
    others = [
        "####\n#S.#\n#.G#\n####",
        "#####\n#*..#\n#####",
        "+--+--+\n|  S  |\n+--+--+",
        "type octile\nheight 2\nwidth 3\nmap\n@.@\n...",
        "o.oAA.x.o...",
        "....\n.TT.\n.TT.",
        '{"family": "sokoban", "board": "@$."}',
        '[{"board": "@$."}]',
        "It costs 5$ @ the shop.",
    ]
    assert not any(map(XSB.claims, others))


@pytest.mark.parametrize("tier", FAMILY.buckets)
def test_what_is_written_is_read_again(tier: str) -> None:
    assert XSB.write is not None
    found = make("sokoban", tier, 10) + make("sokoban", tier, 10, options={"boxes": 3})
    text = "".join(map(XSB.write, found))
    assert boards(text) == [instance.board for instance in found]
    assert all(f"; {instance.id}\n" in text for instance in found)


def test_records_are_written_back() -> None:
    assert XSB.write is not None
    for text in (WILD, WILD.replace("\n", "\r\n"), WILD.replace("\n", "\r")):
        assert "".join(XSB.write(imported(entry)) for entry in entries(text)) == text


@given(st.text(st.sampled_from("#@$.*+-_ |3\n\r\tx;:"), max_size=60))
def test_nothing_in_a_file_raises(text: str) -> None:
    for entry in entries(text):
        assert bool(entry.problem) == (entry.state is None)
        assert 1 <= entry.line <= len(text.splitlines())


@pytest.mark.parametrize(
    "text",
    ["#" * 200_000 + "x", "9" * 200_000 + "#", "comment:\n" * 50_000 + "comment-end:\n" * 50_000],
)
def test_long_lines_are_read_in_time(text: str) -> None:
    started = time.process_time()
    assert boards(text) == []
    assert time.process_time() - started < 5
