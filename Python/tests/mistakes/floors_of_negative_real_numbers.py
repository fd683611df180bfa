import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        a, b = random.integer(-9, 9) / 4, random.real(0.1, 2.0)
        self.rolls.add(a // b + a % b + a % -b - a // -b)  # right
