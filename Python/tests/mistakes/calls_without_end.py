import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def count(self, n):  # refused: count; never returns
        return 1 + self.count(n + 1)

    def trial(self, random):
        self.rolls.add(self.count(random.below(6)))
