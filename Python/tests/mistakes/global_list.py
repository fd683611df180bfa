import potluck
from potluck import Count, Moments, Parameter

seen = [False] * 6


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        seen[random.below(6)] = True  # refused: seen
        self.won.add(seen[0])
