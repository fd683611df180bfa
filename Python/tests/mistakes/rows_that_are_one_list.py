import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        grid = [[0] * 3] * 3  # refused: the same list several times
        grid[random.below(3)][0] = 1
        self.rolls.add(grid[0][0] + grid[1][0] + grid[2][0])
