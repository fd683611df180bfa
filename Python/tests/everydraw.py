"""The class of Tests/Recompute/EveryDraw.swift in Python, which makes every draw and adds to every kind of field."""

from __future__ import annotations

import potluck
from potluck import (
    Comoments, Count, Counts, ExactSum, Histogram, Histogram2D, Maximum, Minimum, Moments, Pairs, Parameter, Quantiles,
    Series, histogram)
from potluck._kit import functions


class EveryDraw(potluck.Simulation):
    """Makes every draw and adds to every kind of tally"""

    sides = Parameter(6, "a whole number", 1, 1_000_000)
    mean = Parameter(2.5, "a real number", 0.1, 10)
    half = Parameter(False, "a flag")
    kind = Parameter("first", "a choice", ["first", "second", "third"])

    whole, real, sum, least, most = Moments(), Moments(), ExactSum(), Minimum(), Maximum()
    spread = Histogram(7, -1.5, 2.25)
    heads = Count()
    both, pairs, quantiles = Comoments(2), Pairs(), Quantiles()
    third, course = Counts("low", "middle", "high"), Series(3)
    cells = Histogram2D(5, 3, x=(-0.5, 2), y=(0, 7.5))

    block_size = 1024

    def prepare(self) -> None:
        self.cholesky = potluck.cholesky([[4, 2, 0.5], [2, 3, -1], [0.5, -1, 2]])
        self.wheel = potluck.WeightedChoice([1, 0, 2.5, 0.125, 7, 3])
        self.measured = potluck.Empirical([2.5, -1.25, 1e-3, 7, 2.5])
        self.single = potluck.Empirical([-0.5])
        self.factor = 1 + ["first", "second", "third"].index(self.kind)

    def trial(self, random: potluck.Random) -> None:
        self.whole.add(random.below(self.sides))
        self.whole.add(random.below(3_000_000_000) % 1_000_003)
        self.whole.add(random.below(7_000_000_000_000_000_000) % 1_000_003)
        self.whole.add(random.integer(-7, self.sides))
        m, n = random.pair(40_000, 50_000)
        self.whole.add(m - n)
        self.whole.add(random.next() % 1_000_003)
        self.whole.add((random.next() % 1_000_003 * 2**32 + random.next()) % 1_000_003)
        self.heads.add(random.coin())
        self.heads.add(random.chance(0.25 if self.half else 0.75))
        self.reals(random)
        deck = list(range(10))
        random.shuffle(deck)
        order = 0
        for place, card in enumerate(deck):
            order += (place + 1) * card
        self.whole.add(order)
        self.whole.add(random.choice(deck))
        for card in random.choices(3, deck):
            self.whole.add(card * self.factor)
        for card in random.sample(4, deck):
            self.whole.add(card * self.factor)
        for card in random.sample(10, deck):
            self.whole.add(card * self.factor)
        self.whole.add(self.wheel.draw(random))
        self.real.add(self.measured.pick(random) + 2 * self.measured.interpolate(random))
        self.real.add(self.single.pick(random) + 2 * self.single.interpolate(random))
        self.composed(random)

    def reals(self, random: potluck.Random) -> None:
        x = random.normal(1, 0.5)
        self.spread.add(x)
        self.least.add(x)
        self.most.add(random.normal())
        self.real.add(random.real(-3, 5))
        y = random.exponential(self.mean)
        self.real.add(y)
        self.both.add(x, functions.exp(-y * 8))
        self.pairs.add(x, y)
        self.quantiles.add(x)
        self.quantiles.add(functions.exp(y * 8 - 40))
        self.third.add(0 if x < 0.75 else 1 if x < 1.25 else 2)
        self.course.add(0, x)
        self.course.add(2, y * 1e-30)
        self.course.add(1 if x < 1 else 2, -7)
        self.cells.add(x, y)
        self.sum.add(random.exponential() * -1e-25)
        self.sum.add(functions.exp(-y * 30))
        self.sum.add(functions.log(random.unit() + 1e-300) * 1e15)

    def composed(self, random: potluck.Random) -> None:
        self.real.add(random.log_normal(0.5, 0.25))
        self.real.add(random.weibull(1.5, self.mean))
        self.real.add(random.triangular(-1, 0.5, 4))
        self.real.add(random.gamma(0.5) + random.gamma(self.mean, 3))
        self.real.add(random.beta(0.3, self.mean))
        self.real.add(random.chi_squared(3))
        self.real.add(random.student_t(7))
        self.whole.add(random.geometric(0.2))
        self.whole.add(random.poisson(self.mean) + random.poisson(20 * self.mean))
        self.whole.add(random.binomial(self.sides, 0.3))
        self.whole.add(random.binomial(40, 0.7))
        self.whole.add(random.negative_binomial(self.mean, 0.4))
        self.many(random)

    def many(self, random: potluck.Random) -> None:
        x, y = random.in_disc()
        a, b, c = random.on_sphere()
        self.real.add(x + 2 * y)
        self.real.add(a + 2 * b + 3 * c)
        shares = random.dirichlet([0.5, self.mean, 2])
        self.real.add(shares[0] + 2 * shares[1] + 3 * shares[2])
        for count in random.multinomial(self.sides, [1, 0, 2.5, self.mean]):
            self.whole.add(count)
        for number in random.normals(self.cholesky):
            self.real.add(number)
        lattice = random.lattice(64, 16)
        for place in range(16):
            self.real.add(lattice.unit(self.sides % 64, place) + lattice.normal(4 * place, place))
        self.streams(random)

    def streams(self, random: potluck.Random) -> None:
        arrivals = random.stream("arrivals")
        others = random.stream("an ünusual name")
        self.real.add(arrivals.unit() + 2 * others.unit())
        mirror = random.mirrored()
        back = arrivals.mirrored()
        self.real.add(mirror.normal() - random.normal())
        self.whole.add(mirror.below(self.sides))
        self.whole.add(mirror.below(3_000_000_000) % 1_000_003)
        self.real.add(back.unit() + 2 * arrivals.unit())

    readings = [
        potluck.mean("whole", whole), potluck.mean("real", real), histogram("spread", spread),
        potluck.ratio("ratio", both), potluck.correlation("correlation", pairs), potluck.slope("slope", pairs),
        potluck.median("median", quantiles), potluck.expected_shortfall("shortfall", quantiles, 0.1),
        potluck.proportions(third), potluck.series("course", course), histogram("cells", cells)]
