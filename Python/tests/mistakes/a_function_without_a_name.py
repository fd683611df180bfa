import potluck
from potluck import Moments

square = lambda x: x * x  # refused: 'square' is a function without a name; def square(x):


class Mine(potluck.Simulation):
    """Counts something."""

    rolls = Moments()

    def trial(self, random):
        self.rolls.add(square(random.unit()))
