"""The client against the server as a process of its own; the same episodes are played here."""

import json
from dataclasses import asdict

import pytest

from oracle import Client
from oracle.client import ServerError
from protocols.episode import Episode
from protocols.models.wire import chat
from protocols.protocol import PROTOCOLS, named
from protocols.selection import Selection
from puzzles import NAMES, family, make
from tests.oracle.serving import SOLVER, Place, Server, judged, played

TOKEN = "a-token-for-this-test"
SERVED = [name for name, protocol in PROTOCOLS.items() if protocol.paradigm != "draw"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Two mazes and two Onet boards, and another generator's pictures for them."""
    folder = tmp_path_factory.mktemp("data")
    for name in ("maze", "onet"):
        for instance in make(name, "easy", 2, out=folder / "sets" / name):
            picture = (folder / "sets" / name / str(instance.aid_file_name)).read_bytes()
            place = folder / "aids" / instance.id
            place.mkdir(parents=True)
            (place / "1.png").write_bytes(picture)
            place.with_name(f"{instance.id}.png").write_bytes(picture)
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("served")
    file = folder / "token"
    file.write_text(TOKEN)
    more = ["--token-file", file, "--stateless", "--aids", data / "aids"]
    with Server(folder, "--data", data / "sets", *more) as server:
        yield server


@pytest.mark.parametrize("name", [*SERVED, "oracle-vcot+budget", "self-vcot+last"])
def test_a_model_is_sent_what_its_episode_asks(server, data, name):
    """The messages, with every picture in them, are those of an episode that is played here."""
    selection = Selection([data / "sets"], [named(name)], files=data / "aids", cell=24)
    with Client(server.url, TOKEN) as client:
        for instance, protocol, _, aids in selection.jobs():
            local = Episode(instance, protocol, aids)
            remote = client.open(id=instance.id, protocol=name, cell=24)
            while local.request is not None:
                assert remote.messages == chat(local.request.messages)
                reply = SOLVER.reply(local)
                if reply.images:
                    remote.step(drawing=reply.images[-1])
                else:
                    remote.say(reply.text)
                local.take(reply)
            assert remote.done
            verdict = local.verdict()
            assert verdict is not None
            assert remote.verdict == json.loads(json.dumps(asdict(verdict)))
            answer = remote.answer(model="m")
            assert answer.pop("instance")["board"] == instance.board
            names = range(1, 1 + len(local.play.drawings)) if protocol.stepwise else ["aid"]
            pictures = [f"/episodes/{remote.id}/images/{name}" for name in names]
            assert answer == {**local.answer(pictures), "model": "m"}


def test_episodes_of_every_family_and_difficulty_are_solved(server, tmp_path):
    places = [
        Place(name, difficulty, 5, index)
        for name in NAMES
        for difficulty in family(name).buckets
        for index in range(3)
    ][:-6]
    answers = played(server.url, places, TOKEN)
    assert len(answers) == 48
    assert all(answer["verdict"]["optimal"] for answer in answers)
    assert judged(answers, tmp_path) == [answer["verdict"] for answer in answers]


def test_transitions_answer_what_steps_do(server):
    maze = Place("maze", "medium", 5, 0)
    local = Episode(maze.instance, "oracle-vcot")
    steps = []
    with Client(server.url, TOKEN) as client:
        episode = client.open(**maze._asdict())
        while local.request is not None:
            said = SOLVER.reply(local)
            local.take(said)
            if local.transcript[-1][0].purpose == "action":
                steps.append({"round": local.transcript[-1][0].round, "reply": said.text})
                continue
            steps[-1]["remaining"] = maze.instance.optimal_length - len(steps)
            there = client.transition(steps, **maze._asdict())
            here = episode.step(reply=steps[-1]["reply"], remaining=steps[-1]["remaining"])
            assert there.model_dump(exclude={"messages"}) == here.model_dump(exclude={"messages"})
            assert [len(message.content) for message in there.messages] == [
                len(message.content) for message in here.messages
            ]
    assert episode.done
    assert there.verdict is not None
    assert there.verdict["optimal"]


def test_without_the_token_the_server_says_so(server):
    with Client(server.url) as client, pytest.raises(ServerError, match="token") as refused:
        client.open(family="maze", difficulty="easy")
    assert refused.value.status == 401
