"""The Gymnasium environments: their transitions are the rules', and Gymnasium finds no fault."""

import json
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oracle.envs import IDS
from oracle.envs.environment import PuzzleEnv
from puzzles import NAMES, Instance, family, verify
from puzzles.draws import Draws
from puzzles.family import IllegalAction
from puzzles.solve import solve
from tests.oracle.environments import CORRIDOR, made
from tests.random_boards import random_boards

UP, RIGHT, DOWN, LEFT = range(4)


def hold_to_rules(env: PuzzleEnv, draws: Draws, steps: int) -> None:
    """Play at random, one action in eight any number at all, and compare with the plain rules."""
    room = env.room
    observation, info = env.reset(seed=draws.below(1000))
    state = room.parse(env.instance.board, env.instance.rules)
    for _ in range(steps):
        text = "\n".join("".join(env.legend[code] for code in row) for row in observation)
        assert text == room.format(state)
        actions = [json.loads(room.step.format(a, None)) for a in room.legal_actions(state)]
        numbers = [env.number(action) for action in actions]
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(numbers)
        number = draws.below(int(env.action_space.n))
        if numbers and draws.below(8):
            number = draws.choice(numbers)
        meant, legal = env.room.controls.numbering.action(env.boards.size, number), True
        try:
            state = room.apply(state, meant)
        except IllegalAction as error:
            legal, reason = False, str(error.reason)
        observation, reward, terminated, truncated, info = env.step(number)
        assert info["legal"] == legal == (number in numbers)
        solved, stuck = room.is_solved(state), not room.legal_actions(state)
        assert terminated == (solved or stuck or not legal)
        assert reward == float(solved)
        if terminated or truncated:
            assert info["solved"] == solved
            assert legal or info["reason"] == reason
            observation, info = env.reset()
            state = room.parse(env.instance.board, env.instance.rules)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_transitions_are_those_of_the_rules(name: str, difficulty: str) -> None:
    hold_to_rules(made(name, difficulty=difficulty), Draws("env", name, difficulty), 150)


@pytest.mark.parametrize("name", NAMES)
def test_transitions_on_boards_of_odd_shapes(name: str) -> None:
    room, draws = family(name), Draws("odd", name)
    for state in random_boards(name, 25, "envs"):
        if room.is_solved(state):
            continue
        board, rules = room.format(state), room.rules_of(state)
        one = Instance(family=name, board=board, rules=rules, optimal_length=1)
        env = PuzzleEnv(name, instances=[one], max_steps=40)
        if room.legal_actions(state):
            hold_to_rules(env, draws, 20)


@pytest.mark.parametrize("name", NAMES)
def test_transitions_on_large_oblong_boards(name: str) -> None:
    rows, columns = family(name).size
    env = made(name, difficulty="easy", size=(rows + 5, columns + 3), boards=3)
    assert env.observation_space.shape == (rows + 5, columns + 3)
    hold_to_rules(env, Draws("large", name), 40)


def test_options_of_the_boards_reach_the_sampler() -> None:
    boxes = made("sokoban", difficulty="easy", options={"boxes": 3})
    boxes.reset(seed=1)
    assert sum(boxes.instance.board.count(mark) for mark in "$*") == 3
    hold_to_rules(boxes, Draws("boxes"), 100)
    outside = made("onet", difficulty="easy", rules={"outside": True})
    outside.reset(seed=1)
    assert outside.instance.rules["outside"] is True
    hold_to_rules(outside, Draws("outside"), 100)
    walls = made("parking", difficulty="easy", options={"walls": 2}, size=(7, 6))
    hold_to_rules(walls, Draws("walls"), 100)
    assert walls.instance.board.count("#") == 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("observation", ["state", "image"])
