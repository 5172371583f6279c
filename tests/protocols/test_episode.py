"""Episodes: what is asked, what is taken, how they end, and that they can be put away."""

import json
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Pillow

import puzzles
from protocols.aids import Aids, AidsError
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.protocol import PROTOCOLS, UnknownProtocol, named
from puzzles.instance import Instance
from puzzles.verdict import Reason, Stop

MAZE = Instance(
    id="maze-easy-0000000000000000",
    family="maze",
    difficulty="easy",
    board="#####\n#S.G#\n#.#.#\n#####",
    optimal_length=2,
    answer='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
)
PATH = Instance(
    id="path-easy-0000000000000000",
    family="path",
    difficulty="easy",
    board="SAB.\n##.#\n##GC",
    optimal_length=4,
    answer="<answer>A,B</answer>",
)
AIDS = Aids(cell=24, donor=lambda instance: MAZE.model_copy(update={"id": "donor"}))
RIGHT = '<STEP_JSON>{"move":"right"}</STEP_JSON>'
DOWN = '<STEP_JSON>{"move":"down"}</STEP_JSON>'
LEFT = '<STEP_JSON>{"move":"left"}</STEP_JSON>'


def picture(width: int = 120, height: int = 96) -> bytes:
    out = BytesIO()
    Pillow.new("RGB", (width, height), "white").save(out, "PNG")
    return out.getvalue()


def said(text: str) -> Reply:
    return Reply(text)


def left(n: object) -> Reply:
    return Reply(f"<answer>{n}</answer>")


def drawn() -> Reply:
    return Reply(images=(picture(),))


def played(name: str, *replies: Reply, instance: Instance = MAZE) -> Episode:
    episode = Episode(instance, name, AIDS)
    for reply in replies:
        assert episode.request is not None
        episode.take(reply)
    return episode


def purposes(episode: Episode) -> list[str]:
    return [request.purpose for request, _ in episode.transcript]


def test_names_are_those_of_the_field() -> None:
    assert {"direct", "text-cot", "self-gta", "oracle-gta", "self-vcot", "oracle-vcot"} <= set(
        PROTOCOLS
    )
    assert {"oracle-aug-vcot", "self-vr", "oracle-vr", "draw-own", "draw-true"} <= set(PROTOCOLS)
    assert len(PROTOCOLS) == 24
    for name in (*PROTOCOLS, "oracle-vcot+budget", "self-vcot+last+vgau"):
        assert named(name).name == name


@pytest.mark.parametrize("name", ["", "cot", "oracle-vcot+", "direct+budget", "gta", "Direct"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownProtocol, match=r"direct, text-cot|takes these variants"):
        named(name)


def test_direct_asks_once_with_the_board_first() -> None:
    episode = Episode(MAZE, "direct", AIDS)
    request = episode.request
    assert request is not None
    (message,) = request.messages
    assert (request.due, request.purpose, request.round) == ("text", "answer", 0)
    assert message.images == [message.parts[0]]
    assert "The solid blue disc is the agent" in message.text
    assert "final answer only" in message.text
    episode.take(said('<ANSWER_JSON>["right","right"]</ANSWER_JSON>'))
    assert episode.done
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.optimal
    with pytest.raises(ValueError, match="takes no more replies"):
        episode.take(said("more"))


def test_text_cot_asks_for_reasoning_and_ignores_it_for_the_answer() -> None:
    episode = played(
        "text-cot",
        said('Up? <think>["up"]</think> No. <ANSWER_JSON>["right","right"]</ANSWER_JSON>'),
    )
    assert "step by step" in episode.transcript[0][0].messages[0].text
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.optimal


@pytest.mark.parametrize("source", ["oracle", "noise", "mismatch"])
@pytest.mark.parametrize("paradigm", ["gta", "vr"])
def test_an_aid_from_elsewhere_is_shown_as_the_second_picture(paradigm: str, source: str) -> None:
    episode = Episode(MAZE, f"{source}-{paradigm}", AIDS)
    request = episode.request
    assert request is not None
    board, aid = request.messages[0].images
    state = puzzles.family("maze").parse(MAZE.board, {})
    assert board == AIDS.board(MAZE, state)
    truth = AIDS.board(MAZE, state, aug=True) if paradigm == "gta" else None
    if source == "oracle" and truth is not None:
        assert aid == truth
    assert aid != board
    assert Pillow.open(BytesIO(aid.png)).size == (120, 96)


@pytest.mark.parametrize(("name", "purpose"), [("self-gta", "aid"), ("self-vr", "drawing")])
def test_what_the_model_draws_is_shown_with_the_question(name: str, purpose: str) -> None:
    episode = Episode(MAZE, name, AIDS)
    request = episode.request
    assert request is not None
    assert (request.due, request.purpose) == ("image", purpose)
    assert len(request.messages) == 1
    episode.take(drawn())
    request = episode.request
    assert request is not None
    assert request.purpose == "answer"
    assert [image.png for image in request.images][1:] == episode.play.drawings
    episode.take(said('<ANSWER_JSON>["right","right"]</ANSWER_JSON>'))
    line = episode.answer(["a.png"])
    assert line["images"] == ["a.png"]
    assert line["response"] == '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'


@pytest.mark.parametrize("name", ["self-gta", "self-vr"])
@pytest.mark.parametrize(
    "reply", [said("I can't draw."), Reply(images=(b"no picture",)), Reply(images=(b"",))]
)
def test_a_picture_that_does_not_come_ends_the_episode(name: str, reply: Reply) -> None:
    episode = played(name, reply)
    assert episode.done
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.reason is Reason.NO_IMAGE
    assert not verdict.feasible
    assert "picture" in verdict.detail
    assert "picture" in episode.answer([])["problem"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the reply holds no picture"),
        ("<think>a grid</think>", "the reply holds no picture"),
        ("I\ncan't \x1b[1mdraw.", "the reply holds no picture, but says: I can't [1mdraw."),
        ("x" * 500, f"the reply holds no picture, but says: {'x' * 200}…"),
    ],
)
def test_what_is_said_in_place_of_a_picture_is_kept(text: str, problem: str) -> None:
    assert played("self-vr", said(text)).answer([])["problem"] == problem


