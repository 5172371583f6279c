"""The page in a browser: games of all families by keyboard, mouse and touch, to their end."""

import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oracle.page.games import pieces_of, walker_of
from oracle.server.application import application
from oracle.server.settings import Settings
from protocols.judge import Options, judge_file
from puzzles import NAMES, family
from puzzles.directions import STEPS
from puzzles.generate import Recipe, generate
from puzzles.replay import initial
from puzzles.solve import solve
from tests.integrations.in_thread import Served

pytestmark = pytest.mark.integration

ARROWS = {"up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown", "left": "ArrowLeft"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 860}}
SLIDES = [name for name in NAMES if family(name).controls.kind == "slide"]
ONE_OF_EACH = {family(name).controls.kind: name for name in NAMES}


class Kept(Served):
    """The server with a file of answers."""

    def __init__(self, folder: Path):
        self.answers = folder / "answers.jsonl"
        super().__init__(
            application(Settings(store=str(folder / "store.sqlite"), answers=self.answers))
        )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    served = Kept(tmp_path_factory.mktemp("page"))
    yield served
    served.stop()


@pytest.fixture
def opened(browser: Any, served: Kept) -> Iterator[Any]:
    """A function that opens a page of the server; none may ask others or complain."""
    wrong: list[str] = []
    contexts = []

    def open_page(place: str, *expected: str, **options: Any) -> Any:
        context = browser.new_context(**{"color_scheme": "light", **DESK, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: message.text in expected or wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda asked: asked.url.startswith((served.url, "data:")) or wrong.append(asked.url),
        )
        page.goto(served.url + place)
        page.wait_for_selector(".board img[src]")
        return page

    yield open_page
    assert wrong == []
    for context in contexts:
        context.close()


class Hand:
    """Plays the actions of a solution on the page, and knows where the board has got to."""

    def __init__(self, page: Any, name: str, difficulty: str = "easy", index: int = 5):
        self.page, self.room = page, family(name)
        self.instance = generate(Recipe(name, 0, difficulty), index).instance
        self.state = initial(self.instance)
        self.actions = solve(self.room, self.state).actions
        self.rows = self.room.format(self.state).split("\n")
        first = next(iter(pieces_of(self.room, self.state)), (0, 0))
        self.focus = first
        self.count = 0

    @staticmethod
    def place(name: str, difficulty: str = "easy", index: int = 5) -> str:
        return f"#play?family={name}&difficulty={difficulty}&index={index}"

    def gesture(self, action: Any) -> Any:
        return self.room.controls.gesture(self.state, action)

    def took(self, action: Any) -> None:
        """Wait until the page has counted the action."""
        self.state, self.count = self.room.apply(self.state, action), self.count + 1
        until(self.page, f"document.querySelector('.counts dd').textContent === '{self.count}'")

    def by_keys(self, action: Any) -> None:
        gesture, keys = self.gesture(action), self.page.keyboard
        kind = self.room.controls.kind
        if kind == "pair":
            for cell in (gesture.cell, gesture.other):
                self.look(cell)
                keys.press("Enter")
        elif kind == "slide":
            self.look(gesture.cell)
            keys.press("Enter")
            keys.press(ARROWS[gesture.direction])
            keys.press("Escape")
            down, across = STEPS[gesture.direction]
            self.focus = self.focus[0] + down, self.focus[1] + across
        else:
            keys.press(ARROWS[gesture.direction])
        self.took(action)

    def look(self, cell: Any) -> None:
        """Bring the focus to ``cell`` or to another cell of its piece, by the arrow keys."""
        pieces = pieces_of(self.room, self.state)
        goals = set(pieces.get(cell, (cell,)))
        ways: dict[Any, list[str]] = {self.focus: []}
        queue = deque([self.focus])
        while queue:
            at = queue.popleft()
            if at in goals:
                for way in ways[at]:
                    self.page.keyboard.press(ARROWS[way])
                self.focus = at
                return
            for way, (down, across) in STEPS.items():
                r, c = at[0] + down, at[1] + across
                while (r, c) in pieces.get(at, ()):
                    r, c = r + down, c + across
                inside = 0 <= r < len(self.rows) and 0 <= c < len(self.rows[0])
                if inside and (r, c) not in ways:
                    ways[r, c] = [*ways[at], way]
                    queue.append((r, c))
        raise AssertionError(f"the focus can't come to {cell}")

    def middle(self, cell: Any) -> tuple[float, float]:
        box = self.page.locator(".board").bounding_box()
        width, height = box["width"] / len(self.rows[0]), box["height"] / len(self.rows)
        return box["x"] + (cell[1] + 0.5) * width, box["y"] + (cell[0] + 0.5) * height

    def by_mouse(self, action: Any) -> None:
        gesture, mouse = self.gesture(action), self.page.mouse
        kind = self.room.controls.kind
        if kind == "slide":
            down, across = STEPS[gesture.direction]
            mouse.move(*self.middle(gesture.cell))
            mouse.down()
            to = gesture.cell[0] + down, gesture.cell[1] + across
            mouse.move(*self.middle(to), steps=4)
            mouse.up()
        else:
            for cell in self.clicks(gesture):
                mouse.click(*self.middle(cell))
        self.took(action)

    def by_touch(self, action: Any) -> None:
        for cell in self.clicks(self.gesture(action)):
            self.page.touchscreen.tap(*self.middle(cell))
        self.took(action)

    def clicks(self, gesture: Any) -> list[Any]:
        if gesture.other is not None:
            return [gesture.cell, gesture.other]
        down, across = STEPS[gesture.direction]
        return [(gesture.cell[0] + down, gesture.cell[1] + across)]


def until(page: Any, expression: str) -> None:
    """Wait until a JavaScript expression holds; the page's policy forbids Playwright's own way."""
    for _ in range(400):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"it never holds: {expression}")


