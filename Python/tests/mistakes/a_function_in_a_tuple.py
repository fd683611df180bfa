"""A tuple that holds a function."""

import potluck
from potluck import Count


class Signs(potluck.Simulation):
    equal = Count()

    def trial(self, random):
        rule = (abs, 1)  # refused: 'abs' is a function
        self.equal.add(rule[1] == 1)
