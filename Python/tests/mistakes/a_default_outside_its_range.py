import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(1, "sides of a die", 2, 100)  # refused: 1; 2; 100
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(random.coin())
