import potluck
from potluck import Count, ExactSum


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), ExactSum()

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add(-(10.0**18) * roll * 2)  # ends: ExactSum; below 2⁶³
