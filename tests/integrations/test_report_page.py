"""The report in a browser: it opens from disk, filters, plays, and complains of nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from protocols.aids import Aids
from protocols.episode import Episode
from protocols.judge import Options, judge_file
from protocols.models.players import player
from protocols.reports.analyses.success import success
from protocols.reports.page import write
from protocols.reports.rows import load
from protocols.reports.sources import Sources
from puzzles import NAMES, family, make
from puzzles.replay import initial, optimal_actions

pytestmark = pytest.mark.integration

PROTOCOLS = ("text-cot", "self-gta", "oracle-vcot", "self-vcot")
EVIL = '</script><script>document.title = "taken"</script><b>bold</b>'


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page on answers of all families; some of its drawings are linked."""
    folder: Path = tmp_path_factory.mktemp("report")
    (folder / "images").mkdir()
    lines = []
    for name in NAMES:
        for instance in make(name, "easy", 3):
            for protocol in PROTOCOLS:
                episode = Episode(instance, protocol, Aids(cell=32))
                while episode.request is not None:
                    episode.take(player("noisy:0.1").reply(episode))
                names = []
                for at, drawing in enumerate(episode.play.drawings):
                    names.append(f"images/{instance.id}-{protocol}-{at}.png")
                    (folder / names[-1]).write_bytes(drawing)
                line = episode.answer(names)
                if "steps" not in line:
                    line["response"] = EVIL + line["response"]
                line |= {"model": EVIL, "instance": instance.model_dump(mode="json")}
                lines.append(json.dumps(line) + "\n")
    (folder / "answers.jsonl").write_text("".join(lines))
    verdicts = folder / "verdicts.jsonl"
    judge_file(folder / "answers.jsonl", [], verdicts, Options(images=False))
    rows = load([verdicts])
    table = success(rows)
    assert table is not None
    write(rows, [table], Sources.beside([verdicts]), folder / "report.html", budget=1_000_000)
    return folder / "report.html"


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    """The page, opened from disk; nothing may be asked of the network, nothing may go wrong."""
    context = browser.new_context(color_scheme="light", viewport={"width": 1280, "height": 900})
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda asked: asked.url.startswith(("file:", "data:")) or wrong.append(asked.url),
    )
    page.goto(report.as_uri())
    page.wait_for_selector("#episode canvas")
    yield page
    assert wrong == []
    context.close()


def choose(page: Any, name: str, value: str) -> None:
    page.select_option(f"select[name={name}]", label=value)


def until(page: Any, expression: str) -> None:
    """Wait until a JavaScript expression holds; the page's policy forbids Playwright's own way."""
    for _ in range(400):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"it never holds: {expression}")


def pixels(page: Any) -> Any:
    return page.evaluate("document.querySelector('canvas').toDataURL()")


@pytest.mark.parametrize("family", NAMES)
def test_an_episode_of_every_family_plays(page: Any, family: str) -> None:
    for protocol in PROTOCOLS:
        play(page, family, protocol)


def play(page: Any, family: str, protocol: str) -> None:
    choose(page, "family", family)
    choose(page, "protocol", protocol)
    assert page.text_content("#count") == "3 of 72 episodes"
    page.click("#list li:first-child a")
    page.wait_for_selector("#list li:first-child a[aria-current]")
    title = page.locator("#episode h3", has_text=f"{family} easy · {protocol}")
    title.wait_for()
    first, steps = pixels(page), int(page.get_attribute(".player input", "max"))
    page.keyboard.press("End")
    assert page.input_value(".player input") == str(steps)
    if page.locator(".actions button:not(.illegal, .never)").count():
        assert pixels(page) != first
    page.keyboard.press("Home")
    assert pixels(page) == first
    if steps:
        page.keyboard.press("ArrowRight")
        assert page.get_attribute(".actions button:first-child", "aria-current") == "step"
        assert page.text_content(".status").lstrip("✕ ").startswith("Step 1 of ")
    page.keyboard.press("Space")
    until(page, f"document.querySelector('.player input').value === '{steps}'")
    if protocol == "self-gta":
        until(page, "document.querySelector('.pictures img').naturalWidth > 0")


def test_what_a_model_says_is_shown_as_it_is(page: Any) -> None:
    choose(page, "protocol", "text-cot")
    page.click("#list li:first-child a")
    page.wait_for_selector(".words mark")
    assert EVIL in page.text_content(".words pre")
    assert page.text_content(".words mark").startswith("<")
    assert page.title() == "Puzzles report"
    assert page.locator("b").count() == 0


