import math

import potluck
from potluck import Comoments, Moments, Parameter, controlled, mean, normal_below


class AsianOption(potluck.Simulation):
    """What is a call on the mean price of a year worth? The call on the geometric mean is the control."""

    spot = Parameter(100.0, "price today", 1.0, 1000.0)
    strike = Parameter(100.0, "price to buy at", 1.0, 1000.0)
    rate = Parameter(0.05, "interest in a year", -0.1, 0.2)
    volatility = Parameter(0.2, "how much prices vary in a year", 0.01, 1.0)
    months = Parameter(12, "prices of which the mean is taken", 1, 100)

    worth, plain, pair = Comoments(2), Moments(), Moments()

    def prepare(self):
        n = self.months
        self.drift = (self.rate - self.volatility * self.volatility / 2) / n
        self.spread = self.volatility * math.sqrt(1 / n)
        # The logarithm of the geometric mean is normal.
        middle = math.log(self.spot) + self.drift * (n + 1) / 2
        deviation = self.volatility * math.sqrt((n + 1) * (2 * n + 1) / 6) / n
        far = (middle - math.log(self.strike)) / deviation
        reached = math.exp(middle + deviation * deviation / 2) * normal_below(far + deviation)
        self.discount = math.exp(-self.rate)
        self.geometric = self.discount * (reached - self.strike * normal_below(far))

    def steps(self):
        return 10 * self.months

    def path(self, random):
        height, total, heights = math.log(self.spot), 0.0, 0.0
        for _ in range(self.months):
            height += self.drift + self.spread * random.normal()
            total += math.exp(height)
            heights += height
        arithmetic = max(0.0, total / self.months - self.strike)
        geometric = max(0.0, math.exp(heights / self.months) - self.strike)
        return self.discount * arithmetic, self.discount * geometric

    def trial(self, random):
        mirror = random.mirrored()
        worth, control = self.path(random)
        other, _ = self.path(mirror)
        self.worth.add(worth, control)
        self.plain.add(worth)
        self.pair.add((worth + other) / 2)

    readings = [
        controlled("controlled", worth, mean=lambda self: self.geometric),
        mean("antithetic", pair),
        mean("plain", plain),
    ]
