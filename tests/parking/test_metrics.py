"""Both metrics: slides, lower bounds and the fused search, against the plain rules."""

import tracemalloc

import numpy as np
import pytest

from puzzles.draws import Draws
from puzzles.parking import FAMILY, direct, rules
from puzzles.parking.kernels import NEVER
from puzzles.parking.packing import pack
from puzzles.parking.rules import Slide, State
from puzzles.parking.search import FULL, advance, chart, enter
from puzzles.solve import solve
from solvers import Limit, SearchLimit, Unsolvable, system
from solvers.breadth_first import layers, shortest_path
from tests.parking.boards import ODD, layers_of, lot, scattered, slid, stepped

PLAIN = {"cell": stepped, "slide": slid}
SIZES = [(4, 5), (5, 4), (3, 6), (6, 3), (5, 5), (4, 7), (2, 8), (7, 4), (1, 6)]

HARDEST = "BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM"
"""Takes 93 moves, the most on 6x6 (Collette, Raskin, Servais), and reaches 24,132 boards."""


def scenes(key: str, count: int, most: int = 300) -> list[list[State]]:
    """Return the components of so many random boards of odd shapes, the board first."""
    draws, found = Draws("scenes", key), []
    while len(found) < count:
        size = SIZES[len(found) % len(SIZES)]
        state = scattered(*size, draws.below(4), 2 + draws.below(8), 3, draws)
        if component := layers_of([state], most=most):
            rest = set().union(*component) - {state}
            found.append([state, *sorted(rest, key=rules.format)])
    return found


def distances(states: list[State], metric: str) -> dict[State, int]:
    """Return how far the states of a component are from the nearest solved one."""
    solved = [state for state in states if rules.is_solved(state)]
    far = {}
    for distance, layer in enumerate(layers_of(solved, PLAIN[metric])):
        far |= dict.fromkeys(layer, distance)
    return far


def bounds(states: list[State], metric: str) -> dict[State, int]:
    """Return what the heuristic says of states of one level."""
    level, _ = pack(states[0])
    words = np.array([pack(state)[1] for state in states])
    out = np.empty(len(states), np.int32)
    FAMILY.systems[metric].heuristic(level, words, out)
    return dict(zip(states, out.tolist(), strict=True))


@pytest.mark.parametrize("metric", PLAIN)
def test_bounds_are_admissible_and_consistent_on_random_boards(metric):
    hopeless = exact = total = 0
    for states in scenes("bounds", 300):
        far, bound = distances(states, metric), bounds(states, metric)
        for state in states:
            if state not in far:
                hopeless += bound[state] >= NEVER
                continue
            assert bound[state] <= far[state], rules.format(state)
            assert not rules.is_solved(state) or bound[state] == 0
            exact += bound[state] == far[state]
            total += 1
            for after in PLAIN[metric](state):
                assert abs(bound[state] - bound[after]) <= 1, rules.format(state)
    assert hopeless > 500
    assert exact > total // 2


@pytest.mark.parametrize(
    ("board", "cell", "slide"),
    [
        ("RR...", 3, 1),
        ("...RR", 0, 0),
        (".....\nRR...\n.....", 3, 1),
        ("..A..\nRRA..\n.....\n.....", 5, 2),
        ("..A..\nRRA..\n..B..\n..B..\n.....\n.....", 7, 3),
        (".....\nRR.A.\n...A.\n...B.\n...B.\n.....\n.....", 5, 3),
        (".....\n.....\n.....\nRR.A.\n...A.\n...C.\n...C.\n...#.", 5, 2),
        ("...#.\n...B.\n...B.\nRR.A.\n...A.\n...C.\n...C.\n.....\n.....", 5, 3),
        ("..A..\n..A..\nRR.B.\n...B.\n.....\n.....", 4, 2),
        ("..A..\nRRA..\n.....", NEVER, NEVER),
        ("..A..\nRRA..\n..B..\n..B..\n.....", NEVER, NEVER),
        ("...B.\n...B.\n.....\nRR.A.\n...A.\n...C.\n...C.\n...#.", NEVER, NEVER),
        ("...#.\nRR.A.\n...A.\n...#.", NEVER, NEVER),
        ("RR.AA\n.....", NEVER, NEVER),
        ("RR.#.\n.....", NEVER, NEVER),
        ("AARR.\n#....", 1, 1),
        ("RR.A.\n.CCA.\n.....\n...BB", 4, 2),
    ],
)
def test_bounds_that_can_be_counted(board, cell, slide):
    state = lot(board)
    assert bounds([state], "cell") == {state: cell}
    assert bounds([state], "slide") == {state: slide}


