import potluck
from potluck import Count, ExactSum


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), ExactSum()

    def trial(self, random):
        roll = random.integer(1, 6)
        self.field.add_square(10**9 * roll)  # ends: ExactSum; squares
