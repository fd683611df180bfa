import potluck
from potluck import Count, Histogram, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    sums = Histogram(sides, 0, 100)  # refused: number of bins; must be known; Histogram(61
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add()
