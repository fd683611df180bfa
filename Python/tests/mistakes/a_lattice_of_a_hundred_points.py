import potluck
from potluck import Count, Moments


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Moments()

    def trial(self, random):
        lattice = random.lattice(100, 2)  # ends: the points of a lattice must be a power of two
        self.field.add(lattice.unit(0, 1))
