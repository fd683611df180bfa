import potluck
from potluck import Count


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()

    def trial(self, random):
        self.won.add(random.coin())

    readings = [proportion("won", won)]  # refused: proportion is not imported
