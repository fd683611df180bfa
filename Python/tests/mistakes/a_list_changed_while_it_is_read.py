import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        faces = [1, 2, 3, 4]
        for face in faces:
            faces[-1] += face
            self.rolls.add(face)  # right
