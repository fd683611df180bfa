import potluck
from potluck import Count, Pairs


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Pairs()

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(roll, 10_000 * roll)  # ends: Pairs; below 55 108; x / 1000
