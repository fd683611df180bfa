import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        n = 3
        for k in range(n):
            n += random.below(3)
            k += 10
            self.rolls.add(n + k)  # right
