"""The page in a browser: a gallery looked through, a failure replayed, a study taken."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from oracle.page.study import Study
from protocols.judge import Options, judge_file
from puzzles import NAMES, Instance, family, make
from puzzles.dataset import load
from puzzles.solve import solve
from tests.integrations.in_thread import Served
from tests.oracle.watching import MAZE, judged, page, written

pytestmark = pytest.mark.integration

ARROWS = {"up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown", "left": "ArrowLeft"}
ONE_OF_EACH = {family(name).controls.kind: name for name in NAMES}
EVIL = "<img src=x onerror=\"document.title='taken'\">"
REFUSED = "the server responded with a status of 4"
"""What the browser says of a request that the server refuses, as it should."""
Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """A function that serves an application and opens its page; none may complain."""
    wrong: list[str] = []
    contexts: list[Any] = []
    servers: list[Served] = []

    def open_page(app: FastAPI, place: str = "", **options: Any) -> Any:
        servers.append(Served(app))
        wide = {"viewport": {"width": 1280, "height": 860}}
        contexts.append(browser.new_context(**{"color_scheme": "light", **wide, **options}))
        return watched(contexts[-1].new_page(), servers[-1].url, place)

    def watched(one: Any, url: str, place: str) -> Any:
        one.set_default_timeout(20_000)
        one.on("console", lambda message: REFUSED in message.text or wrong.append(message.text))
        one.on("pageerror", lambda error: wrong.append(str(error)))
        one.on(
            "request", lambda asked: asked.url.startswith((url, "data:")) or wrong.append(asked.url)
        )
        one.goto(url + place)
        return one

    yield open_page
    for context in contexts:
        context.close()
    for server in servers:
        server.stop()
    assert wrong == []


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    boards = [one for name in NAMES for one in make(name, "easy", 10)]
    return written(tmp_path_factory.mktemp("data"), boards)


def until(one: Any, expression: str) -> None:
    """Wait until a JavaScript expression holds; the page's policy forbids Playwright's own way."""
    for _ in range(500):
        if one.evaluate(expression):
            return
        one.wait_for_timeout(20)
    raise AssertionError(f"it never holds: {expression}")


def fits(one: Any) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(one.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_the_gallery_filters_opens_and_plays(opened: Open, data: Path, tmp_path: Path) -> None:
    one = opened(page(tmp_path, [data]), "#gallery")
    one.wait_for_selector(".shelf img")
    assert one.text_content(".count") == "60 of 60 boards"
    assert one.locator(".shelf li").count() == 48
    one.click("[aria-label='Next page']")
    until(one, "document.querySelectorAll('.shelf li').length === 12")
    one.select_option("select[name=family]", NAMES[3])
    until(one, "document.querySelector('.count').textContent === '10 of 60 boards'")
    assert f"family={NAMES[3]}" in one.url
    last = one.locator(".shelf a").last
    name = last.locator("small").text_content()
    until(one, "[...document.querySelectorAll('.shelf img')].some((i) => i.naturalWidth > 100)")
    last.focus()
    one.keyboard.press("Enter")
    one.wait_for_selector("dialog[open] .board img[src]")
    assert f"#gallery/{name}" in one.url
    plain = one.get_attribute(".sheet .board img", "src")
    one.check("text=Grid and coordinates")
    until(one, f"document.querySelector('.sheet .board img').src !== {json.dumps(plain)}")
    length = one.locator("dt", has_text="Optimal length")
    assert length.count() == 0
    one.click("text=Show details")
    length.wait_for()
    one.keyboard.press("Escape")
    until(one, "!document.querySelector('dialog').open")
    until(one, f"location.hash === '#gallery?family={NAMES[3]}'")
    one.reload()
    until(one, "document.querySelector('.count')?.textContent === '10 of 60 boards'")
    one.goto(one.url.replace("#gallery?", f"#gallery/{name}?"))
    one.click("text=Play this one")
    one.wait_for_selector(".play .board img[src]")
    assert "#play/" in one.url
    boards = {board.id: board.board for board in load(data)}
    assert one.text_content(".play pre") == boards[name]


def test_a_failed_verdict_is_replayed(opened: Open, tmp_path: Path) -> None:
    wall = f'{EVIL} so <ANSWER_JSON>["right","up","right"]</ANSWER_JSON>'
    inline = MAZE.model_dump(mode="json")
    lines = [
        {"response": MAZE.answer, "model": "good", "protocol": "direct", "instance": inline},
        {"response": wall, "model": EVIL, "protocol": "direct", "instance": inline},
    ]
    one = opened(page(tmp_path, verdicts=[judged(tmp_path / "a", lines)]), "#replay")
    one.wait_for_selector("#episode canvas")
    assert one.text_content(".count") == "2 of 2 episodes"
    one.select_option("select[name=outcome]", "failed")
    until(one, "document.querySelector('.count').textContent === '1 of 2 episodes'")
    one.click("#list a")
    until(one, "document.querySelector('.badge').textContent === 'failed'")
    assert one.url.endswith("#replay/1/2?outcome=failed")
    assert one.title() == "Replay · Puzzles"
    assert EVIL in one.text_content(".words pre")
    assert one.text_content(".words mark").startswith("<ANSWER_JSON>")
    one.keyboard.press("ArrowRight")
    assert one.text_content(".status") == "Step 1 of 3: right"
    one.keyboard.press("ArrowRight")
    assert one.get_attribute("canvas", "class") == "illegal"
    status = one.text_content(".status")
    assert status.startswith("✕ Step 2 of 3: up – not played: ")
    assert "wall" in status
    assert one.text_content(".actions .illegal[aria-current]") == "up"
    assert one.text_content(".actions .never") == "right"
    assert one.input_value(".replay .player input") == "2"
    one.keyboard.press("Home")
    one.keyboard.press("Space")
    until(one, "document.querySelector('.replay .player input').value === '2'")
    one.reload()
    until(one, "document.querySelector('.badge')?.textContent === 'failed'")
    one.set_viewport_size({"width": 390, "height": 844})
    assert fits(one)


def test_lines_without_a_verdict_stand_in_the_list_and_links_lead_to_them(
    opened: Open, tmp_path: Path
) -> None:
    inline = MAZE.model_dump(mode="json")
    good = {"response": MAZE.answer, "model": "a_b", "protocol": "direct", "instance": inline}
    verdicts = judged(tmp_path / "a", [good, {"id": "nobody", "response": "x", "model": "c_d"}])
    one = opened(page(tmp_path, verdicts=[verdicts]), "#replay/1/2")
    until(one, "document.querySelector('.badge')?.textContent === 'not judged'")
    assert "unknown id nobody" in one.text_content(".verdict")
    assert one.url.endswith("#replay/1/2")
    assert one.locator("#list a").count() == 2
    assert "null" not in one.text_content("#view")
    assert "a_b (1)" in one.text_content("select[name=model]")


def perform(one: Any, room: Any, state: Any, action: Any) -> None:
    """Take an action on the page's board, with the keyboard or the mouse as its kind has it."""
    gesture = room.controls.gesture(state, action)
    rows = room.format(state).split("\n")
    box = one.locator(".play .board").bounding_box()
    if room.controls.kind != "walk":
        for cell in filter(None, (gesture.cell, gesture.other)):
            x = box["x"] + (cell[1] + 0.5) * box["width"] / len(rows[0])
            one.mouse.click(x, box["y"] + (cell[0] + 0.5) * box["height"] / len(rows))
    if gesture.direction:
        one.keyboard.press(ARROWS[gesture.direction])
    if room.controls.kind == "slide":
        one.keyboard.press("Escape")


