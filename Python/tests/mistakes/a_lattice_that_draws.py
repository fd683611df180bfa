import potluck
from potluck import Count, Moments


class Mine(potluck.Simulation):
    """Counts something."""

    won, field = Count(), Moments()

    def trial(self, random):
        lattice = random.lattice(64, 2)
        self.field.add(lattice.draw(random))  # refused: a lattice has two methods; lattice.unit(point, dimension)
