#!/usr/bin/env python3
"""Tools/lattice-table.py: prints the errors that tests of `Lattice` compare with, those of SciPy's scrambled Sobol points.

    python3 Tools/lattice-table.py > Tests/Kit/lattice-table.txt

A line is a function, its dimensions, the points, and the root of the mean square error of a mean over the points.
"""
import numpy
from scipy.stats import norm, qmc

TIMES = 400
place = numpy.arange(1, 33)
FUNCTIONS = {
    "smooth": (lambda d: 1, lambda u, j: numpy.prod(1 + (u - 0.5) / j, 1)),
    "bent": (lambda d: 1, lambda u, j: numpy.prod((abs(4 * u - 2) + j * j) / (1 + j * j), 1)),
    "normals": (lambda d: numpy.sqrt((1 - 4.0**-d) / (6 * numpy.pi)), lambda u, j: numpy.maximum(0, norm.ppf(u) @ 2.0**-j)),
    "cut": (lambda d: 1 / 6, lambda u, j: u[:, 0] + u[:, 1] + u[:, 2] < 1),
}

for name, (truth, function) in FUNCTIONS.items():
    for dimensions in (4, 16):
        for points in (64, 1024):
            errors = []
            for time in range(TIMES):
                sobol = qmc.Sobol(dimensions, scramble=True, rng=time).random(points)
                sobol = numpy.clip(sobol, 2.0**-32, 1 - 2.0**-32)
                errors.append(function(sobol, place[:dimensions]).mean() - truth(dimensions))
            print(name, dimensions, points, f"{numpy.sqrt(numpy.mean(numpy.square(errors))):.3g}")
