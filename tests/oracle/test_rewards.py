"""Rewards that depend on the distance: exact, worth one in all, and not to be farmed."""

import json
from math import inf
from typing import Any

import numpy as np
import pytest

from oracle.envs.environment import PuzzleEnv
from oracle.envs.play import Play
from oracle.envs.rewards import REWARDS
from oracle.trainers import rewards as trainers
from protocols.reward import potential, score
from puzzles import NAMES, Instance, distances, family, make
from puzzles.draws import Draws
from puzzles.family import Family
from puzzles.solve import solve
from solvers import Limit, Unsolvable
from tests import plain
from tests.random_boards import random_boards

UP, RIGHT, DOWN, LEFT = range(4)
MAZE = Instance(family="maze", board="..S.G\n.####", optimal_length=2)
PUSH = Instance(family="sokoban", board="-----\n@-$-.\n-----", optimal_length=3)


def played(env: PuzzleEnv, numbers: list[int]) -> list[float]:
    env.reset()
    return [env.step(number)[1] for number in numbers]


def test_progress_on_a_board_that_one_sees_at_once() -> None:
    env = PuzzleEnv("maze", instances=[MAZE], reward="progress")
    steps = [RIGHT, LEFT, LEFT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT]
    gained = [1 / 2, -1 / 2, -1 / 3, -1 / 6, 1 / 6, 1 / 3, 1 / 2, 1 / 2]
    assert played(env, steps) == pytest.approx(gained)
    assert played(env, [DOWN]) == [0.0]


def test_a_box_pushed_where_it_stays_for_ever_costs_what_can_be_lost() -> None:
    env = PuzzleEnv("sokoban", instances=[PUSH], reward="progress", max_steps=12)
    env.reset()
    assert env.play.distance() == 3
    # Away from the box, back to its side, and above it.
    assert [env.step(number)[1] * 4 for number in (UP, RIGHT, RIGHT)] == pytest.approx([-1, 1, -1])
    assert env.play.distance() == 4
    *_, info = env.step(DOWN)  # the box is now in the bottom row, below its target's
    assert env.play.distance() == inf
    assert sum(played(env, [UP, RIGHT, RIGHT, DOWN])) == pytest.approx(-1)
    assert info["legal"]


def test_the_rewards_of_the_goal_count_what_they_say() -> None:
    there_and_back = [LEFT, RIGHT, RIGHT, RIGHT]
    for reward, last in (("sparse", 1.0), ("optimal", 0.0), ("efficiency", 0.5)):
        env = PuzzleEnv("maze", instances=[MAZE], reward=reward)
        assert played(env, there_and_back) == [0, 0, 0, last]
        assert played(env, [RIGHT, RIGHT]) == [0, 1]


@pytest.mark.parametrize("solution", ["R R", "L R R R"])
def test_rewards_are_called_as_trainers_call_them(solution: str) -> None:
    numbers = [{"L": LEFT, "R": RIGHT}[word] for word in solution.split()]
    words = [{"L": "left", "R": "right"}[word] for word in solution.split()]
    scored = score(f"<ANSWER_JSON>{json.dumps(words)}</ANSWER_JSON>", MAZE)
    shared = set(trainers.KINDS) & set(REWARDS)
    assert shared == {"optimal", "efficiency"}
    for kind in shared:
        env = PuzzleEnv("maze", instances=[MAZE], reward=kind)
        assert sum(played(env, numbers)) == trainers.reward(kind, scored)


@pytest.mark.parametrize("reward", ["optimal", "efficiency", "progress"])
def test_the_optimum_is_in_actions_whatever_the_instance_counts(reward: str) -> None:
    # Two slides solve it, of the block T round three sides: eight actions, where six will do.
    board, rules = "AT.\nA..\nB..\nB..", {"goal": [3, 0]}
    one = Instance(family="klotski", board=board, rules=rules, optimal_length=2, metric="slide")
    room = family("klotski")
    state = room.parse(board, rules)
    for answer in (None, room.format_answer(solve(room, state, metric="slide").actions)):
        given = one.model_copy(update={"answer": answer})
        env = PuzzleEnv("klotski", instances=[given], reward=reward, max_steps=20)
        _, info = env.reset()
        assert info["optimal_length"] == 6
        actions = [room.step.format(action, []) for action in solve(room, state).actions]
        numbers = [env.number(json.loads(action)) for action in actions]
        assert sum(played(env, numbers)) == pytest.approx(1)


def test_a_function_of_the_play_is_a_reward() -> None:
    class Tally:
        def start(self, play: Play) -> None:
            self.began = play.board.optimum

        def __call__(self, play: Play) -> float:
            assert isinstance(play.state, type(play.room.parse("SG", {})))
            return self.began + 10 * play.steps + (play.distance() or 0)

    env = PuzzleEnv("maze", instances=[MAZE], reward=Tally())
    assert played(env, [RIGHT, RIGHT]) == [13, 22]
    env = PuzzleEnv("maze", instances=[MAZE], reward=lambda play: play.moves)
    assert played(env, [RIGHT, LEFT]) == [1, 2]


