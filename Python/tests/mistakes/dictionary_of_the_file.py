import potluck
from potluck import Count, Moments, Parameter

PAYS = {1: 0, 6: 5}  # refused: 'PAYS'; dictionary; list of its values


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        roll = random.integer(1, 6)
        self.rolls.add(PAYS[roll])
