import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        best = None  # refused: None; such as -1
        for _ in range(3):
            roll = random.integer(1, self.sides)
            if best is None or roll > best:
                best = roll
        self.rolls.add(best)
