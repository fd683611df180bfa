import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        roll = random.integer(1, self.sides)
        if roll == self.sides:
            raise ValueError("the highest face")  # ends: the highest face
        self.rolls.add(roll)
