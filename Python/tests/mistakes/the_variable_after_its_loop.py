import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        for k in range(random.integer(1, 6)):
            pass
        squares = [k * k for k in range(3)]
        self.rolls.add(k + squares[-1])  # right
