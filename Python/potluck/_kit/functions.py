"""The kit's mathematical functions, bit for bit, under the names of the module `math`.

They give the same bits on every system and in the sandbox, where those of a C library may differ in the last one. They
raise nothing: outside its domain a function is NaN. `_language/checked_math.py` raises as Python's module does.
"""

from __future__ import annotations

from ._arctangent import acos, asin, atan, atan2, tan
from ._error_function import erf, erfc
from ._exponential import exp, pow
from ._gamma import gamma, lgamma
from ._hyperbolic import cosh, expm1, log1p, sinh, tanh
from ._logarithm import log, log2, log10
from ._roots import cbrt, hypot
from ._sine import cos, sin

__all__ = [
    "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "expm1", "gamma", "hypot", "lgamma",
    "log", "log1p", "log2", "log10", "normal_below", "pow", "sin", "sinh", "tan", "tanh",
]

_ROOT_TWO_PI = 2.5066282746310002


def normal_below(x: float) -> float:
    """Returns the probability that a standard normal number is below x, to within 10⁻¹⁵."""
    size = abs(x)
    density = exp(-x * x / 2) / _ROOT_TWO_PI
    if size < 3:
        # The probability of a number between 0 and x is φ(x) · (x + x³/3 + x⁵/(3·5) + …).
        term = total = size
        for odd in range(3, 100, 2):
            term *= x * x / float(odd)
            total += term
        return 0.5 - density * total if x < 0 else 0.5 + density * total
    # The probability of a number beyond x is φ(x) / (x + 1/(x + 2/(x + 3/(x + …)))).
    fraction = size
    for k in range(60, 0, -1):
        fraction = size + float(k) / fraction
    return density / fraction if x < 0 else 1 - density / fraction
