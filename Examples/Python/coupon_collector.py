import potluck
from potluck import Histogram, Moments, Parameter, histogram, mean, variance


class CouponCollector(potluck.Simulation):
    """How many packets do you open until you have a picture of every kind?"""

    kinds = Parameter(50, "kinds of pictures", 1, 10_000)
    packets = Moments()
    per_kind = Histogram(40, 0, 20)  # packets for each kind, so that one range fits any number of kinds

    def steps(self):
        return int(self.answers()[0])

    def trial(self, random):
        has = [False] * self.kinds
        missing, packets = self.kinds, 0
        while missing > 0:
            kind = random.below(self.kinds)
            packets += 1
            missing -= 0 if has[kind] else 1
            has[kind] = True
        self.packets.add(packets)
        self.per_kind.add(packets / self.kinds)

    def answers(self):
        """With k kinds missing of n, a new one comes after n/k packets, with a variance of (n/k)² − n/k."""
        packets, spread = 0.0, 0.0
        for missing in range(1, self.kinds + 1):
            wait = self.kinds / missing
            packets += wait
            spread += wait * wait - wait
        return packets, spread

    readings = [
        mean("packets", packets, exact=lambda self: self.answers()[0]),
        variance("variance", packets, exact=lambda self: self.answers()[1]),
        histogram("packets per kind", per_kind),
    ]
