import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        sum = 0
        for _ in range(3):
            sum += random.integer(1, 6)
        self.rolls.add(sum([sum, 1]))  # refused: cannot be called
