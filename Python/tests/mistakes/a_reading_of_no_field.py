import potluck
from potluck import Count, Moments, Parameter, proportion


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(random.coin())

    readings = [proportion("won", wins)]  # refused: field; won; rolls
