import potluck
from potluck import Count, Moments, Parameter

class Die:
    def __init__(self):
        self.sides = 6


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        die = Die()  # refused: Die
        self.rolls.add(random.below(die.sides))
