import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        try:  # refused: try
            self.rolls.add(1 // random.below(6))
        except ZeroDivisionError:
            self.rolls.add(0)
