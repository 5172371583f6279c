"""Trains a small policy by GRPO on streamed boards, from pixels, with our reward.

python -m examples.grpo_from_pixels

Needs torch and some minutes of one core; examples/README.md says more.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from examples.pixel_policy import Policy, Told
from examples.small_boards import TASKS, Boards, allowed, held_out, pictures, size_of, text
from protocols.reward import MIX, Score, score
from puzzles import Instance

MOST = 24
"""Items of an answer, at most: it says nothing of how many it takes."""

APART = ("checkpoint", "log", "every", "steps", "budget")
"""Arguments that may be others when a run goes on."""


def rewards(instances: Sequence[Instance], tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return the rewards of completions (n, group, tokens), and which are feasible: (n, group).

    Each is judged as a language model's text would be.
    """
    paid, solved = torch.zeros(tokens.shape[:2]), torch.zeros(tokens.shape[:2])
    for n, instance in enumerate(instances):
        seen: dict[str, Score] = {}
        for k, told in enumerate(tokens[n].tolist()):
            completion = text(instance, told)
            if completion not in seen:
                seen[completion] = score(completion, instance)
            paid[n, k], solved[n, k] = MIX(seen[completion]), seen[completion].feasible
    return paid, solved


def loss_of(new: Told, old: Told, reference: Told | None, paid: Tensor, given: Any) -> Tensor:
    """Return the loss of GRPO: nothing but the rewards of a group says what was good in it.

    new, old
        The same completions: as likely as they are now, and as they were when drawn.
    reference
        As likely as they are to the policy that is to be kept near; None for no such term.
    paid
        The rewards, (n, group).
    """
    advantage = (paid - paid.mean(1, keepdim=True)) / (paid.std(1, keepdim=True) + 1e-4)
    ratio, advantage = (new.logs - old.logs).exp(), advantage[..., None]
    clipped = ratio.clamp(1 - given.clip, 1 + given.clip)
    gain = torch.minimum(ratio * advantage, clipped * advantage) + given.entropy * new.entropy
    if reference is not None:
        apart = reference.logs - new.logs
        gain = gain - given.kl * (apart.exp() - apart - 1)
    return -old.mean(gain)


