import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        x = random.integer(2, 3)
        for _ in range(6):
            x = x * x  # ends: 64 bits
        self.rolls.add(x % 7)
