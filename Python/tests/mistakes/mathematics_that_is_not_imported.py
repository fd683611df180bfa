import potluck
from potluck import Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    rolls = Moments()

    def prepare(self):
        self.root = math.sqrt(self.sides)  # refused: math is not imported; import math

    def trial(self, random):
        self.rolls.add(self.root * random.unit())
