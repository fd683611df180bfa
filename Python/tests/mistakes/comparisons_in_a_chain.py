import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        a, b, c = random.below(3), random.below(3), random.below(3)
        self.won.add(a < b < c)  # right
        self.won.add((a < b) < c)
        self.won.add(a == b in (b, c))
