"""The readings that an author declares: how a number is computed from the tally."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Sequence, Union, overload

from . import delta, estimates
from .cells import Histogram2D
from .comoments import Comoments, Pairs
from .estimates import Estimate
from .quantiles import Quantiles
from .series import Counts, Series
from .tally import Count, Field, Histogram, Moments

#: What ends a trial, where it happens in a reading: the reading has no value.
NO_VALUE = (ArithmeticError, AssertionError, LookupError, RuntimeError, UnboundLocalError, ValueError)

#: Gives the true answer for a simulation's parameters, if there is one.
Exact = Callable[[Any], Optional[float]]


class ReadingRule(NamedTuple):
    """How one reading is computed, as `proportion`, `mean`, `variance`, `histogram` or `derived` declares it."""

    #: The name that people see.
    name: str
    #: "proportion", "mean", "variance", "histogram", "histogram2d", "category", "series" or "derived"; or the name of a rule
    #: that gives a derived reading.
    kind: str
    #: The field that it reads; None for a derived reading.
    field: Optional[Field] = None
    #: The reading that it is derived from; None if it is computed from the whole tally.
    source: Optional["ReadingRule"] = None
    function: Optional[Callable[..., Optional[float]]] = None
    exact: Optional[Exact] = None
    #: The part of a quantile, or the place of a category.
    part: float = 0.0


def proportion(name: str, count: Count, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the proportion of trials that a count holds, with Wilson's interval.

    exact: the true answer, if you know it: `lambda self: 1 / self.sides`, or None for some parameters
    """
    return ReadingRule(name, "proportion", _expect(count, Count), exact=exact)


