"""LPIPS of many pairs of pictures at once, by torch, on any device: the numbers of ``lpips``."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from render.fidelity.lpips import EPSILON, LEAST, SCALE, SHIFT, network, place

_AT_ONCE = 32
"""Pairs whose features are held together: 640 pixels a side take 0.5 GB."""


class BatchedLPIPS:
    """Distances of pairs of pictures, computed where ``device`` says.

    The features are of single precision in full, also where a GPU would round them on its own.
    Raises NoWeights where there are none.
    """

    def __init__(self, device: Any = "cpu"):
        import torch

        self.device = torch.device(device)
        self._shift, self._scale = (self._held(np.array(part)) for part in (SHIFT, SCALE))
        self._layers = [(*map(self._held, layer[:3]), *layer[3:]) for layer in network(place())]

    def __call__(self, drawn: Any, true: Any) -> Any:
        """Return the distances, a float32 tensor (N,) on the device.

        drawn, true
            (N, H, W, 3) uint8, tensors or arrays. Of pictures with a side below 64 pixels all are
            nan.

        No gradient is kept.
        """
        import torch

        drawn, true = (
            (side if isinstance(side, torch.Tensor) else torch.tensor(side)).to(self.device)
            for side in (drawn, true)
        )
        if drawn.shape != true.shape or drawn.ndim != 4 or drawn.shape[-1] != 3:
            shapes = " and ".join(str(tuple(side.shape)) for side in (drawn, true))
            raise ValueError(
                f"pictures come as two batches of one shape (N, H, W, 3), not {shapes}"
            )
        if drawn.dtype != torch.uint8 or true.dtype != torch.uint8:
            raise ValueError(f"pictures are uint8, not {drawn.dtype} and {true.dtype}")
        if min(true.shape[1:3]) < LEAST:
            return torch.full((len(true),), nan, device=self.device)
        exact = torch.backends.cudnn.flags(enabled=True, allow_tf32=False)
        with torch.no_grad(), exact:
            parts = zip(drawn.split(_AT_ONCE), true.split(_AT_ONCE), strict=True)
            return torch.cat([self._distances(torch.cat(pair)) for pair in parts])

    def _held(self, values: Any) -> Any:
        import torch

        return torch.as_tensor(values, dtype=torch.float32, device=self.device)

    def _distances(self, pairs: Any) -> Any:
        """Return the distances of the first half of the pictures to the second."""
        from torch.nn.functional import conv2d, max_pool2d

        features = ((pairs / 127.5 - 1 - self._shift) / self._scale).permute(0, 3, 1, 2)
        total = 0
        for kernel, bias, weight, stride, padding, pooled in self._layers:
            if pooled:
                features = max_pool2d(features, 3, 2)
            features = conv2d(features, kernel, bias, stride, padding).relu()
            one, two = (features / (features.norm(dim=1, keepdim=True) + EPSILON)).chunk(2)
            total += (one - two).square().mean((2, 3)) @ weight
        return total
