import potluck
from potluck import Count, Parameter, proportion


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()
    proportion = Parameter(0.5, "how often", 0, 1)
    readings = [proportion("won", won)]  # refused: proportion; is an attribute of the class here

    def trial(self, random):
        self.won.add(random.chance(self.proportion))