def distance(room: Family[Any, Any], state: Any) -> float:
    """Return what a plain search says of a state."""
    found = plain.shortest_length(room, state)
    return inf if found is None else found


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_distances_are_those_of_a_plain_search(
    name: str, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distances, "PATIENCE", 0 if whole else -1)
    room, draws = family(name), Draws("distances", name)
    for state in random_boards(name, 12, "rewards", most=150):
        if room.is_solved(state) or not room.legal_actions(state):
            continue
        board, rules = room.format(state), room.rules_of(state)
        one = Instance(family=name, board=board, rules=rules, optimal_length=1)
        env = PuzzleEnv(name, instances=[one], max_steps=20)
        _, info = env.reset()
        for _ in range(8):
            assert env.play.distance() == distance(room, env.play.state)
            _, _, terminated, truncated, info = env.step(
                draws.choice(np.flatnonzero(info["action_mask"]).tolist())
            )
            if terminated or truncated:
                break
        assert env.play.distance() == distance(room, env.play.state)


@pytest.mark.parametrize("name", NAMES)
def test_progress_sums_up_to_the_way_made(name: str) -> None:
    room, draws = family(name), Draws("progress", name)
    env = PuzzleEnv(name, instances=make(name, "easy", 4), reward="progress", max_steps=60)
    for k in range(4):
        _, info = env.reset(options={"index": k})
        total, optimum = 0.0, env.instance.optimal_length
        for _ in range(12):
            number = draws.choice(np.flatnonzero(info["action_mask"]).tolist())
            _, reward, terminated, _, info = env.step(number)
            total += reward
            if terminated:
                break
        try:
            left: float = solve(room, env.play.state).length
        except Unsolvable:
            left = inf
        assert total == pytest.approx(potential(left, optimum))


def test_distances_along_a_shortest_solution_take_one_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(distances, "SPACE", Limit(states=10))
    searches = []

    def counted(room: Any, state: Any, limit: Limit) -> Any:
        searches.append(state)
        return solve(room, state, limit)

    monkeypatch.setattr(distances, "solve", counted)
    (instance,) = make("klotski", "medium", 1)
    env = PuzzleEnv("klotski", instances=[instance])
    env.reset()
    room, left = env.room, instance.optimal_length
    assert env.play.distance() == left
    for action in solve(room, env.play.state).actions:
        env.step(env.number(json.loads(room.step.format(action, []))))
        left -= 1
        assert env.play.distance() == left
    assert len(searches) == 1


def test_beyond_the_search_limit_the_distance_is_the_last_one_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(distances, "SPACE", Limit(states=0))
    known = {2: 2.0, 0: 1.0, 4: 0.0}  # by the marker's column; the cells between are unknown

    def searched(self: Any, here: Any) -> None:
        self.known[here.tobytes()] = known.get(int(here[0, 0]))

    monkeypatch.setattr(distances._Parts, "_search", searched)
    env = PuzzleEnv("maze", instances=[MAZE], reward="progress")
    assert played(env, [LEFT, LEFT, RIGHT, RIGHT]) == [0, 0.5, 0, -0.5]
    assert played(env, [RIGHT, RIGHT]) == [0, 1]


def test_a_search_that_is_too_large_says_so_of_the_distance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(distances, "SPACE", Limit(states=0))
    monkeypatch.setattr(distances, "SEARCH", Limit(states=2))
    env = PuzzleEnv("sokoban", instances=[PUSH], reward="progress")
    env.reset()
    assert env.play.distance() is None
    assert env.step(UP)[1] == 0


def test_only_so_many_distances_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    instances = make("maze", "medium", 6)
    monkeypatch.setattr(distances, "KEPT", 60)
    env = PuzzleEnv("maze", instances=instances)
    tables = env.boards.distances._tables
    for k in (0, 1, 2, 3, 4, 5, 0, 0):
        env.reset(options={"index": k})
        assert env.play.distance() == instances[k].optimal_length
        assert len(tables) == 1 or sum(map(len, tables.values())) <= 60
        assert env.play.board in tables


def test_a_board_alone_keeps_only_so_many_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "SPACE", Limit(states=0))
    monkeypatch.setattr(distances, "KEPT", 10)
    (instance,) = make("sokoban", "medium", 1)
    env = PuzzleEnv("sokoban", instances=[instance], max_steps=200)
    kept, draws = env.boards.distances, Draws("alone")
    _, info = env.reset()
    for _ in range(100):
        assert env.play.distance() == distance(env.room, env.play.state)
        (table,) = kept._tables.values()
        assert len(table) == kept._kept <= 10 + 2 * instance.optimal_length
        _, _, over, _, info = env.step(
            draws.choice(np.flatnonzero(info["action_mask"]).tolist()),
        )
        if over:
            break


def test_boards_without_end_leave_no_distances_behind() -> None:
    env = PuzzleEnv("maze", boards=None, reward="progress")
    block = env.boards.recipe.block  # type: ignore[union-attr]
    _, info = env.reset(seed=1)
    for _ in range(3 * block):
        env.step(int(np.flatnonzero(info["action_mask"])[0]))
        _, info = env.reset()
        assert len(env.boards.distances._tables) <= block
