import potluck
from potluck import Count, Moments, Parameter, mean, proportion


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(random.coin())

    readings = [proportion("p", won), mean("p", rolls)]  # refused: p
