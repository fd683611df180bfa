"""A function of math that a trial has not, imported and not used."""

import potluck
from math import nextafter, sqrt
from potluck import Moments


class Roots(potluck.Simulation):
    roots = Moments()

    def trial(self, random):
        self.roots.add(sqrt(random.unit()))  # right
