import potluck
from potluck import Count, Series


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Series(7)

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(roll, 1e10 * roll)  # ends: Series; below 3·10⁹; x / 1000
