import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(random.coin())
        if self.won.value > 10:  # refused: won
            self.rolls.add(1)