def said(page: Any) -> str:
    return str(page.text_content("#live"))


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_every_family_by_keyboard(opened: Any, name: str) -> None:
    page = opened(Hand.place(name, "medium"))
    hand = Hand(page, name, "medium")
    for action in hand.actions:
        assert page.locator(".result").is_hidden()
        hand.by_keys(action)
    page.wait_for_selector(".board.reached")
    n = len(hand.actions)
    assert page.text_content(".result h2") == "Solved, and optimally"
    assert f"Solved in {n}; the optimum is {n}." in page.text_content(".result p")
    assert f"Solved in {n}; the optimum is {n}." in said(page)
    assert "assisted" not in page.text_content(".result")


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_every_family_by_mouse(opened: Any, name: str) -> None:
    page = opened(Hand.place(name))
    hand = Hand(page, name)
    for action in hand.actions:
        hand.by_mouse(action)
    page.wait_for_selector(".board.reached")


@pytest.mark.parametrize("name", [ONE_OF_EACH["walk"], ONE_OF_EACH["pair"]])
def test_a_game_by_touch(opened: Any, name: str) -> None:
    page = opened(Hand.place(name), **PHONE)
    hand = Hand(page, name)
    for action in hand.actions:
        hand.by_touch(action)
    page.wait_for_selector(".board.reached")


def test_a_piece_is_tapped_and_moved_by_the_buttons_for_touch(opened: Any) -> None:
    name = ONE_OF_EACH["slide"]
    page = opened(Hand.place(name), **PHONE)
    hand = Hand(page, name)
    for action in hand.actions:
        gesture = hand.gesture(action)
        page.touchscreen.tap(*hand.middle(gesture.cell))
        page.wait_for_selector(".marks .chosen", state="attached")
        page.tap(f".pad .{gesture.direction}")
        hand.took(action)
        page.keyboard.press("Escape")
    page.wait_for_selector(".board.reached")
    for target in page.locator("button:visible, a:visible, summary:visible, input:visible").all():
        box = target.bounding_box()
        assert min(box["width"], box["height"]) >= 44 or box["y"] < 0, target.inner_html()


def test_a_swipe_moves_the_walker(opened: Any) -> None:
    page = opened(Hand.place(NAMES[0]), **PHONE)
    hand = Hand(page, NAMES[0])
    direction = hand.gesture(hand.actions[0]).direction
    down, across = STEPS[direction]
    x, y = hand.middle((4, 4))
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y})
    for step in range(1, 6):
        send("touchMove", {"x": x + across * step * 7, "y": y + down * step * 7})
    send("touchEnd")
    hand.took(hand.actions[0])


