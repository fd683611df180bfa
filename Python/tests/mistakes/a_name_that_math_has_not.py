"""A name of math with a typing error, beside a right one, imported and not used."""

import potluck
from math import sqrt, squareroot  # refused: math has no 'squareroot'
from potluck import Moments


class Roots(potluck.Simulation):
    roots = Moments()

    def trial(self, random):
        self.roots.add(sqrt(random.unit()))
