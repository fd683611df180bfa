#!/usr/bin/env python3
"""Writes Tests/Kit/distributions-table.txt: cells of distributions with their probabilities, computed by SciPy.

    python3 Tools/distribution-table.py > Tests/Kit/distributions-table.txt

A line is a draw, its parameters, `|`, and the ends of cells, each followed by the probability of all below it and of
the end itself. The cells of continuous distributions are equally likely.
"""
import numpy
from scipy import stats

CELLS = 20
#: A rarer cell would need too many draws.
RAREST = 0.0005

CONTINUOUS = [
    ("logNormal", (0.5, 0.25), stats.lognorm(0.25, scale=numpy.exp(0.5))),
    ("logNormal", (-2, 3), stats.lognorm(3, scale=numpy.exp(-2))),
    *(("weibull", (shape, scale), stats.weibull_min(shape, scale=scale))
      for shape, scale in ((0.4, 1), (1.5, 2), (20, 0.1))),
    ("triangular", (-1, 0.5, 4), stats.triang(0.3, -1, 5)),
    ("triangular", (0, 0, 1), stats.triang(0, 0, 1)),
    ("triangular", (2, 3, 3), stats.triang(1, 2, 1)),
    *(("gamma", (shape, scale), stats.gamma(shape, scale=scale))
      for shape, scale in ((0.05, 1), (0.5, 3), (1, 1), (2.5, 0.2), (100, 1), (1e6, 1))),
    *(("beta", (a, b), stats.beta(a, b)) for a, b in ((0.1, 0.2), (0.5, 0.5), (1, 1), (2, 5), (0.3, 40), (2000, 3000))),
    *(("chiSquared", (freedom,), stats.chi2(freedom)) for freedom in (0.5, 1, 2, 3, 50)),
    *(("studentT", (freedom,), stats.t(freedom)) for freedom in (0.5, 1, 2, 3.5, 7, 200)),
]
COUNTS = [
    *(("geometric", (p,), stats.geom(p)) for p in (1e-6, 0.01, 0.2, 0.5, 0.9)),
    *(("poisson", (mean,), stats.poisson(mean)) for mean in (1e-3, 0.5, 3, 9.99, 10, 11, 30, 1000, 123_456, 1e9)),
    *(("binomial", (n, p), stats.binom(n, p))
      for n, p in ((1, 0.3), (7, 0.5), (20, 0.01), (40, 0.7), (100, 0.1), (19, 0.5), (25, 0.45), (1000, 0.97),
                   (1_000_000, 1e-6), (1_000_000, 0.3), (2_147_483_647, 1e-8), (2_147_483_647, 0.25))),
    *(("negativeBinomial", (r, p), stats.nbinom(r, p)) for r, p in ((0.3, 0.2), (1, 0.5), (4, 0.9), (12.5, 0.01))),
]


def show(name, parameters, ends):
    print(name, *(f"{each:.10g}" for each in parameters), "|",
          *(f"{float(end):.13g} {float(below):.13g}" for end, below in ends))


for name, parameters, distribution in CONTINUOUS:
    shares = [cell / CELLS for cell in range(1, CELLS)]
    show(name, parameters, [(distribution.ppf(share), share) for share in shares])
for name, parameters, distribution in COUNTS:
    ends, last = [], 0.0
    for share in [cell / CELLS for cell in range(CELLS)] + [1]:
        end = distribution.ppf(max(share, RAREST)) if share < 1 else distribution.isf(RAREST)
        below = float(distribution.cdf(end))
        if below - last > RAREST and 1 - below > RAREST:
            ends.append((end, below))
            last = below
    show(name, parameters, ends)
