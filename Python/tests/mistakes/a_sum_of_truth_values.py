import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        rolls = [random.integer(1, 6) for _ in range(5)]
        self.rolls.add(sum([roll == 6 for roll in rolls]) + True)  # right
