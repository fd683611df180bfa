import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        low, middle, high = sorted(random.integer(1, self.sides) for _ in range(3))
        self.rolls.add(low + 7 * middle + 49 * high)  # right
