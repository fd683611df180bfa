import math

import potluck
from potluck import Count, Moments, Parameter, mean, normal_below, proportion


class OptionPrice(potluck.Simulation):
    """How much is the right to buy a share later at a fixed price worth?"""

    spot = Parameter(100.0, "the share's price today", 0.01, 10_000)
    strike = Parameter(105.0, "the price agreed for the purchase", 0.01, 10_000)
    rate = Parameter(0.03, "interest rate per year, compounded continuously", -0.1, 0.5)
    volatility = Parameter(0.2, "how much the price varies per year", 0.01, 1)
    years = Parameter(1.0, "years until the purchase", 0.01, 30)

    worth, used = Moments(), Count()

    def prepare(self):
        # All amounts are in today's money, in which the share's mean price does not change.
        self.spread = self.volatility * math.sqrt(self.years)
        self.cost = self.strike * math.exp(-self.rate * self.years)
        # How many spreads the middle future lies above the strike: d₂ in the formula of Black and Scholes.
        self.distance = math.log(self.spot / self.cost) / self.spread - self.spread / 2
        if self.spread > 1:
            raise ValueError("volatility times the square root of years is at most 1")

    def trial(self, random):
        price = self.spot * math.exp(-self.spread * self.spread / 2 + self.spread * random.normal())
        self.worth.add(max(0.0, price - self.cost))
        self.used.add(price > self.cost)

    def price(self):
        d = self.distance
        return self.spot * normal_below(d + self.spread) - self.cost * normal_below(d)

    readings = [
        mean("price", worth, exact=lambda self: self.price()),
        proportion("used", used, exact=lambda self: normal_below(self.distance)),
    ]