def test_gymnasium_finds_no_fault(name: str, observation: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(IDS[name], observation=observation, render_mode="rgb_array", boards=4)
        check_env(env.unwrapped, skip_render_check=False)


@pytest.mark.parametrize("name", NAMES)
def test_the_image_is_the_room_s_and_so_is_what_is_rendered(name: str) -> None:
    env = made(name, observation="image", cell=24, render_mode="rgb_array", render_cell=32)
    observation, _ = env.reset(seed=4)
    room = env.room
    state = room.parse(env.instance.board, env.instance.rules)
    for shown, cell in ((observation, 24), (env.render(), 32)):
        picture = room.draw(state, cell)
        assert (shown == picture.palette[picture.pixels]).all()
    assert env.observation_space.shape == observation.shape
    text = made(name, render_mode="ansi")
    text.reset(seed=4)
    assert text.render() == env.instance.board + "\n"
    silent = made(name)
    silent.reset()
    assert silent.render() is None


@pytest.mark.parametrize("name", NAMES)
def test_a_solution_is_worth_one_and_the_judge_agrees(name: str) -> None:
    for reward in ("sparse", "optimal", "efficiency", "progress"):
        env = made(name, difficulty="medium", reward=reward)
        _, info = env.reset(seed=7)
        room, total, taken, over = env.room, 0.0, [], False
        state = room.parse(env.instance.board, env.instance.rules)
        for action in solve(room, state).actions:
            assert not over
            number = env.number(json.loads(room.step.format(action, [])))
            assert info["action_mask"][number] == 1
            _, worth, over, truncated, info = env.step(number)
            total += worth
            taken.append(action)
        assert over
        assert not truncated
        assert total == pytest.approx(1)
        expected = {"solved": True, "optimal": True, "reason": "solved", "moves": len(taken)}
        assert {key: info[key] for key in expected} == expected
        answer = room.format_answer(room.answer_of(state, taken))
        verdict = verify(env.instance, answer)
        assert (verdict.feasible, verdict.optimal) == (True, True)
        with pytest.raises(ResetNeeded, match="the episode is over"):
            env.step(0)


def test_an_illegal_action_ends_the_episode_as_the_judge_has_it() -> None:
    env = PuzzleEnv("maze", instances=[CORRIDOR])
    env.reset()
    observation, reward, terminated, truncated, info = env.step(UP)
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert (info["legal"], info["solved"], info["reason"]) == (False, False, "out_of_bounds")
    assert info["detail"] == "up from (0, 0) leaves the board at (-1, 0)"
    assert [env.legend[code] for code in observation[0]] == ["S", ".", "G"]
    verdict = verify(CORRIDOR, '<ANSWER_JSON>["up"]</ANSWER_JSON>')
    assert (verdict.reason, verdict.at) == (info["reason"], 0)


def test_an_illegal_action_may_stay_at_a_cost() -> None:
    env = PuzzleEnv("maze", instances=[CORRIDOR], illegal="stay", step_cost=0.5, max_steps=9)
    env.reset()
    steps = [env.step(number) for number in (UP, RIGHT, DOWN, RIGHT)]
    assert [step[1] for step in steps] == pytest.approx([-0.6, -0.5, -0.6, 0.5])
    assert [step[4]["legal"] for step in steps] == [False, True, False, True]
    assert [step[2] for step in steps] == [False, False, False, True]
    assert steps[0][4]["action_mask"].tolist() == [0, 1, 0, 0]
    assert (steps[-1][4]["moves"], steps[-1][4]["optimal"]) == (2, True)
    dear = PuzzleEnv("maze", instances=[CORRIDOR], illegal_cost=2)
    dear.reset()
    assert dear.step(UP)[1] == -2


def test_to_break_the_rules_never_comes_cheaper_than_to_go_on() -> None:
    env = PuzzleEnv("maze", instances=[CORRIDOR], step_cost=0.25, max_steps=8)

    def worth(*numbers: int) -> float:
        env.reset()
        return sum(env.step(number)[1] for number in numbers)

    idle = [RIGHT, LEFT] * 4
    assert worth(*idle) == -2
    assert [worth(*idle[:n], UP) for n in range(8)] == [-2] * 8
    assert worth(RIGHT, RIGHT) == 0.5
    free = PuzzleEnv("maze", instances=[CORRIDOR], step_cost=0.25, illegal_cost=0)
    free.reset()
    assert free.step(UP)[1] == -0.25
    paid = PuzzleEnv("maze", instances=[CORRIDOR], step_cost=-0.25)
    paid.reset()
    assert paid.step(UP)[1] == 0.25


def test_episodes_are_cut_off_where_an_evaluation_ends_them() -> None:
    env = made("maze", difficulty="hard")
    env.reset(seed=1)
    (there,) = np.flatnonzero(env.play.mask)[:1].tolist()
    numbers = [there, (there + 2) % 4] * 30
    ends = [env.step(number)[2:4] for number in numbers]
    assert ends == [(False, False)] * 59 + [(False, True)]
    short = PuzzleEnv("maze", instances=[CORRIDOR], max_steps=1)
    short.reset()
    *_, truncated, info = short.step(RIGHT)
    assert (truncated, info["reason"]) == (True, "round_cap")
    custom = PuzzleEnv("maze", instances=[CORRIDOR])
    custom.reset()
    assert custom.play.cap == 3  # the number of cells


def test_a_state_without_a_legal_action_ends_the_episode() -> None:
    board = "a.b\nb.a\ncc."  # the pair c goes; then no link of no turns joins the others
    tiles = Instance(family="onet", board=board, rules={"max_turns": 0}, optimal_length=3)
    env = PuzzleEnv("onet", instances=[tiles])
    _, info = env.reset()
    (number,) = np.flatnonzero(info["action_mask"]).tolist()
    assert env.action(number) == [[2, 0], [2, 1]]
    _, reward, terminated, _, info = env.step(number)
    assert (reward, terminated, info["solved"], info["reason"]) == (0, True, False, "unsolved")
    assert not info["action_mask"].any()


@pytest.mark.parametrize("name", NAMES)
def test_numbers_and_json_are_each_other_s(name: str) -> None:
    env = made(name)
    for number in range(int(env.action_space.n)):
        assert env.number(env.action(number)) == number
    env.reset()
    for wrong in (-1, int(env.action_space.n), 1.0, "1", None, np.array([1, 2]), 1 << 80):
        for taken in (env.action, env.step):
            with pytest.raises(ValueError, match="an action is a whole number from 0 to") as error:
                taken(wrong)
            assert "\n" not in str(error.value)


def test_more_actions_than_can_be_numbered_are_refused() -> None:
    """There are 65,536 cells at most whose pairs 31 bits can number."""
    board = "ab" + "." * 298 + "\n" + ("." * 300 + "\n") * 298 + "ab" + "." * 298
    tiles = Instance(family="onet", board=board, optimal_length=2)
    with pytest.raises(ValueError, match="a 300x300 board of onet has 4,049,955,000 actions"):
        PuzzleEnv("onet", instances=[tiles])


def test_what_is_no_action_has_no_number() -> None:
    outside = {
        "onet": [[0, 0], [6, 0]],
        "klotski": {"from": [6, 0], "direction": "UP"},
        "parking": {"car": "AB", "direction": "up"},
    }
    for name, value in outside.items():
        with pytest.raises(ValueError, match=r"is no action of a \dx\d board"):
            made(name).number(value)
    with pytest.raises(ValueError, match="names 2 actions, not one"):
        made("maze").number([{"move": "up"}, {"move": "up"}])
    with pytest.raises(ValueError, match="is not a direction"):
        made("maze").number("sideways")


def test_what_is_asked_too_early_or_makes_no_sense() -> None:
    env = PuzzleEnv("maze", instances=[CORRIDOR], render_mode="rgb_array")
    calls: list[Callable[[], Any]] = [lambda: env.step(0), env.render, lambda: env.instance]
    for call in calls:
        with pytest.raises(ResetNeeded, match="call reset"):
            call()
    solved = Instance(id="done", family="maze", board="*.", optimal_length=0)
    with pytest.raises(ValueError, match="done is solved already"):
        PuzzleEnv("maze", instances=[solved]).reset()
    with pytest.raises(ValueError, match="unknown render_mode 'human'"):
        PuzzleEnv("maze", render_mode="human")


def test_masked_samples_are_legal_and_even() -> None:
    space = made("klotski").action_space
    mask = np.zeros(144, np.int8)
    assert space.sample(mask) == 0
    mask[[3, 77, 143]] = 1
    space.seed(1)
    drawn = [int(space.sample(mask)) for _ in range(900)]
    assert {number: 250 < drawn.count(number) < 350 for number in (3, 77, 143)} == dict.fromkeys(
        (3, 77, 143), True
    )
    space.seed(1)
    assert [int(space.sample(mask)) for _ in range(900)] == drawn
    with pytest.raises(AssertionError):
        space.sample(mask[:5])
    assert space == gymnasium.spaces.Discrete(144)
