"""Draws that are made of other draws, in plain Python."""

from __future__ import annotations

import math
from operator import index
from typing import Any, Sequence

from .._language import sentences
from .._language.distributions import SOURCE
from .._language.inverses import SOURCE as INVERSES
from ._exponential import exp
from ._gamma import gamma
from ._hyperbolic import log1p
from ._logarithm import log


def _stop(sentence: str) -> None:
    raise ValueError(sentence)


_made: dict[str, Any] = {
    **vars(sentences), "stop": _stop, "_exp": exp, "_gamma": gamma, "_log": log, "_log1p": log1p, "_root": math.sqrt}
exec(compile(SOURCE + INVERSES, "<distributions>", "exec"), _made)


def normal_quantile(probability: float) -> float:
    """Returns the number that a standard normal one is below with this probability."""
    return float(_made["normal_quantile"](float(probability)))


def student_quantile(probability: float, freedom: float) -> float:
    """Returns the number that one of Student's t distribution is below with this probability."""
    return float(_made["student_quantile"](float(probability), float(freedom)))


def student_series(z: float, freedom: float) -> float:
    """Returns Student's quantile for many degrees of freedom, where z is the normal one (Abramowitz and Stegun 26.7.5)."""
    return float(_made["student_series"](z, freedom))


class Composed:
    """The draws of `Random` that are made of others. Each takes the words from it that docs/RANDOM.md says."""

    __slots__ = ()

    def log_normal(self, mean: float = 0, deviation: float = 1) -> float:
        """Returns e to a normally distributed number with this mean and deviation."""
        return self._real("log_normal", mean, deviation)

    def weibull(self, shape: float, scale: float = 1) -> float:
        """Returns a number of the Weibull distribution."""
        return self._real("weibull", shape, scale)

    def triangular(self, low: float, mode: float, high: float) -> float:
        """Returns a number from low to high. Those near the mode are the most likely."""
        return self._real("triangular", low, mode, high)

    def gamma(self, shape: float, scale: float = 1) -> float:
        """Returns a number of the gamma distribution, whose mean is shape · scale."""
        return self._real("gamma", shape, scale)

    def beta(self, a: float, b: float) -> float:
        """Returns a number of the beta distribution, from 0 to 1."""
        return self._real("beta", a, b)

    def chi_squared(self, freedom: float) -> float:
        """Returns a number of the chi-squared distribution."""
        return self._real("chi_squared", freedom)

    def student_t(self, freedom: float) -> float:
        """Returns a number of Student's t distribution."""
        return self._real("student_t", freedom)

    def geometric(self, p: float) -> int:
        """Returns how many trials it takes until the first success, at least 1."""
        return int(_made["geometric"](self, float(p)))

    def poisson(self, mean: float) -> int:
        """Returns a number of the Poisson distribution."""
        return int(_made["poisson"](self, float(mean)))

    def binomial(self, n: int, p: float) -> int:
        """Returns the number of successes in n trials."""
        return int(_made["binomial"](self, index(n), float(p)))

    def negative_binomial(self, successes: float, p: float) -> int:
        """Returns the number of failures before so many successes. `successes` may be any number above 0."""
        return int(_made["negative_binomial"](self, float(successes), float(p)))

    def in_disc(self) -> tuple[float, float]:
        """Returns a point of the disc around 0 with radius 1, each equally likely."""
        point: tuple[float, float] = _made["in_disc"](self)
        return point

    def on_sphere(self) -> tuple[float, float, float]:
        """Returns a point of the sphere around 0 with radius 1, each equally likely: a random direction."""
        point: tuple[float, float, float] = _made["on_sphere"](self)
        return point

    def dirichlet(self, shapes: Sequence[float]) -> list[float]:
        """Returns shares of the Dirichlet distribution, whose sum is 1."""
        shares: list[float] = _made["dirichlet"](self, shapes)
        return shares

    def multinomial(self, n: int, weights: Sequence[float]) -> list[int]:
        """Returns how often each outcome comes in n trials. The probabilities are in proportion to the weights."""
        counts: list[int] = _made["multinomial"](self, index(n), weights)
        return counts

    def normals(self, factor: Sequence[Sequence[float]]) -> list[float]:
        """Returns correlated normal numbers, whose means are 0. `factor` is `potluck.cholesky` of their covariance."""
        drawn: list[float] = _made["normals"](self, factor)
        return drawn

    def lattice(self, points: int, dimensions: int) -> Lattice:
        """Returns points that fill the unit cube evenly, moved at random. A trial adds the mean over all of them."""
        return Lattice(_made["lattice"](self, index(points), index(dimensions)))

    def _real(self, name: str, *arguments: float) -> float:
        return float(_made[name](self, *map(float, arguments)))


class Lattice:
    """Points that fill the unit cube evenly: what `random.lattice(points, dimensions)` returns."""

    def __init__(self, parts: list[int]) -> None:
        self._parts = parts

    def unit(self, point: int, dimension: int) -> float:
        """Returns a coordinate of a point, above 0 and below 1. Both numbers begin with 0."""
        return float(_made["lattice_unit"](self._parts, index(point), index(dimension)))

    def normal(self, point: int, dimension: int) -> float:
        """Returns a coordinate of a point as a standard normal number."""
        return float(_made["lattice_normal"](self._parts, index(point), index(dimension)))


class Empirical:
    """The distribution of numbers that were measured. Make it in `prepare`, once: `self.heights = Empirical(column)`."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self._numbers: list[float] = _made["empirical"](numbers)

    def pick(self, random: Composed) -> float:
        """Returns one of the numbers, each equally likely."""
        return float(_made["empirical_pick"](random, self._numbers))

    def interpolate(self, random: Composed) -> float:
        """Returns a number between the smallest and the largest, from straight lines between neighbours."""
        return float(_made["empirical_interpolate"](random, self._numbers))


def cholesky(covariance: Sequence[Sequence[float]]) -> list[list[float]]:
    """Returns the lower triangle whose product with its transpose is the covariance, for `random.normals`."""
    factor: list[list[float]] = _made["cholesky"](covariance)
    return factor
