import potluck
from potluck import Count, Moments, Parameter

SUN, CLOUDS, RAIN = range(3)
WEEK = range(1, 8, 2)
HOURS, MINUTES = divmod(1441, 60)


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(random.below(3) in (SUN, RAIN))
        for day in WEEK:
            self.rolls.add(day * HOURS + MINUTES)  # right
