import potluck
from potluck import Count, Parameter, proportion

GRIDS = [[0, 1], [0, 0, 2, 4, 1], [0, 0, 0, 3, 22, 59, 67, 36, 9, 1]]  # that let water through, by open sites


class Percolation(potluck.Simulation):
    """Does water find its way through porous rock from top to bottom?"""

    n = Parameter(50, "rows and columns of the grid", 1, 256)
    p = Parameter(0.6, "probability that a site is open", 0, 1)
    through = Count()

    def prepare(self):
        n, width = self.n, self.n + 2
        self.rim = [not (0 < site // width <= n and 0 < site % width <= n) for site in range(width * width)]
        self.answer = sum([c * self.p**k * (1 - self.p) ** (n * n - k) for k, c in enumerate(GRIDS[min(n, 3) - 1])])

    def steps(self):
        return self.n * self.n

    def touch(self, random, site, touched, wet, count):
        if touched[site]:
            return count
        wet[count], touched[site] = site, True
        return count + random.chance(self.p)

    def trial(self, random):
        # The rim counts as touched. wet[:count] are the open sites from which the water has not continued yet.
        width, touched, wet, count = self.n + 2, self.rim[:], [0] * (self.n * self.n + 1), 0
        for column in range(1, self.n + 1):
            count = self.touch(random, width + column, touched, wet, count)
        while count > 0 and wet[count - 1] < self.n * width:
            count -= 1
            site = wet[count]
            for near in (site - width, site - 1, site + 1, site + width):
                count = self.touch(random, near, touched, wet, count)
        self.through.add(count > 0)

    readings = [proportion("through", through, exact=lambda self: self.answer if self.n <= len(GRIDS) else None)]
