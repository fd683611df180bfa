import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        rolls = [random.below(3) for _ in range(6)]
        self.rolls.add(sum(rolls) / rolls[0])  # ends: division by zero
