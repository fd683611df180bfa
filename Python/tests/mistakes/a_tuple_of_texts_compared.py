"""A tuple with a text that is compared with numbers."""

import potluck
from potluck import Count


class Signs(potluck.Simulation):
    equal = Count()

    def trial(self, random):
        self.equal.add(("six", 6) == (random.integer(1, 6), 6))  # refused: this is a text
