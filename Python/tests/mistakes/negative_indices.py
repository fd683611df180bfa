import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        faces = [random.below(6) for _ in range(4)]
        self.rolls.add(faces[-1] + faces[random.below(4) - 4] + len(faces[1:-1]))  # right
