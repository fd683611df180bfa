"""Simulations, written from the comments and trials of the files under Plugins, with the names of docs/RANDOM.md."""
import math
import struct

from kit import Stream, WeightedChoice, bits, block_size, cholesky, exp, log
from lattice import Lattice
from measured import Empirical
from tallies import (
    Comoments, Count, Counts, ExactSum, Histogram, Histogram2D, Maximum, Minimum, Moments, Output, Pairs,
    Quantiles, Series)


class Simulation:
    """Parameters are class attributes, in order of declaration; their values are the defaults."""
    is_plugin = False
    is_gathering = False
    names = []

    def __init__(self, given, tables):
        self.tables = tables
        for name, text in given.items():
            if name not in self.names:
                raise SystemExit(f"{type(self).__name__} has no parameter {name}")
            setattr(self, name, self.value(name, text))

    def value(self, name, text):
        """The value that people mean by a text. A choice is its index."""
        if isinstance(getattr(self, name), bool):
            return text == "yes"
        return type(getattr(self, name))(text)

    def inputs(self):
        """The tables of the declared inputs, in order."""
        return []

    def parameters(self):
        """The slots of the parameters."""
        return [self.slot(name) for name in self.names]

    def slot(self, name):
        value = getattr(self, name)
        return bits(value) if isinstance(value, float) else int(value)

    def block_size(self):
        return 65_536


class MontyHall(Simulation):
    names = ["doors", "opened"]
    doors, opened = 3, 1

    def block_size(self):
        return block_size(self.opened + 3)

    def tally(self):
        return {"stay": Count(), "switch": Count()}

    def trial(self, random, tally):
        car, pick = random.pair(self.doors, self.doors)
        tally["stay"].add(car == pick)
        goats = self.doors - 1 if car == pick else self.doors - 2
        before = (car - pick - 1) % self.doors
        first, other = random.pair(goats, self.doors - 1 - self.opened)
        before -= first < before
        for shown in range(1, self.opened):
            before -= random.below(goats - shown) < before
        tally["switch"].add(other == before)


class Pi(Simulation):
    def tally(self):
        return {"inside": Count()}

    def trial(self, random, tally):
        x, y = random.unit(), random.unit()
        tally["inside"].add(x * x + y * y < 1)


class Buffon(Simulation):
    names = ["length", "spacing"]
    length, spacing = 1.0, 1.0

    def tally(self):
        return {"crossings": Moments()}

    def trial(self, random, tally):
        lower = random.unit()
        square = 0.0
        while square >= 1 or square == 0:
            x, y = random.unit(), random.unit()
            square = x * x + y * y
        tally["crossings"].add(math.floor(lower + self.length / self.spacing * (y / math.sqrt(square))))


class OptionPrice(Simulation):
    names = ["spot", "strike", "rate", "volatility", "years"]
    spot, strike, rate, volatility, years = 100.0, 105.0, 0.03, 0.2, 1.0

    def tally(self):
        return {"worth": Moments(), "used": Count()}

    def trial(self, random, tally):
        spread = self.volatility * math.sqrt(self.years)
        cost = self.strike * exp(-self.rate * self.years)
        price = self.spot * exp(-spread * spread / 2 + spread * random.normal())
        tally["worth"].add(max(0.0, price - cost))
        tally["used"].add(price > cost)


class GamblersRuin(Simulation):
    names = ["stake", "goal", "p"]
    stake, goal, p = 10, 20, 0.5

    def block_size(self):
        # The expected rounds, as the textbook has them for these few games.
        if self.p == 0.5:
            return block_size(self.stake * (self.goal - self.stake))
        r = (1 - self.p) / self.p
        won = (1 - r**self.stake) / (1 - r**self.goal)
        return block_size(int((self.stake - self.goal * won) / (1 - 2 * self.p)))

    def tally(self):
        return {"won": Count(), "rounds": Moments()}

    def trial(self, random, tally):
        coins, rounds = self.stake, 0
        while 0 < coins < self.goal:
            coins += 1 if random.chance(self.p) else -1
            rounds += 1
        tally["won"].add(coins == self.goal)
        tally["rounds"].add(rounds)


