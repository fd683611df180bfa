"""Draws from measured numbers, as docs/RANDOM.md describes them."""

import math


class Empirical:
    def __init__(self, numbers):
        self.numbers = sorted(number + 0.0 for number in numbers)

    def pick(self, stream):
        return self.numbers[stream.below(len(self.numbers))]

    def interpolate(self, stream):
        last = len(self.numbers) - 1
        place = stream.unit() * last
        index = max(0, min(math.floor(place), last - 1))
        low, high = self.numbers[index], self.numbers[min(index + 1, last)]
        return low + (place - index) * (high - low)
