import potluck
from potluck import Count, Moments, Parameter

def count(table, place):
    table[place] += 1  # refused: table


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def prepare(self):
        self.table = [0] * 6

    def trial(self, random):
        count(self.table, random.below(6))
        self.rolls.add(self.table[0])
