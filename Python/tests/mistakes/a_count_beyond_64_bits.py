import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(random.below(6))
        for _ in range(5):
            self.won.add(2**62)  # right
        # A full count stays full.
        self.won.add(random.below(6) < 6)
        self.won.add()
