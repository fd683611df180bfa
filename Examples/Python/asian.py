import math

import potluck
from potluck import Moments, Parameter, derived, mean, normal_below


class Asian(potluck.Simulation):
    """How much is an option on a share's mean price worth?"""

    strike = Parameter(100.0, "what the mean price is compared with", 50, 200)
    volatility = Parameter(0.2, "how much the price varies until the end", 0.01, 1)
    points = Parameter(2048, "points of a lattice: 256, 512, 1024, …", 256, 8192)

    lattice, geometric, plain = Moments(), Moments(), Moments()

    def steps(self):
        return 128 * self.points

    def trial(self, random):
        lattice = random.lattice(self.points, 64)
        path, normals = [0.0] * 65, [0.0] * 64
        total, geometric = 0.0, 0.0
        for point in range(self.points):
            for place in range(64):
                normals[place] = lattice.normal(point, place)
            worth, other = self.worth(path, normals)
            total += worth
            geometric += other
            for place in range(64):
                normals[place] = random.normal()
            self.plain.add(self.worth(path, normals)[0])
        self.lattice.add(total / self.points)
        self.geometric.add(geometric / self.points)

    # The first number says where the path ends, the next one where its middle is, and so on (a Brownian bridge). So the
    # first coordinates of a point matter most.
    def worth(self, path, normals):
        path[64] = normals[0]
        half = 64
        for place in range(1, 64):
            half = half // 2 if place & (place - 1) == 0 else half
            middle = half * (2 * place + 1) - 64
            path[middle] = (path[middle - half] + path[middle + half]) / 2 + math.sqrt(half / 128) * normals[place]
        prices, logarithms = 0.0, 0.0
        for time in range(1, 65):
            logarithm = self.volatility * (path[time] - self.volatility * time / 128)
            prices += math.exp(logarithm)
            logarithms += logarithm
        return max(0.0, 100 * prices / 64 - self.strike), max(0.0, 100 * math.exp(logarithms / 64) - self.strike)

    def exact(self):
        center, spread = -(self.volatility**2) * 65 / 256, self.volatility * math.sqrt(65 * 129 / 24_576)
        distance = (math.log(100 / self.strike) + center) / spread
        above = 100 * math.exp(center + spread * spread / 2) * normal_below(distance + spread)
        return above - self.strike * normal_below(distance)

    readings = [
        mean("price", lattice), mean("geometric", geometric, exact=lambda self: self.exact()), mean("plain", plain),
        derived("variance bought", lambda self, tally, trials: tally.plain.variance / self.points / tally.lattice.variance),
    ]
