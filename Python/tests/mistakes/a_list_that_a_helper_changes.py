import potluck
from potluck import Count, Moments, Parameter

def mark(faces, place):
    faces[place] = 1


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        faces = [0, 0, 0]
        mark(faces, random.below(3))
        self.rolls.add(faces[0])  # right
