import potluck
from potluck import Comoments, Count


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Comoments(2)

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(1e9 * roll, roll)  # ends: Comoments; below 3·10⁹; x / 1000