def test_a_hopeless_bound_is_what_solvers_call_never():
    assert system.NEVER == NEVER


def test_slides_are_those_of_the_plain_rules():
    draws = Draws("slides")
    for size in [*SIZES, (6, 9), (20, 13), (3, 70)]:
        for _ in range(4):
            state = scattered(*size, 3, 12, 4, draws)
            level, words = pack(state)
            room = max(1, FAMILY.systems["slide"].branching(level))
            succ, origin = np.zeros((room, len(words)), np.uint64), np.full(room, -1)
            moves = np.zeros(room, np.int32)
            n = FAMILY.systems["slide"].expand(level, words[None], succ, origin, moves)
            assert not origin[:n].any()
            found = {
                FAMILY.unpack(level, row): FAMILY.unfold(state, level, int(code))
                for row, code in zip(succ[:n], moves[:n], strict=True)
            }
            assert len(found) == n
            assert found == slid(state)


def test_a_run_of_one_vehicle_is_one_slide():
    assert rules.joins(Slide("A", "up"), Slide("A", "up"))
    assert not rules.joins(Slide("A", "up"), Slide("a", "up"))


@pytest.mark.parametrize("metric", PLAIN)
def test_the_fused_search_finds_shortest_solutions_on_random_boards(metric):
    unsolvable = 0
    for states in scenes("fused", 270):
        start, far = states[0], distances(states, metric)
        level, words = pack(start)
        assert direct.reachable(start) == len(states)
        if start not in far:
            unsolvable += 1
            with pytest.raises(Unsolvable) as error:
                FAMILY.systems[metric].direct(level, words, Limit())
            assert error.value.states == len(states)
            continue
        path = FAMILY.systems[metric].direct(level, words, Limit())
        assert len(path.moves) == far[start]
        assert path.expanded < len(states) or far[start] == 0
        state = start
        for code in path.moves.tolist():
            actions = FAMILY.unfold(state, level, code)
            after = rules.replay(state, actions).state
            assert PLAIN[metric](state)[after] == actions
            state = after
        assert rules.is_solved(state)
    assert unsolvable > 20


@pytest.mark.parametrize("algorithm", ["bfs", "astar", "auto"])
@pytest.mark.parametrize("metric", PLAIN)
def test_all_algorithms_agree_on_larger_boards(metric, algorithm):
    draws = Draws("larger")
    for _ in range(25):
        state = scattered(6, 7, draws.below(3), 11, 3, draws)
        level, words = pack(state)
        try:
            expected = len(shortest_path(FAMILY.systems[metric], level, words).moves)
        except Unsolvable:
            with pytest.raises(Unsolvable):
                solve(FAMILY, state, metric=metric, algorithm=algorithm)
            continue
        found = solve(FAMILY, state, metric=metric, algorithm=algorithm)
        assert found.length == expected
        assert rules.is_solved(rules.replay(state, found.actions).state)


@pytest.mark.parametrize("board", ODD)
@pytest.mark.parametrize("farthest", [1, 9])
def test_the_fused_search_visits_states_by_distance(board, farthest):
    state = lot(board)
    level, words = pack(state)
    metric = "cell" if farthest == 1 else "slide"
    found = [len(layer) for layer in layers(FAMILY.systems[metric], level, words[None])]
    word, _, lots = chart(level, direct._offsets(level, words), farthest)
    queue, parents = np.empty(1 << 16, np.uint64), np.empty(1 << 16, np.int32)
    slots, progress = np.zeros(1 << 17, np.uint64), np.array([0, 1, 0, 1])
    queue[0], parents[0] = word, -1
    enter(queue, 1, slots)
    ends = [1]
    # With room for one more state at a time, it stops and goes on as often as can be.
    for room in range(1, sum(found) + 1):
        outcome = advance(lots, np.uint64(0), queue[:room], parents[:room], slots, progress)
        assert (outcome == FULL) == (room < sum(found))
        assert progress[1] == room
        ends += [int(progress[3])] * (int(progress[3]) != ends[-1])
    far = np.zeros(sum(found), np.int64)
    for at in range(1, sum(found)):
        far[at] = far[parents[at]] + 1
    assert np.bincount(far).tolist() == found
    assert far.tolist() == sorted(far.tolist())
    assert len(set(queue[: sum(found)].tolist())) == sum(found)
    assert ends[-1] == sum(found)


