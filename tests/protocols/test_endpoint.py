"""Models behind endpoints: what is sent, what is read, and what happens when they misbehave."""

import threading
import time
from contextlib import nullcontext
from io import BytesIO

import PIL.Image
import pytest

from protocols.episode import Episode
from protocols.messages import Message, Reply
from protocols.models import AskError, ModelError, Stopped, wire
from protocols.models.endpoint import Endpoint, Options
from puzzles import Instance
from tests.protocols.endpoint import Loopback

# The goal is two steps to the right.
MAZE = Instance(
    id="small",
    family="maze",
    board="#####\n#S.G#\n#...#\n#####",
    optimal_length=2,
    answer='<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
)
QUICK = Options(retries=2, backoff=0.01, timeout=5)


@pytest.fixture(scope="module")
def loopback():
    with Loopback() as server:
        yield server


@pytest.fixture
def serve(loopback):
    """From what a server is to do to one that does it."""

    def planned(*what, **how):
        loopback.plan(*what, **how)
        return nullcontext(loopback)

    return planned


def png(width: int = 3, height: int = 2) -> bytes:
    out = BytesIO()
    PIL.Image.new("RGB", (width, height), "red").save(out, "PNG")
    return out.getvalue()


def question() -> Episode:
    return Episode(MAZE, "direct")


def drawing() -> Episode:
    return Episode(MAZE, "self-gta")


def ask(
    server: Loopback, options: Options = QUICK, episode: Episode | None = None, **more
) -> Reply:
    endpoint = Endpoint("some/model", server.url, options, **more)
    try:
        return endpoint.reply(episode or question())
    finally:
        endpoint.close()


def test_a_question_arrives_as_it_is(serve):
    episode = question()
    with serve("up") as server:
        reply = ask(server, key="sk-secret", episode=episode)
    (asked,) = server.asked
    assert asked.messages == episode.request.messages
    assert [type(part).__name__ for part in asked.messages[0].parts] == ["Image", "str"]
    assert asked.body["temperature"] == 0
    assert asked.body["max_tokens"] == 8192
    assert asked.body["model"] == "some/model"
    assert asked.headers["authorization"] == "Bearer sk-secret"
    assert (reply.text, reply.finish, reply.images) == ("up", "stop", ())
    assert reply.usage == {"prompt_tokens": 100, "completion_tokens": 2}


def test_a_conversation_keeps_its_turns(serve):
    episode = Episode(MAZE, "oracle-vcot")
    episode.take(Reply('<STEP_JSON>"right"</STEP_JSON>'))
    with serve("<answer>1</answer>") as server:
        ask(server, episode=episode)
    (asked,) = server.asked
    assert [message.role for message in asked.messages] == ["user", "assistant", "user"]
    assert asked.messages == episode.request.messages


def test_extra_fields_are_sent_and_those_of_drawings_only_with_drawings(serve):
    options = Options(extra={"top_k": 1}, image_extra={"modalities": ["image", "text"]}, retries=0)
    with serve(lambda asked: Reply("here", (png(),))) as server:
        ask(server, options)
        ask(server, options, drawing())
    one, two = (asked.body for asked in server.asked)
    assert one["top_k"] == two["top_k"] == 1
    assert "modalities" not in one
    assert two["modalities"] == ["image", "text"]


@pytest.mark.parametrize("style", ["images", "parts", "raw", "markdown", "linked"])
def test_pictures_are_found_wherever_a_chat_reply_holds_them(serve, style):
    with serve(lambda asked: Reply("Here it is.", (png(),)), style=style) as server:
        reply = ask(server, episode=drawing())
    assert reply.images == (png(),)
    assert "base64" not in reply.text
    assert reply.text.startswith("Here it is.")


def test_an_address_that_a_model_writes_is_left_alone(serve):
    with serve(lambda asked: Reply("", (png(),)), style="linked") as server:
        link = server._link(png())
        with serve(f"![]({link})") as writer:
            reply = ask(writer, episode=drawing())
        assert reply.images == ()
        assert link in reply.text


@pytest.mark.parametrize("style", ["images", "linked"])
def test_the_images_endpoint_gets_the_board_and_the_words(serve, style):
    episode, options = drawing(), Options(images="edit", image_model="painter", retries=0)
    with serve(lambda asked: Reply(images=(png(),)), style=style) as server:
        reply = ask(server, options, episode)
    (asked,) = server.asked
    assert asked.kind == "edit"
    assert asked.body["model"] == "painter"
    assert asked.messages == episode.request.messages
    assert reply.images == (png(),)
    assert reply.usage == {"prompt_tokens": 50, "completion_tokens": 1000}


def test_generate_sends_words_alone(serve):
    episode = drawing()
    with serve(lambda asked: Reply(images=(png(),))) as server:
        reply = ask(server, Options(images="generate", retries=0), episode)
        ask(server, Options(images="generate", retries=0), question())
    one, two = server.asked
    assert (one.kind, two.kind) == ("generate", "chat")
    assert one.messages == (Message("user", (episode.request.messages[0].text,)),)
    assert reply.images == (png(),)


