"""A small policy in plain torch: it looks at a picture, and writes an answer token by token."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot, unfold

END = 0
"""The token that ends an answer; then come the words, then the cells of the board."""

NEVER = -1e4
"""Added to the logit of what a slot doesn't take."""


class Told(NamedTuple):
    """Completions of some pictures, all of shape (pictures, group, tokens).

    tokens
        int64; what stands behind the end is the end again.
    logs
        The log-probability of each.
    entropy
        Of the distribution that each was drawn from, in nats.
    said
        float; 1 up to the end, itself included, then 0.
    """

    tokens: Tensor
    logs: Tensor
    entropy: Tensor
    said: Tensor

    def mean(self, values: Tensor) -> Tensor:
        """Return the mean of ``values`` over the tokens that were said."""
        return (values * self.said).sum() / self.said.sum()


class Policy(nn.Module):
    """Sees each cell, plans by one convolution that is applied again and again, and speaks.

    What plans is the same in all places and at all steps, as in value iteration networks (Tamar et
    al. 2016), so that a longer way takes only more of the same. What speaks attends to the plan:
    at first to what stands out in the picture. Each token moves that attention: a direction by a
    kernel that is learned, another word to what it names, which is learned too, and a cell to
    itself. Nothing else is carried from token to token, but for the cells that were named.

    words
        Whether each is a direction; the end is none of them.
    slots
        How many tokens make an item.
    choices
        How many tokens may begin one; at first an answer ends after four items on average.
    cell
        Pixels a cell of the pictures.
    thoughts
        How often the plan is revised.
    """

    def __init__(
        self,
        words: Sequence[bool],
        slots: int,
        choices: int,
        cell: int,
        width: int = 32,
        thoughts: int = 14,
    ):
        super().__init__()
        self.words, self.slots, self.thoughts = 1 + len(words), slots, thoughts
        self.cell, self.walks = cell, torch.tensor([True, *words])
        self.see = nn.Sequential(nn.Conv2d(3, width, cell, stride=cell), nn.InstanceNorm2d(width))
        self.near = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.revise = nn.Conv2d(2 * width, 2 * width, 3, padding=1)
        self.begin = nn.Conv2d(width, 1, 1)
        self.move = nn.Parameter(torch.zeros(self.words, 9))
        self.name = nn.Linear(width, self.words)
        self.say = nn.Linear(width, self.words)
        self.point = nn.Linear(width, slots)
        self.again = nn.Parameter(torch.zeros(slots))
        self.ask, self.answer = nn.Linear(width, slots * width), nn.Linear(width, width)
        for layer in (self.name, self.say, self.point, self.ask):  # all is as likely at first
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        with torch.no_grad():  # but for the end, or there would be none where there is much to say
            self.say.bias[END] = log(choices / 4)

    def plan(self, pictures: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return what is seen, the plan, and the logarithm of where attention begins.

        Of pictures (n, 3, height, width): (n, cells, width), the same, and (n, cells).
        """
        stands = self.see(pictures)
        seen = self.near(stands)
        plan = torch.zeros_like(seen)
        for _ in range(self.thoughts):
            gate, new = self.revise(torch.cat([seen, plan], 1)).chunk(2, 1)
            plan = plan + torch.sigmoid(gate) * (torch.tanh(new) - plan)
        # Divided, so that attention settles no sooner than there is something to settle on.
        odd = stands.square().mean(1, keepdim=True).clamp(max=4) + self.begin(stands) / 8
        first = odd.flatten(1).log_softmax(1)
        return stands.flatten(2).transpose(1, 2), plan.flatten(2).transpose(1, 2), first

    def forward(
        self,
        pictures: Tensor,
        group: int,
        allowed: Tensor,
        most: int = 0,
        tokens: Tensor | None = None,
        greedy: bool = False,
    ) -> Told:
        """Return ``group`` completions for each picture, or the probabilities of those given.

        allowed
            bool (slots, tokens): what each slot takes.
        most
            How many tokens a completion has at most.
        tokens
            Completions, int64 (pictures, group, tokens); None to draw some.
        greedy
            The likeliest token each time.
        """
        stands, plan, first = self.plan(pictures)
        n, cells, _ = plan.shape
        grid = (pictures.shape[2] // self.cell, pictures.shape[3] // self.cell)
        speech = _Speech(self, stands, plan, allowed, grid)
        attention = first.exp()[:, None].expand(n, group, cells)
        named = torch.zeros(n, group, cells)
        live = torch.ones(n, group)
        told = []
        for step in range(most if tokens is None else tokens.shape[2]):
            slot = step % self.slots
            chances = speech.chances(attention, named, slot)
            if tokens is not None:
                token = tokens[:, :, step]
            elif greedy:
                token = chances.argmax(2)
            else:
                token = torch.multinomial(chances.exp().flatten(0, 1), 1).view(n, group)
            token = torch.where(live > 0, token, END)
            likely = chances.gather(2, token[..., None])[..., 0]
            entropy = -(chances.exp() * chances.clamp(min=-30)).sum(2)
            told.append((token, likely, entropy, live))
            live = live * (token != END)
            if tokens is None and not live.any():
                break
            attention = speech.moved(attention, token)
            if speech.points:
                named = named + attention * (token >= self.words)[..., None]
        return Told(*(torch.stack(each, 2) for each in zip(*told, strict=True)))


class _Speech:
    """What can be said of some plans, place by place: computed once, and looked up at each token.

    What is said is a mean over places, by attention, of what would be said there.
    """

    def __init__(
        self, policy: Policy, stands: Tensor, plan: Tensor, allowed: Tensor, grid: tuple[int, int]
    ):
        n, cells, width = plan.shape
        self.points = allowed.shape[1] > policy.words
        self._words, self._grid, self._policy = policy.words, grid, policy
        self._never = torch.zeros(allowed.shape).masked_fill(~allowed, NEVER)
        self._say = policy.say(plan)
        self._names = policy.name(stands).transpose(1, 2)
        self._kernels = policy.move.softmax(1)
        if self.points:
            self._ask = policy.ask(plan).view(n, cells, policy.slots, width)
            self._answer = policy.answer(plan).transpose(1, 2) / width**0.5
            self._point = policy.point(plan)

    def chances(self, attention: Tensor, named: Tensor, slot: int) -> Tensor:
        """Return the log-probabilities of all tokens, (n, group, tokens).

        named
            How often each cell was named before, (n, group, cells).
        """
        logits = attention @ self._say
        if self.points:
            there = attention @ self._ask[:, :, slot] @ self._answer
            there = there + self._point[:, None, :, slot] + self._policy.again[slot] * named
            logits = torch.cat([logits, there], 2)
        chances: Tensor = (logits + self._never[slot]).log_softmax(2)
        return chances

    def moved(self, attention: Tensor, token: Tensor) -> Tensor:
        """Return where attention is after a token: both (n, group, cells)."""
        n, group, cells = attention.shape
        word = token.clamp(max=self._words - 1)
        around = unfold(attention.reshape(n * group, 1, *self._grid), 3, padding=1)
        moved = (self._kernels[word.flatten(), None] @ around).view(n, group, cells)
        named = self._names.gather(1, word[..., None].expand(n, group, cells)).softmax(2)
        went = torch.where(self._policy.walks[word][..., None], moved, named)
        if not self.points:
            return went
        there = one_hot((token - self._words).clamp(min=0), cells).to(went.dtype)
        return torch.where((token >= self._words)[..., None], there, went)