def test_limits_are_obeyed_and_bounds_are_true():
    start = lot(HARDEST)
    level, words = pack(start)
    whole = direct.reachable(start)
    optimum = len(direct.shortest_cell(level, words).moves)
    assert (whole, optimum) == (24132, 93)
    reached = []
    for states in (1, 2, 500, 2048, 5000, 9000):
        with pytest.raises(SearchLimit) as error:
            direct.shortest_cell(level, words, Limit(states=states))
        assert error.value.states == states
        assert 1 <= error.value.bound <= optimum
        assert f"{states:,} states" in str(error.value)
        reached.append(error.value.bound)
    assert reached == sorted(reached)
    assert len(set(reached)) == 5
    with pytest.raises(SearchLimit):
        direct.reachable(start, Limit(states=whole - 1))
    assert direct.reachable(start, Limit(states=whole)) == whole


def test_a_board_that_fills_the_limit_is_searched_to_the_end():
    level, words = pack(lot("RRAA"))
    assert direct.reachable(lot("RRAA"), Limit(states=1)) == 1
    with pytest.raises(Unsolvable) as error:
        direct.shortest_cell(level, words, Limit(states=1))
    assert error.value.states == 1
    for states in (1, 2):
        with pytest.raises(SearchLimit):
            direct.reachable(lot("RR.."), Limit(states=states))
    assert direct.reachable(lot("RR.."), Limit(states=3)) == 3
    with pytest.raises(SearchLimit):
        direct.reachable(lot("RR.."), Limit(states=0))


@pytest.mark.parametrize("memory", [0, 1000, 60_000, 200_000, 400_000])
def test_no_more_memory_is_taken_than_allowed(memory):
    start = lot(HARDEST)
    level, words = pack(start)
    direct.shortest_cell(level, words)
    tracemalloc.start()
    with pytest.raises(SearchLimit) as error:
        direct.shortest_cell(level, words, Limit(memory=memory))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "memory" in str(error.value)
    assert peak <= memory + 40_000
    assert error.value.states >= max(0, memory - 100_000) // 60


def test_a_small_board_takes_little_memory():
    state = lot("oBBBCCooFoDDooFAAHooFooHooGEEEooGooo")
    level, words = pack(state)
    direct.shortest_cell(level, words)
    tracemalloc.start()
    assert direct.reachable(state) == 11
    direct.shortest_cell(level, words)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000


@pytest.mark.parametrize("board", ["RR" + "." * 70, "RR" + "." * 70 + "\n" + "." * 72])
@pytest.mark.parametrize("metric", PLAIN)
def test_boards_that_fit_no_word_are_searched_in_general(board, metric):
    state = lot(board)
    level, words = pack(state)
    path = FAMILY.systems[metric].direct(level, words, Limit())
    assert len(path.moves) == (state.cols - 2 if metric == "cell" else 1)
    assert direct.reachable(state) == state.cols - 1


def test_a_board_of_many_lines_fits_no_word():
    row = "AABBCC.DDEE.."
    letters = iter("ABCDEFGHIJKLMNOPQSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    rows = ["RR..........."]
    for _ in range(10):
        names = {mark: next(letters) for mark in "ABCDE"}
        rows.append("".join(names.get(mark, ".") for mark in row))
    state = lot("\n".join(rows))
    level, words = pack(state)
    assert not len(chart(level, direct._offsets(level, words), 1)[2][0])
    assert len(direct.shortest_slide(level, words).moves) == 1
    with pytest.raises(SearchLimit):
        direct.reachable(state, Limit(states=1000))


def test_a_solved_board_is_solved_in_no_moves():
    level, words = pack(lot("...RR\n....."))
    path = direct.shortest_cell(level, words)
    assert (len(path.moves), path.expanded) == (0, 0)
