import potluck
from potluck import Count, Moments, Parameter

def share(roll):
    if roll == 0:
        return 0
    return 1 / roll


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(share(random.below(6)))  # right
