import math

import potluck
from potluck import Histogram2D, Moments, Parameter, histogram, mean


class StandardMap(potluck.Simulation):
    """Where does a kicked rotor go that starts near the top of its potential?"""

    strength = Parameter(1.1, "how strong the kicks are", 0.0, 10.0)
    kicks = Parameter(500, "how often each rotor is kicked", 1, 100_000)

    portrait = Histogram2D(48, 48, x=(0, 1), y=(0, 1))
    squares = Moments()

    def steps(self):
        return self.kicks

    def trial(self, random):
        # Angle and momentum in turns.
        angle, momentum = random.real(-0.01, 0.01), 0.0
        for _ in range(self.kicks):
            momentum += self.strength / (2 * math.pi) * math.sin(2 * math.pi * angle)
            angle += momentum
            angle -= math.floor(angle)
            self.portrait.add(angle, momentum - math.floor(momentum))
        self.squares.add(momentum * momentum)

    readings = [histogram("portrait", portrait), mean("square of the momentum", squares)]
