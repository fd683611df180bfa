import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        dice = [roll for roll in range(random.below(3)) if roll > 1]
        self.rolls.add(max(dice, default=0))  # refused: default; max(list) if len(list) > 0
