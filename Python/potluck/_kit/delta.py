"""Estimates from comoments and quantiles, as `ComomentEstimates.swift` and `QuantileReadings.swift` compute them."""

from __future__ import annotations

import math
from typing import Callable, Optional, Sequence

from . import functions
from .comoments import Comoments, Pairs
from .estimates import FEW_TRIALS, STANDARD_ERRORS, Estimate, student
from .quantiles import Quantiles


def _around(value: float, half: Optional[float]) -> Estimate:
    return Estimate(value) if half is None else Estimate(value, value - half, value + half, half > 0)


def _half(numbers: Comoments, slopes: Sequence[float]) -> Optional[float]:
    """Half the interval of a function of the means with these slopes: the delta method."""
    variance = 0.0
    for i, one in enumerate(slopes):
        for j, other in enumerate(slopes):
            if one != 0 and other != 0:
                variance += one * other * numbers.covariance(i, j)
    if not math.isfinite(variance):
        return None
    factor = student(numbers.count - 1) if numbers.count < FEW_TRIALS else STANDARD_ERRORS
    half = factor * math.sqrt(max(0.0, variance) / float(numbers.count))
    return half if math.isfinite(half) else None


def derived(numbers: Comoments, function: Callable[..., Optional[float]]) -> Estimate:
    """Returns the estimate of a function of the means. Its slope is measured over a standard error to either side."""
    means = [numbers.mean(i) for i in range(numbers.size)]
    value = None if any(map(math.isnan, means)) else function(*means)
    if value is None:
        return Estimate()
    if numbers.count < 2:
        return Estimate(value)
    slopes = []
    for i, mean in enumerate(means):
        step = math.sqrt(numbers.covariance(i, i) / float(numbers.count))
        above = function(*means[:i], mean + step, *means[i + 1:])
        below = function(*means[:i], mean - step, *means[i + 1:])
        if step > 0 and (above is None or below is None):
            return Estimate(value)
        slopes.append((above - below) / (2 * step) if step > 0 and above is not None and below is not None else 0.0)
    return _around(value, _half(numbers, slopes))


#: A control of which less than this part varies on its own has no slope of its own: what is left is rounding.
INDEPENDENT = 1e-12


def controlled(numbers: Comoments, true_mean: Callable[[int], Optional[float]]) -> Estimate:
    """Returns the mean of number 0, corrected by the others, whose true means are known: a regression."""
    n, size = numbers.count, numbers.size
    known = [true_mean(i) for i in range(1, size)]
    means = [each for each in known if each is not None]
    if len(means) < size - 1 or n == 0:
        return Estimate()
    if n < 2:
        return Estimate(numbers.mean(0))
    order = [*range(1, size), 0]
    rows = [[numbers.covariance(i, j) for j in order[:row + 1]] for row, i in enumerate(order)]
    off = [numbers.mean(i) - mean for i, mean in zip(order, means)] + [numbers.mean(0)]
    own = [row[-1] for row in rows]
    distance, controls = 0.0, 0
    for i in range(size - 1):
        pivot = rows[i][i]
        if not pivot > own[i] * INDEPENDENT:
            continue
        for j in range(i + 1, size):
            slope = rows[j][i] / pivot
            off[j] -= slope * off[i]
            for k in range(i + 1, j + 1):
                rows[j][k] -= slope * rows[k][i]
        distance += off[i] * off[i] / pivot
        controls += 1
    value = off[-1]
    if not math.isfinite(value):
        return Estimate()
    if n <= controls + 1:
        return Estimate(value)
    count, freedom = float(n), n - 1 - controls
    variance = max(0.0, rows[-1][-1]) * ((count - 1) / float(freedom)) * (1 / count + distance / (count - 1))
    factor = student(freedom) if n < FEW_TRIALS else STANDARD_ERRORS
    half = factor * math.sqrt(variance)
    return _around(value, half if math.isfinite(half) else None)


