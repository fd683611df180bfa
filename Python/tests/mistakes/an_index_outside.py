import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        faces = [0] * self.sides
        for _ in range(100):
            faces[random.integer(1, self.sides)] += 1  # ends: index
        self.rolls.add(faces[0])