class Birthday(Simulation):
    names = ["people", "days"]
    people, days = 23, 365

    def block_size(self):
        return block_size(min(self.people, int(1.26 * math.sqrt(self.days))))

    def tally(self):
        return {"shared": Count()}

    def trial(self, random, tally):
        seen, shared = set(), False
        while len(seen) < self.people and not shared:
            day = random.below(self.days)
            shared = day in seen
            seen.add(day)
        tally["shared"].add(shared)


class CouponCollector(Simulation):
    names = ["kinds"]
    kinds = 50

    def block_size(self):
        total = 0.0
        for missing in range(1, self.kinds + 1):
            total += self.kinds / missing
        return block_size(int(total))

    def tally(self):
        return {"packets": Moments(), "per kind": Histogram(40, 0, 20)}

    def trial(self, random, tally):
        had, packets = set(), 0
        while len(had) < self.kinds:
            had.add(random.below(self.kinds))
            packets += 1
        tally["packets"].add(packets)
        tally["per kind"].add(packets / self.kinds)


class EveryDraw(Simulation):
    """EveryDraw.swift beside this file."""
    is_plugin = True
    names = ["sides", "mean", "half", "kind"]
    sides, mean, half, kind = 6, 2.5, False, 0

    def __init__(self, given, tables):
        super().__init__(given, tables)
        self.wheel = WeightedChoice([1, 0, 2.5, 0.125, 7, 3])
        self.measured, self.single = Empirical([2.5, -1.25, 1e-3, 7.0, 2.5]), Empirical([-0.5])

    def value(self, name, text):
        return ["first", "second", "third"].index(text) if name == "kind" else super().value(name, text)

    def block_size(self):
        return 1024

    def tally(self):
        return {"whole": Moments(), "real": Moments(), "sum": ExactSum(), "least": Minimum(), "most": Maximum(),
                "spread": Histogram(7, -1.5, 2.25), "heads": Count(), "both": Comoments(2), "pairs": Pairs(),
                "quantiles": Quantiles(), "third": Counts(3), "course": Series(3),
                "cells": Histogram2D(5, 3, (-0.5, 2), (0, 7.5))}

    def trial(self, random, tally):
        whole = tally["whole"]
        whole.add(random.below(self.sides))
        whole.add(random.below(3_000_000_000) % 1_000_003)
        whole.add(random.below(7_000_000_000_000_000_000) % 1_000_003)
        whole.add(random.integer(-7, self.sides))
        m, n = random.pair(40_000, 50_000)
        whole.add(m - n)
        whole.add(random.next() % 1_000_003)
        whole.add(random.next64() % 1_000_003)
        tally["heads"].add(random.coin())
        tally["heads"].add(random.chance(0.25 if self.half else 0.75))
        self.reals(random, tally)
        deck = list(range(10))
        random.shuffle(deck)
        order = sum((place + 1) * card for place, card in enumerate(deck))
        whole.add(order)
        whole.add(random.choice(deck))
        for card in random.choices(3, deck) + random.sample(4, deck) + random.sample(10, deck):
            whole.add(card * (self.kind + 1))
        whole.add(self.wheel.draw(random))
        for each in (self.measured, self.single):
            tally["real"].add(each.pick(random) + 2 * each.interpolate(random))
        self.composed(random, tally)

    def composed(self, random, tally):
        whole, real = tally["whole"], tally["real"]
        real.add(random.lognormal(0.5, 0.25))
        real.add(random.weibull(1.5, self.mean))
        real.add(random.triangular(-1, 0.5, 4))
        real.add(random.gamma(0.5) + random.gamma(self.mean, 3.0))
        real.add(random.beta(0.3, self.mean))
        real.add(random.chi_squared(3))
        real.add(random.student_t(7))
        whole.add(random.geometric(0.2))
        whole.add(random.poisson(self.mean) + random.poisson(20 * self.mean))
        whole.add(random.binomial(self.sides, 0.3))
        whole.add(random.binomial(40, 0.7))
        whole.add(random.negative_binomial(self.mean, 0.4))
        x, y = random.in_disc()
        a, b, c = random.on_sphere()
        real.add(x + 2 * y)
        real.add(a + 2 * b + 3 * c)
        shares = random.dirichlet([0.5, self.mean, 2])
        real.add(shares[0] + 2 * shares[1] + 3 * shares[2])
        for count in random.multinomial(self.sides, [1, 0, 2.5, self.mean]):
            whole.add(count)
        for number in random.normals(cholesky([[4, 2, 0.5], [2, 3, -1], [0.5, -1, 2]])):
            real.add(number)
        lattice = Lattice(random, 64, 16)
        for place in range(16):
            real.add(lattice.unit(self.sides % 64, place) + lattice.normal(4 * place, place))
        self.streams(random, whole, real)

    def streams(self, random, whole, real):
        arrivals, others = random.stream("arrivals"), random.stream("an ünusual name")
        real.add(arrivals.unit() + 2 * others.unit())
        mirror, back = random.mirrored(), arrivals.mirrored()
        real.add(mirror.normal() - random.normal())
        whole.add(mirror.below(self.sides))
        whole.add(mirror.below(3_000_000_000) % 1_000_003)
        real.add(back.unit() + 2 * arrivals.unit())

    def reals(self, random, tally):
        x = random.normal(1, 0.5)
        tally["spread"].add(x)
        tally["least"].add(x)
        tally["most"].add(random.normal())
        tally["real"].add(random.real(-3, 5))
        y = random.exponential(self.mean)
        tally["both"].add(x, exp(-y * 8))
        tally["pairs"].add(x, y)
        tally["quantiles"].add(x)
        tally["quantiles"].add(exp(y * 8 - 40))
        tally["third"].add(0 if x < 0.75 else 1 if x < 1.25 else 2)
        tally["course"].add(0, x)
        tally["course"].add(2, y * 1e-30)
        tally["course"].add(1 if x < 1 else 2, -7)
        tally["cells"].add(x, y)
        tally["real"].add(y)
        tally["sum"].add(random.exponential() * -1e-25)
        tally["sum"].add(exp(-y * 30))
        tally["sum"].add(log(random.unit() + 1e-300) * 1e15)