def pairs(rule: str, numbers: Pairs) -> Estimate:
    """Returns a covariance, a correlation, or the slope or the intercept of a line."""
    x, y = numbers.mean(0), numbers.mean(1)
    xx, yy, xy = numbers.covariance(0, 0), numbers.covariance(1, 1), numbers.covariance(0, 1)
    scale = math.sqrt(xx * yy) if xx >= 0 and yy >= 0 else math.nan
    if math.isnan(scale):
        return Estimate()
    # Numbers that are all alike have no line and no correlation.
    if rule != "covariance" and xx == 0 or rule == "correlation" and scale == 0:
        return Estimate()
    slope = xy / xx if xx > 0 else math.nan
    if rule == "covariance":
        return _around(xy, _half(numbers, [-y, -x, 1, 0, 0]))
    if rule == "slope":
        return _around(slope, _half(numbers, [(2 * slope * x - y) / xx, -x / xx, 1 / xx, -slope / xx, 0]))
    if rule == "intercept":
        turn = x / xx
        slopes = [-slope - turn * (2 * slope * x - y), 1 + turn * x, -turn, turn * slope, 0]
        return _around(y - slope * x, _half(numbers, slopes))
    value = max(-1.0, min(1.0, xy / scale))
    half = _half(numbers, [
        x * value / xx - y / scale, y * value / yy - x / scale, 1 / scale, -value / (2 * xx), -value / (2 * yy)])
    if half is None or abs(value) == 1:
        return Estimate(value)
    # Fisher: on this scale the distribution is nearly normal.
    middle, reach = functions.log((1 + value) / (1 - value)), 2 * half / (1 - value * value)
    low, high = functions.exp(middle - reach), functions.exp(middle + reach)
    if not math.isfinite(high):
        return Estimate(value)
    return Estimate(value, (low - 1) / (low + 1), (high - 1) / (high + 1), half > 0)


def quantile(counts: Quantiles, p: float) -> Estimate:
    """Returns the estimate of a quantile. Its interval ends at numbers of ranks that follow from the binomial ones."""
    value = counts.quantile(p)
    if math.isnan(value):
        return Estimate()
    n, z = counts.total, STANDARD_ERRORS
    deviation = math.sqrt(n * p * (1 - p))
    # The expansion is of no use for so few numbers that a rank deviates by less than 1.
    if deviation < 1:
        return Estimate(value)
    skew = 1 - 2 * p
    middle = n * p + skew * (z * z - 1) / 6 + 0.5
    curve = (1 - 6 * p * (1 - p)) * (z * z - 3) / 24 - skew * skew * (2 * z * z - 5) / 36
    reach = z * (deviation + curve / deviation)
    if middle - reach < 1 or middle + reach > n:
        return Estimate(value)
    low, high = counts.bound(middle - reach, False), counts.bound(middle + reach, True)
    if low is None or high is None:
        return Estimate(value)
    return Estimate(value, min(low, value), max(high, value), low < high or counts.vary)


def shortfall(counts: Quantiles, p: float) -> Estimate:
    """Returns the estimate of the mean beyond a quantile. The numbers in a bucket are taken to be equally far apart."""
    edge = counts.quantile(p)
    if math.isnan(edge):
        return Estimate()
    is_above = p >= 0.5
    part = 1 - p if is_above else p
    wanted = counts.total * part
    taken = total = squares = doubt = 0.0
    places = list(counts.counted())
    for place, whole in reversed(places) if is_above else places:
        if taken >= wanted:
            break
        ends = counts.ends(place)
        if ends is None:
            return Estimate()
        count = min(whole, wanted - taken)
        # Of the last bucket only the part beyond the quantile counts.
        half = (ends[1] - ends[0]) * (count / whole) / 2
        # From the quantile, so that squares keep their digits.
        middle = (ends[1] - half if is_above else ends[0] + half) - edge
        taken += count
        total += count * middle
        squares += count * middle * middle
        doubt += count * counts.unevenness(place) * (ends[1] - ends[0]) / 2
    beyond = total / taken
    if taken < 2:
        return Estimate(edge + beyond)
    variance = (max(0.0, squares / taken - beyond * beyond) + (1 - part) * beyond * beyond) / taken
    factor = student(int(taken) - 1) if taken < FEW_TRIALS else STANDARD_ERRORS
    return _around(edge + beyond, factor * math.sqrt(variance) + doubt / taken)
