"""The example that learns from pixels: what it can say, that it learns, stops and goes on."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocols.reward import score
from puzzles import NAMES, Instance

pytestmark = pytest.mark.integration
torch = pytest.importorskip("torch", reason="torch is no part of this environment")

# They import torch, so they come after the line that skips where it is absent.
from examples import grpo_from_pixels as grpo  # noqa: E402
from examples.pixel_policy import END, Policy, Told  # noqa: E402
from examples.small_boards import TASKS, Boards, allowed, held_out, pictures, text  # noqa: E402

ROOT = Path(__file__).parents[2]
FEW = ("--prompts", "4", "--group", "4", "--held-out", "12")


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(False)


def lines(log: Path) -> list[dict[str, Any]]:
    """Return a learning curve, but for the time that it took."""
    told = [json.loads(line) for line in log.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in told]


def reference(instance: Instance) -> list[int]:
    """Return the tokens of the reference answer: the words and cells in its text."""
    words = TASKS[instance.family].words
    columns = instance.board.index("\n")
    told = []
    for piece in re.findall(r"\[\d+, ?\d+\]|\w+", instance.answer or ""):
        if piece in words:
            told.append(1 + words.index(piece))
        elif piece[0] == "[":
            row, column = json.loads(piece)
            told.append(1 + len(words) + row * columns + column)
    return [*told, END]


def test_every_family_has_a_task() -> None:
    assert set(TASKS) == set(NAMES)


@pytest.mark.parametrize("name", TASKS)
def test_the_reference_answer_can_be_said(name: str) -> None:
    for instance in Boards(name, seed=1).take(6, 0):
        tokens, can = reference(instance), allowed(instance)
        assert all(can[k % len(can), token] for k, token in enumerate(tokens))
        assert score(text(instance, tokens), instance).optimal, instance.answer


@pytest.mark.parametrize("name", TASKS)
def test_whole_items_are_in_the_format_to_the_letter(name: str) -> None:
    torch.manual_seed(0)
    for instance in Boards(name, seed=0).take(6, 0):
        chances = allowed(instance).float()
        chances[0, END] = 0
        slots = len(chances)
        tokens = [int(torch.multinomial(chances[k % slots], 1)) for k in range(3 * slots)]
        assert score(text(instance, [*tokens, END]), instance).format, tokens


def test_training_and_held_out_boards_are_apart() -> None:
    train = {one.board for step in range(30) for one in Boards("maze", seed=0).take(32, step)}
    boards = [one for each in held_out("maze", 60, seed=0) for one in each]
    assert {one.split for one in boards} == {"eval"}
    assert len({one.board for one in boards}) == len(boards)
    assert not train & {one.board for one in boards}


def test_a_completion_given_is_as_likely_as_when_it_was_drawn() -> None:
    torch.manual_seed(0)
    for name in TASKS:
        task, instances = TASKS[name], Boards(name, seed=0).take(3, 0)
        policy, can = Policy(task.directions, len(task.slots), 4, task.cell), allowed(instances[0])
        for weight in policy.parameters():
            weight.data += 0.3 * torch.randn_like(weight)
        with torch.no_grad():
            drawn = policy(pictures(instances), 5, can, most=9)
            again = policy(pictures(instances), 5, can, tokens=drawn.tokens)
        torch.testing.assert_close(again.logs, drawn.logs)
        place = torch.arange(drawn.tokens.shape[2]) % len(task.slots)
        assert can[place.expand_as(drawn.tokens), drawn.tokens][drawn.said > 0].all()
        assert (drawn.tokens[drawn.said == 0] == END).all()


def test_the_loss_follows_what_is_better_than_the_rest_of_its_group_until_it_is_clipped() -> None:
    given = grpo.arguments(["--entropy", "0"])
    old = Told(*(torch.zeros(1, 2, 1) for _ in range(3)), torch.ones(1, 2, 1))
    paid = torch.tensor([[1.0, 0.0]])

    def pull(logs: list[float]) -> list[float]:
        now = torch.tensor(logs).view(1, 2, 1).requires_grad_()
        grpo.loss_of(old._replace(logs=now), old, None, paid, given).backward()
        assert now.grad is not None
        return [float(x) for x in now.grad.sign().flatten()]

    assert pull([0.0, 0.0]) == [-1.0, 1.0]
    assert pull([0.3, 0.0]) == [0.0, 1.0]
    assert pull([0.0, -0.3]) == [-1.0, 0.0]
    paid = torch.tensor([[0.7, 0.7]])
    assert pull([0.0, 0.0]) == [0.0, 0.0]


def test_it_learns(tmp_path: Path) -> None:
    curve = tmp_path / "curve.jsonl"
    steps = ("--size", "4x4", "--steps", "60", "--every", "60", "--held-out", "90")
    grpo.main([*steps, "--log", str(curve)])
    chance, after = lines(curve)
    assert chance["feasible"] <= 0.03
    assert after["feasible"] >= 0.07  # to say the same word each time solves 0.03


def test_a_size_that_there_is_not_is_named() -> None:
    with pytest.raises(SystemExit, match="no size 9x9"):
        grpo.main(["--size", "9x9"])


def test_a_curve_is_not_written_over_another(tmp_path: Path) -> None:
    curve = tmp_path / "curve.jsonl"
    curve.write_text("{}\n")
    with pytest.raises(SystemExit, match="exists, and there is no checkpoint"):
        grpo.main([*FEW, "--log", str(curve)])
    assert curve.read_text() == "{}\n"


def test_what_is_stopped_goes_on_as_if_it_had_not(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    few = (*FEW, "--every", "2")
    grpo.main([*few, "--steps", "6", "--log", str(whole)])
    kept = ("--checkpoint", str(tmp_path / "kept.pt"), "--log", str(parts))
    grpo.main([*few, "--steps", "4", *kept])
    with parts.open("a") as file:  # as if it had been killed after a line, before its checkpoint
        file.write('{"step": 5}\n')
    grpo.main([*few, "--steps", "6", *kept])
    assert lines(parts) == lines(whole)
    with pytest.raises(SystemExit, match="checkpoint of other settings"):
        grpo.main([*few, "--seed", "1", "--steps", "8", *kept])


def test_an_interrupt_leaves_a_checkpoint_to_go_on_from(tmp_path: Path) -> None:
    kept = ("--checkpoint", str(tmp_path / "kept.pt"), "--log", str(tmp_path / "curve.jsonl"))
    command = [sys.executable, "-m", "examples.grpo_from_pixels", *FEW, "--every", "1", *kept]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first = process.stdout.readline(), process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert [json.loads(line)["step"] for line in first] == [0, 1]
    stopped = int(rest.splitlines()[-1].removeprefix("stopped after step "))
    training = grpo.Training(grpo.arguments(FEW))
    training.load(tmp_path / "kept.pt")
    assert training.step == stopped >= 1
