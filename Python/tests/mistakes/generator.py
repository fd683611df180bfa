import potluck
from potluck import Count, Moments, Parameter

def throws(random):
    for _ in range(4):
        yield random.integer(1, 6)  # refused: generator


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(any(roll == 6 for roll in throws(random)))