@dataclass
class Training:
    """A run: all that changes, and is kept in the checkpoint; ``given`` doesn't change."""

    given: Any
    step: int = 0
    completions: int = 0
    seconds: float = 0.0
    lately: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        given, task = self.given, TASKS[self.given.family]
        sizes = [size for size in task.sizes if given.size in (None, "{}x{}".format(*size))]
        if not sizes:
            raise ValueError(f"{given.family}: there is no size {given.size} in this example")
        torch.manual_seed(given.seed)
        self.held_out = list(held_out(given.family, given.held_out, given.seed, sizes))
        choices = int(allowed(self.held_out[0][0])[0].sum()) - 1
        kind = (task.directions, len(task.slots), choices, task.cell)
        self.policy, self.reference = Policy(*kind), Policy(*kind)
        self.reference.load_state_dict(self.policy.state_dict())
        self.optimiser = torch.optim.Adam(self.policy.parameters(), lr=given.rate)
        self.boards = Boards(given.family, given.seed, sizes)
        self.most = MOST * len(task.slots)

    def advance(self) -> None:
        """Draw completions for some boards, have them judged, and learn from it."""
        began, given = time.process_time(), self.given
        instances = self.boards.take(given.prompts, self.step)
        seen, can = pictures(instances), allowed(instances[0])
        with torch.no_grad():
            old = self.policy(seen, given.group, can, self.most)
            kept = self.reference(seen, given.group, can, tokens=old.tokens) if given.kl else None
        paid, solved = rewards(instances, old.tokens)
        for instance, share in zip(instances, solved.mean(1).tolist(), strict=True):
            self.boards.told(instance, share)
        self.optimiser.param_groups[0]["lr"] = given.rate * min(1, given.settle / (1 + self.step))
        for _ in range(given.epochs):
            new = self.policy(seen, given.group, can, tokens=old.tokens)
            self.optimiser.zero_grad()
            loss_of(new, old, kept, paid, given).backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
            self.optimiser.step()
        self.step += 1
        self.completions += paid.numel()
        self.seconds += time.process_time() - began
        self.lately.append((float(paid.mean()), float(solved.mean())))

    def evaluate(self, *, greedy: bool = True) -> dict[str, Any]:
        """Return how many of the boards held out are solved, by size too, and by fewest actions."""
        sizes: dict[str, float] = {}
        any_way = best = n = 0
        for instances in self.held_out:
            with torch.no_grad():
                seen, can = pictures(instances), allowed(instances[0])
                told = self.policy(seen, 1, can, self.most, greedy=greedy).tokens[:, 0].tolist()
            pairs = zip(told, instances, strict=True)
            scores = [score(text(one, tokens), one, progress=False) for tokens, one in pairs]
            solved = sum(each.feasible for each in scores)
            sizes["{}x{}".format(*size_of(instances[0]))] = round(solved / len(instances), 4)
            any_way, n = any_way + solved, n + len(instances)
            best += sum(each.optimal for each in scores)
        shares = {"feasible": round(any_way / n, 4), "optimal": round(best / n, 4)}
        return {**shares, "boards": n, "sizes": sizes}

    def report(self) -> dict[str, Any]:
        """Return a line of the learning curve."""
        line: dict[str, Any] = {"step": self.step, "completions": self.completions}
        line |= {"seconds": round(self.seconds, 1), **self.evaluate(greedy=self.step > 0)}
        if self.lately:
            paid, solved = (sum(each) / len(self.lately) for each in zip(*self.lately, strict=True))
            line |= {"reward": round(paid, 4), "train_feasible": round(solved, 4)}
        self.lately.clear()
        return line

    def save(self, place: Path) -> None:
        """Write the checkpoint, whole or not at all."""
        kept = {
            "given": settings(self.given),
            "counts": (self.step, self.completions, self.seconds, self.lately),
            "policy": self.policy.state_dict(),
            "reference": self.reference.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "boards": self.boards.state_dict(),
            "random": torch.get_rng_state(),
        }
        beside = place.with_name(place.name + ".new")
        torch.save(kept, beside)
        os.replace(beside, place)

    def load(self, place: Path) -> None:
        """Go on from a checkpoint; raise ValueError where it is of another training."""
        kept = torch.load(place)
        if kept["given"] != settings(self.given):
            raise ValueError(f"{place} is a checkpoint of other settings: {kept['given']}")
        self.step, self.completions, self.seconds, self.lately = kept["counts"]
        self.policy.load_state_dict(kept["policy"])
        self.reference.load_state_dict(kept["reference"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.boards.load_state_dict(kept["boards"])
        torch.set_rng_state(kept["random"])


def settings(given: Any) -> dict[str, Any]:
    """Return what decides the outcome: not where it is written, nor how long it goes on."""
    return {name: value for name, value in vars(given).items() if name not in APART}


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    add = parser.add_argument
    add("--family", choices=TASKS, default=next(iter(TASKS)), help="what is trained on")
    add("--size", help="ROWSxCOLUMNS, one of those of the family; all of them take turns without")
    add("--seed", type=int, default=0, help="the same seed, the same run on one machine")
    add("--budget", type=float, default=300, help="seconds of processor time to train for")
    add("--steps", type=int, default=10**9, help="steps to train for, if that is less")
    add("--prompts", type=int, default=32, help="boards a step")
    add("--group", type=int, default=16, help="completions for each")
    add("--epochs", type=int, default=2, help="updates a step; the ratio is clipped")
    add("--rate", type=float, default=3e-3, help="of learning")
    add("--settle", type=int, default=200, help="steps until the rate falls, as their inverse")
    add("--clip", type=float, default=0.2, help="how far the ratio to the sampling policy counts")
    add("--entropy", type=float, default=0.05, help="weight of the entropy of what is said next")
    add("--kl", type=float, default=0.0, help="weight of the divergence from the first policy")
    add("--every", type=int, default=25, help="steps between lines of the learning curve")
    add("--held-out", type=int, default=200, help="boards of the split eval, for each size")
    add("--log", type=Path, help="the learning curve, JSON lines")
    add("--checkpoint", type=Path, help="where to go on from, and what to keep up to date")
    return parser.parse_args(words)


def run(training: Training, stopped: Sequence[int]) -> None:
    """Train until the budget is spent, or until ``stopped`` is no longer empty."""
    given, lines = training.given, []
    if given.log and given.log.exists():
        lines = [json.loads(line) for line in given.log.read_text().splitlines()]
        lines = [line for line in lines if line["step"] <= training.step]  # others come again
    noted = training.step or -1
    while True:
        done = training.step >= given.steps or training.seconds >= given.budget
        if noted != training.step and (done or training.step % given.every == 0):
            noted = training.step
            lines.append(training.report())
            print(json.dumps(lines[-1]), flush=True)
            if given.log:
                given.log.write_text("".join(json.dumps(line) + "\n" for line in lines))
            if given.checkpoint:
                training.save(given.checkpoint)
        if done:
            return
        if stopped:
            print(f"stopped after step {training.step}", flush=True)
            return training.save(given.checkpoint) if given.checkpoint else None
        training.advance()


def main(words: Sequence[str] | None = None) -> None:
    given = arguments(words)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        training = Training(given)
        if given.checkpoint and given.checkpoint.exists():
            training.load(given.checkpoint)
        elif given.log and given.log.exists():
            raise ValueError(f"{given.log} exists, and there is no checkpoint to go on from")
    except ValueError as error:
        sys.exit(str(error))
    stopped: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: stopped.append(number))
    try:
        run(training, stopped)
    finally:
        signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    main()
