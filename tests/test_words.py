"""What prompts say of each family: whole, true of the pictures, and of no help but by its sense."""

import colorsys
import itertools
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from protocols import prompts
from puzzles import NAMES, family
from puzzles.answers import extract, read_step
from puzzles.directions import STEPS, walk
from puzzles.family import Cell, Words
from puzzles.generate import Recipe, generate_block
from puzzles.instance import Instance
from puzzles.parking.rules import RED
from puzzles.replay import initial
from render.chips import CHIP, CHIP_INK
from render.encode import image
from render.palette import AID_RED, Colour
from render.strokes import stroke_width

SENTENCES = ("legend", "rules", "goal", "answer", "step", "change")
PHRASES = ("keep", "aid", "drawing")
RULES: dict[str, list[dict[str, Any]]] = {
    "onet": [
        {"max_turns": turns, "outside": outside}
        for turns, outside in itertools.product((0, 1, 2, 3, 9), (False, True))
    ],
    "klotski": [{}, {"goal": [4, 2]}],
}


def all_words() -> list[tuple[str, Words]]:
    return [(name, family(name).words(rules)) for name in NAMES for rules in RULES.get(name, [{}])]


def made(name: str, count: int) -> Iterator[Instance]:
    """Boards of all difficulties, ``count`` in all."""
    for difficulty, share in (("easy", count // 2), ("medium", count - count // 2)):
        recipe, found = Recipe(name, 7, difficulty), 0
        for block in itertools.count():
            for board in generate_block(recipe, block)[: share - found]:
                found += 1
                yield board.instance
            if found == share:
                break


@pytest.mark.parametrize(("name", "words"), all_words())
def test_sentences_are_whole_and_phrases_fit_in(name: str, words: Words) -> None:
    for field in SENTENCES:
        text = getattr(words, field)
        assert text[0].isupper(), text
        assert text.endswith("."), text
    for field in PHRASES:
        text = getattr(words, field)
        assert text[0].islower(), text
        assert text[-1].isalpha() or text.endswith((")", '"')), text
    for field in (*SENTENCES, *PHRASES):
        text = getattr(words, field)
        assert "  " not in text
        assert text == text.strip()
        assert text.count("(") == text.count(")")
    assert ":" not in words.answer


@pytest.mark.parametrize(("name", "words"), all_words())
def test_examples_are_answers_in_wire_format(name: str, words: Words) -> None:
    room = family(name)
    assert len(words.examples) >= 8
    assert len(set(words.examples)) == len(words.examples)
    lengths = set()
    for example in words.examples:
        reading = extract(example, room)
        assert reading.format_ok
        assert room.format_answer(reading.answer or []) == example
        assert extract(f"{words.answer} For example: {example}", room).answer == reading.answer
        lengths.add(len(reading.answer or []))
    assert len(lengths) >= 3


def solvers_of(instance: Instance) -> list[str]:
    """The examples that solve a board."""
    room, start = family(instance.family), initial(instance)
    solved = []
    for example in room.words(instance.rules).examples:
        played = room.replay(start, extract(example, room).answer or [])
        if played.reason is None and room.is_solved(played.state):
            solved.append(example)
    return solved


@pytest.mark.parametrize("name", NAMES)
def test_no_made_board_is_solved_by_two_examples(name: str) -> None:
    shown: Counter[str] = Counter()
    for instance in made(name, 200):
        solved = solvers_of(instance)
        assert len(solved) <= 1
        shown[prompts.example(instance)] += 1
        assert prompts.example(instance) not in solved
    assert len(shown) == len(family(name).words({}).examples)
    assert max(shown.values()) < 60


def answers(name: str) -> list[list[Any]]:
    room = family(name)
    return [extract(example, room).answer or [] for example in room.words({}).examples]


def pushed(actions: list[str], box: Cell) -> Cell:
    """Where a box ends that stands at ``box``, as seen from the player's first cell."""
    player = (0, 0)
    for action in actions:
        down, across = STEPS[action]
        player = (player[0] + down, player[1] + across)
        if player == box:
            box = (box[0] + down, box[1] + across)
    return box


def test_no_two_examples_can_solve_the_same_board() -> None:
    walks = answers("maze")
    assert walks == answers("sokoban")
    ends = [walk((0, 0), actions)[-1] for actions in walks]
    assert len({*ends, (0, 0)}) == len(walks) + 1
    for box in ((r, c) for r in range(-13, 14) for c in range(-13, 14)):
        moved = [end for end in (pushed(actions, box) for actions in walks) if end != box]
        assert len(moved) == len(set(moved)), box
    assert len({*map(tuple, answers("path"))}) == len(answers("path"))
    cleared = [[cell for pair in pairs for cell in pair] for pairs in answers("onet")]
    assert all(len(set(cells)) == len(cells) for cells in cleared)
    assert len({frozenset(cells) for cells in cleared}) == len(cleared)
    right = [
        sum({"right": 1, "left": -1}[way] for car, way in slides if car == RED)
        for slides in answers("parking")
    ]
    onward = [steps for steps in right if steps > 0]
    assert len(onward) == len(set(onward)) >= 6
    named = [{slide.at for slide in slides} for slides in answers("klotski")]
    assert sum(map(len, named)) == len(set.union(*named))


@pytest.mark.parametrize(("name", "words"), all_words())
def test_the_form_of_a_step_is_no_action(name: str, words: Words) -> None:
    room = family(name)
    content = words.step[words.step.index("<STEP_JSON>") : words.step.index("</STEP_JSON>") + 12]
    assert content.endswith("</STEP_JSON>")
    for text in (words.step, content, content[11:-12], words.step.lower(), words.step.upper()):
        assert read_step(text, room).action is None, text


@pytest.mark.parametrize("name", NAMES)
def test_a_grid_is_spoken_of_with_what_is_drawn(name: str) -> None:
    instance = next(made(name, 2))
    words = prompts.words_of(instance)
    assert f"{words.legend} The picture carries a grid: {words.aid}.\n" in prompts.puzzle(
        instance, grid=True
    )
    assert "grid" not in prompts.puzzle(instance)


def test_onet_says_its_rules() -> None:
    words = family("onet").words({"max_turns": 1, "outside": True})
    for text in (words.rules, words.drawing):
        assert "at most one turn" in text
    assert "outside the board" in words.drawing
    assert "outside the board" not in family("onet").words({}).drawing


def hue(colour: Colour) -> str:
    """What a person calls a colour."""
    h, s, v = colorsys.rgb_to_hsv(*(part / 255 for part in colour))
    if v < 0.35:
        return "dark"
    if s < 0.2:
        return "light" if v > 0.8 else "grey"
    names = ((15, "red"), (55, "orange"), (70, "yellow"), (165, "green"), (255, "blue"))
    return next((name for end, name in names if 360 * h < end), "pink" if h < 0.95 else "red")


# The constants of a family's view, the colour that its words name, and what they call it.
NAMED = {
    "maze": [("WALL", "dark", "Dark cells"), ("FLOOR", "light", "light cells")],
    "path": [
        ("WALL", "dark", "Black cells"),
        ("FLOOR", "light", "light grey cells"),
        ("START", "orange", "orange triangle"),
        ("GOAL", "blue", "blue triangle"),
        ("PLATE", "light", "white cell"),
    ],
    "sokoban": [("TARGET", "green", "green X"), ("STORED", "green", "is green")],
    "parking": [
        ("TARMAC", "dark", "Dark cells"),
        ("KERB", "light", "light rim"),
        ("BLOCK", "light", "light solid blocks"),
        ("EXIT", "green", "green mark"),
    ],
    "klotski": [
        ("TRAY", "dark", "dark tray"),
        ("GOAL", "green", "four green corners"),
        ("GOAL", "green", "green rim"),
    ],
}
NAMED["maze"] += [("AGENT", "blue", "blue disc"), ("GOAL", "green", "green ring")]


@pytest.mark.parametrize("name", NAMED)
def test_the_legend_names_the_colours_of_the_pictures(name: str) -> None:
    view, legend = import_module(f"puzzles.{name}.view"), family(name).words({}).legend
    for constant, colour, phrase in NAMED[name]:
        assert hue(getattr(view, constant)) == colour, constant
        assert phrase in legend


def test_only_the_red_car_is_red() -> None:
    view = import_module("puzzles.parking.view")
    red = [
        letter
        for letter, body in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", view.BODIES, strict=True)
        if hue(body) == "red"
    ]
    assert red == [RED]


def test_the_arrow_of_the_exit_is_spoken_of_and_hidden_by_a_vehicle() -> None:
    room, view = family("parking"), import_module("puzzles.parking.view")
    shown = {}
    for board in ("RR..\n....", "RR.A\n...A"):
        drawn = np.array(image(room.draw(room.parse(board, {}), 64)).convert("RGB"))
        last = drawn[:64, 3 * 64 : 3 * 64 + 50]
        shown[board] = bool((last == view.EXIT).all(2).any())
    assert list(shown.values()) == [True, False]
    words = room.words({})
    assert "a green arrow in the last cell of that row" in words.legend
    assert "hidden while a vehicle stands there" in words.legend
    assert "arrow" in words.keep
    assert "arrow" in words.change


def test_klotski_says_how_the_marks_of_the_goal_change() -> None:
    room, view = family("klotski"), import_module("puzzles.klotski.view")
    apart, home = (
        np.array(image(room.draw(room.parse(board, {"goal": [1, 0]}), 64)).convert("RGB"))
        for board in ("TT\nTT\n..", "..\nTT\nTT")
    )
    green = [(drawn == view.GOAL).all(2) for drawn in (apart, home)]
    middles = [bool(mask[64 + 60 : 64 + 68, :8].any()) for mask in green]
    assert middles == [False, True]  # corners, and a rim all round
    assert "rim takes the place of the four corners" in room.words({}).change


def test_what_is_added_has_the_colours_that_are_named() -> None:
    assert (hue(AID_RED), hue(CHIP), hue(CHIP_INK)) == ("red", "pink", "light")
    assert stroke_width(64) == 64 / 8
    for name, words in all_words():
        assert "red lines" in words.aid
        assert ("dashed" in words.aid) is (name == "klotski")
        assert ("no wall" in words.aid) is (name == "sokoban")
        assert "an eighth of a cell" in words.drawing or "pink" in words.drawing


@pytest.mark.parametrize("name", NAMES)
def test_requests_for_drawings_say_what_stays_and_that_nothing_else_is_added(name: str) -> None:
    instance = next(made(name, 1))
    words = prompts.words_of(instance)
    for text in (
        prompts.draw_aid(instance),
        prompts.draw_solution(instance),
        prompts.draw_next(instance, "{}", aug=False),
    ):
        assert "the size and the geometry of the picture" in text
        assert f"keep {words.keep} exactly as they are" in text
        for other in ("text", "arrows", "title", "legend", "collage"):
            assert f"no other {other}" in text or f"no {other}" in text


@pytest.mark.parametrize("name", NAMES)
def test_the_aid_is_drawn_as_it_is_described(name: str) -> None:
    room = family(name)
    state = initial(next(made(name, 2)))
    plain, aid = (
        np.array(image(draw(state, 64)).convert("RGB")) for draw in (room.draw, room.draw_aid)
    )
    red = (aid == AID_RED).all(2)
    rows, cols = (side // 64 for side in red.shape)
    share = [red[64 * row - 1 : 64 * row + 1].any(0).mean() for row in range(1, rows)]
    assert min(share) > (0.4 if "dashed" in room.words({}).aid else 0.8)
    assert max(share) < (0.6 if "dashed" in room.words({}).aid else 1.01)
    board = np.array([list(row) for row in room.format(state).split("\n")])
    centre = (plain != aid).any(2).reshape(rows, 64, cols, 64)[:, 20:44, :, 20:44].any((1, 3))
    labelled = board != "#" if "no wall" in room.words({}).aid else np.ones((rows, cols), bool)
    assert (centre == labelled).all()
