"""Rewards as trainers call them: what needs none of their packages."""

import importlib
import json
import sys
from types import ModuleType
from typing import Any

import pytest

from protocols.adapters import swift_reward, trl_rewards
from protocols.adapters.easyr1_reward import REWARD_TYPE
from protocols.adapters.easyr1_reward import compute_score as easyr1
from protocols.adapters.reasoning_gym import PuzzleConfig, PuzzleDataset
from protocols.adapters.scoring import Scoring
from protocols.adapters.verl_reward import compute_score as verl
from protocols.reward import MIX, REWARDS, Mix, score
from puzzles import NAMES, make
from render.decode import rgb

RECORD = json.dumps({"family": "maze", "board": "..S.G\n.####", "optimal_length": 2})
REPLIES = [
    '<ANSWER_JSON>["right","right"]</ANSWER_JSON>',
    '["right","right"]',
    '<ANSWER_JSON>["right"]</ANSWER_JSON>',
    '<ANSWER_JSON>["left","up"]</ANSWER_JSON>',
    "I don't know",
]
RECORDS = [RECORD] * len(REPLIES)


def chat(reply: str) -> Any:
    return [{"role": "assistant", "content": reply}]


@pytest.mark.parametrize("name", REWARDS)
@pytest.mark.parametrize("strict", [False, True])
def test_all_adapters_say_the_same(name: str, strict: bool) -> None:
    wanted = [REWARDS[name](score(reply, RECORD, strict=strict)) for reply in REPLIES]
    assert len(set(wanted)) > 1
    told: dict[str, Any] = {"reward": name, "strict": strict}
    trl = trl_rewards.reward(name, strict=strict)
    assert trl(completions=REPLIES, record=RECORDS) == wanted
    assert trl(completions=[*map(chat, REPLIES)], record=RECORDS) == wanted
    assert [verl("puzzles", reply, RECORD, **told)["score"] for reply in REPLIES] == wanted
    batch = [{"response": reply, "ground_truth": RECORD, "response_length": 9} for reply in REPLIES]
    assert REWARD_TYPE == "batch"
    assert [one["overall"] for one in easyr1(batch, **told)] == wanted
    swift = swift_reward.plugged("mine", Scoring(name, strict))()
    assert swift(REPLIES, record=RECORDS, messages=[]) == wanted
    gym = PuzzleDataset(PuzzleConfig("maze", **told))
    entry = {"metadata": {"record": RECORD}}
    assert [gym.score_answer(reply, entry) for reply in REPLIES] == wanted


def test_trl_passes_what_it_has() -> None:
    logged: dict[str, float] = {}
    found = trl_rewards.mix(
        prompts=["?"] * 3,
        completions=REPLIES[:3],
        completion_ids=[[1], [2], [3]],
        record=[RECORD, None, RECORD],
        trainer_state=object(),
        log_extra=lambda column, values: None,
        log_metric=logged.__setitem__,
        difficulty=["easy"] * 3,
    )
    assert found == [1.0, None, MIX(score(REPLIES[2], RECORD))]
    assert logged == {
        **{f"puzzles/{part}": 0.5 for part in ("feasible", "optimal", "efficiency")},
        **{"puzzles/format": 1, "puzzles/legal": 1, "puzzles/progress": 0.75},
    }
    assert trl_rewards.mix.__name__ == "puzzles_mix"
    assert trl_rewards.mix(completions=["x"], record=[None], log_metric=print) == [None]
    with pytest.raises(ValueError, match="the dataset has no column record"):
        trl_rewards.optimal(completions=["x"], instance=[RECORD])
    with pytest.raises(ValueError, match="2 completions come with 1 of record"):
        trl_rewards.optimal(completions=["x", "y"], record=[RECORD])
    for column in (RECORD, None):
        with pytest.raises(ValueError, match="the dataset has no column record"):
            trl_rewards.mix(completions=["x"], record=column)
    other = trl_rewards.reward({"progress": 0, "format": 0}, column="truth")
    assert other(completions=REPLIES, truth=RECORDS) == pytest.approx([0.8, 0.8, 0, 0, 0])


