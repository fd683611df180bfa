import math

import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        dice = sorted([random.integer(1, self.sides) for _ in range(50)], reverse=True)
        signs = [math.copysign(0.0, random.integer(-1, 0)) for _ in range(40)]
        signs.sort(reverse=True)
        self.rolls.add(sum((place + 1) * roll for place, roll in enumerate(dice)))
        self.won.add(math.copysign(1.0, signs[0]) > 0)  # right
