import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.sketch("star", 1, 1, 1)  # refused: a sketch is; "disc"; marked
        self.won.add(random.coin())