def solved(one: Any, actions: Sequence[Any] | None = None) -> None:
    """Solve the puzzle on the page from where it stands; or take the first actions only."""
    board = one.locator(".play pre").text_content()
    title = one.text_content(".side h1")
    (name,) = (n for n in NAMES if family(n).words(family(n).rule_options).title == title)
    room = family(name)
    state = room.parse(board, room.rule_options)
    found = solve(room, state).actions
    for action in found if actions is None else found[: len(actions)]:
        perform(one, room, state, action)
        state = room.apply(state, action)
        text = json.dumps(room.format(state))
        until(one, f"document.querySelector('.play pre').textContent === {text}")


def test_a_study_from_beginning_to_end(opened: Open, tmp_path: Path) -> None:
    boards = [make(name, "easy", 4)[-1] for name in ONE_OF_EACH.values()]
    app = page(tmp_path, [written(tmp_path / "data", boards)], study=Study(1))
    one = opened(app)
    one.fill("input[name=name]", " ")
    one.click("text=Take part")
    one.wait_for_selector(".who .trouble:visible")
    assert one.text_content(".who .trouble") == "The name is empty"
    one.fill("input[name=name]", "Zoë Ω")
    one.keyboard.press("Enter")
    one.wait_for_selector("text=Start practising")
    assert one.locator("nav a:visible").count() == 0
    for at in range(len(boards)):
        one.click("text=Start practising")
        one.wait_for_selector(".play .board img[src]")
        solved(one)
        one.click("text=Next puzzle")
        one.wait_for_selector(f"text=Puzzle {at + 1} of {len(boards)}")
        one.keyboard.press("Enter")
        one.wait_for_selector(".play .board img[src]")
        if at == 0:
            interrupted(one)
        if at == 1:
            one.click("text=Give up")
            one.click("text=Give up this puzzle?")
        else:
            solved(one)
        one.wait_for_selector(".result:visible")
        assert "optim" not in one.text_content(".result").lower()
        one.click(".study-bar .primary")
    one.wait_for_selector("text=Thank you")
    assert f"solved {len(boards) - 1} of {len(boards)}" in one.text_content("main")
    check(tmp_path, boards)


