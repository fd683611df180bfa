import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        best = 0  # here
        if random.coin():
            best = [1, 2]  # refused: best; list
        self.rolls.add(best)
