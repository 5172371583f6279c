"""The reward functions in the real GRPOTrainer: a tiny model, random weights, scripted replies."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from protocols.adapters import trl_rewards
from protocols.reward import MIX, score
from puzzles import Instance, family, make
from puzzles.answers import extract

pytestmark = pytest.mark.integration
pytest.importorskip("trl", reason="trl is no part of this environment")


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)


def tokenizer() -> Any:
    """Return a tokenizer whose tokens are bytes, with a template for chats."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={c: k for k, c in enumerate(letters)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    wrapped = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="</s>", pad_token="<pad>")
    wrapped.add_special_tokens({"additional_special_tokens": ["<pad>", "</s>"]})
    wrapped.chat_template = (
        "{% for one in messages %}{{ one.role }}: {{ one.content }}\n{% endfor %}assistant: "
    )
    return wrapped


def model(words: Any) -> Any:
    from transformers import Qwen2Config, Qwen2ForCausalLM

    return Qwen2ForCausalLM(
        Qwen2Config(
            **{"vocab_size": len(words), "hidden_size": 16, "intermediate_size": 32},
            **{"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2},
            **{"max_position_embeddings": 32768, "pad_token_id": words.pad_token_id},
            **{"bos_token_id": None, "eos_token_id": words.eos_token_id},
        )
    )


def trained(rows: list[dict[str, Any]], replies: list[str], rewards: Any, **told: Any) -> Any:
    """Return a GRPOTrainer after one step, in which its model has said ``replies``."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    words = tokenizer()

    class Scripted(GRPOTrainer):
        def _generate_single_turn(self, prompt_ids: Any, *_: Any, **__: Any) -> Any:
            assert len(prompt_ids) == len(replies)
            return [[*words.encode(text), words.eos_token_id] for text in replies], None

    config = GRPOConfig(
        **{"output_dir": "out", "max_steps": 1, "per_device_train_batch_size": len(replies)},
        **{"num_generations": len(replies) // len(rows), "max_completion_length": 20_000},
        **{"report_to": "none", "use_cpu": True, "bf16": False, "logging_steps": 1},
        **{"save_strategy": "no", "shuffle_dataset": False, "gradient_checkpointing": False},
        **told,
    )
    trainer = Scripted(
        model=model(words),
        args=config,
        train_dataset=Dataset.from_list(rows),
        processing_class=words,
        reward_funcs=rewards,
    )
    trainer.train()
    return trainer


def logged(trainer: Any) -> dict[str, float]:
    [log] = [line for line in trainer.state.log_history if "reward" in line]
    return dict(log)


def boards() -> list[Instance]:
    return [make(name, "easy", 1, seed=3)[0] for name in ("sokoban", "klotski")]


def answers(instance: Instance) -> list[str]:
    """Return a right reply, one whose last action is missing, and none."""
    room = family(instance.family)
    actions = extract(instance.answer or "", room).answer or []
    return [f"So.\n{instance.answer}", room.format_answer(actions[:-1]), "I don't know"]


@pytest.mark.parametrize("conversational", [True, False])
def test_a_step_of_training(conversational: bool) -> None:
    rows, replies = [], []
    for one in boards():
        text: Any = "Solve it."
        if conversational:
            text = [{"role": "user", "content": text}]
        rows.append({"prompt": text, "record": one.line(), "difficulty": "easy"})
        replies += answers(one)
    named = ("mix", "feasible", "optimal", "efficiency", "progress", "answer_format")
    trainer = trained(rows, replies, [getattr(trl_rewards, name) for name in named])
    log = logged(trainer)
    records = [row["record"] for row in rows for _ in range(3)]
    scores = [score(*pair) for pair in zip(replies, records, strict=True)]
    assert [one.feasible for one in scores] == [True, False, False] * 2

    def mean(values: Any) -> Any:
        return pytest.approx(sum(values) / len(scores))

    assert log["rewards/puzzles_mix/mean"] == mean([MIX(one) for one in scores])
    assert log["rewards/puzzles_optimal/mean"] == mean([one.optimal for one in scores])
    assert log["rewards/puzzles_progress/mean"] == mean([one.progress for one in scores])
    assert log["rewards/puzzles_format/mean"] == mean([one.format for one in scores])
    assert log["puzzles/progress"] == mean([one.progress for one in scores])
    assert log["puzzles/legal"] == mean([one.legal for one in scores])


def test_rows_of_other_tasks_have_no_reward_of_ours() -> None:
    (one, _) = boards()
    prompt = [{"role": "user", "content": "Solve it."}]
    rows = [{"prompt": prompt, "record": one.line()}, {"prompt": prompt, "record": None}]

    def length(completions: Any, **_: Any) -> list[float]:
        return [0.25 for _ in completions]

    replies = [*answers(one)[::2], "five", "six"]
    trainer = trained(rows, replies, [trl_rewards.mix, length], reward_weights=[1.0, 0.0])
    assert logged(trainer)["rewards/puzzles_mix/mean"] == pytest.approx(1 / 2)


def test_the_document_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.integrations.test_trl import trainer_of

    page = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text()
    [command] = re.findall(r"^ +puzzles (make .*--for trl.*)$", page, re.MULTILINE)
    made = CliRunner().invoke(cli.app, [*command.split(), "-n", "3", "--cell", "20"])
    assert made.exit_code == 0, made.output
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    trainer = trainer_of(page, monkeypatch)
    assert trainer.reward_func_names == ["puzzles_mix"]
    rows = [*trainer.train_dataset]
    assert len(rows) == 3
    assert {image.size for row in rows for image in row["images"]} == {(200, 200)}