def interrupted(one: Any) -> None:
    """Reload in the middle, pause, and look into a second tab that then falls behind."""
    board = one.locator(".play pre").text_content()
    one.reload()
    one.wait_for_selector(".play .board img[src]")
    assert one.locator(".play pre").text_content() == board
    other = one.context.new_page()
    other.goto(one.url)
    other.wait_for_selector(".play .board img[src]")
    one.click("text=Pause")
    one.wait_for_selector("text=Go on")
    assert one.locator(".board").count() == 0
    other.reload()
    other.wait_for_selector("text=Go on")
    other.close()
    one.click("text=Go on")
    one.wait_for_selector(".play .board img[src]")
    one.keyboard.press("g")
    until(one, "document.querySelector('.tools [aria-pressed=true]')")


def check(folder: Path, boards: Sequence[Instance]) -> None:
    """See that what the study has stored is judged as any model's answers are."""
    answers, verdicts = folder / "answers.jsonl", folder / "verdicts.jsonl"
    report = judge_file(answers, [], verdicts, Options(images=False))
    assert not report.errors
    lines = [json.loads(line) for line in answers.read_text("utf-8").splitlines()]
    rows = [json.loads(line) for line in verdicts.read_text("utf-8").splitlines()]
    assert {line["id"] for line in lines} == {one.id for one in boards}
    assert [row["reason"] for row in rows] == ["solved", "no_answer", *["solved"] * (len(rows) - 2)]
    assert {row["model"] for row in rows} == {"Zoë Ω"}
    assert [row["optimal"] for row in rows] == [row["reason"] == "solved" for row in rows]
    assert lines[0]["pauses"] == 1
    assert lines[0]["grid_seconds"] > 0
    assert all(0 < line["seconds"] <= line["elapsed"] for line in lines)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_needs_no_sideways_scrolling(
    opened: Open, data: Path, tmp_path: Path, scheme: str
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    one = opened(page(tmp_path / "a", [data]), "#gallery", color_scheme=scheme, **phone)
    one.wait_for_selector(".shelf img")
    assert fits(one)
    one.tap(".shelf li a")
    one.wait_for_selector("dialog[open] .board img[src]")
    one.click("text=Show details")
    one.wait_for_selector("text=Board as text")
    assert fits(one)
    app = page(tmp_path / "b", [data], study=Study(1))
    one = opened(app, "", color_scheme=scheme, **phone)
    one.fill("input[name=name]", "a name that is rather long, " * 2)
    assert fits(one)
    one.tap("text=Take part")
    one.tap("text=Start practising")
    one.wait_for_selector(".play .board img[src]")
    assert fits(one)
