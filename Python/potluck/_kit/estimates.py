"""What a tally says: values and their 95 % intervals, as `Sources/Kit/Simulation/ReadingRule.swift` computes them."""

from __future__ import annotations

import math
from typing import Callable, NamedTuple, Optional

from .draws import normal_quantile, student_series
from .series import Counts, Series
from .tally import Count, Moments

#: The probability that an interval contains the true value.
CONFIDENCE = 0.95
#: Half a 95 % interval in standard errors.
STANDARD_ERRORS = 1.959963984540054
#: With fewer trials, the intervals of a simulation's means are Student's.
FEW_TRIALS = 256


class Estimate(NamedTuple):
    """A value and its interval. None: there is no value yet, or no interval."""

    value: Optional[float] = None
    low: Optional[float] = None
    high: Optional[float] = None
    #: Whether the trials differed. If all were alike, the interval says nothing yet.
    varies: bool = False

    def mapped(self, function: Callable[[float], Optional[float]]) -> "Estimate":
        """Applies a monotone function, which gives a finite number or None, to the value and the interval."""
        value = None if self.value is None else function(self.value)
        if self.low is None or self.high is None:
            return Estimate(value, varies=self.varies)
        a, b = function(self.low), function(self.high)
        if a is None or b is None:
            return Estimate(value, varies=self.varies)
        return Estimate(value, min(a, b), max(a, b), self.varies)


def finite(x: object) -> Optional[float]:
    """Returns a function's result as a real number; None if it is none or not finite."""
    if not isinstance(x, (int, float)):
        return None
    number = float(x)
    return number if math.isfinite(number) else None


def proportion(count: Count, trials: int) -> Estimate:
    """Returns the estimate of a proportion with Wilson's interval, which is right also near 0 and 1."""
    return _wilson(count.value, trials, STANDARD_ERRORS)


def _wilson(hits: int, trials: int, errors: float) -> Estimate:
    # More hits than trials: the simulation counted some trial twice.
    if hits > trials or trials == 0:
        return Estimate()
    n = float(trials)
    share = float(hits) / n
    z2 = errors * errors
    scale = 1 + z2 / n
    middle = (share + z2 / (2 * n)) / scale
    half = errors / scale * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At the ends the formula gives exactly 0 and 1, except for rounding.
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == trials else min(1.0, middle + half)
    return Estimate(share, low, high, 0 < hits < trials)


def category(place: int, counts: Counts) -> Estimate:
    """Returns the estimate of a category's part of all, with Goodman's interval."""
    total, size = counts.total, len(counts.names)
    found = _wilson(counts[place], total, -normal_quantile(0.025 / float(size)))
    # A category that never came says something as long as others did.
    return found._replace(varies=total > 0 and all(counts[each] < total for each in range(size)))


def curve(series: Series) -> list[tuple[Optional[float], Optional[float], Optional[float]]]:
    """Returns the mean at each time, and the ends of its interval. It is Student's for few numbers."""
    found = []
    for time in range(len(series)):
        estimate = mean_of_trials(series[time], series[time].count)
        found.append(estimate[:3] if estimate.varies else (estimate.value, None, None))
    return found


def mean(moments: Moments, factor: float = STANDARD_ERRORS) -> Estimate:
    """Returns the estimate of a mean. Its interval has `factor` standard errors to each side."""
    value, variance = moments.mean, moments.variance
    if math.isnan(value):
        return Estimate()
    if math.isnan(variance):
        return Estimate(value)
    half = factor * math.sqrt(variance / float(moments.count))
    return Estimate(value, value - half, value + half, variance > 0)


def mean_of_trials(moments: Moments, trials: int) -> Estimate:
    """Returns the estimate of a mean of a simulation: with Student's interval for few trials."""
    if trials < FEW_TRIALS and moments.count > 1:
        return mean(moments, student(moments.count - 1))
    return mean(moments)


def variance(moments: Moments) -> Estimate:
    """Returns the sample variance, which has no interval."""
    value = moments.variance
    return Estimate(None if math.isnan(value) else value)


#: The quantiles for the first degrees of freedom, where the series below is not good enough.
_FIRST = (
    12.706204736174694, 12.706204736174694, 4.302652729749462, 3.1824463052837078, 2.7764451051977925,
    2.5705818356363146)


def student(freedom: int) -> float:
    """Returns the quantile of Student's t distribution that leaves 2.5 % on either side."""
    if freedom < len(_FIRST):
        return _FIRST[freedom]
    return student_series(STANDARD_ERRORS, float(freedom))


def effective(weights: Moments) -> Estimate:
    """Returns how many trials with equal weights would say as much as these."""
    total, squares = weights.sum.value, weights.squares.value
    return Estimate(total / squares * total if squares > 0 else 0.0)
