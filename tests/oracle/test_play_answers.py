"""Games on the page that are over: saved as answers that the judge reads."""

import asyncio
import fcntl
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from oracle.page.answers import save
from protocols.judge import Options, judge_file
from tests.oracle.local import refused
from tests.oracle.playing import TWO, begin, over, post, served


def test_saved_games_are_judged(client: Any, tmp_path: Path) -> None:
    solved, again = over(client), over(client)
    lost = begin(client)
    post(client, lost, "hint")
    refused(client.post("/page/answers", json={"name": "A", "games": [lost["game"]]}), 409, "goes")
    assert post(client, lost, "give-up").json()["end"] == "given_up"
    names = [game["game"] for game in (solved, again, lost)]
    body = {"name": " Ada ", "games": [*names, names[0], "forgotten"]}
    first, second = (client.post("/page/answers", json=body).json() for _ in range(2))
    assert first == {"saved": 3, "of": 3, "gone": ["forgotten"]}
    assert second == {"saved": 0, "of": 3, "gone": ["forgotten"]}
    answers = tmp_path / "answers.jsonl"
    download = client.post("/page/answers/download", json=body)
    assert download.content == answers.read_bytes()
    assert "answers.jsonl" in download.headers["content-disposition"]
    lines = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [(line["id"], line["model"], line["run"]) for line in lines] == [
        (TWO, "Ada", run) for run in (1, 2, 3)
    ]
    assert lines[0]["seconds"] >= 0
    assert [(line["hints"], line["assisted"]) for line in lines] == [(0, False)] * 2 + [(1, True)]
    judge_file(answers, [], tmp_path / "verdicts.jsonl", Options(images=False))
    verdicts = [json.loads(x) for x in (tmp_path / "verdicts.jsonl").read_text().splitlines()]
    assert [(v["optimal"], v["reason"], v["error"]) for v in verdicts] == [
        (True, "solved", None),
        (True, "solved", None),
        (False, "unsolved", None),
    ]


def test_answers_that_are_there_stay_and_a_torn_line_goes(tmp_path: Path) -> None:
    path, one = tmp_path / "deep" / "answers.jsonl", {"id": "x", "protocol": "human", "game": "g"}
    whole = b'{"id":"x","protocol":"human","model":"M","run":4}\nno json\n[1]\n'
    path.parent.mkdir()
    path.write_bytes(whole + b'{"id":"x","prot')
    assert asyncio.run(save(path, [{**one, "model": "M"}])) == 1
    written = path.read_bytes()
    assert written.startswith(whole)
    assert json.loads(written[len(whole) :])["run"] == 5


def test_a_file_that_is_being_written_to_is_left_alone(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("oracle.page.locking._TRIES", 10)
    game = over(client)
    path = tmp_path / "answers.jsonl"
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        response = client.post("/page/answers", json={"name": "Ada", "games": [game["game"]]})
        refused(response, 409, "answers.jsonl is being written to")
    assert path.read_bytes() == b""


@pytest.mark.parametrize("name", ["👩‍🔬", "می‌خواهم", "王小明", "a" * 60])
def test_names_are_those_of_a_study(client: Any, tmp_path: Path, name: str) -> None:
    body = {"name": f" {name}\n", "games": [over(client)["game"]]}
    assert client.post("/page/answers", json=body).json()["saved"] == 1
    assert json.loads((tmp_path / "answers.jsonl").read_text())["model"] == name
    assert json.loads(client.post("/page/answers/download", json=body).text)["model"] == name


@pytest.mark.parametrize("name", ["", "  ", "\u200d", "a\u202eb", "\x00", "a" * 61, "a" * 5000])
def test_a_name_has_to_be_one(client: Any, name: str) -> None:
    body = {"name": name, "games": [over(client)["game"]]}
    refused(client.post("/page/answers", json=body), 422, "name")


def test_a_server_without_a_file_of_answers_says_so(tmp_path: Path, folder: Path) -> None:
    with TestClient(served(tmp_path, folder, answers=None)) as client:
        assert client.get("/page/about").json()["saves"] is False
        body = {"name": "Ada", "games": [over(client)["game"]]}
        refused(client.post("/page/answers", json=body), 409, "download")
        assert client.post("/page/answers/download", json=body).status_code == 200
