import potluck
from potluck import Count, Histogram2D


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()
    field = Histogram2D(3, 0, x=(0, 1), y=(0, 1))  # refused: columns and rows; at most 4096 cells

    def trial(self, random):
        self.won.add(random.coin())
