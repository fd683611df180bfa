import math

import potluck
from potluck import Moments, Parameter, derived, mean


class Buffon(potluck.Simulation):
    """Drop needles on a floor of parallel lines: how many lines do they cross?"""

    length = Parameter(1.0, "length of the needle", 0.01, 100)
    spacing = Parameter(1.0, "distance from one line to the next", 0.01, 100)

    crossings = Moments()

    def trial(self, random):
        # How far above a line the lower end lies, in units of the spacing.
        lower_end = random.unit()
        # The direction: a point of the quarter disc. π is in the answer, but nowhere in the question.
        while True:
            x = random.unit()
            y = random.unit()
            square = x * x + y * y
            if 0 < square < 1:
                break
        upper_end = lower_end + self.length / self.spacing * (y / math.sqrt(square))
        self.crossings.add(int(upper_end))

    readings = [
        mean("crossings", crossings, exact=lambda self: 2 * self.length / (math.pi * self.spacing)),
        derived(
            "pi",
            mean("crossings", crossings),
            lambda self, crossings: 2 * self.length / (crossings * self.spacing),
            exact=lambda self: math.pi,
        ),
    ]
