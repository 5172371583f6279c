"""The ladder counts what is read, goes on where it stopped; its mild steps are read exactly."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import ladder, reading
from benchmarks.disturbances import ALL, CELL, RGB, SINGLES
from benchmarks.ladder import Case, Counts, cases, measure, outcome, picture
from puzzles import NAMES, family

SEED = 8128
"""Its boards are not those on which anything was tuned."""


def drawn(case: Case) -> RGB:
    shown = family(case.family).draw(case.state, CELL)
    return shown.palette[shown.pixels]


def corridor(before: str, state: str) -> Case:
    ends = [family("maze").parse(f"#####\n{row}\n#####", {}) for row in (before, state)]
    return Case("maze", 0, "corridor", *ends)


def test_a_board_that_is_read_counts_as_exact() -> None:
    case = corridor("#S.G#", "#.SG#")
    for reference in (False, True):
        assert outcome(case, drawn(case), reference)[0] == Counts(1, 0, 0, 15, 0, 0)


def test_another_board_counts_as_misread_with_the_cells_that_differ() -> None:
    case, other = corridor("#S.G#", "#.SG#"), corridor("#S.G#", "#S.G#")
    counts, said = outcome(case, drawn(other), False)
    assert counts == Counts(0, 0, 1, 15, 0, 2)
    assert said == "0 unknown, wrong at [[1, 1], [1, 2]], misread"


def test_what_makes_no_board_is_wrong_but_not_misread() -> None:
    case = corridor("#S.G#", "#.SG#")
    pixels = drawn(case).copy()
    pixels[CELL : 2 * CELL, CELL : 2 * CELL] = pixels[CELL : 2 * CELL, 2 * CELL : 3 * CELL]
    counts, _ = outcome(case, pixels, False)
    assert counts == Counts(0, 0, 0, 15, 0, 1)  # two agents


def test_a_covered_cell_counts_as_unknown_and_noise_as_refused() -> None:
    case = corridor("#S.G#", "#.SG#")
    pixels = drawn(case).copy()
    pixels[CELL : 2 * CELL, 2 * CELL : 3 * CELL] = (250, 0, 250)
    assert outcome(case, pixels, False)[0] == Counts(0, 0, 0, 15, 1, 0)
    noise = np.random.default_rng(0).integers(0, 256, pixels.shape, dtype=np.uint8)
    counts, said = outcome(case, noise, False)
    assert counts == Counts(0, 1, 0, 15, 15, 0)
    assert "board" in said


def test_counts_of_boards_add_up_and_failures_are_kept(tmp_path: Path, monkeypatch: object) -> None:
    chosen = [corridor("#S.G#", "#.SG#"), corridor("#S.G#", "#.SG#")]
    assert measure(chosen, (), 0)[0] == Counts(2, 0, 0, 30, 0, 0)
    wrong = Case("maze", 0, "lie", chosen[0].before, family("maze").parse("S.G\n###\n###", {}))
    lie = wrong._replace(state=chosen[0].before)
    assert isinstance(monkeypatch, pytest.MonkeyPatch)
    monkeypatch.setattr(ladder, "picture", lambda *given: drawn(chosen[0]))
    counts, _ = measure([chosen[0], lie], (), 0, fails=tmp_path)
    assert counts == Counts(1, 0, 1, 30, 0, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["maze_none_0_lie.png"]


def test_states_lie_on_ways_to_the_goal_and_do_not_depend_on_their_number() -> None:
    few, many = cases("sokoban", 4, SEED), cases("sokoban", 7, SEED)
    assert [case.name for case in few] == [case.name for case in many[:4]]
    assert [case.state for case in few] == [case.state for case in many[:4]]
    assert {case.name.split("-")[0] for case in many} == set(family("sokoban").buckets)
    room = family("sokoban")
    for case in many:
        steps = [room.apply(case.before, action) for action in room.legal_actions(case.before)]
        assert case.state == case.before or case.state in steps


def test_a_picture_does_not_depend_on_what_else_is_measured() -> None:
    case = cases("maze", 1, SEED)[0]
    first = picture(case, ("warp", "noise"), 2)
    picture(case, ("noise",), 2)
    assert np.array_equal(first, picture(case, ("warp", "noise"), 2))
    assert not np.array_equal(first, picture(case, ("warp", "noise"), 3))


def test_rows_that_are_there_are_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    words = ["-n", "1", "--family", "maze", "--only", "none,jpeg", "--strength", "1"]
    words += ["--reference", "without", "-o", str(file)]
    reading.main(words)
    before = file.read_text()
    assert [row.disturbances for row in reading.kept(file)] == ["none", "jpeg"]
    assert all(row.counts.exact == 1 for row in reading.kept(file))
    monkeypatch.setattr(reading, "measure", None)
    capsys.readouterr()
    reading.main(words)
    assert file.read_text() == before
    assert "2/2  maze     jpeg" in capsys.readouterr().err


def test_an_unknown_disturbance_is_named() -> None:
    with pytest.raises(SystemExit, match="--only: fog is none of none, singles, pairs, all, warp"):
        reading.main(["--only", "fog"])


@pytest.mark.parametrize("names", SINGLES, ids=ladder.title)
def test_mild_steps_are_read_exactly(names: tuple[str, ...]) -> None:
    assert measure(cases("maze", 1, SEED), names, 2)[0].exact == 1


@pytest.mark.parametrize("strength", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_all_that_is_mild_at_once_is_read_exactly(name: str, strength: int) -> None:
    assert measure(cases(name, 1, SEED), ALL, strength)[0].exact == 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_hardly_seen_is_not_told_wrong(name: str) -> None:
    assert measure(cases(name, 1, SEED), ALL, 4)[0].wrong == 0
