import math

import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(math.dist([random.unit()], [0.5]))  # refused: math.dist; math.sqrt((x - a) ** 2 + (y - b) ** 2)
