import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        x = random.integer(-9, 9) / 2
        self.rolls.add(round(x))  # right
        self.won.add(0.1 + 0.2 == 0.3)
