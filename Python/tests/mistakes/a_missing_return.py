import potluck
from potluck import Count, Moments, Parameter

def grade(roll):  # ends: without a value
    if roll > 4:
        return 1
    elif roll > 2:
        return 2


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(grade(random.integer(1, 6)))
