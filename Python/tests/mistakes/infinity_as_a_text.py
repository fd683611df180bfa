import potluck
from potluck import Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    rolls = Moments()

    def trial(self, random):
        least, greatest = float("inf"), -float("inf")
        for _ in range(self.sides):
            x = random.unit()
            least, greatest = min(least, x), max(greatest, x)
        self.rolls.add(greatest - least + float("1e-3"))  # right
