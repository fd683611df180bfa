import potluck
from potluck import Count


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()

    def trial(self, random):
        roll = random.below(6)
         self.won.add(roll == 0)  # refused: indent
