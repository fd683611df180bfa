import potluck
from potluck import Count, Moments, Parameter

seen = [False] * 6


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        mine = seen
        mine[random.below(6)] = True  # refused: only read
        self.won.add(mine[0])