def test_reasoning_is_kept_apart(serve):
    with serve(lambda asked: Reply("up", reasoning="hm, left or up")) as server:
        reply = ask(server)
    assert (reply.text, reply.reasoning) == ("up", "hm, left or up")


@pytest.mark.parametrize(
    ("message", "text", "reasoning"),
    [
        ('{"content": null, "reasoning": "hm"}', "", "hm"),
        ('{"content": "up", "reasoning_content": null, "reasoning": "hm"}', "up", "hm"),
        ('{"content": null, "refusal": "I would rather not."}', "I would rather not.", ""),
        ('{"content": ["one ", {"type": "text", "text": "two"}, 3]}', "one two", ""),
        ('{"content": 7}', "", ""),
        (
            '{"content": [{"type": "thinking", "thinking": [{"text": "hm"}]}, "up"]}',
            "up",
            "hm",
        ),
        (
            '{"content": [{"type": "reasoning", "text": "hm"}, {"text": "up"}]}',
            "up",
            "hm",
        ),
        ('{"content": [{"type": "thinking", "thinking": "hm"}, {"type": "thinking"}]}', "", "hm"),
        ("{}", "", ""),
    ],
)
def test_messages_of_other_shapes(serve, message, text, reasoning):
    body = f'{{"choices": [{{"message": {message}, "finish_reason": null}}], "usage": null}}'
    with serve(always=f"body:{body}") as server:
        reply = ask(server)
    assert (reply.text, reply.reasoning, reply.finish) == (text, reasoning, "")


@pytest.mark.parametrize(
    ("part", "image"),
    [
        ('{"image_url": "data:image/png;base64,YWJj"}', b"abc"),
        ('{"b64_json": "YWJj"}', b"abc"),
        ('"YWJj"', b"abc"),
        ('{"image_url": {"url": "data:image/png;base64,Y"}}', None),
        ('{"image_url": {}}', b""),
        ("null", b""),
    ],
)
def test_pictures_of_other_shapes(serve, part, image):
    body = f'{{"choices": [{{"message": {{"content": "", "images": [{part}]}}}}]}}'
    with serve(always=f"body:{body}") as server:
        episode = drawing()
        reply = ask(server, episode=episode)
    assert image is None or reply.images == (image,)
    episode.take(reply)
    assert episode.done
    assert "picture" in episode.play.problem


@pytest.mark.parametrize(
    "act",
    ["429", "429:0.01", "500", "503", "408", "409", "cut", "truncated", "body:[1]", "body:{}",
     'body:{"error": {"message": "overloaded", "code": 529}}',
     'body:{"choices": [{"error": {"message": "upstream"}, "message": {}}]}'],
)  # fmt: skip
def test_what_may_pass_is_asked_again(serve, act):
    with serve("up", [act, act]) as server:
        assert ask(server).text == "up"
        assert server.count == 3


@pytest.mark.parametrize("act", ["429", "500", "cut", "truncated"])
def test_what_does_not_pass_is_given_up(serve, act):
    with serve("up", always=act) as server, pytest.raises(AskError, match="no reply in 3 att"):
        ask(server)
    assert server.count == 3


def test_a_slow_endpoint_is_asked_again(serve):
    with serve("up", ["slow:1"]) as server:
        assert ask(server, Options(timeout=0.3, retries=1, backoff=0.01)).text == "up"
        assert server.count == 2


def test_an_endpoint_that_drips_is_slow_too(serve):
    begin = time.monotonic()
    with serve("up", ["drip:0.05"]) as server:
        assert ask(server, Options(timeout=0.4, retries=1, backoff=0.01)).text == "up"
        assert server.count == 2
    assert time.monotonic() - begin < 3


def test_a_response_without_end_is_not_read(serve, monkeypatch):
    monkeypatch.setattr(wire, "MOST_BODY", 1000)
    with serve(always="text:100000") as server, pytest.raises(AskError, match="more than 1,000"):
        ask(server)


def test_dates_to_wait_for_that_are_none(serve):
    with serve("up", ["429:Fri, 99999999999999999999999 Dec 2026 23:59:59 GMT"]) as server:
        assert ask(server).text == "up"


@pytest.mark.parametrize("key", ["sk-one\nsk-two", "sk-\u00fc", "sk-\x00"])
def test_a_key_that_cannot_be_sent_is_not_shown(serve, key):
    with serve("up") as server, pytest.raises(ModelError) as caught:
        ask(server, key=key)
    assert "key" in str(caught.value)
    assert "sk-" not in str(caught.value)


def test_a_password_in_the_address_is_not_shown(serve):
    with serve(always="401") as server, pytest.raises(ModelError) as caught:
        Endpoint("m", server.url.replace("//", "//me:secret@"), QUICK).reply(question())
    assert "secret" not in str(caught.value)


def test_the_endpoint_says_how_long_to_wait(serve):
    with serve("up", ["429:0.4"]) as server:
        ask(server)
    one, two = server.asked
    assert 0.4 <= two.at - one.at < 1.5


