import math

import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(math.hypot(random.unit(), random.unit()))  # refused: math.hypot; math.sqrt(x * x + y * y)
