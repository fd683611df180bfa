#!/usr/bin/env python3
"""Tools/lattice-multiplier.py: seeks the multiplier of `Sources/Kit/Random/Lattice.swift`. Takes two minutes, and needs NumPy.

The measure is the mean square error of the randomly moved lattice in a Sobolev space whose coordinate j has the weight 1/j²,
in 64 dimensions. A multiplier counts by its worst ratio to the least error of any, over all numbers of points. The large
numbers of points are tried only with those that are good for the small ones.
"""
import numpy

DIMENSIONS = 64
STAGES = ((range(6, 12), 800), (range(12, 15), 60), (range(15, 17), 5))


def error(multiplier, logarithm):
    points = 1 << logarithm
    x = numpy.arange(points) / points
    kernel = 2 * numpy.pi**2 * (x * x - x + 1 / 6)
    place, product, step = numpy.arange(points), numpy.ones(points), 1
    for dimension in range(1, DIMENSIONS + 1):
        product *= 1 + kernel[place * step % points] / dimension**2
        step = step * multiplier % 65_536
    return product.mean() - 1


# Only these have powers that repeat no sooner than after a quarter of the points. The upper half mirrors the lower one.
left = [number for number in range(3, 32_768, 2) if number % 8 in (3, 5)]
worst = dict.fromkeys(left, 0.0)
for logarithms, kept in STAGES:
    for logarithm in logarithms:
        errors = {multiplier: error(multiplier, logarithm) for multiplier in left}
        least = min(errors.values())
        for multiplier in left:
            worst[multiplier] = max(worst[multiplier], errors[multiplier] / least)
    left = sorted(left, key=worst.__getitem__)[:kept]
for multiplier in left:
    print(multiplier, f"{worst[multiplier]:.2f}")
