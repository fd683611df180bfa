import math

import potluck
from potluck import Count, derived, proportion


class Pi(potluck.Simulation):
    """Throw points at a square: how many fall inside the circle?"""

    inside = Count()

    def trial(self, random):
        x = random.unit()
        y = random.unit()
        self.inside.add(x * x + y * y < 1)

    readings = [
        derived("pi", proportion("inside", inside), lambda self, inside: 4 * inside, exact=lambda self: math.pi),
    ]
