"""Intervals of rates, differences and correlations whose cases are instances, not runs."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from protocols.success import Z, wilson

RESAMPLES = 10_000
_RESAMPLES_OF_PAIRS = 2_000
"""Fewer, since each draw has a weight for every pair."""
_SEED = 2608
_LEVEL = (2.5, 97.5)
DIGITS = 12
"""Decimals to which what is equal is equal in floating point."""


def columns(name: str, value: float, low: float, high: float) -> dict[str, float]:
    """Return a number and its interval by the names that tables show as one cell."""
    return {name: value, f"{name}_low": low, f"{name}_high": high}


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


def rate_of(answers: Any, name: str) -> tuple[float, float, float]:
    """Return the mean of a column of 0 to 1 over the runs of each ``id``, then over these.

    With it comes its interval, as ``clustered`` has it.
    """
    each = answers.groupby("id", observed=True)[name].mean()
    rate, variance = float(each.mean()), float(each.var(ddof=0))
    return rate, *clustered(rate, variance, len(each), len(answers))


def bootstrap(per_instance: NDArray[Any]) -> tuple[float, float]:
    """Return the 95% percentile interval of the mean over instances, drawn anew with replacement.

    Only the distinct values are drawn, each as often as a draw of instances would have them, so the
    time does not grow with the number of instances. The same values give the same interval. It is
    nan where they are all alike: every draw is the same then, which tells nothing of the next.
    """
    values, counts = np.unique(np.round(per_instance, DIGITS), return_counts=True)
    if len(values) < 2:
        return nan, nan
    return _percentiles(_draws(counts, RESAMPLES) @ values)


def pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return Pearson's r and its 95% percentile interval, pairs drawn anew with replacement.

    All are nan where one side doesn't vary. Draws in which one doesn't are left out.
    """
    from scipy import stats

    if len(x) < 2 or not np.ptp(x) or not np.ptp(y):
        return nan, nan, nan
    x, y = (x - x.mean()) / x.std(), (y - y.mean()) / y.std()
    weights = _draws(np.ones(len(x)), _RESAMPLES_OF_PAIRS)
    mx, my = weights @ x, weights @ y
    spread = (weights @ x**2 - mx**2) * (weights @ y**2 - my**2)
    drawn = spread > 1e-12
    resampled = (weights @ (x * y) - mx * my)[drawn] / np.sqrt(spread[drawn])
    return float(stats.pearsonr(x, y).statistic), *_percentiles(np.clip(resampled, -1, 1))


def _draws(counts: NDArray[Any], times: int) -> NDArray[np.float64]:
    """Return the shares that values which occur so often have in as many draws of all of them."""
    n = int(counts.sum())
    return np.random.default_rng(_SEED).multinomial(n, counts / n, times) / n


def _percentiles(values: NDArray[np.float64]) -> tuple[float, float]:
    low, high = np.percentile(values, _LEVEL)
    return float(low), float(high)
