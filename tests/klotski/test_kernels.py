"""The kernels of Klotski say what the rules say, on boards of any size and shape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.draws import Draws
from puzzles.klotski import FAMILY, explore, rules
from puzzles.klotski.blocks import HOLES, SHAPES, inventory
from puzzles.klotski.packing import level_of, pack, unpack, words_of
from puzzles.klotski.rules import State
from puzzles.solve import solve
from solvers import Unsolvable
from solvers.breadth_first import layers
from tests.conformance import check_state, random_play
from tests.klotski.boards import any_board
from tests.plain import shortest_length


@given(seed=st.integers(0, 9999))
def test_kernels_and_rules_agree_on_any_board(seed: int) -> None:
    draws = Draws("kernels", seed)
    for state in random_play(FAMILY, any_board(draws), draws, 6):
        check_state(FAMILY, state)


@given(seed=st.integers(0, 99))
def test_kernels_and_rules_agree_on_large_boards(seed: int) -> None:
    draws = Draws("large", seed)
    state = any_board(draws, 16)
    assert unpack(*pack(state)) == state
    for later in random_play(FAMILY, state, draws, 2):
        check_state(FAMILY, later)


def test_a_state_takes_as_few_words_as_its_shapes_allow() -> None:
    classic = rules.parse("ATTB\nATTB\nCDDE\nCFGE\nH..I", {})
    (_, _, bits, *_), words = pack(classic)
    assert (bits, len(words)) == (3, 1)
    _, words = pack(rules.parse("T" + "." * 255, {}))
    assert len(words) == 4
    many = "\n".join(["TABBCCC", "DDEEEEF", "D.....F", "D....FF"] + ["......."] * 12)
    (_, _, bits, *_), words = pack(rules.parse(many, {}))
    assert (bits, len(words)) == (3, 6)
    check_state(FAMILY, rules.parse(many, {}))


@given(seed=st.integers(0, 9999))
def test_the_solver_finds_what_plain_search_finds(seed: int) -> None:
    state = any_board(Draws("solver", seed), 4)
    expected = shortest_length(FAMILY, state) if len(rules.legal_actions(state)) < 9 else 0
    if expected is None:
        with pytest.raises(Unsolvable):
            solve(FAMILY, state)
    elif expected:
        actions = solve(FAMILY, state).actions
        assert len(actions) == expected
        assert rules.is_solved(FAMILY.replay(state, actions).state)


def test_number_of_states_at_every_depth() -> None:
    """From Heng Dao Li Ma, 25,955 states can be reached, the known number, none lost on the way."""
    state = rules.parse("ATTB\nATTB\nCDDE\nCFGE\nH..I", {})
    level, words = pack(state)
    found = layers(FAMILY.systems["cell"], level, words[None])
    assert sum(map(len, found)) == 25955
    seen, layer = {state}, {state}
    for rows in found[:30]:
        assert {unpack(level, row) for row in rows} == layer
        after = {rules.apply(s, action) for s in layer for action in rules.legal_actions(s)}
        layer = after - seen
        seen |= layer


def found(
    size: tuple[int, int], target: int, length: int, deepest: int, key: object
) -> tuple[State, list[int]] | None:
    """Return what the explorer finds from boards with T's top-left cell at index ``target``."""
    rows, columns = size
    goal = rules.goal_cell(None, SHAPES[0], rows, columns)
    heads, moves = np.zeros(rows * columns, np.int64), np.zeros(length, np.int32)
    counts = np.array([0, *inventory(size)])
    spent = explore.find(
        *(size, goal[0] * columns + goal[1], counts, np.array([target]), length, deepest),
        *(1 << 14, 1 << 18, Draws("explore", key).state, heads, moves),
    )
    if spent < 0:
        return None
    level = level_of(rows, columns, goal, SHAPES, int(counts.sum()), HOLES)
    return unpack(level, words_of(level[2], heads.tolist())), moves.tolist()


@pytest.mark.parametrize("size", [(5, 4), (4, 5), (3, 5), (6, 3), (2, 7)])
def test_the_explorer_finds_exact_lengths_from_any_place(size: tuple[int, int]) -> None:
    rows, columns = size
    seen = 0
    corners = [r * columns + c for r in range(rows - 1) for c in range(columns - 1)]
    for target in corners:
        for length in (1, 2, 5, 9, 14, 23):
            board = found(size, target, length, 2 * length, (size, target))
            if board is None:
                continue
            state, codes = board
            seen += 1
            assert shortest_length(FAMILY, state) == length == len(codes)
            actions = [FAMILY.decode(pack(state)[0], code) for code in codes]
            assert rules.is_solved(FAMILY.replay(state, actions).state)
    assert seen > 4


def test_the_explorers_bound_never_misleads() -> None:
    """It is 0 at the goal, and neighbours differ by at most one: so A* finds shortest paths."""
    size = rows, columns = 5, 4
    level, words = pack(rules.parse("ATTB\nATTB\nCDDE\nCFGE\nH..I", {}))
    atlas, width = explore._atlas(*size), columns + 1

    def bound(state: State) -> int:
        target, *_ = rules.blocks_of(state.board)["T"]
        spots = [target] + [
            (r, c) for r in range(rows) for c in range(columns) if state.board[r][c] == "."
        ]
        cells = [(r + 1) * width + c for r, c in (state.goal, *spots)]
        return int(explore._bound(atlas, *cells))

    for layer in layers(FAMILY.systems["cell"], level, words[None]):
        for row in layer[::40]:
            state = unpack(level, row)
            here = bound(state)
            assert (here == 0) == rules.is_solved(state)
            for action in rules.legal_actions(state):
                assert abs(bound(rules.apply(state, action)) - here) <= 1
