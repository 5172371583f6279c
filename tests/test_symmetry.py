"""Rotations, mirror images and new names of boards given as text."""

from hypothesis import given
from hypothesis import strategies as st

from puzzles.symmetry import all_eight, relabelled, smallest, smallest_relabelled


def test_all_eight_of_a_board_without_symmetry() -> None:
    boards = set(all_eight(("ab", "cd", "ef")))
    assert len(boards) == 8
    assert ("ace", "bdf") in boards  # mirrored at the diagonal
    assert ("eca", "fdb") in boards  # turned by a quarter
    assert ("fe", "dc", "ba") in boards  # turned by a half


def test_names_are_numbered_in_the_order_of_their_first_appearance() -> None:
    assert relabelled("b.a\nab.", ".") == relabelled("x.y\nyx.", ".")
    assert relabelled("b.a\nab.", ".") != relabelled("b.a\nba.", ".")


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_the_smallest_is_found_by_first_rows(rows: int, columns: int, data: st.DataObject) -> None:
    row = st.text(".abc", min_size=columns, max_size=columns)
    board = tuple(data.draw(st.lists(row, min_size=rows, max_size=rows)))
    every = min(relabelled("\n".join(other), ".") for other in all_eight(board))
    assert smallest_relabelled(all_eight(board), ".") == every


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_the_smallest_of_all_eight(rows: int, columns: int, data: st.DataObject) -> None:
    row = st.text("#.SG", min_size=columns, max_size=columns)
    board = tuple(data.draw(st.lists(row, min_size=rows, max_size=rows)))
    assert smallest(board) == "\n".join(min(all_eight(board)))
