"""Rows, rewards, sources of tasks and the TRL classes: what needs nobody else's package."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from oracle.trainers import rewards
from oracle.trainers.board_tasks import BoardTasks
from oracle.trainers.source import Source
from oracle.trainers.trl import environment, environments, rows
from protocols.adapters.documents import Document
from protocols.adapters.rows import instance_of
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.protocol import named
from puzzles import NAMES, Instance, family, make
from puzzles.replay import initial, optimal_actions

ROOM = "#####\n#S.G#\n#...#\n#####"
ROW = {"family": "maze", "board": ROOM, "optimal_length": 2, "difficulty": "easy"}


def begun(**options: Any) -> Any:
    env = environment("maze", cell=16, **options)()
    env.reset(**ROW)
    return env


def tools(kind: type) -> list[str]:
    """Return what TRL takes for tools."""
    functions = dict(inspect.getmembers(kind, inspect.isfunction))
    return sorted(n for n in functions if n[0] != "_" and n not in ("reset", "get_reward"))


@pytest.mark.parametrize(
    ("calls", "efficiency", "feasible", "optimal"),
    [
        ("right right finish", 1, 1, 1),
        ("down right right up finish", 0.5, 1, 0),
        ("right left right right finish", 0.5, 1, 0),
        ("right right", 0, 0, 0),
        ("right finish", 0, 0, 0),
        ("finish", 0, 0, 0),
        ("finish right right finish", 0, 0, 0),
        ("up", 0, 0, 0),
        ("up right right finish", 0, 0, 0),
        ("right right up finish", 0, 0, 0),
        ("right right left finish", 0, 0, 0),
        ("right right finish left finish", 1, 1, 1),
        ("", 0, 0, 0),
    ],
)
def test_rewards_by_hand(calls: str, efficiency: float, feasible: float, optimal: float) -> None:
    wanted = {"efficiency": efficiency, "feasible": feasible, "optimal": optimal}
    for kind, reward in wanted.items():
        env = begun(reward=kind)
        for call in calls.split():
            env.finish() if call == "finish" else env.move(call)
        assert env.get_reward() == reward
        assert env.get_reward() == reward  # asking again changes nothing


def test_going_to_and_fro_earns_nothing() -> None:
    env = begun()
    for _ in range(50):
        env.move("right")
        env.move("left")
    assert env.get_reward() == 0


def test_a_call_that_is_none_of_the_tool_ends_it() -> None:
    for told in ({}, {"way": "up"}, {"direction": 5}, {"direction": ["up"]}):
        env = begun()
        [said] = env.move(**told)
        assert said["text"].startswith("The action can't be taken: ")
        assert env.move("right") == [{"type": "text", "text": "The puzzle is over."}]
        assert env.get_reward() == 0


@pytest.mark.parametrize("name", NAMES)
def test_arguments_of_any_type_cost_the_episode(name: str) -> None:
    # An exception would reach TRL, which lets the model try again.
    tool = family(name).controls.tool
    arguments, record = inspect.signature(tool).parameters, make(name, "easy", 1)[0].line()
    for value in (None, 5, 1.5, True, [], {}, "", "\ud800", [["up"]]):
        env: Any = environment(name, cell=16)()
        env.reset(record=record)
        said = getattr(env, tool.__name__)(**dict.fromkeys(arguments, value))
        assert said[-1]["text"].startswith("The action can't be taken: ")
        env.finish()
        assert env.get_reward() == 0


def test_the_last_action_of_the_cap_needs_no_claim() -> None:
    env = begun()
    for direction in ["right", "left"] * 5 + ["right"]:
        env.move(direction)
    assert env.get_reward() == 0
    env.move("right")  # the twelfth, twice the longest of the bucket
    assert env.get_reward() == pytest.approx(2 / 12)


def test_a_wrong_instance_has_no_reward() -> None:
    env = environment("maze", cell=16)()
    env.reset(**{**ROW, "optimal_length": 3})
    env.move("right")
    env.move("right")
    env.finish()
    assert env.get_reward() is None


@pytest.mark.parametrize("name", NAMES)
def test_the_tools_solve_every_family(name: str) -> None:
    instance = make(name, "easy", 1)[0]
    env: Any = environment(name, cell=20)()
    picture, text = env.reset(id=instance.id, record=instance.line(), prompt=[], junk=None)
    room, state = family(name), initial(instance)
    assert picture["image"].size == tuple(20 * n for n in reversed(_size(instance)))
    assert instance.board not in text["text"]
    for action in optimal_actions(instance) if room.counts_actions else _walk(instance):
        items = room.answer_of(state, [action]) if room.step.items else []
        value = json.loads(room.step.format(action, items))
        state = room.apply(state, action)
        picture, text = env._act(value)
        assert text["text"] == "The picture shows the board after your action."
    env.finish()
    assert env.get_reward() == 1


def _size(instance: Instance) -> tuple[int, int]:
    lines = instance.board.split("\n")
    return len(lines), len(lines[0])


def _walk(instance: Instance) -> list[Any]:
    from puzzles import solve

    return list(solve(family(instance.family), initial(instance)).actions)


def test_what_trl_takes_for_tools() -> None:
    for name, kind in environments().items():
        assert kind.__name__ == f"{name.capitalize()}Environment"
        assert tools(kind) == sorted([family(name).controls.tool.__name__, "finish"])
        assert tools(environment(name, protocol="oracle-vcot+budget")) == [
            family(name).controls.tool.__name__
        ]
        method, tool = getattr(kind, tools(kind)[-1]), family(name).controls.tool
        assert list(inspect.signature(method).parameters)[1:] == list(
            inspect.signature(tool).parameters
        )
        assert method.__doc__ == tool.__doc__


def test_a_budget_ends_by_itself() -> None:
    env = begun(protocol="oracle-vcot+budget")
    env.move("right")
    assert env.move("right")[-1]["text"].endswith("The puzzle is over.")
    assert env.get_reward() == 1


@pytest.mark.parametrize("name", ["direct", "self-vcot", "mismatch-vcot", "oracle-vcot+last"])
def test_what_tools_do_not_carry(name: str) -> None:
    with pytest.raises(ValueError, match="tools carry oracle-vcot"):
        environment("maze", protocol=name)


def test_rows_of_a_folder(tmp_path: Path) -> None:
    made = make("maze", "easy", 3, out=tmp_path, images=False)
    found = rows(tmp_path, limit=2)
    assert [instance_of(row).essence for row in found] == [one.essence for one in made[:2]]
    assert {row["environment"] for row in found} == {"maze"}


def test_a_row_may_name_a_board() -> None:
    row = {"family": "sokoban", "difficulty": "easy", "seed": 3, "index": 2, "prompt": "x"}
    assert instance_of(row).board == make("sokoban", "easy", 3, seed=3)[2].board
    assert instance_of({**row, "family": None}, "sokoban") == instance_of(row)


def test_gaps_of_a_table_are_none() -> None:
    row = {**ROW, "rules": {"goal": None, "max_turns": None}, "metric": None, "answer": None}
    assert instance_of(row) == instance_of(ROW)
    assert instance_of({**ROW, "rules": "{}"}) == instance_of(ROW)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({}, "the row holds no instance: it needs a record"),
        ({"family": "maze", "board": ROOM}, "optimal_length: Field required"),
        ({**ROW, "optimal_length": -1}, "optimal_length: Input should be greater"),
        ({"record": "x"}, "record: it is not a JSON object"),
        ({**ROW, "rules": "["}, "rules: it is not a JSON object"),
        ({"family": "maze", "difficulty": "easy", "seed": -1}, "seed: a whole number from 0"),
        ({"family": "maze", "difficulty": "easy", "index": "1"}, "index: a whole number from 0"),
        ({"family": "maze", "difficulty": "x"}, "unknown difficulty 'x'"),
        ({"family": "chess", "difficulty": "easy"}, "unknown family 'chess'"),
    ],
)
def test_a_row_that_holds_nothing(row: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        instance_of(row)


def test_a_row_of_another_family() -> None:
    with pytest.raises(ValueError, match="of family 'maze', not of 'path'"):
        environment("path")().reset(**ROW)


def test_strictness() -> None:
    instance = instance_of(ROW)
    for said, strict, lenient in (
        ('<ANSWER_JSON>["right","right"]</ANSWER_JSON>', 1, 1),
        ('["right","right"]', 0, 1),
        ("", 0, 0),
    ):
        episode = Episode(instance, "direct")
        episode.take(Reply(said))
        assert rewards.reward("optimal", rewards.judged(episode, strict=True)) == strict
        assert rewards.reward("optimal", rewards.judged(episode, strict=False)) == lenient


def test_an_answer_that_has_not_come_is_none() -> None:
    for name in ("direct", "oracle-vcot"):
        score = rewards.judged(Episode(instance_of(ROW), name), strict=True)
        assert rewards.reward("feasible", score) == rewards.reward("mix", score) == 0


def test_a_rollout_that_is_asked_about_again_is_judged_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls, judged = [], rewards.judged

    def counted(episode: Episode, *, strict: bool, progress: bool) -> Any:
        calls.append(strict)
        return judged(episode, strict=strict, progress=progress)

    monkeypatch.setattr(rewards, "judged", counted)
    rewards.replayed.cache_clear()
    record = instance_of(ROW).model_dump_json()
    document = Document(record, "", ("maze", "easy"), 20)

    def asked(said: str, strict: bool) -> Any:
        reply = json.dumps(Reply(said).record())
        return rewards.replayed(document, "direct", None, (reply,), strict=strict)

    right = '["right","right"]'
    for strict in (True, False, False, True):
        assert asked(right, strict).optimal == (not strict)
    assert not asked("", False).optimal
    assert calls == [True, False, False]


def test_unknown_rewards() -> None:
    with pytest.raises(ValueError, match="unknown reward 'much'"):
        environment("maze", reward="much")


def test_rewards_lie_between_0_and_1() -> None:
    episode = Episode(instance_of(ROW), "direct")
    episode.take(Reply('<ANSWER_JSON>["down","right","right","up"]</ANSWER_JSON>'))
    score = rewards.judged(episode, strict=True)
    assert rewards.reward("efficiency", score) == 0.5
    assert rewards.reward("mix", score) == pytest.approx(0.5 + 0.15 * 0.5 + 0.15 + 0.05)


def test_sources(tmp_path: Path) -> None:
    made = make("maze", "easy", 8, out=tmp_path / "maze", images=False)
    make("path", "easy", 2, out=tmp_path / "path", images=False)
    direct, data = named("direct"), str(tmp_path)
    assert len(Source(data).documents(direct)) == 10
    some = Source(data, families=["maze"], n=3).documents(direct)
    assert [one.instance.id for one in some] == [one.id for one in made[:3]]
    for split in ("train", "eval"):
        wanted = [one.id for one in made if one.split == split]
        try:
            found = Source(data, families=["maze"], split=split).documents(direct)
        except ValueError:
            found = []
        assert [one.instance.id for one in found] == wanted
    mixed = Source(families=["maze"], n=3, cell=20).documents(named("mismatch-vcot"))
    assert [one.donor for one in mixed] == [one.record for one in (*mixed[1:], mixed[0])]
    for source, said in (
        (Source(split="test"), "unknown split 'test'"),
        (Source(data, families=["onet"]), "no instance of what is asked for"),
        (Source(families=["chess"]), "unknown family 'chess'"),
    ):
        with pytest.raises(ValueError, match=said):
            source.documents(direct)


def test_board_tasks_of_a_folder(tmp_path: Path) -> None:
    made = make("maze", "easy", 12, out=tmp_path, images=False)
    tasks = BoardTasks(str(tmp_path))
    for split in ("train", "eval"):
        wanted = [one.id for one in made if one.split == split]
        assert [tasks.get(split, k).id for k in range(tasks.count(split))] == wanted
    chosen = {tasks.choose("train", seed).id for seed in range(100)}
    assert chosen == {one.id for one in made if one.split == "train"}


def test_board_tasks_that_are_made() -> None:
    tasks = BoardTasks()
    assert tasks.choose("eval", 4) == tasks.choose("eval", 4)
    assert {tasks.choose("train", seed).family for seed in range(60)} == set(NAMES)
    task = tasks.choose("eval", 4, "maze", "hard")
    instance = tasks.document(task).instance
    assert (instance.family, instance.difficulty, instance.split) == ("maze", "hard", "eval")
    with pytest.raises(IndexError):
        tasks.get("train", tasks.count("train"))
    with pytest.raises(ValueError, match="no task of chess in train"):
        tasks.choose("train", 1, "chess")