def test_draw_own_draws_the_answer_that_the_model_gave() -> None:
    episode = played("draw-own", said('<ANSWER_JSON>["down"]</ANSWER_JSON>'))
    request = episode.request
    assert request is not None
    assert request.purpose == "drawing"
    assert '["down"]' in request.messages[0].text
    episode.take(drawn())
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.reason is Reason.UNSOLVED
    assert played("draw-own", said("no idea")).done


def test_an_answer_that_would_fill_megabytes_is_not_told_to_be_drawn() -> None:
    board = next(iter(puzzles.make("parking", "easy", 1, seed=1)))
    slides = '<ANSWER_JSON>[{"car":"R","direction":"right","steps":99999}]</ANSWER_JSON>'
    episode = played("draw-own", said(slides), instance=board)
    assert episode.done
    assert "too long to be drawn" in str(episode.play.problem)
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.moves == 99999


def test_draw_true_tells_the_solution_and_has_no_verdict() -> None:
    episode = played("draw-true")
    assert episode.request is not None
    assert '["right","right"]' in episode.request.messages[0].text
    episode.take(drawn())
    assert episode.done
    assert episode.verdict() is None
    assert Episode(PATH, "draw-true", AIDS).request is not None


def test_stepwise_play_shows_each_state_and_asks_what_remains() -> None:
    episode = played("oracle-vcot", said(RIGHT), left(1), said(RIGHT), left(0))
    assert purposes(episode) == ["action", "probe", "action", "probe"]
    assert [request.round for request, _ in episode.transcript] == [1, 1, 2, 2]
    assert episode.response == '<ANSWER_JSON>["right","right"]</ANSWER_JSON>'
    verdict = episode.verdict()
    assert verdict is not None
    assert (verdict.optimal, verdict.rounds, verdict.stop) == (True, 2, Stop.CLAIM)
    room = puzzles.family("maze")
    states = [room.parse(MAZE.board, {})]
    for _ in range(2):
        states.append(room.apply(states[-1], "right"))
    asked = [request.images[-1] for request, _ in episode.transcript]
    assert asked == [AIDS.board(MAZE, states[at]) for at in (0, 1, 1, 2)]


