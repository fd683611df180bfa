import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def ways(self, n):
        product = 1
        for k in range(1, n + 1):
            product *= k  # ends: 64 bits
        return product

    def trial(self, random):
        self.rolls.add(random.below(2) + self.ways(self.sides + 15) % 10)
