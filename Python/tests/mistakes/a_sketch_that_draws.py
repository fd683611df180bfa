import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.sketch("disc", random.unit(), 0.5, 0.1)  # refused: draw
        self.won.add(random.coin())
