import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        a, b = random.integer(-9, 9), random.integer(1, 4)
        self.rolls.add(100 * (a // b) + a % b + (-a) // b + a % -b + int(-2.5) + int(a / b))  # right
