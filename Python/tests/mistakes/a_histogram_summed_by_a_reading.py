import potluck
from potluck import Count, Histogram, Moments, Parameter, derived


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    sums = Histogram(10, 0.5, 10.5)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.sums.add(random.integer(1, self.sides))

    readings = [derived("share", lambda self, tally, trials: sum(tally.sums) / trials)]  # refused: for each of its 10 bins