def test_probes_stay_out_of_the_history_and_actions_stay_in() -> None:
    episode = played("oracle-vcot", said("I go right. " + RIGHT), left(7), said(RIGHT))
    request = episode.request
    assert request is not None
    roles = [message.role for message in request.messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    words = "".join(message.text for message in request.messages[:-1])
    assert "I go right." in words
    assert "<answer>7</answer>" not in words
    assert len(request.images) == 3


def test_history_last_shows_one_picture_and_keeps_the_words() -> None:
    episode = played("oracle-vcot+last", said(RIGHT), left(1), said(RIGHT), left(5))
    request = episode.request
    assert request is not None
    assert len(request.images) == 1
    assert request.messages[-1].images == request.images
    assert "The solid blue disc" in request.messages[0].text


def test_augmented_pictures_carry_the_grid() -> None:
    episode = played("oracle-aug-vcot", said(RIGHT))
    room = puzzles.family("maze")
    state = room.parse(MAZE.board, {})
    first, second = (request for request, _ in [*episode.transcript, (episode.request, None)])
    assert first.images == [AIDS.board(MAZE, state, aug=True)]
    assert second is not None
    assert second.images[-1] == AIDS.board(MAZE, room.apply(state, "right"), aug=True)


def test_budget_says_its_rounds_and_asks_nothing_between() -> None:
    episode = played("oracle-vcot+budget", said(RIGHT), said(RIGHT))
    assert episode.done
    assert "exactly 2 rounds" in episode.transcript[0][0].messages[0].text
    assert purposes(episode) == ["action", "action"]
    verdict = episode.verdict()
    assert verdict is not None
    assert (verdict.optimal, verdict.stop) == (True, Stop.CAP)


def test_the_model_draws_the_next_state_and_sees_its_own_drawing() -> None:
    episode = played("self-vcot", said(RIGHT), drawn(), left(1), said(RIGHT), drawn(), left(0))
    assert purposes(episode) == ["action", "frame", "probe", "action", "frame", "probe"]
    frame = episode.transcript[1][0]
    assert len(frame.messages) == 1
    assert '{"move":"right"}' in frame.messages[0].text
    assert episode.transcript[2][0].images[-1].png == episode.play.drawings[0]
    assert [step["image"] for step in episode.answer(["a", "b"])["steps"]] == ["a", "b"]
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.optimal


ENDS: list[tuple[list[Reply], Reason, Stop]] = [
    ([said(LEFT)], Reason.HITS_WALL, Stop.ACTION),
    ([said(RIGHT + DOWN)], Reason.SEVERAL_ACTIONS, Stop.ACTION),
    ([said("hm")], Reason.NO_ANSWER, Stop.ACTION),
    ([said("<STEP_JSON>[1]</STEP_JSON>")], Reason.BAD_FORMAT, Stop.ACTION),
    ([said(RIGHT), said("many")], Reason.PROBE_UNREADABLE, Stop.PROBE),
    ([said(RIGHT), left(0)], Reason.CLAIM_TOO_EARLY, Stop.CLAIM),
    ([said(RIGHT), left(1), said(RIGHT), left(2), said(RIGHT)], Reason.CLAIM_TOO_LATE, Stop.ACTION),
    (
        [said(RIGHT), left(1), said(RIGHT), left(2), said(LEFT), left(0)],
        Reason.CLAIM_TOO_LATE,
        Stop.CLAIM,
    ),
    ([said(RIGHT), left(1), said(LEFT), left(1)] * 3 * 2, Reason.ROUND_CAP, Stop.CAP),
]


@pytest.mark.parametrize(("replies", "reason", "stop"), ENDS)
def test_each_way_to_end_has_its_reason(replies: list[Reply], reason: Reason, stop: Stop) -> None:
    episode = played("oracle-vcot", *replies)
    assert episode.done
    verdict = episode.verdict()
    assert verdict is not None
    assert (verdict.reason, verdict.stop, verdict.feasible) == (reason, stop, False)


def test_path_collects_the_labels_that_the_model_names() -> None:
    moves = [("right", ["A"]), ("right", ["B"]), ("down", []), ("down", [])]
    replies = []
    for at, (move, labels) in enumerate(moves):
        step = json.dumps({"move": move, "hit_labels": labels})
        replies += [said(f"<STEP_JSON>{step}</STEP_JSON>"), left(3 - at)]
    episode = played("oracle-vcot", *replies, instance=PATH)
    assert episode.response == "<answer>A,B</answer>"
    verdict = episode.verdict()
    assert verdict is not None
    assert verdict.optimal
    replies[2] = said('<STEP_JSON>{"move":"right"}</STEP_JSON>')
    verdict = played("oracle-vcot", *replies, instance=PATH).verdict()
    assert verdict is not None
    assert (verdict.feasible, verdict.reason) == (False, Reason.WRONG_LABELS)


@pytest.mark.parametrize(
    ("name", "replies"),
    [
        ("self-gta", [drawn(), said('<ANSWER_JSON>["right","right"]</ANSWER_JSON>')]),
        ("self-vcot", [said(RIGHT), drawn(), left(1), said(RIGHT), drawn(), left(0)]),
        ("draw-own", [said('<ANSWER_JSON>["down"]</ANSWER_JSON>'), drawn()]),
        ("mismatch-aug-vcot+last", [said(RIGHT), left(4), said(LEFT), left(1)]),
    ],
)
def test_an_episode_goes_on_where_it_was_put_away(name: str, replies: list[Reply]) -> None:
    whole = played(name, *replies)
    for at in range(len(replies) + 1):
        record = json.loads(json.dumps(played(name, *replies[:at]).record()))
        episode = Episode.resume(record, AIDS)
        for reply in replies[at:]:
            episode.take(reply)
        assert episode.transcript == whole.transcript
        assert episode.request == whole.request
        assert episode.verdict() == whole.verdict()


def test_an_aid_that_can_not_be_had_is_one_sentence(tmp_path: Any) -> None:
    with pytest.raises(AidsError, match="needs other instances"):
        Episode(MAZE, "mismatch-gta")
    with pytest.raises(AidsError, match="--aids"):
        Episode(MAZE, "files-gta")
    with pytest.raises(AidsError, match=r"maze-easy-0+\.png: No such file"):
        Episode(MAZE, "files-gta", Aids(files=tmp_path))
    (tmp_path / f"{MAZE.id}.png").write_bytes(b"text")
    with pytest.raises(AidsError, match="not an image"):
        Episode(MAZE, "files-gta", Aids(files=tmp_path))
