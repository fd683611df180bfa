import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        x = random.integer(1, 9)
        self.rolls.add(x**2 + x**-1 + x**0.5 + (-x) ** 2 - x**2 * 1.5)  # right
