import potluck
from potluck import Count


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()

    def trial(self):  # refused: random
        self.won.add(True)
