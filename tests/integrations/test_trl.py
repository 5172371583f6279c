"""The TRL environments in the real GRPOTrainer: a tiny model, random weights, scripted replies."""

import json
import re
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from oracle.trainers.trl import environment, environments, rows
from protocols.adapters.rows import instance_of
from protocols.episode import Episode
from protocols.messages import Reply
from protocols.models.players import player
from puzzles import NAMES, family, make

pytestmark = pytest.mark.integration
pytest.importorskip("trl", reason="trl is no part of this environment")
CELL = 20
SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>"),
    *("<|image_pad|>", "<|video_pad|>"),
)
Call = tuple[str, dict[str, Any]]


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)


def processor() -> Any:
    """Return a processor whose tokens are bytes, with TRL's own template for tools and pictures."""
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, ProcessorMixin, Qwen2_5_VLProcessor
    from transformers import Qwen2VLImageProcessorPil as Pictures

    class WithoutVideo(Qwen2_5_VLProcessor):  # its processor of videos would need torchvision
        def __init__(self, image_processor: Any = None, tokenizer: Any = None, **given: Any):
            self.image_token, self.image_token_id = SPECIAL[5], tokenizer.vocab[SPECIAL[5]]
            self.video_token, self.video_token_id = SPECIAL[6], tokenizer.vocab[SPECIAL[6]]
            ProcessorMixin.__init__(self, image_processor, tokenizer, **given)

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={c: k for k, c in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=SPECIAL[2], pad_token=SPECIAL[0]
    )
    wrapped.add_special_tokens({"additional_special_tokens": list(SPECIAL)})
    wrapped.add_tokens(["<tool_call>", "</tool_call>"])
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3_vl.jinja"
    pictures = Pictures(min_pixels=28 * 28, max_pixels=56 * 56)
    return WithoutVideo(pictures, wrapped, chat_template=template.read_text())


