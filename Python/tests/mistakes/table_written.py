import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def prepare(self):
        self.table = [0] * 6

    def trial(self, random):
        self.table[random.below(6)] += 1  # refused: table
        self.rolls.add(self.table[0])
