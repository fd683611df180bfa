import potluck
from potluck import Count, Series


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Series(1)

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(roll, 1)  # ends: Series; no such time; first one is 0
