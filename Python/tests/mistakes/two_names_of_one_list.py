import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        first = [random.below(6) for _ in range(3)]
        second = first
        second[0] = 100
        self.rolls.add(first[0])  # right
