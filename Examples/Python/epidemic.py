import math

import potluck
from potluck import Moments, Parameter, Series, mean, series

DAYS = 100


class Epidemic(potluck.Simulation):
    """How many people are ill on each day of an epidemic? (SIR)"""

    people = Parameter(1000, "people in the town", 10, 100_000)
    first = Parameter(5, "people who are ill at first", 1, 10)
    contagion = Parameter(0.3, "people whom one ill person infects on a day at first", 0.0, 5.0)
    recovery = Parameter(0.1, "probability to recover on a day", 0.01, 1.0)

    ill, immune = Series(DAYS), Series(DAYS)
    spared = Moments()

    def steps(self):
        return 32 * DAYS

    def trial(self, random):
        ill, healthy = self.first, self.people - self.first
        for day in range(DAYS):
            self.ill.add(day, ill)
            self.immune.add(day, self.people - healthy - ill)
            infected = random.binomial(healthy, 1 - math.exp(-self.contagion * ill / self.people))
            ill += infected - random.binomial(ill, self.recovery)
            healthy -= infected
        self.spared.add(healthy / self.people)

    readings = [series("ill", ill), series("immune", immune), mean("never ill", spared)]
