import potluck
from potluck import Count, Moments, Parameter

WINS = {7, 11}  # refused: 'WINS'; set; WINS = (7, 11)


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.won.add(random.integer(2, 12) in WINS)
