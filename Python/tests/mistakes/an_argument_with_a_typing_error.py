import potluck
from potluck import Count


def throw(random, sides):
    return random.integer(1, sides)


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()

    def trial(self, random):
        self.won.add(throw(random, side=6) == 6)  # refused: no argument 'side'; did you mean 'sides'
