import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        profit = 0
        for _ in range(self.sides):
            profit += 2.5 * random.integer(1, 6)
            if random.coin():
                profit -= 7
        self.rolls.add(profit)  # right
