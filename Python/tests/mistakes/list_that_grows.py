import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        rolls = []  # refused: keeps its length; [0] * n
        while sum(rolls) < 20:
            rolls.append(random.integer(1, 6))
        self.rolls.add(len(rolls))