def test_waiting_ends_with_the_run(serve):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    begin = time.monotonic()
    with serve("up", always="429:500") as server, pytest.raises(Stopped):
        ask(server, stop=stop)
    assert time.monotonic() - begin < 3


@pytest.mark.parametrize("act", ["400:context too long", "413", "422", "finish:content_filter"])
def test_a_request_that_will_never_do_is_not_repeated(serve, act):
    with serve("up", always=act) as server, pytest.raises(AskError):
        ask(server)
    assert server.count == 1


@pytest.mark.parametrize("act", ["401:bad key sk-secret", "402", "403", "404:no model", "quota"])
def test_without_access_the_run_ends(serve, act):
    with (
        serve("up", always=act) as server,
        pytest.raises(ModelError, match=r"http://127\.0\.0\.1") as error,
    ):
        ask(server, key="sk-secret")
    assert server.count == 1
    assert "sk-secret" not in str(error.value)


def test_a_forbidden_request_among_others_is_only_that(serve):
    with serve("up", ["", "403:flagged"]) as server:
        endpoint = Endpoint("m", server.url, QUICK)
        endpoint.reply(question())
        with pytest.raises(AskError, match="flagged"):
            endpoint.reply(question())
        endpoint.close()


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"])
def test_nobody_listens(url):
    with pytest.raises(ModelError, match="nobody listens"):
        Endpoint("m", url, QUICK).reply(question())


def test_an_endpoint_that_goes_away_is_waited_for():
    with Loopback("up") as server:
        endpoint = Endpoint("m", server.url, QUICK)
        endpoint.reply(question())
    with pytest.raises(AskError, match="no reply in 3 attempts"):
        endpoint.reply(question())


@pytest.mark.parametrize("url", ["localhost:8000", "file:///etc/passwd", ""])
def test_addresses_that_are_none(url):
    with pytest.raises(ModelError, match="--base-url"):
        Endpoint("m", url, QUICK)


NEW_NAME = "400:Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
NO_HEAT = "400:Unsupported value: 'temperature' does not support 0.0 with this model."


def test_fields_that_are_refused_are_left_out(serve):
    notes = []
    with serve("up", [NEW_NAME, NO_HEAT]) as server:
        endpoint = Endpoint("m", server.url, Options(retries=0), note=notes.append)
        endpoint.reply(question())
        endpoint.reply(question())
        endpoint.close()
    last = server.asked[-1].body
    assert server.count == 4
    assert len(notes) == 2
    assert last["max_completion_tokens"] == 8192
    assert "max_tokens" not in last
    assert "temperature" not in last


def test_what_the_drawing_model_refuses_is_still_sent_to_the_other(serve):
    notes = []
    options = Options(retries=0, image_model="painter")
    with serve(lambda asked: Reply("up", (png(),)), [NO_HEAT]) as server:
        endpoint = Endpoint("m", server.url, options, note=notes.append)
        endpoint.reply(drawing())
        endpoint.reply(question())
        endpoint.close()
    sent = [(asked.body["model"], asked.body.get("temperature")) for asked in server.asked]
    assert sent == [("painter", 0), ("painter", None), ("m", 0)]
    assert notes == ["the endpoint, for painter, takes no temperature; it is left out"]


@pytest.mark.parametrize("act", [NEW_NAME, NO_HEAT])
def test_threads_that_meet_a_refusal_together(act):
    """Each of four requests is under way when the first refusal arrives."""

    class Refusing(Loopback):
        async def _respond(self, asked):
            old = "max_tokens" in asked.body if act == NEW_NAME else "temperature" in asked.body
            self.acts = [act] if old else []
            return await super()._respond(asked)

    replies = []
    with Refusing("up") as server:
        endpoint = Endpoint("m", server.url, Options(retries=0))
        threads = [
            threading.Thread(target=lambda: replies.append(endpoint.reply(question())))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        endpoint.close()
    assert [reply.text for reply in replies] == ["up"] * 4


def test_a_limit_that_is_too_large_is_not_renamed(serve):
    act = "400:'max_tokens' or 'max_completion_tokens' is too large: 8192. The maximum is 4096."
    with serve("up", always=act) as server, pytest.raises(AskError, match="too large"):
        ask(server)
    assert server.count == 1


def test_an_empty_reply_is_a_reply(serve):
    with serve("up", ["empty"]) as server:
        assert ask(server).text == ""
        assert server.count == 1


def test_costs(serve):
    with serve("four") as server:
        priced = ask(server, Options(price=(10, 1000)))  # 100 in, 4 out, per million
        server.cost = 0.5
        told = ask(server, Options(price=(10, 1000)))
    assert priced.usage["cost"] == pytest.approx(0.005)
    assert told.usage["cost"] == 0.5


def test_no_key_is_needed(serve):
    with serve("up") as server:
        ask(server)
    assert server.asked[0].headers["authorization"] == "Bearer none"
