import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        faces = [0] * self.sides
        self.rolls.add(faces[self.sides / 2])  # refused: whole number; //
