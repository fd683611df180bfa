import potluck
from potluck import Count, Counts


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Counts("low", "high")

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(roll)  # ends: Counts; no such category; first one is 0
