import potluck
from potluck import Count


class Mine(potluck.Simulation):  # refused: trial
    """Counts something."""

    won = Count()

    def run(self, random):
        self.won.add(random.coin())