def _model(tokenizer: Any) -> Any:
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    words = {
        **{"vocab_size": len(tokenizer), "hidden_size": 16, "intermediate_size": 32},
        **{"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 2},
        **{"max_position_embeddings": 32768, "pad_token_id": tokenizer.pad_token_id},
        **{"bos_token_id": None, "eos_token_id": tokenizer.eos_token_id},
        "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 1e6},
    }
    sight = {
        **{"depth": 1, "hidden_size": 16, "intermediate_size": 32, "num_heads": 2},
        **{"out_hidden_size": 16, "fullatt_block_indexes": [0]},
    }
    vocab = tokenizer.vocab
    config = Qwen2_5_VLConfig(
        text_config=words,
        vision_config=sight,
        image_token_id=vocab[SPECIAL[5]],
        video_token_id=vocab[SPECIAL[6]],
        vision_start_token_id=vocab[SPECIAL[3]],
        vision_end_token_id=vocab[SPECIAL[4]],
    )
    return Qwen2_5_VLForConditionalGeneration(config)


def solution(row: dict[str, Any]) -> list[Call]:
    """Return the tool calls that solve a row: those of the solver, and the claim."""
    episode = Episode(instance_of(row), "oracle-vcot")
    calls = []
    while episode.request is not None:
        said = player("solver").reply(episode).text
        if episode.request.purpose == "action":
            step = json.loads(said.removeprefix("<STEP_JSON>").removesuffix("</STEP_JSON>"))
            calls.append(call_of(episode.instance.family, step))
        episode.take(Reply(said))
    return [*calls, ("finish", {})]


def call_of(name: str, step: Any) -> Call:
    """Return the call whose tool returns ``step``."""
    tool = family(name).controls.tool
    if isinstance(step, list):
        (row, column), (other_row, other_column) = step
        told = {"row": row, "column": column, "other_row": other_row, "other_column": other_column}
    else:
        told = {{"move": "direction"}.get(key, key): value for key, value in step.items()}
        if "from" in told:
            told["row"], told["column"] = told.pop("from")
            told["direction"] = told["direction"].lower()
    assert tool(**told) == step or json.dumps(tool(**told)).lower() == json.dumps(step).lower()
    return tool.__name__, told


def trainer(
    data: list[dict[str, Any]], factory: Any, scripts: list[list[Call]], **told: Any
) -> Any:
    """Return a GRPOTrainer whose model says what the scripts say, a call a turn, then "Done."."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    reader = processor()

    class Scripted(GRPOTrainer):
        """Each rollout says its script; ``shown`` holds the pictures that it has been shown."""

        def __init__(self, **given: Any):
            self.left = [iter([*script, None]) for script in scripts]
            self.going = list(range(len(scripts)))
            self.shown: dict[int, Any] = {}
            super().__init__(**given)

        def _generate_single_turn(self, prompt_ids: Any, images: Any, *_: Any, **__: Any) -> Any:
            assert len(prompt_ids) == len(self.going)
            self.shown |= dict(zip(self.going, images, strict=True))
            replies = {at: next(self.left[at]) for at in self.going}
            self.going = [at for at, call in replies.items() if call is not None]
            return [reader.tokenizer.encode(_said(call)) for call in replies.values()], None

    config = GRPOConfig(
        **{"output_dir": "out", "max_steps": 1, "per_device_train_batch_size": len(scripts)},
        **{"num_generations": len(scripts) // len(data), "max_completion_length": 20_000},
        **{"report_to": "none", "use_cpu": True, "bf16": False, "logging_steps": 1},
        **{"save_strategy": "no", "shuffle_dataset": False, "gradient_checkpointing": False},
        **told,
    )
    return Scripted(
        model=_model(reader.tokenizer),
        args=config,
        train_dataset=Dataset.from_list(data),
        processing_class=reader,
        environment_factory=factory,
    )


def _said(call: Call | None) -> str:
    if call is None:
        return "Done.<|im_end|>"
    name, arguments = call
    said = json.dumps({"name": name, "arguments": arguments})
    return f"<tool_call>\n{said}\n</tool_call><|im_end|>"


def frames(row: dict[str, Any]) -> list[Any]:
    """Return the pictures of the solver's episode, drawn here."""
    from PIL import Image

    from render.encode import png

    instance = instance_of(row)
    room = family(instance.family)
    states = [room.parse(instance.board, instance.rules)]
    episode = Episode(instance, "oracle-vcot")
    while episode.request is not None:
        episode.take(player("solver").reply(episode))
    assert episode.play.walk is not None
    for action in episode.play.walk.actions:
        states.append(room.apply(states[-1], action))
    drawn = (BytesIO(png(room.draw(state, CELL))) for state in states)
    return [Image.open(picture).convert("RGB") for picture in drawn]


def logged(trained: Any) -> dict[str, float]:
    """Train for one step; return what it has logged of the rewards and the tools."""
    trained.train()
    [log] = [line for line in trained.state.log_history if "reward" in line]
    return dict(log)


def test_a_step_of_training(tmp_path: Path) -> None:
    make("sokoban", "easy", 1, out=tmp_path / "data", images=False)
    data = rows(tmp_path / "data")
    right = solution(data[0])
    wrong = [("move", {"direction": "up"})] * 9  # into a wall sooner or later
    trained = trainer(data, environment("sokoban", cell=CELL), [right, wrong, right[:-1]])
    log = logged(trained)
    assert log["rewards/SokobanEnvironment/mean"] == pytest.approx(1 / 3)
    assert log["tools/failure_frequency"] == 0
    assert [one.get_reward() for one in trained.environments] == [1.0, 0.0, 0.0]


def test_all_families_in_one_run(tmp_path: Path) -> None:
    for name in NAMES:
        make(name, "easy", 1, seed=2, out=tmp_path / name, images=False)
    data = rows(tmp_path)
    calls = [script for row in data for script in (solution(row), [("finish", {})])]
    trained = trainer(data, environments(cell=CELL), calls)
    log = logged(trained)
    for name in NAMES:
        assert log[f"rewards/{name.capitalize()}Environment/mean"] == 0.5
    for at, row in enumerate(data):
        assert trained.shown[2 * at] == frames(row)
        assert trained.shown[2 * at + 1] == frames(row)[:1]


def test_a_call_that_is_none_of_the_tool_is_a_bad_action(tmp_path: Path) -> None:
    make("maze", "easy", 1, out=tmp_path / "data", images=False)
    data = rows(tmp_path / "data")
    right = solution(data[0])
    calls = [
        [("move", {"way": "up"}), *right],
        [("move", {"direction": "sideways"}), *right],
        right,
    ]
    trained = trainer(data, environment("maze", cell=CELL), calls)
    log = logged(trained)
    assert [one.get_reward() for one in trained.environments] == [0.0, 0.0, 1.0]
    assert log["tools/failure_frequency"] == 0


def test_schemas() -> None:
    from transformers.utils import get_json_schema

    direction = {"type": "string", "enum": ["up", "right", "down", "left"]}
    number, letters = {"type": "integer"}, {"type": "array", "items": {"type": "string"}}
    cells = ("row", "column", "other_row", "other_column")
    wanted = {
        "maze": ("move", {"direction": direction}),
        "sokoban": ("move", {"direction": direction}),
        "path": ("move", {"direction": direction, "hit_labels": letters}),
        "onet": ("remove", dict.fromkeys(cells, number)),
        "parking": ("slide", {"car": {"type": "string"}, "direction": direction}),
        "klotski": ("slide", {"row": number, "column": number, "direction": direction}),
    }
    assert set(wanted) == set(NAMES)
    for name, (tool, types) in wanted.items():
        environment_ = environment(name)()
        schema = get_json_schema(getattr(environment_, tool))["function"]
        assert schema["name"] == tool
        assert schema["description"]
        told = schema["parameters"]["properties"]
        assert all(one.pop("description") for one in told.values())
        assert told == types
        assert schema["parameters"]["required"] == list(types)
        finish = get_json_schema(environment_.finish)["function"]  # type: ignore[attr-defined]
        assert (finish["name"], finish["parameters"]["properties"]) == ("finish", {})


def trainer_of(page: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the code of a document that trains with TRL; return its trainer, which does not train."""
    import trl

    reader, real = processor(), trl.GRPOTrainer
    reached: list[Any] = []

    def tiny(model: str, **given: Any) -> Any:
        """Return the real trainer, but for the model that its hub would have."""
        assert isinstance(model, str)
        made = real(model=_model(reader.tokenizer), processing_class=reader, **given)
        made.train = lambda: reached.append(made)
        return made

    on_cpu = partial(trl.GRPOConfig, use_cpu=True, bf16=False, report_to="none")
    monkeypatch.setattr(trl, "GRPOConfig", on_cpu)
    monkeypatch.setattr(trl, "GRPOTrainer", tiny)
    [code] = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "trl" in one]
    exec(code, {})
    [trainer] = reached
    return trainer


def test_the_document_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        make(name, "easy", 1, out=tmp_path / "data" / name, images=False)
    page = (Path(__file__).parents[2] / "docs" / "trainers.md").read_text()
    trained = trainer_of(page, monkeypatch)
    assert set(trained.environment_factories) == set(NAMES)
    assert len(trained.train_dataset) == len(NAMES)
