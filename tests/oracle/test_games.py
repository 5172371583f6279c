"""Games played by hand: what a hand means, what counts, and what a person is told."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from oracle.limits import Limits
from oracle.page import shown
from oracle.page.answers import line, numbered
from oracle.page.games import PAUSE, Game, pieces_of, walker_of
from puzzles import NAMES, family
from puzzles.controls import Gesture
from puzzles.family import IllegalAction
from puzzles.generate import Recipe, generate
from puzzles.instance import Instance
from puzzles.replay import optimal_actions, verify
from puzzles.steps import read, written

MAZE = Instance(family="maze", board="S.#\n#..\n##G", optimal_length=4)
LOT = Instance(family="parking", board="A..\nA..\nRR.", optimal_length=1)
TILES = Instance(family="onet", board="A.B\nBA.", optimal_length=2)
FORK = Instance(family="path", board="SAB\n#C#\n#DG", optimal_length=4)


def begun(instance: Instance) -> Game:
    return Game(instance, 1000.0)


def game_of(name: str) -> Game:
    return begun(generate(Recipe(name, 1, "easy"), 2).instance)


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_means_the_action_from_every_cell_of_the_piece(name: str) -> None:
    rng, game = random.Random(name), game_of(name)
    room, state = game.room, game.state
    for _ in range(12):
        actions = room.legal_actions(state)
        pieces = pieces_of(room, state)
        for action in actions:
            gesture = room.controls.gesture(state, action)
            for cell in pieces.get(gesture.cell, (gesture.cell,)):
                found = room.controls.action(state, gesture._replace(cell=cell))
                assert room.step.same(found) == room.step.same(action)
            if gesture.other:
                back = Gesture(gesture.other, other=gesture.cell)
                assert room.step.same(room.controls.action(state, back)) == room.step.same(action)
        if not actions:
            break
        state = room.apply(state, rng.choice(actions))


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_that_means_nothing_legal_is_told_why_by_the_rules(name: str) -> None:
    """Every gesture on every cell is legal, or refused by the rules themselves with a reason."""
    game = game_of(name)
    room, state = game.room, game.state
    rows = room.format(state).split("\n")
    cells = [(r, c) for r in range(len(rows)) for c in range(len(rows[0]))]
    legal = {written_text(room, action) for action in room.legal_actions(state)}
    if room.controls.kind == "pair":
        hands = [Gesture(one, other=other) for one in cells for other in cells[::5]]
    else:
        ways = ("up", "right", "down", "left")
        hands = [Gesture(cell, way) for cell in cells for way in ways]
    taken, reasons = set(), set[Any]()
    for hand in hands:
        try:
            action = room.controls.action(state, hand)
            room.apply(state, action)
            taken.add(written_text(room, action))
        except IllegalAction as error:
            reasons.add((error.reason, str(error)))
    assert taken <= legal
    assert taken == legal or room.controls.kind == "pair"
    assert reasons or len(legal) == 4
    assert all(sentence for _, sentence in reasons)


def written_text(room: Any, action: Any) -> str:
    return json.dumps(written(room.step, action))


def test_the_sentences_are_those_of_the_rules() -> None:
    cases = [
        (MAZE, Gesture((0, 0), "down"), "down from (0, 0) runs into the wall at (1, 0)"),
        (LOT, Gesture((1, 0), "down"), "down of vehicle A from (0,0) is blocked by vehicle R"),
        (LOT, Gesture((2, 1), "up"), "up of vehicle R from (2,0) is not along its axis"),
        (LOT, Gesture((0, 1), "up"), "there is no piece at (0,1)"),
    ]
    for instance, hand, sentence in cases:
        game = begun(instance)
        with pytest.raises(IllegalAction) as caught:
            game.take(game.room.controls.action(game.state, hand), 1001.0)
        assert str(caught.value).startswith(sentence)
    game = begun(TILES)
    with pytest.raises(IllegalAction) as caught:
        game.take(game.room.controls.action(game.state, Gesture((0, 0), other=(0, 2))), 1001.0)
    assert caught.value.reason == "not_a_pair"


@pytest.mark.parametrize("name", NAMES)
def test_a_game_ends_when_it_is_solved_and_its_answer_is_judged_optimal(name: str) -> None:
    game = game_of(name)
    solution = optimal_actions(game.instance)
    for at, action in enumerate(solution):
        assert game.end is None
        game = game.take(action, 1000.0 + at)
    assert game.end == "solved"
    assert len(game.actions) == game.instance.optimal_length == shown.moves_of(game)
    saved = line("game", game, "Ada")
    assert verify(Instance.model_validate(saved["instance"]), saved["response"]).optimal
    assert Game.of(json.loads(json.dumps(game.record()))) == game


def test_counts_and_time() -> None:
    game = begun(MAZE).take("right", 1002.0).take("down", 1005.0).undo(1006.0)
    assert (game.actions, game.undos, game.seconds, game.end) == (("right",), 1, 6.0, None)
    away = game.take("left", 1006.0 + 10 * PAUSE)
    assert away.seconds == 6.0 + PAUSE
    again = away.restart(away.seen + 1).hinted(away.seen + 2).give_up(away.seen + 3)
    assert (again.actions, again.restarts, again.hints, again.assisted) == ((), 1, 1, True)
    assert (again.end, again.seconds) == ("given_up", PAUSE + 9)
    assert replace(game, seen=2000.0).undo(1000.0).seconds == game.seconds  # a clock set back


def test_a_walk_over_a_wrong_label_reaches_the_goal_but_does_not_solve() -> None:
    game, now = begun(FORK), 1000.0
    for action in ("right", "right", "left", "down", "down", "right"):
        game = game.take(action, now)
    assert (game.answer, game.reached, game.end) == (["A", "B", "A", "C", "D"], True, None)
    assert "not as the rules have it" in shown.told(game, game)
    for action in ("right", "down", "down", "right"):
        game = (game.restart(now) if action == "right" and game.reached else game).take(action, now)
    assert (game.answer, game.end) == (["A", "C", "D"], "solved")


def test_pieces_and_the_walker() -> None:
    lot = begun(LOT)
    assert pieces_of(lot.room, lot.state)[(1, 0)] == ((0, 0), (1, 0))
    assert walker_of(lot.room, lot.state) is None
    maze = begun(MAZE)
    assert walker_of(maze.room, maze.take("right", 0.0).state) == (0, 1)
    assert set(pieces_of(family("onet"), begun(TILES).state)) == {(0, 0), (0, 2), (1, 0), (1, 1)}


def test_what_a_person_is_told() -> None:
    maze, lot, tiles = begun(MAZE), begun(LOT), begun(TILES)
    assert shown.description(maze.room, maze.state) == "You are at (0,0); you can go right."
    assert shown.description(lot.room, lot.state) == "Pieces that can move: R at (2,0)."
    assert shown.description(tiles.room, tiles.state) == "4 tiles are left."
    after = maze.take("right", 0.0)
    assert shown.description(maze.room, after.state) == "You are at (0,1); you can go down or left."
    assert shown.told(maze, after) == "Right, to (0,1)."
    (slide,) = lot.room.legal_actions(lot.state)
    solved = lot.take(slide, 0.0)
    assert shown.told(lot, solved) == "R at (2,0) right, to (2,1). Solved in 1; the optimum is 1."
    assert shown.advice(lot, slide) == ("Move R at (2,0) right.", ((2, 0), (2, 1)), "right")
    assert shown.advice(maze, "right") == ("Go right.", [(0, 0)], "right")
    assert shown.advice(maze, None) == (shown.NO_WAY, (), None)
    pair = read(tiles.room.step, [[0, 0], [1, 1]])
    assert shown.done(tiles.room, tiles.state, pair) == "The tiles at (0,0) and (1,1) are gone."
    assert shown.advice(tiles, pair).cells == [(0, 0), (1, 1)]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_the_solution_is_shown_before_the_end(name: str) -> None:
    game = game_of(name)
    for standing in ({**shown.opening(game), **shown.standing(game, shown.Look(16), Limits())},):
        assert (standing["optimum"], standing["outcome"]) == (None, None)
        text = json.dumps(standing)
        assert game.instance.answer is not None
        assert game.instance.answer not in text
        assert "optimal_length" not in text
    over = shown.standing(game.give_up(0.0), shown.Look(16), Limits())
    optimum = game.instance.optimal_length
    assert (over["optimum"], over["outcome"]) == (optimum, f"The optimum is {optimum}.")
    quiet = shown.standing(game.give_up(0.0), shown.Look(16), Limits(), quiet=True)
    assert (quiet["optimum"], quiet["outcome"]) == (None, "Moves: 0.")


def test_runs_count_up_and_a_game_is_saved_once() -> None:
    game = begun(MAZE).give_up(1001.0)
    one, two = line("g1", game, "Ada"), line("g2", game, "Ada")
    other = line("g3", game, "Bo")
    first = numbered([one, two, other], [])
    assert [(new["model"], new["run"]) for new in first] == [("Ada", 1), ("Ada", 2), ("Bo", 1)]
    again = numbered([one, two, line("g4", game, "Ada")], [{"id": "another"}, *first])
    assert [(new["game"], new["run"]) for new in again] == [("g4", 3)]
    foreign = {**{key: one[key] for key in ("id", "protocol", "model")}, "run": 7}
    assert numbered([one], [foreign])[0]["run"] == 8
    assert one["id"].startswith("maze-custom-")
