"""Intervals for rates and differences whose cases are instances, whatever the number of runs."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from protocols.success import Z, wilson

RESAMPLES = 10_000
SEED = 2608
_LEVEL = (2.5, 97.5)
_DIGITS = 12
"""Decimals to which equal means of runs are equal in floating point."""


def clustered(rate: float, variance: float, instances: int, answers: int) -> tuple[float, float]:
    """Return the 95% interval of ``rate``: Wilson's, for as many answers as theirs are worth.

    Answers to one instance resemble each other, so they are worth fewer than there are. ``n``
    independent answers would give a rate of variance ``rate (1 - rate) / n``; this one has
    ``variance / instances``. So ``n`` is the number of instances where all runs agree, as with one
    run, and at most that of the answers. As few instances say little of their variance, ``n`` is
    lowered by the square of the normal over Student's quantile (Korn and Graubard 1998).

    variance
        Over the instances, of the mean over the runs of each, divided by their number.
    """
    from scipy.special import stdtrit

    alone = rate * (1 - rate)
    worth = float(instances)
    if alone > 0 and instances > 1:
        free = instances - 1
        sure = (Z / stdtrit(free, 0.975)) ** 2
        worth = min(max(worth, free * alone / max(variance, 1e-12) * sure), float(answers))
    return wilson(rate * worth, worth)


def bootstrap(per_instance: NDArray[Any]) -> tuple[float, float]:
    """Return the 95% percentile interval of the mean over instances, drawn anew with replacement.

    Only the distinct values are drawn, each as often as a draw of instances would have them, so the
    time does not grow with the number of instances. The same values give the same interval. It is
    nan where they are all alike: every draw is the same then, which tells nothing of the next.
    """
    values, counts = np.unique(np.round(per_instance, _DIGITS), return_counts=True)
    if len(values) < 2:
        return nan, nan
    n = int(counts.sum())
    drawn = np.random.default_rng(SEED).multinomial(n, counts / n, RESAMPLES)
    low, high = np.percentile(drawn @ values / n, _LEVEL)
    return float(low), float(high)
