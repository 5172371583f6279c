"""``compute_score`` as verl finds and calls it: its loader, and its reward manager."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from protocols.reward import MIX, score
from puzzles import make

pytestmark = pytest.mark.integration
pytest.importorskip("verl", reason="verl is no part of this environment")
PACKAGE = "pkg://protocols.adapters.verl_reward"
FILE = str(Path(__file__).parents[2] / "protocols" / "adapters" / "verl_reward.py")


def loaded(path: str, **told: Any) -> Any:
    """Return the reward function that a configuration names."""
    from omegaconf import OmegaConf
    from verl.trainer.ppo.reward import get_custom_reward_fn

    named = {"path": path, "name": "compute_score", "reward_kwargs": told}
    return get_custom_reward_fn(OmegaConf.create({"reward": {"custom_reward_function": named}}))


@pytest.mark.parametrize("path", [PACKAGE, FILE])
def test_found_by_the_loader(path: str) -> None:
    (one,) = make("sokoban", "easy", 1)
    called = {"data_source": "puzzles", "ground_truth": one.line(), "extra_info": {"index": 0}}
    plain, strict, mixed = (
        loaded(path),
        loaded(path, strict=True, reward="optimal"),
        loaded(path, reward={"format": 0.0}),
    )
    for reply in (f"So.\n{one.answer}", f"{one.answer}{one.answer}", "up"):
        found = score(reply, one)
        said = plain(solution_str=reply, **called)
        assert said == {"score": MIX(found), "acc": float(found.optimal), **found.numbers()}
        assert (
            strict(solution_str=reply, **called)["score"] == score(reply, one, strict=True).optimal
        )
        assert mixed(solution_str=reply, **called)["score"] == pytest.approx(
            MIX(found) - 0.05 * found.format
        )


class Words:
    """A tokenizer whose tokens are characters."""

    def decode(self, ids: Any, **_: Any) -> str:
        return "".join(map(chr, ids.tolist()))


def test_called_by_the_reward_manager() -> None:
    import numpy as np
    import torch
    from omegaconf import OmegaConf
    from verl import DataProto
    from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager

    instances = make("klotski", "easy", 2)

    async def rewarded(reply: str, record: str) -> Any:
        manager = NaiveRewardManager(OmegaConf.create({}), Words(), loaded(PACKAGE))
        codes = torch.tensor([[*map(ord, reply)]])
        data = DataProto.from_dict(
            tensors={"responses": codes, "attention_mask": torch.ones_like(codes)},
            non_tensors={
                "data_source": np.array(["puzzles"], object),
                "reward_model": np.array([{"style": "rule", "ground_truth": record}], object),
                "extra_info": np.array([{"index": 0}], object),
            },
        )
        return await manager.run_single(data)

    told = [
        asyncio.run(rewarded(str(reply), one.line()))
        for one in instances
        for reply in (one.answer, "none")
    ]
    assert [one["reward_score"] for one in told] == [1, 0, 1, 0]
    keys = {tuple(one["reward_extra_info"]) for one in told}
    assert len(keys) == 1  # verl wants the same of all


def test_the_document_as_written() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rewards.md").read_text()
    [path] = re.findall(r"custom_reward_function\.path=(\S+)", page)
    assert path == PACKAGE
    assert loaded(path) is not None
