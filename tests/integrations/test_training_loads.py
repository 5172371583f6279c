"""Rows for training in what reads them: `datasets`, TRL's collators, verl's data sets."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL.Image import Image

from protocols.adapters import verl_reward
from protocols.training import TRAINERS, Training, storage_for
from puzzles import NAMES, load, make
from puzzles.conversion import convert, copied

pytestmark = pytest.mark.integration

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}"
    "{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' or 'image' in part %}<picture>"
    "{% elif 'text' in part %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""As those of Qwen's models of vision, and of many others, tell pictures and texts."""
MARK, MARKS = "<picture>", ["<|im_start|>", "<|im_end|>", "<picture>"]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("source")
    for name in NAMES:
        make(name, lengths=(2, 4), n=2, seed=3, out=top / name, cell=28)
    return top


@pytest.fixture(scope="module")
def processor() -> Any:
    """A processor of Llava, with characters for tokens, and one token a picture."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import CLIPImageProcessor, LlavaProcessor, PreTrainedTokenizerFast

    letters = {chr(code): at for at, code in enumerate(range(256))}
    inner = Tokenizer(models.WordLevel(letters, unk_token="?"))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    inner.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="~", eos_token="<|im_end|>", unk_token="?"
    )
    tokenizer.add_special_tokens({"additional_special_tokens": MARKS})
    side = {"height": 28, "width": 28}
    return LlavaProcessor(
        image_processor=CLIPImageProcessor(size=side, crop_size=side),
        tokenizer=tokenizer,
        patch_size=28,
        vision_feature_select_strategy="full",
        chat_template=TEMPLATE,
        image_token=MARK,
    )


def loaded(source: Path, out: Path, training: Training) -> Any:
    """Return the rows of all families, as `datasets` loads them from one set of files."""
    from datasets import load_dataset

    for name in NAMES:
        convert(copied(source / name), out / name, storage_for(training))
    kind, pattern = (
        ("json", "data.jsonl") if training.trainer == "swift" else ("parquet", "*.parquet")
    )
    files = [str(path) for path in sorted(out.glob(f"*/{pattern}"))]
    return load_dataset(kind, data_files=files, cache_dir=str(out / "cache"))["train"]


KINDS = [
    *(Training(trainer) for trainer in TRAINERS),
    *(Training(trainer, "vcot") for trainer in ("trl", "verl", "swift", None)),
    *(Training(trainer, "steps") for trainer in ("trl", "verl", "swift", None)),
    *(Training(None, target) for target in ("aid", "overlay")),
]


@pytest.mark.parametrize("training", KINDS, ids=lambda one: one.name)
def test_rows_of_all_families_load_as_one_table(
    source: Path, tmp_path: Path, training: Training
) -> None:
    rows = loaded(source, tmp_path, training)
    assert rows.num_rows == 2 * len(NAMES)
    for row in rows:
        assert row["images"]
        kind = str if training.trainer == "swift" else Image
        assert all(isinstance(image, kind) for image in row["images"])


@pytest.mark.parametrize("target", ["answer", "steps", "vcot"])
def test_trl_collates_rows_for_imitation(
    source: Path, tmp_path: Path, processor: Any, target: str
) -> None:
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    rows = loaded(source, tmp_path, Training("trl", target))
    collator = DataCollatorForVisionLanguageModeling(
        processor, completion_only_loss="completion" in rows.column_names
    )
    for row in rows:
        batch = collator([dict(row)])
        said = batch["input_ids"][0]
        text = processor.tokenizer.decode(said)
        assert text.count(MARK) == len(row["images"]) == len(batch["pixel_values"])
        assert "None" not in text
        if target != "vcot":
            learned = processor.tokenizer.decode(said[batch["labels"][0] != -100])
            reply = row["completion"][0]["content"][0]["text"]
            assert reply in learned
            assert "The picture shows" not in learned


def test_trl_puts_the_pictures_into_prompts_to_be_rewarded(
    source: Path, tmp_path: Path, processor: Any
) -> None:
    from trl.data_utils import is_conversational, prepare_multimodal_messages

    for row in loaded(source, tmp_path, Training("trl", protocol="oracle-gta")):
        assert is_conversational(row)
        messages = prepare_multimodal_messages(row["prompt"], images=row["images"])
        parts = messages[0]["content"]
        assert [part["type"] for part in parts] == ["image", "image", "text"]
        assert all(isinstance(part["image"], Image) for part in parts[:2])
        text = processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        assert text.count(MARK) == 2
        assert "None" not in text


def test_verl_reads_its_rows(source: Path, tmp_path: Path, processor: Any) -> None:
    from omegaconf import OmegaConf
    from verl.utils.dataset.rl_dataset import RLHFDataset

    training = Training("verl")
    for name in NAMES:
        convert(copied(source / name), tmp_path / name, storage_for(training))
    files = [str(path) for path in sorted(tmp_path.glob("*/*.parquet"))]
    config = OmegaConf.create(
        {"cache_dir": str(tmp_path / "cache"), "filter_overlong_prompts": False}
    )
    rows = RLHFDataset(files, processor.tokenizer, config, processor)
    instances = {one.id: one for name in NAMES for one in load(source / name)}
    assert len(rows) == len(instances)
    for at in range(len(rows)):
        row = rows[at]
        (message,) = row["raw_prompt"]
        assert [part["type"] for part in message["content"]] == ["image", "text"]
        assert isinstance(message["content"][0]["image"], Image)
        instance = instances[row["extra_info"]["id"]]
        assert not re.search(instance.id, message["content"][1]["text"])
        scored = verl_reward.compute_score(
            row["data_source"],
            str(instance.answer),
            row["reward_model"]["ground_truth"],
            row["extra_info"],
        )
        assert scored["score"] == pytest.approx(1)


@pytest.fixture
def verl_sft(processor: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """verl's data set for imitation, with a processor that has what it asks of one.

    It imports positions for Qwen's models, which need a CUDA package or another version of
    transformers, and takes pictures out of `qwen_vl_utils`; neither looks at our columns.
    """
    eyes, fetch = ModuleType("verl.models.transformers.qwen2_vl"), ModuleType("qwen_vl_utils")
    monkeypatch.setattr(eyes, "get_rope_index", None, raising=False)
    monkeypatch.setattr(fetch, "fetch_image", lambda one, **more: one["image"], raising=False)
    for module in (eyes, fetch):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(processor.image_processor, "patch_size", 28, raising=False)
    monkeypatch.setattr(processor.tokenizer, "chat_template", TEMPLATE, raising=False)
    from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

    return MultiTurnSFTDataset


@pytest.mark.parametrize("target", ["answer", "steps", "vcot"])
def test_verl_learns_the_replies_and_nothing_else(
    source: Path, tmp_path: Path, processor: Any, verl_sft: Any, target: str
) -> None:
    from omegaconf import OmegaConf

    table = loaded(source, tmp_path, Training("verl", target))
    files = [str(path) for path in sorted(tmp_path.glob("*/*.parquet"))]
    config = OmegaConf.create({"max_length": 30_000, "ignore_input_ids_mismatch": True})
    rows = verl_sft(files, processor.tokenizer, config, processor)
    assert len(rows) == len(table)
    for row, read in zip(table, map(rows.__getitem__, range(len(rows))), strict=True):
        text = processor.tokenizer.decode(read["input_ids"][read["attention_mask"].bool()])
        assert text.count(MARK) == len(row["images"])
        learned = processor.tokenizer.decode(read["input_ids"][read["loss_mask"].bool()])
        replies = [one["content"] for one in row["messages"] if one["role"] == "assistant"]
        assert learned == "".join(f"{reply}<|im_end|>\n" for reply in replies)


@pytest.fixture
def model(processor: Any) -> Any:
    """A Llava too small to learn anything."""
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig
    from transformers import LlavaForConditionalGeneration as Llava

    tokenizer = processor.tokenizer
    small = {"hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2}
    eyes = CLIPVisionConfig(**small, num_hidden_layers=2, image_size=28, patch_size=28)
    words = LlamaConfig(**small, num_hidden_layers=1, vocab_size=len(tokenizer))
    image = tokenizer.convert_tokens_to_ids(MARK)
    config = LlavaConfig(
        vision_config=eyes,
        text_config=words,
        image_token_index=image,
        vision_feature_select_strategy="default",
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return Llava(config)


def test_grpo_trainer_runs_on_the_rows(
    source: Path, tmp_path: Path, processor: Any, model: Any
) -> None:
    from trl import GRPOConfig, GRPOTrainer

    from protocols.adapters import trl_rewards

    arguments = GRPOConfig(
        output_dir=str(tmp_path / "run"),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=8,
        max_steps=1,
        report_to=[],
        use_cpu=True,
        logging_steps=1,
    )
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=trl_rewards.mix,
        args=arguments,
        train_dataset=loaded(source, tmp_path, Training("trl")),
        processing_class=processor,
    )
    trainer.train()
    assert "rewards/puzzles_mix/mean" in trainer.state.log_history[0]


@pytest.mark.parametrize("target", ["steps", "vcot"])
def test_sft_trainer_runs_on_the_rows(
    source: Path, tmp_path: Path, processor: Any, model: Any, target: str
) -> None:
    from trl import SFTConfig, SFTTrainer

    arguments = SFTConfig(
        output_dir=str(tmp_path / "run"),
        per_device_train_batch_size=1,
        max_length=None,
        max_steps=2,
        report_to=[],
        use_cpu=True,
        logging_steps=1,
    )
    trainer = SFTTrainer(
        model=model,
        args=arguments,
        train_dataset=loaded(source, tmp_path, Training("trl", target)),
        processing_class=processor,
    )
    trainer.train()
    assert trainer.state.log_history[0]["loss"] > 0
