import math

import potluck
from potluck import Count, Quantiles


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Quantiles()

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(math.nan if roll == 6 else roll)  # ends: NaN
