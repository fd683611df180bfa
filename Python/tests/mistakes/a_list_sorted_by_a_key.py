import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        dice = sorted([random.integer(1, 6) for _ in range(3)], key=abs)  # refused: a key; key * 1000 + place
        self.rolls.add(dice[0])
