import potluck
from potluck import Count, Moments, Parameter

games = 0


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        global games  # refused: global
        games += 1
        self.won.add(games % 3 == 0)
