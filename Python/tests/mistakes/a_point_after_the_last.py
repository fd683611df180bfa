import potluck
from potluck import Count, Moments


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Moments()

    def trial(self, random):
        lattice = random.lattice(64, 2)
        for point in range(65):
            self.field.add(lattice.unit(point, 1))  # ends: a lattice has no such point or dimension