def mean(name: str, moments: Moments, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the mean of some numbers, with its interval.

    exact: the true answer, if you know it: `lambda self: 557 / 165`, or None for some parameters
    """
    return ReadingRule(name, "mean", _expect(moments, Moments), exact=exact)


def variance(name: str, moments: Moments, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the sample variance of some numbers. It has no interval.

    exact: the true answer, if you know it
    """
    return ReadingRule(name, "variance", _expect(moments, Moments), exact=exact)


def histogram(name: str, counts: Union[Histogram, Histogram2D]) -> ReadingRule:
    """A reading of a histogram's counts, also of one in two dimensions."""
    if isinstance(counts, Histogram2D):
        return ReadingRule(name, "histogram2d", counts)
    return ReadingRule(name, "histogram", _expect(counts, Histogram))


def proportions(
    counts: Counts, *, exact: Optional[Callable[[Any], Sequence[float]]] = None
) -> list[ReadingRule]:
    """Readings of the part that each category has of all. All of their intervals together contain the truth.

    exact: the true answers, if you know them: `lambda self: [1 - self.p, self.p]`
    """
    field = _expect(counts, Counts)

    return [
        ReadingRule(
            name, "category", field, exact=None if exact is None else _answer(exact, place), part=float(place))
        for place, name in enumerate(counts.names)]


def _answer(answers: Callable[[Any], Sequence[float]], place: int) -> Exact:
    return lambda self: answers(self)[place]


def series(name: str, numbers: Series) -> ReadingRule:
    """A reading of the means of a series, as a curve with the interval of each time."""
    return ReadingRule(name, "series", _expect(numbers, Series))


def covariance(name: str, pairs: Pairs, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the covariance of pairs, with its interval."""
    return ReadingRule(name, "covariance", _expect(pairs, Pairs), exact=exact)


def correlation(name: str, pairs: Pairs, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the correlation of pairs, with its interval."""
    return ReadingRule(name, "correlation", _expect(pairs, Pairs), exact=exact)


def slope(name: str, pairs: Pairs, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the slope of the line that fits y best: by how much y rises if x rises by 1."""
    return ReadingRule(name, "slope", _expect(pairs, Pairs), exact=exact)


def intercept(name: str, pairs: Pairs, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of what y is on that line where x is 0."""
    return ReadingRule(name, "intercept", _expect(pairs, Pairs), exact=exact)


def ratio(
    name: str, numbers: Comoments, above: int = 0, below: int = 1, *, exact: Optional[Exact] = None
) -> ReadingRule:
    """A reading of the mean of number `above`, from 0, divided by the mean of number `below`, with its interval."""
    field = _expect(numbers, Comoments)
    for each in (above, below):
        if not 0 <= each < numbers.size:
            raise ValueError(f"the field has {numbers.size} numbers, from 0, and none of number {each}")
    return ReadingRule(name, "means", field, function=lambda self, *means: means[above] / means[below], exact=exact)


def controlled(
    name: str, numbers: Comoments, mean: Union[Exact, Sequence[Exact]], *, exact: Optional[Exact] = None
) -> ReadingRule:
    """A reading of the mean of number 0, corrected by controls: the other numbers, whose true means are known.

    mean: the true mean of the control, `lambda self: self.strike`, or a list of such functions, one for each control
    """
    means: Sequence[Exact] = [mean] if callable(mean) else list(mean)
    field = _expect(numbers, Comoments)
    if isinstance(field, Pairs):
        raise TypeError("controlled needs a field Comoments, such as price = Comoments(2)")
    if len(means) != numbers.size - 1:
        raise ValueError(f"the field has {numbers.size - 1} controls, and {len(means)} true means are given")

    def true_mean(self: Any, control: int) -> Optional[float]:
        known: Optional[float] = means[control - 1](self)
        return known

    return ReadingRule(name, "controlled", field, function=true_mean, exact=exact)


def effective(name: str, weights: Moments, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of how many trials with equal weights would say as much as these weights do. It has no interval."""
    return ReadingRule(name, "effective", _expect(weights, Moments), exact=exact)


def quantile(name: str, numbers: Quantiles, p: float, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the number that a part `p` of all numbers is below, such as 0.99, with its interval."""
    return ReadingRule(name, "quantile", _expect(numbers, Quantiles), exact=exact, part=_part(p))


def median(name: str, numbers: Quantiles, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the number in the middle, with its interval."""
    return quantile(name, numbers, 0.5, exact=exact)


def expected_shortfall(name: str, numbers: Quantiles, p: float, *, exact: Optional[Exact] = None) -> ReadingRule:
    """A reading of the mean of the numbers beyond a quantile: above it, or below it if `p` is less than a half."""
    return ReadingRule(name, "shortfall", _expect(numbers, Quantiles), exact=exact, part=_part(p))


def _part(p: float) -> float:
    if not 0 < p < 1:
        raise ValueError("a quantile is of a part above 0 and below 1")
    return float(p)


@overload
def derived(
    name: str, source: Comoments, function: Callable[..., Optional[float]], *, exact: Optional[Exact] = None
) -> ReadingRule: ...
@overload
def derived(
    name: str, source: ReadingRule, function: Callable[[Any, float], Optional[float]], *, exact: Optional[Exact] = None
) -> ReadingRule: ...
@overload
def derived(
    name: str, source: Callable[[Any, Any, int], Optional[float]], *, exact: Optional[Exact] = None
) -> ReadingRule: ...
def derived(
    name: str, source: Union[Comoments, ReadingRule, Callable[..., Optional[float]]],
    function: Optional[Callable[..., Optional[float]]] = None, *, exact: Optional[Exact] = None,
) -> ReadingRule:
    """A reading computed from the means of comoments, from another reading, or from the whole tally.

    `derived("price", order, lambda self, cost, weight: cost / weight)` has an interval for any smooth function of the
    means.

    `derived("pi", proportion("inside", inside), lambda self, inside: 4 * inside)` maps the other reading's value and
    the ends of its interval by a function that only rises or only falls. `derived("longest", lambda self, tally,
    trials: tally.longest.value)` reads the tally and has no interval.
    """
    if isinstance(source, Comoments):
        if function is None:
            raise TypeError("derived needs a function of the means: lambda self, cost, weight: cost / weight")
        return ReadingRule(name, "means", source, function=function, exact=exact)
    if isinstance(source, ReadingRule):
        if function is None:
            raise TypeError("derived needs a function of the other reading: lambda self, value: 4 * value")
        return ReadingRule(name, "derived", source=source, function=function, exact=exact)
    return ReadingRule(name, "derived", function=source, exact=exact)


def _expect(field: Field, kind: type) -> Field:
    if not isinstance(field, kind):
        raise TypeError(f"a reading needs a field {kind.__name__}, such as won = {kind.__name__}()")
    return field


def standard(fields: dict[str, Field]) -> list[ReadingRule]:
    """Returns the readings of a class that declares none: those that its fields suggest."""
    rules = []
    for name, field in fields.items():
        if isinstance(field, Count):
            rules.append(proportion(name, field))
        elif isinstance(field, Moments):
            rules.append(mean(name, field))
        elif isinstance(field, (Histogram, Histogram2D)):
            rules.append(histogram(name, field))
        elif isinstance(field, Pairs):
            rules.append(correlation(name, field))
        elif isinstance(field, Quantiles):
            rules.append(median(name, field))
        elif isinstance(field, Series):
            rules.append(series(name, field))
        elif isinstance(field, Counts):
            rules += proportions(field)
    return rules


def estimate(rule: ReadingRule, work: Any, tally: Any, trials: int, *, of_trials: bool) -> Estimate:
    """Computes a reading's value and interval. `tally` has a field as each attribute. `of_trials`: of a simulation."""
    field = None if rule.field is None else getattr(tally, rule.field.attribute or "")
    if isinstance(field, Count):
        return estimates.proportion(field, trials)
    if isinstance(field, Moments):
        if rule.kind == "variance":
            return estimates.variance(field)
        if rule.kind == "effective":
            return estimates.effective(field)
        return estimates.mean_of_trials(field, trials) if of_trials else estimates.mean(field)
    if isinstance(field, Quantiles):
        return (delta.quantile if rule.kind == "quantile" else delta.shortfall)(field, rule.part)
    if isinstance(field, Counts):
        return estimates.category(int(rule.part), field)
    if isinstance(field, Pairs) and rule.kind != "means":
        return delta.pairs(rule.kind, field)
    if isinstance(field, Comoments) and rule.kind == "controlled":
        return delta.controlled(field, lambda place: number(rule.function, work, place))
    if isinstance(field, Comoments):
        return delta.derived(field, lambda *means: number(rule.function, work, *means))
    if rule.source is not None:
        source = estimate(rule.source, work, tally, trials, of_trials=of_trials)
        return source.mapped(lambda value: number(rule.function, work, value))
    return Estimate(number(rule.function, work, tally, trials)) if rule.function is not None else Estimate()


def number(function: Optional[Callable[..., Optional[float]]], *arguments: Any) -> Optional[float]:
    """Returns what an author's function gives; None where it fails, such as a division by zero."""
    if function is None:
        return None
    try:
        return estimates.finite(function(*arguments))
    except NO_VALUE:
        return None