def test_linked_drawings_are_found_beside_the_page(page: Any) -> None:
    sources = set()
    choose(page, "protocol", "self-gta")
    for at in range(18):
        page.click(f"#list li:nth-child({at + 1}) a")
        page.wait_for_selector(f"#list li:nth-child({at + 1}) a[aria-current]")
        until(page, "document.querySelector('.pictures img')?.naturalWidth > 0")
        sources.add(page.get_attribute(".pictures img", "src")[:6])
    assert sources == {"data:i", "images"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_was_read_stands_beside_a_drawing(browser: Any, tmp_path: Path, scheme: str) -> None:
    """Also what was read in a file whose name is markup."""
    (instance,) = make("maze", "easy", 1)
    room, start = family("maze"), initial(instance)
    drawn = room.draw_solution(start, optimal_actions(instance), 48)
    true = Image.fromarray(drawn.palette[drawn.pixels])
    lines = []
    for run, picture in enumerate((true, Image.new("RGB", (99, 99), "white"))):
        name = f"<b>{run}.png"
        picture.save(tmp_path / name)
        line = {
            "id": instance.id,
            "protocol": "self-vr",
            "run": run,
            "response": "<answer></answer>",
        }
        line |= {"images": [name], "instance": instance.model_dump(mode="json")}
        lines.append(json.dumps(line) + "\n")
    (tmp_path / "answers.jsonl").write_text("".join(lines))
    verdicts = tmp_path / "verdicts.jsonl"
    judge_file(tmp_path / "answers.jsonl", [], verdicts, Options())
    write(load([verdicts]), [], Sources.beside([verdicts]), tmp_path / "report.html")
    page = browser.new_page(color_scheme=scheme)
    found = {}
    for at in (0, 1):
        page.goto(f"{(tmp_path / 'report.html').as_uri()}#e={at}")
        page.reload()
        page.wait_for_selector(".reading")
        tone = page.get_attribute(".reading", "class").split()[1]
        colour = "e => getComputedStyle(e).borderLeftColor"
        found[tone] = page.eval_on_selector(".reading", colour)
        words = page.text_content(".reading")
        assert ("solves the board, optimally" in words) == (tone == "good")
    assert set(found) == {"good", "bad"}
    assert found["good"] != found["bad"]
    page.close()


def test_a_link_leads_to_an_episode(page: Any, report: Path) -> None:
    page.goto(f"{report.as_uri()}#e=60")
    page.reload()
    page.wait_for_selector("#list a[aria-current]")
    assert page.get_attribute("#list a[aria-current]", "href") == "#e=60"
    assert page.text_content("#page") == "2 / 2"
    page.click("[aria-label='Previous episode']")
    page.wait_for_selector("#list a[href='#e=59'][aria-current]")
    assert page.evaluate("location.hash") == "#e=59"


def test_filters_and_the_search_narrow_the_list(page: Any) -> None:
    name = page.get_attribute("#list li:first-child a", "aria-label").rpartition(" · ")[2]
    page.fill("input[name=id]", name[-8:])
    assert page.text_content("#count") == f"{len(PROTOCOLS)} of 72 episodes"
    page.fill("input[name=id]", "nothing has this")
    assert page.text_content("#count") == "0 of 72 episodes"


def test_light_and_dark(page: Any) -> None:
    def ground() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light = ground()
    page.click("#theme")
    dark = ground()
    assert light != dark
    page.click("#theme")
    assert ground() == light
    page.emulate_media(color_scheme="dark")
    assert ground() == light
    page.reload()
    assert ground() == dark


def test_tables_sort_by_their_columns(page: Any) -> None:
    head = page.locator(".table th").filter(has_text="optimal").first
    at = int(head.evaluate("node => node.cellIndex")) + 1
    cells = page.locator(f".table tbody td:nth-child({at})")

    def column() -> list[float]:
        return [float(text.split()[0]) for text in cells.all_text_contents()]

    before = column()
    head.locator("button").click()
    assert column() == sorted(before, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").click()
    assert column() == sorted(before)


def test_a_phone_needs_no_sideways_scrolling(page: Any) -> None:
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.locator("canvas").bounding_box()["width"] > 250
