import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        faces = [face for face in range(self.sides) if random.chance(0.1)]
        self.rolls.add(random.choice(faces))  # ends: empty