def test_an_impossible_move_shakes_and_says_why(opened: Any) -> None:
    name = NAMES[0]
    page = opened(Hand.place(name))
    hand = Hand(page, name)
    legal = hand.room.legal_actions(hand.state)
    (wrong, *_) = [way for way in STEPS if way not in legal]
    page.keyboard.press(ARROWS[wrong])
    page.wait_for_selector(".status.illegal")
    r, c = walker_of(hand.room, hand.state) or (0, 0)
    assert page.text_content(".status").startswith(f"{wrong.capitalize()} from ({r}, {c}) ")
    assert page.text_content(".counts dd") == "0"
    hand.by_keys(hand.actions[0])
    assert page.locator(".status.illegal").count() == 0
    assert f"({r}, {c})" not in said(page)


def test_undo_restart_grid_and_the_board_as_text(opened: Any) -> None:
    name = NAMES[0]
    page = opened(Hand.place(name, "medium"))
    hand = Hand(page, name, "medium")
    text = page.text_content("details pre")
    assert text == hand.instance.board
    before = page.get_attribute(".board img", "src")
    hand.by_keys(hand.actions[0])
    assert page.text_content("details pre") == hand.room.format(hand.state)
    assert "you can go" in said(page)
    page.keyboard.press("u")
    until(page, "document.querySelector('.counts dd').textContent === '0'")
    until(page, f"document.querySelector('.board img').src === '{before}'")
    assert page.text_content(".counts div:nth-child(2) dd") == "1"
    for key in ("Enter", "Backspace", "r"):
        page.keyboard.press(key)  # nothing to choose, to undo, to restart: nothing happens
    page.keyboard.press("g")
    until(page, f"document.querySelector('.board img').src !== '{before}'")
    assert page.get_attribute("button:has-text('Grid')", "aria-pressed") == "true"
    page.keyboard.press("g")
    until(page, f"document.querySelector('.board img').src === '{before}'")
    hand.state, hand.count = initial(hand.instance), 0
    for action in hand.actions[:3]:
        hand.by_keys(action)
    page.keyboard.press("r")
    until(page, "document.querySelector('.counts dd').textContent === '0'")
    assert page.text_content("details pre") == text


@pytest.mark.parametrize("name", [*ONE_OF_EACH.values()])
def test_hints_lead_to_the_goal_and_mark_the_game_as_assisted(opened: Any, name: str) -> None:
    page = opened(Hand.place(name))
    hand = Hand(page, name)
    page.keyboard.press("h")
    page.wait_for_selector(".marks .hint", state="attached")
    gesture = hand.gesture(hand.actions[0])
    assert (gesture.direction or str(gesture.cell).replace(" ", "")) in page.text_content(".status")
    for action in hand.actions:
        hand.by_keys(action)
    page.wait_for_selector(".board.reached")
    assert "assisted" in page.text_content(".result")
    assert page.locator(".marks .hint").count() == 0


def test_giving_up_is_asked_for_twice_and_shows_the_solution(opened: Any) -> None:
    name = SLIDES[0]
    page = opened(Hand.place(name))
    hand = Hand(page, name)
    page.click("button:has-text('Give up')")
    assert page.locator(".film").count() == 0
    page.click("button:has-text('Give up')")
    page.wait_for_selector(".film")
    n = len(hand.actions)
    until(page, f"document.querySelector('.film .count').textContent === '{n} / {n}'")
    page.wait_for_selector(".board.reached")
    assert f"The optimum is {n}." in page.text_content(".result p")
    last = page.get_attribute(".board img:last-of-type", "src")
    page.focus(".film input")
    page.keyboard.press("Home")
    until(page, f"document.querySelector('.film .count').textContent === '0 / {n}'")
    assert page.text_content(".film .status") == "A shortest solution, from the start."
    until(page, f"document.querySelector('.board img:last-of-type').src !== '{last}'")
    page.click("[aria-label='Step on']")
    until(page, f"document.querySelector('.film .count').textContent === '1 / {n}'")
    page.click("[aria-label='Play']")
    page.wait_for_selector("[aria-label='Pause']")
    page.select_option(".film select", "4")
    until(page, f"document.querySelector('.film .count').textContent === '{n} / {n}'")
    page.wait_for_selector("[aria-label='Play']")


