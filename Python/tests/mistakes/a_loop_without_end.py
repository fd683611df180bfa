import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        x = 0.0
        while x != 1.0:
            x += 0.1  # never ends
        self.rolls.add(random.unit())
