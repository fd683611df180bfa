import math

import potluck
from potluck import Count, Moments, Parameter, effective, mean, normal_below, proportion


class RareFailure(potluck.Simulation):
    """How often do parts break under a load that is hardly ever so large? Heavier loads are drawn, and weighted."""

    parts = Parameter(4, "parts that carry the load together", 1, 100)
    strength = Parameter(11.0, "the sum of the parts' loads that breaks them", 0.0, 1000.0)

    failures, seen = Moments(), Count()

    def prepare(self):
        # Each load is normal with mean 0. It is drawn with the mean at which failures begin.
        self.shift = self.strength / self.parts

    def steps(self):
        return 2 * self.parts

    def trial(self, random):
        load = 0.0
        for _ in range(self.parts):
            load += random.normal(self.shift)
        has_failed = load > self.strength
        # How much more likely these loads are with mean 0.
        weight = math.exp(self.parts * self.shift * self.shift / 2 - self.shift * load)
        self.failures.add(weight if has_failed else 0.0)
        self.seen.add(has_failed)

    def answer(self):
        return normal_below(-self.strength / math.sqrt(self.parts))

    readings = [
        mean("probability", failures, exact=answer),
        effective("effective failures", failures),
        proportion("drawn failures", seen, exact=lambda self: 0.5),
    ]