def test_who_wants_less_motion_starts_the_solution_themselves(opened: Any) -> None:
    page = opened(Hand.place(NAMES[0]), reduced_motion="reduce")
    for _ in range(2):
        page.click("button:has-text('Give up')")
    page.wait_for_selector(".film")
    page.wait_for_timeout(900)
    assert page.text_content(".film .count").startswith("0 / ")


def test_a_game_is_there_again_after_a_reload(opened: Any) -> None:
    name = NAMES[0]
    page = opened(Hand.place(name, "medium"))
    hand = Hand(page, name, "medium")
    for action in hand.actions[:2]:
        hand.by_keys(action)
    address = page.url
    assert "#play/" in address
    page.reload()
    page.wait_for_selector(".board img[src]")
    assert page.url == address
    assert page.text_content(".counts dd") == "2"
    hand.by_keys(hand.actions[2])
    page.fill("input[type=number]", "9")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Medium · No. 9")
    page.wait_for_selector(".board:focus")
    other = Hand(page, name, "medium", 9)
    other.by_keys(other.actions[0])
    page.click("button:has-text('Another one')")
    until(page, "document.querySelector('.counts dd').textContent === '0'")
    for key in ARROWS.values():  # one at a time: of keys in a hurry the page leaves some out
        with page.expect_response("**/actions?*"):
            page.keyboard.press(key)
    until(page, "document.querySelector('.counts dd').textContent !== '0'")
    page.go_back()
    page.wait_for_selector("text=Medium · No. 9")
    page.go_back()
    until(page, "document.querySelector('.counts dd').textContent === '3'")


def test_saved_games_are_judged_as_answers_are(opened: Any, served: Kept) -> None:
    page = opened(Hand.place(NAMES[0]))
    for round_, name in enumerate((NAMES[0], *ONE_OF_EACH.values())):
        if round_:
            page.goto(served.url + Hand.place(name))
        page.wait_for_selector(f"h1:text-is('{family(name).words({}).title}')")
        until(page, "document.querySelector('.counts dd').textContent === '0'")
        hand = Hand(page, name)
        for action in hand.actions:
            hand.by_keys(action)
        page.wait_for_selector(".board.reached")
    page.click("summary:has-text('Your games')")
    page.fill(".save input", "Ada")
    page.click(".save button:has-text('Save')")
    page.wait_for_selector("text=Saved: 4.")
    page.click(".save button:has-text('Save')")
    page.wait_for_selector("text=All of them were saved before.")
    with page.expect_download() as download:
        page.click(".save button:has-text('Download')")
    lines = [json.loads(line) for line in served.answers.read_text().splitlines()]
    assert [json.loads(line) for line in download.value.path().read_text().splitlines()] == lines
    assert {line["model"] for line in lines} == {"Ada"}
    out = served.answers.with_name("verdicts.jsonl")
    judge_file(served.answers, [], out, Options(images=False))
    verdicts = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(v["optimal"], v["error"]) for v in verdicts] == [(True, None)] * 4
    assert sorted(v["run"] for v in verdicts)[:2] == [1, 1]


def test_a_phone_needs_no_sideways_scrolling_and_the_theme_is_kept(opened: Any) -> None:
    page = opened(Hand.place(NAMES[0]), **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".board").bounding_box()["width"] > 340

    def ground() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = ground()
    page.click("#theme")
    dark = ground()
    assert light != dark
    page.reload()
    page.wait_for_selector(".board img[src]")
    assert ground() == dark


def test_what_goes_wrong_is_said_in_the_page(opened: Any, served: Kept) -> None:
    logged = "Failed to load resource: the server responded with a status of 404 (Not Found)"
    page = opened(Hand.place(NAMES[0]), logged)
    page.evaluate("location.hash = '#play?id=nothing-of-this'")
    page.wait_for_selector(".trouble:visible")
    assert page.text_content(".trouble") == "The data hold no instance 'nothing-of-this'"
