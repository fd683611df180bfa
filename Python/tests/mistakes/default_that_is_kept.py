import potluck
from potluck import Count, Moments, Parameter

def count(place, seen=[0, 0, 0, 0, 0, 0]):
    seen[place] += 1  # refused: seen
    return seen[place]


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        self.rolls.add(count(random.below(6)))
