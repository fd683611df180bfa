import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    Count = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()  # refused: Count; is an attribute of the class here

    def trial(self, random):
        self.rolls.add(random.below(6))
