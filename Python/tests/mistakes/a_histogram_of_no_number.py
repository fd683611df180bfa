import math

import potluck
from potluck import Count, Histogram


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Histogram(6, 0.5, 6.5)

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(math.inf - math.inf if roll == 6 else roll)  # ends: NaN
