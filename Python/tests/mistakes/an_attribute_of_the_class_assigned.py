import potluck
from potluck import Count


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()
    best = 0

    def trial(self, random):
        self.best = max(self.best, random.below(6))  # refused: only be assigned in 'prepare'
        self.won.add(self.best == 5)