class Primes(Simulation):
    is_gathering = True
    names = ["limit", "method", "list"]
    limit, method, list = 1e6, 0, False

    def units(self):
        return int(self.limit)

    def block_size(self):
        return 2**17 if self.list else 2**20

    def tally(self):
        return {"primes": Count(), "last": Maximum(), "output": Output()}

    def block(self, units, tally):
        wrote = b""
        for number in units:
            if number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1)):
                tally["primes"].add()
                tally["last"].add(float(number))
                wrote += b"%d\n" % number
        return wrote if self.list else None


class MatrixProduct(Simulation):
    is_gathering = True
    names = ["size", "draw"]
    size, draw = 256, 1

    def inputs(self):
        return [self.tables.get("a", []), self.tables.get("b", [])]

    def factors(self):
        if self.tables:
            return self.inputs()
        return [[self.row(row, lane) for row in range(self.size)] for lane in range(2)]

    def row(self, row, lane):
        random = Stream(self.draw, row, lane)
        return [random.real(-1.0, 1.0) for _ in range(self.size)]

    def units(self):
        return len(self.factors()[0])

    def block_size(self):
        right, rows = self.factors()[1], 2**20
        while rows > 1 and rows > 2**22 // max(1, len(right) * len(right[0])):
            rows //= 2
        return rows

    def tally(self):
        return {"trace": ExactSum(), "sum": ExactSum(), "output": Output()}

    def block(self, units, tally):
        left, right = self.factors()
        wrote = b""
        for row in units:
            for column in range(len(right[0])):
                value = 0.0
                for k, number in enumerate(left[row]):
                    value += number * right[k][column]
                wrote += struct.pack("<d", value)
                tally["sum"].add(value)
                if row == column:
                    tally["trace"].add(value)
        return wrote


SIMULATIONS = {
    "birthday": Birthday, "buffon": Buffon, "coupon-collector": CouponCollector, "gamblers-ruin": GamblersRuin,
    "matrix-product": MatrixProduct, "monty-hall": MontyHall, "option-price": OptionPrice, "pi": Pi, "primes": Primes,
    "every-draw": EveryDraw,
}