def test_rows_of_other_tasks_and_inputs_alone() -> None:
    swift = swift_reward.ORMS["puzzles_mix"]()
    assert swift(REPLIES[:2], record=[RECORD, None]) == [1, None]
    with pytest.raises(ValueError, match="2 completions come with 1 of record"):
        swift(REPLIES[:2], record=[RECORD])
    one = {"response": REPLIES[2], "ground_truth": RECORD}
    assert [easyr1(one)] == easyr1([one])
    for name in one:
        with pytest.raises(ValueError, match=f"an input of the reward has no {name}"):
            easyr1([{key: value for key, value in one.items() if key != name}])


def test_a_thought_that_the_prompt_has_opened() -> None:
    inside, after = REPLIES[0], f"so</think>{REPLIES[0]}"
    for reward in (trl_rewards.reward("optimal", thinking=True),):
        assert reward(completions=[inside, after], record=[RECORD] * 2) == [0, 1]
    assert verl("", inside, RECORD, thinking=True)["acc"] == 0
    assert verl("", after, RECORD, thinking=True)["acc"] == 1


def test_options_that_cannot_be_meant() -> None:
    for wrong, said in (
        ("much", "unknown reward 'much' .known: mix"),
        ({"speed": 1}, "a mix has the weights feasible, optimal"),
        ({"format": 0.9}, "more than 1 in all"),
    ):
        with pytest.raises(ValueError, match=said):
            Scoring(wrong)  # type: ignore[arg-type]
    assert Scoring({"format": 0}).reward == Scoring(Mix(format=0)).reward == Mix(format=0)


def test_the_numbers_are_the_same_for_all() -> None:
    keys = {tuple(verl("puzzles", reply, RECORD, {"index": 3})) for reply in REPLIES}
    assert len(keys) == 1
    assert {type(value) for value in verl("puzzles", "", RECORD).values()} == {float}


@pytest.mark.parametrize("module", ["swift.rewards", "swift.plugin"])
def test_ms_swift_finds_its_classes(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class ORM:
        def __init__(self, args: Any = None, **given: Any):
            self.args = args

    found = ModuleType(module)
    found.ORM, found.orms = ORM, {}  # type: ignore[attr-defined]
    package = ModuleType("swift")
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "swift", package)
    monkeypatch.setitem(sys.modules, module, found)
    try:
        importlib.reload(swift_reward)
        assert set(found.orms) == {f"puzzles_{name}" for name in REWARDS}
        one = found.orms["puzzles_mix"](args="these")
        assert isinstance(one, ORM)
        assert one.args == "these"
        assert one(REPLIES, record=RECORDS) == [MIX(score(*p)) for p in zip(REPLIES, RECORDS)]  # noqa: B905
        with pytest.raises(ValueError, match="no column record"):
            one(REPLIES, solution=RECORDS)
    finally:
        monkeypatch.undo()
        importlib.reload(swift_reward)


@pytest.mark.parametrize("name", NAMES)
def test_a_procedural_dataset(name: str) -> None:
    data = PuzzleDataset(PuzzleConfig(name, "easy", seed=9, size=3, split="any"))
    entries = [*data]
    assert entries == [data[k] for k in range(3)]
    first = make(name, "easy", 1, seed=9)[0]
    assert json.loads(entries[0]["metadata"]["record"]) == json.loads(first.line())
    for entry in entries:
        assert data.score_answer(entry["answer"], entry) == 1
        assert data.score_answer(None, entry) == 0
        record = json.loads(entry["metadata"]["record"])
        rows, columns = len(record["board"].split("\n")), len(record["board"].split("\n")[0])
        assert rgb(data.picture(entry, 20)).shape == (20 * rows, 20 * columns, 3)
    for beyond in (3, -1):
        with pytest.raises(IndexError, match="entries 0 to 2"):
            data[beyond]
    other = PuzzleDataset(PuzzleConfig(name), seed=10, size=1)
    assert (len(other), other.config.seed) == (1, 10)
