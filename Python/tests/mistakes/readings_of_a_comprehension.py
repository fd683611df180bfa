import potluck
from potluck import Quantiles, quantile


class Waits(potluck.Simulation):
    """Counts something."""

    waits = Quantiles()

    def trial(self, random):
        self.waits.add(random.exponential())

    readings = [quantile(f"{part}", waits, part) for part in (0.5, 0.9)]  # refused: comprehension; write a loop
