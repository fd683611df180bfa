"""Lattices, written from docs/RANDOM.md. The names are those of the page."""
import math

from kit import log, table

QUANTILE = table("quantile", float)


class Lattice:
    def __init__(self, random, points, dimensions):
        self.points, self.shift = points, [random.next() for _ in range(dimensions)]

    def unit(self, k, j):
        word = (k * (2**32 // self.points) * 22701**j + self.shift[j]) % 2**32
        return (word if word < 2**31 else 2**32 - 1 - word) * 2.0**-31 + 2.0**-32

    def normal(self, k, j):
        return quantile(self.unit(k, j))


def polynomial(row, x):
    total = row[-1]
    for each in row[-2::-1]:
        total = total * x + each
    return total


def quantile(p):
    a, b, c, d = QUANTILE
    o = p - 0.5
    if abs(o) <= 0.425:
        x = 0.180625 - o * o
        return o * polynomial(a, x) / polynomial(b, x)
    x = math.sqrt(-log(p if o < 0 else 1 - p)) - 1.6
    q = polynomial(c, x) / polynomial(d, x)
    return -q if o < 0 else q
