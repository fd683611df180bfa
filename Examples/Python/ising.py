import math

import potluck
from potluck import Moments, Parameter, mean


class Ising(potluck.Simulation):
    """How many more atoms of a magnet point up than down? (Ising's model on a square whose edges meet)"""

    size = Parameter(16, "atoms in a row", 3, 64)
    temperature = Parameter(2.0, "temperature; above 2.269 a large magnet has no order", 0.5, 5.0)
    warm = Parameter(20, "passes over all atoms before the first measurement", 0, 10_000)
    passes = Parameter(20, "passes that are measured", 1, 10_000)

    magnetisation, energy = Moments(), Moments()

    def steps(self):
        return 4 * self.size * self.size * (self.warm + self.passes)

    def trial(self, random):
        size, atoms = self.size, self.size * self.size
        spins = [1] * atoms
        # How likely an atom turns against two or four neighbours.
        chances = [1.0, math.exp(-4 / self.temperature), math.exp(-8 / self.temperature)]
        up, bonds = atoms, 2 * atoms
        magnetisation, energy = 0.0, 0.0
        for sweep in range(self.warm + self.passes):
            for atom in range(atoms):
                row, column = atom - atom % size, atom % size
                around = spins[row + (column + 1) % size] + spins[row + (column + size - 1) % size]
                around += spins[(atom + size) % atoms] + spins[(atom + atoms - size) % atoms]
                agree = spins[atom] * around
                if agree <= 0 or random.unit() < chances[agree // 2]:
                    spins[atom] = -spins[atom]
                    up += 2 * spins[atom]
                    bonds -= 2 * agree
            if sweep >= self.warm:
                magnetisation += abs(up)
                energy -= bonds
        self.magnetisation.add(magnetisation / (self.passes * atoms))
        self.energy.add(energy / (self.passes * atoms))

    def onsager(self):
        """The magnetisation of an endless magnet. Near 2.269 one of this size is still far from that."""
        if self.temperature > 2.1 or self.size < 16:
            return None
        return (1 - math.sinh(2 / self.temperature) ** -4) ** 0.125

    readings = [mean("magnetisation", magnetisation, exact=onsager), mean("energy of an atom", energy)]
