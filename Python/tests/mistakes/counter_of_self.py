import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def prepare(self):
        self.games = 0

    def trial(self, random):
        self.games += 1  # refused: games
        self.won.add(self.games % 3 == 0)
