"""The study: what participants get, what is stored of them, and what they are never told."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from oracle.errors import Conflict, Refused
from oracle.page import answers
from oracle.page.games import Game
from oracle.page.ledger import line
from oracle.page.names import cleaned, key_of
from oracle.page.participants import Attempt, Participant, plan_of
from oracle.page.study import COOKIE, Study
from protocols.judge import Options, judge_file
from protocols.reports.analyses.success import success
from protocols.reports.rows import load
from puzzles import NAMES, Instance, family, make
from puzzles.solve import solve
from tests.oracle.watching import MAZE, another, client, page, written

PLACE = "/page/study"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two easy boards of every family."""
    boards = [one for name in NAMES for one in make(name, "easy", 2)]
    return written(tmp_path_factory.mktemp("data"), boards)


def begun(folder: Path, data: Path, per_bucket: int = 1) -> TestClient:
    return client(page(folder, [data], study=Study(per_bucket)))


def join(study: TestClient, name: str, code: str | None = None) -> dict[str, Any]:
    reply = study.post(f"{PLACE}/join", json={"name": name, "code": code})
    assert reply.status_code == 200, reply.text
    me: dict[str, Any] = reply.json()["me"]
    return me


def send(study: TestClient, at: int, way: str, **body: Any) -> dict[str, Any]:
    reply = study.post(f"{PLACE}/{at}/{way}", json=body)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def hands(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what hands do to solve the board that a game shows."""
    room = family(game["family"])
    state = room.parse(game["board"], room.rule_options)
    found = []
    for after, action in enumerate(solve(room, state).actions):
        gesture = room.controls.gesture(state, action)
        found.append({**gesture._asdict(), "after": after})
        state = room.apply(state, action)
    return found


def play(study: TestClient, me: dict[str, Any]) -> dict[str, Any]:
    """Solve the puzzle that a participant is at; return its last reply."""
    reply = send(study, me["at"], "start")["me"]["game"]
    for hand in hands(reply):
        reply = send(study, me["at"], "actions", **hand)
    return reply


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in (folder / "answers.jsonl").read_text("utf-8").splitlines()]


def test_a_study_from_the_first_puzzle_to_the_verdicts(tmp_path: Path, data: Path) -> None:
    study = begun(tmp_path, data)
    me = join(study, "  Zoë\u00a0 Müller ")
    assert (me["name"], me["at"], me["puzzles"], me["done"]) == ("Zoë Müller", 0, len(NAMES), 0)
    given_up = None
    while me["status"] != "finished":
        assert me["status"] == "ready"
        if not me["practice"] and given_up is None:
            send(study, me["at"], "start")
            given_up = send(study, me["at"], "give-up")["family"]
        else:
            assert play(study, me)["end"] == "solved"
        me = send(study, me["at"], "next")["me"]
    assert (me["solved"], me["done"]) == (len(NAMES) - 1, len(NAMES))
    found = lines(tmp_path)
    assert [one["order"] for one in found] == list(range(1, len(NAMES) + 1))
    assert {one["instance"]["family"] for one in found} == set(NAMES)
    assert {(one["model"], one["protocol"], one["run"]) for one in found} == {
        ("Zoë Müller", "human-study", 1)
    }
    for one in found:
        assert one["elapsed"] >= one["seconds"] >= 0
        assert (one["pauses"], one["undos"], one["grid_seconds"]) == (0, 0, 0)
        assert (one["response"] == "") == (one["instance"]["family"] == given_up)
    verdicts = tmp_path / "verdicts.jsonl"
    report = judge_file(tmp_path / "answers.jsonl", [], verdicts, Options(images=False))
    assert not report.errors
    for verdict in map(json.loads, verdicts.read_text().splitlines()):
        expected = "no_answer" if verdict["family"] == given_up else "solved"
        assert (verdict["reason"], verdict["optimal"]) == (expected, expected == "solved")
    table = success(load([verdicts]))
    assert table is not None


def test_everybody_gets_the_first_boards_of_the_data(tmp_path: Path, data: Path) -> None:
    study = begun(tmp_path, data)
    boards = []
    for name in ("anna", "bert"):
        me, mine = join(study, name), set()
        while me["status"] != "finished":
            game = send(study, me["at"], "start")["me"]["game"]
            if not me["practice"]:
                mine.add(game["board"])
            send(study, me["at"], "give-up")
            me = send(study, me["at"], "next")["me"]
        boards.append(mine)
    text = (data / "metadata.jsonl").read_text().splitlines()
    assert boards[0] == boards[1] == {json.loads(one)["board"] for one in text[::2]}


def test_without_data_boards_are_made_as_make_makes_them(tmp_path: Path) -> None:
    study = client(page(tmp_path, study=Study(1)))
    me = join(study, "anna")
    levels = {(name, level) for name in NAMES for level in family(name).buckets}
    assert me["puzzles"] == len(levels)
    boards = set()
    while me["status"] != "finished":
        game = send(study, me["at"], "start")["me"]["game"]
        if not me["practice"]:
            boards.add(game["board"])
        send(study, me["at"], "give-up")
        me = send(study, me["at"], "next")["me"]
    assert boards == {make(name, level, 1)[0].board for name, level in levels}


def test_names_draw_orders_in_which_nothing_comes_first_more_often() -> None:
    puzzles = [another(k, family=name) for name in NAMES[:3] for k in range(2)]
    practice = [another(9, family=name) for name in NAMES[:3]]
    puzzles = [one.model_copy(update={"id": f"{one.family}{at}"}) for at, one in enumerate(puzzles)]
    first: Counter[str] = Counter()
    within: Counter[str] = Counter()
    for n in range(600):
        plan = plan_of(f"person {n}", puzzles, practice)
        families = [slot.instance.family for slot in plan]
        assert families == [name for name in families[::3] for _ in range(3)]
        assert [slot.practice for slot in plan] == [True, False, False] * 3
        assert {slot.instance.id for slot in plan if not slot.practice} == {o.id for o in puzzles}
        first[families[0]] += 1
        within[plan[1].instance.id] += 1
    # Fair shares are 200 and 100; six standard deviations are 70 and 55.
    assert all(130 < n < 270 for n in first.values())
    assert len(first) == 3
    assert all(45 < n < 155 for n in within.values())
    assert len(within) == 6
    assert plan_of("Anna", puzzles, practice) == plan_of("ANNA", puzzles, practice)


def test_time_counts_while_the_board_is_in_sight() -> None:
    attempt = Attempt(Game(MAZE, 100.0), began=100.0, seen=100.0)
    attempt = attempt.at(104.0, grid=False)
    assert attempt.seconds == 4
    attempt = attempt.at(110.0, grid=True)
    assert (attempt.seconds, attempt.grid_seconds) == (10, 0)
    attempt = attempt.at(112.0, grid=True)
    assert (attempt.seconds, attempt.grid_seconds) == (12, 2)
    # A page that says nothing for long is gone: of the gap fifteen seconds count.
    attempt = attempt.at(1112.0, grid=False)
    assert (attempt.seconds, attempt.grid_seconds) == (27, 17)
    attempt = attempt.hidden(1113.0, paused=False)
    assert (attempt.seconds, attempt.pauses, attempt.paused) == (28, 0, False)
    attempt = attempt.at(1200.0, grid=False).hidden(1201.0, paused=True)
    assert (attempt.seconds, attempt.pauses, attempt.paused) == (29, 1, True)
    attempt = attempt.at(1190.0, grid=False)  # clocks are set back now and then
    assert attempt.seconds == 29
    attempt = attempt.at(1192.0, grid=False).played(Game.give_up, 1192.0)
    assert (attempt.game.end, attempt.game.seconds, attempt.seen) == ("given_up", 31, None)
    record = line("key", "anna", attempt, 3)
    assert (record["seconds"], record["elapsed"], record["pauses"]) == (31, 1092, 1)
    assert (record["response"], record["grid_seconds"], record["order"]) == ("", 17, 3)
    assert Attempt.of(json.loads(json.dumps(attempt.record()))) == attempt


def test_a_pause_hides_the_board(tmp_path: Path, data: Path) -> None:
    study = begun(tmp_path, data)
    me = join(study, "anna")
    game = send(study, 0, "start")["me"]["game"]
    paused = send(study, 0, "pause")
    assert paused["me"]["status"] == "paused"
    assert game["board"] not in json.dumps(paused) + study.get(PLACE).text
    for way, body in (("actions", hands(game)[0]), ("undo", {}), ("give-up", {})):
        reply = study.post(f"{PLACE}/0/{way}", json=body)
        assert reply.status_code == 409
        assert reply.json() == {"error": "the puzzle is paused; go on with it first"}
    assert study.get(f"{PLACE}/0").status_code == 409
    assert send(study, 0, "sight", seen=True) == {"status": "paused"}
    assert send(study, 0, "resume")["me"]["game"]["board"] == game["board"]
    assert me["puzzles"] == len(NAMES)


def test_a_restart_of_the_server_and_another_tab_go_on(tmp_path: Path, data: Path) -> None:
    study = begun(tmp_path, data)
    join(study, "anna")
    game = send(study, 0, "start")["me"]["game"]
    first, *rest = hands(game)
    send(study, 0, "actions", **first)
    again = begun(tmp_path, data)
    again.cookies.set(COOKIE, study.cookies[COOKIE])
    me = again.get(PLACE).json()["me"]
    assert (me["status"], me["at"], me["game"]["actions"]) == ("playing", 0, 1)
    stale = study.post(f"{PLACE}/0/actions", json=first)
    assert stale.status_code == 409
    for hand in rest:
        send(again, 0, "actions", **hand)
    send(again, 0, "next")
    for way in ("start", "next", "give-up", "sight"):
        reply = study.post(f"{PLACE}/0/{way}", json={})
        assert reply.json() == {"error": "the study has gone on elsewhere, perhaps in another tab"}
    assert join(again, "ANNA")["at"] == 1
    assert join(again, "anna")["name"] == "anna"


def test_an_illegal_action_changes_nothing(tmp_path: Path) -> None:
    study = begun(tmp_path, written(tmp_path / "data", [MAZE]))
    join(study, "anna")
    send(study, 0, "start")
    send(study, 0, "give-up")
    send(study, 0, "next")
    send(study, 1, "start")
    reply = send(study, 1, "actions", cell=[1, 1], direction="up", after=0)
    assert (reply["legal"], reply["reason"]) == (False, "hits_wall")
    assert study.get(f"{PLACE}/1").json()["actions"] == 0
    for wrong in ({"cell": [9, 9], "direction": "up"}, {"cell": [1, 1], "other": [1, 2]}):
        assert study.post(f"{PLACE}/1/actions", json={**wrong, "after": 0}).status_code == 422
    assert study.post(f"{PLACE}/1/undo", json={}).status_code == 409
    assert study.post(f"{PLACE}/1/next", json={}).status_code == 409
    assert not (tmp_path / "answers.jsonl").exists()


def test_nothing_tells_the_optimum(tmp_path: Path) -> None:
    hidden = MAZE.model_copy(update={"optimal_length": 7654321, "id": "", "answer": None})
    hidden = hidden.model_copy(update={"id": "maze-easy-7654321"})
    study = begun(tmp_path, written(tmp_path / "data", [hidden]))
    join(study, "anna")
    told = []
    for at in (0, 1):
        told.append(send(study, at, "start"))
        for hand in hands(told[-1]["me"]["game"]):
            told.append(send(study, at, "actions", **hand))
            told.append(study.get(PLACE).json())
        told.append(send(study, at, "next"))
    assert told[-1]["me"]["status"] == "finished"
    assert "7654321" not in json.dumps(told)
    assert lines(tmp_path)[0]["instance"]["optimal_length"] == 7654321
    games = [one["me"]["game"] for one in told if "game" in one.get("me", {})]
    assert {game["optimum"] for game in games} == {None}
    (moves, outcome, said) = [
        (one["moves"], one["outcome"], one["said"])
        for one in told
        if one.get("end") and "said" in one
    ][-1]
    assert outcome == f"Solved in {moves}."
    assert said.endswith(f" {outcome}")


def test_a_study_has_nothing_but_the_study(tmp_path: Path, data: Path) -> None:
    study = client(page(tmp_path, [data], [tmp_path / "verdicts.jsonl"], Study(1)))
    assert study.get("/page/about").json()["views"] == ["study"]
    for way in ("gallery", "gallery/instance?id=x", "replay", "replay/1/1", "games/x"):
        assert study.get(f"/page/{way}").status_code == 404
    assert study.post("/page/games", json={}).status_code == 404


def test_nobody_sees_what_is_another_s(tmp_path: Path, data: Path) -> None:
    anna, bert = begun(tmp_path, data), begun(tmp_path, data)
    join(anna, "anna", "sesame")
    join(bert, "bert")
    send(anna, 0, "start")
    assert bert.get(PLACE).json()["me"]["status"] == "ready"
    nobody = begun(tmp_path, data)
    assert nobody.get(PLACE).json()["me"] is None
    key = key_of("anna")
    for ticket in ("", "x", key, f"{key}.", f"{key}.{'0' * 32}", f"{key_of('nobody')}.x", "é.é"):
        reply = nobody.post(
            f"{PLACE}/0/give-up", json={}, headers={"Cookie": f"{COOKIE}={ticket}".encode()}
        )
        assert reply.status_code == 403, ticket
    for code in (None, "", "sesam", "SESAME"):
        reply = nobody.post(f"{PLACE}/join", json={"name": "Anna", "code": code})
        assert reply.status_code == 403
        assert "another code" in reply.json()["error"]
    assert nobody.post(f"{PLACE}/join", json={"name": "bert", "code": "new"}).status_code == 403
    assert join(nobody, "Anna", " sesame ")["status"] == "playing"
    assert nobody.post(f"{PLACE}/leave", json={}).json() == {"me": None}
    assert nobody.get(PLACE).json()["me"] is None


@pytest.mark.parametrize("name", ["王小明", "Ω-7", "👩‍🔬", "می‌خواهم", "a" * 60, "O'Neil <b>&"])
def test_names_of_all_kinds(name: str) -> None:
    assert cleaned(f" {name}\n") == name


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "the name is empty"),
        (" \n\t ", "the name is empty"),
        ("\u200d", "the name is empty"),
        ("a" * 61, "the name has more than 60 characters"),
        ("a\0b", "the name holds signs that can't be shown"),
        ("a\u202eb", "the name holds signs that can't be shown"),
        ("a\ud800", "the name holds signs that can't be shown"),
    ],
)
def test_names_that_are_none(name: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        cleaned(name)


def test_a_code_is_kept_as_a_hash() -> None:
    one, two = Participant.new("a", "sesame"), Participant.new("b", "sesame")
    assert one.knows("sesame")
    assert not one.knows("open")
    assert one.code != two.code
    assert "sesame" not in json.dumps(one.record())
    assert Participant.of(json.loads(json.dumps(one.record()))) == one


def test_many_at_once_never_mix(tmp_path: Path, data: Path) -> None:
    app = page(tmp_path, [data], study=Study(1))

    async def one(number: int) -> None:
        carrier = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=carrier, base_url="http://localhost") as study:
            reply = await study.post(f"{PLACE}/join", json={"name": f"person {number}"})
            me = reply.json()["me"]
            while me["status"] != "finished":
                await study.post(f"{PLACE}/{me['at']}/start", json={})
                await study.post(f"{PLACE}/{me['at']}/give-up", json={})
                me = (await study.post(f"{PLACE}/{me['at']}/next", json={})).json()["me"]

    async def all_of_them() -> None:
        await asyncio.gather(*(one(number) for number in range(8)))

    asyncio.run(all_of_them())
    found = Counter((one["model"], one["id"]) for one in lines(tmp_path))
    assert len(found) == 8 * len(NAMES)
    assert set(found.values()) == {1}


def test_an_answer_that_was_written_before_a_crash_is_not_written_twice(tmp_path: Path) -> None:
    ended = Attempt(Game(MAZE, 0.0), 0.0, 0.0).at(5.0, grid=False).played(Game.give_up, 5.0)
    record = line("key", "anna", ended, 1)
    assert asyncio.run(answers.save(tmp_path / "answers.jsonl", [record])) == 1
    assert asyncio.run(answers.save(tmp_path / "answers.jsonl", [record])) == 0
    assert len(lines(tmp_path)) == 1


def test_answers_that_can_not_be_written_lose_nothing(tmp_path: Path) -> None:
    study = begun(tmp_path, written(tmp_path / "data", [MAZE]))
    join(study, "anna")
    for way in ("start", "give-up", "next"):
        send(study, 0, way)
    game = send(study, 1, "start")["me"]["game"]
    *before, last = hands(game)
    for hand in before:
        send(study, 1, "actions", **hand)
    (tmp_path / "answers.jsonl").mkdir()
    reply = study.post(f"{PLACE}/1/actions", json=last)
    assert reply.status_code == 507
    assert reply.json()["error"].startswith("the answers can't be stored (")
    assert study.get(PLACE).json()["me"]["game"]["actions"] == len(before)
    (tmp_path / "answers.jsonl").rmdir()
    assert send(study, 1, "actions", **last)["end"] == "solved"
    assert len(lines(tmp_path)) == 1


def test_a_study_keeps_its_puzzles(tmp_path: Path, data: Path) -> None:
    join(begun(tmp_path, data), "anna")
    other = begun(tmp_path, data, per_bucket=2).get(PLACE)
    assert other.status_code == Conflict.status
    assert "1 of each family and difficulty, from data" in other.json()["error"]
    grown = written(tmp_path / "more", [another(1), *_read(data)])
    assert join(begun(tmp_path, grown), "bert")["puzzles"] == len(NAMES)


def _read(data: Path) -> list[Instance]:
    text = (data / "metadata.jsonl").read_text()
    return [Instance.model_validate_json(line) for line in text.splitlines()]


def test_the_operator_s_text_is_shown(tmp_path: Path) -> None:
    text = tmp_path / "intro.txt"
    text.write_text("\ufeffGrüße!\n\nZweiter Absatz.", "utf-8")
    study = Study.of(None, text)
    assert (study.per_bucket, study.intro) == (2, "Grüße!\n\nZweiter Absatz.")
    found = client(page(tmp_path, study=study)).get(PLACE).json()
    assert found["intro"] == study.intro
    for broken in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(ValueError, match=str(broken)):
            Study.of(1, broken)
    text.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(ValueError, match="not UTF-8"):
        Study.of(1, text)
    with pytest.raises(ValueError, match="not 0"):
        Study.of(0, None)


def test_practice_is_on_a_board_that_does_not_count(tmp_path: Path) -> None:
    counts = make(MAZE.family, MAZE.difficulty, 1, seed=1)[0]  # where practice would come from
    study = begun(tmp_path, written(tmp_path / "data", [counts]))
    join(study, "anna")
    practice = send(study, 0, "start")["me"]["game"]["board"]
    send(study, 0, "give-up")
    send(study, 0, "next")
    assert send(study, 1, "start")["me"]["game"]["board"] == counts.board != practice
