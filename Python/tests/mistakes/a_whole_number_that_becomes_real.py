import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        cash = self.sides  # here
        while 0 < cash < 20:
            if random.coin():
                cash += 0.5
            else:
                cash -= 1  # refused: 'cash' is a whole number in one place; 0.0 in place of 0
        self.won.add(cash > 0)
