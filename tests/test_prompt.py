"""puzzles prompt: the messages as they are sent, to be read and to be kept."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

import puzzles
from cli.prompt import prompt
from protocols import prompts
from protocols.aids import Aids
from protocols.episode import Episode
from protocols.models.players import player
from protocols.models.wire import chat
from protocols.protocol import PROTOCOLS
from puzzles.replay import initial

app = typer.Typer()
app.command()(prompt)
STEPWISE = ("--family", "maze", "--difficulty", "medium", "--protocol", "oracle-vcot")
EXAMPLE = "[example reply, by the player solver; no part of the prompt]"


def said(*options: object, code: int = 0) -> str:
    """Return what the command prints, or says is wrong."""
    result = CliRunner().invoke(app, [str(option) for option in options])
    assert result.exit_code == code, result.output
    return result.output if code == 0 else result.stderr


def record(*options: object) -> dict[str, Any]:
    return dict(json.loads(said(*options, "--json")))


def first(family: str, n: int = 1) -> puzzles.Instance:
    return puzzles.make(family, "easy", n)[n - 1]


def test_a_prompt_of_one_request_to_the_letter() -> None:
    instance = first("maze")
    assert said("--family", "maze", "--protocol", "direct").split("\n") == [
        f"{instance.id} under direct",
        "",
        "==== request 1: purpose answer, due text ====",
        "[user]",
        "[image 1: 640x640 PNG]",
        *prompts.question(instance, prompts.DIRECT).split("\n"),
        "",
        EXAMPLE,
        instance.answer,
        "",
        "",
    ]


def test_a_prompt_of_two_stages_shows_what_was_drawn_and_said() -> None:
    instance = first("sokoban")
    reasoned = f"I have searched for a shortest solution.\n\n{instance.answer}"
    expected = [
        f"{instance.id} under self-vr",
        "",
        "==== request 1: purpose drawing, due image ====",
        "[user]",
        "[image 1: 160x160 PNG]",
        prompts.draw_solution(instance),
        "",
        EXAMPLE,
        "[image 2: 160x160 PNG]",
        "",
        "==== request 2: purpose answer, due text ====",
        "[user]",
        "[image 1: 160x160 PNG]",
        "[image 2: 160x160 PNG]",
        prompts.question_with_drawing(instance),
        "",
        EXAMPLE,
        reasoned,
        "",
        "",
    ]
    assert said("--family", "sokoban", "--protocol", "self-vr", "--cell", 16) == "\n".join(expected)


def test_a_conversation_is_not_said_twice() -> None:
    text = said(*STEPWISE)
    start = prompts.puzzle(puzzles.make("maze", "medium", 1)[0])
    assert text.count(start) == 1
    assert "request 2, round 1: purpose probe, due text" in text
    assert "[message 1: as in request 1]" in text
    assert "[messages 1 to 2: as in request 2]" in text


def test_with_the_latest_picture_alone_a_message_that_loses_its_picture_is_said_again() -> None:
    text = said(*STEPWISE, "--history", "last")
    _, first, second, *others = text.split("\n==== ")
    assert "[user]\n[image 1: 640x640 PNG]\nThe picture shows a puzzle." in first
    assert "[user]\n(An earlier picture, no longer shown.)\n\nThe picture shows a puzzle." in second
    assert "[messages 1 to 2: as in request 2]" in others[0]
    for request in (first, second, *others):
        assert request.partition(EXAMPLE)[0].count("[image") == 1


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("family", puzzles.NAMES)
def test_the_record_holds_the_messages_as_they_are_sent(
    family: str, protocol: str, tmp_path: Path
) -> None:
    """They are those that an endpoint is sent, but for the names in place of the pictures."""
    instance, other = puzzles.make(family, "easy", 2)
    drawn = Aids(16).board(instance, initial(instance)).png
    (tmp_path / instance.id).mkdir()
    for name in (f"{instance.id}.png", f"{instance.id}/1.png"):
        (tmp_path / name).write_bytes(drawn)
    shown = Aids(16, lambda _: other, tmp_path)
    options = ("--family", family, "--protocol", protocol, "--cell", 16, "--aids", tmp_path)
    found = record(*options)
    assert (found["instance"]["id"], found["protocol"]) == (instance.id, protocol)
    episode, solver = Episode(instance, protocol, shown), player("solver")
    for request in found["requests"]:
        asked = episode.request
        assert asked is not None
        assert (request["purpose"], request["due"]) == (asked.purpose, asked.due)
        assert request["round"] == asked.round
        assert anonymous(request["messages"]) == anonymous(chat(asked.messages))
        reply = solver.reply(episode)
        assert request["example_reply"]["text"] == reply.text
        assert len(request["example_reply"]["images"]) == len(reply.images)
        episode.take(reply)
    assert episode.done


def anonymous(messages: list[dict[str, Any]]) -> str:
    return re.sub(r'"url": "[^"]*"', '"url": ""', json.dumps(messages))


def test_a_folder_holds_text_record_and_images(tmp_path: Path) -> None:
    out = tmp_path / "new" / "prompt"
    options = ("--family", "klotski", "--protocol", "self-gta", "-o", out)
    assert said(*options) == f"{out}: prompt.md, messages.json and 2 images\n"
    assert sorted(path.name for path in out.iterdir()) == [
        "image-1.png",
        "image-2.png",
        "messages.json",
        "prompt.md",
    ]
    kept = json.loads((out / "messages.json").read_text())
    assert kept == record(*options)
    instance = first("klotski")
    start = initial(instance)
    assert (out / "image-1.png").read_bytes() == Aids().board(instance, start).png
    assert Image.open(out / "image-2.png").size == (384, 384)
    (_, answer) = kept["requests"]
    (message,) = answer["messages"]
    assert [part["type"] for part in message["content"]] == ["image_url", "image_url", "text"]
    assert message["content"][1]["image_url"] == {"url": "image-2.png"}
    text = (out / "prompt.md").read_text()
    assert text.startswith(f"# {instance.id} under self-gta\n\n## request 1: purpose aid,")
    assert "![image 1: 384x384 PNG](image-1.png)" in text
    assert f"```text\n{prompts.draw_aid(instance)}\n```" in text


def test_a_folder_of_ours_is_written_anew_and_no_other(tmp_path: Path) -> None:
    options = ("--family", "maze", "-o", tmp_path, "--protocol")
    said(*options, "self-vr")
    said(*options, "direct")
    assert {path.name for path in tmp_path.iterdir()} == {
        "image-1.png",
        "messages.json",
        "prompt.md",
    }
    (tmp_path / "notes.txt").write_text("mine")
    wrong = f"puzzles: {tmp_path} holds something else (notes.txt); give an empty or new folder\n"
    assert said(*options, "self-vr", code=2) == wrong
    assert not (tmp_path / "image-2.png").exists()
    file = tmp_path / "notes.txt"
    assert "is a file, not a folder" in said(
        *options[:2], "-o", file, *options[4:], "direct", code=2
    )


def test_images_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "image-1.png").write_bytes(b"mine")
    options = ("--family", "maze", "--protocol", "direct", "-o", tmp_path)
    assert "holds something else (image-1.png)" in said(*options, code=2)


def test_an_instance_of_ones_own_data(tmp_path: Path) -> None:
    one, two = puzzles.make("onet", "easy", 2, seed=9, out=tmp_path, cell=20)
    options = ("--data", tmp_path, "--protocol")
    found = record("--id", two.id, *options, "mismatch-gta", "--family", "onet")
    assert found["instance"]["id"] == two.id
    assert found["instance"]["board"] == two.board
    assert "image 1: 120x120 PNG" in said("--id", one.id, *options, "direct")
    assert f"no instance has the id '{one.id}x'" in said(
        "--id", f"{one.id}x", *options, "direct", code=2
    )
    wrong = ("--id", one.id, "--family", "maze", *options, "direct")
    assert said(*wrong, code=2) == f"puzzles: {one.id} is not of the family maze\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--family mase --protocol direct", "unknown family 'mase' (known: maze, sokoban, path,"),
        ("--family maze --protocol dircet", "did you mean direct? known: direct, text-cot, self-"),
        ("--family maze --protocol direct+last", "direct takes these variants: none"),
        ("--family maze --protocol direct --stopping budget", "are for stepwise protocols"),
        ("--family maze --protocol oracle-vcot --stopping x", "--stopping is fixed or budget, not"),
        ("--family maze --protocol oracle-vcot --history x", "--history is all or last, not 'x'"),
        ("--family maze --protocol direct --difficulty x", "known: easy, medium, hard"),
        ("--protocol direct", "give a --family (maze, sokoban, path, onet, parking, klotski), or"),
        ("--family maze --protocol files-vr", "needs a folder of pictures (--aids)"),
        ("--protocol direct --id maze-easy-0123456789abcdef --data nowhere", "holds no dataset"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(options: str, sentence: str) -> None:
    found = said(*options.split(), code=2)
    assert sentence in found
    assert found.startswith("puzzles: ")
    assert found.count("\n") == 1
