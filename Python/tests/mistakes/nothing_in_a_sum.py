import potluck
from potluck import Count, Moments, Parameter

def log(roll):
    roll += 1


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(1 + log(random.below(6)))  # refused: log
