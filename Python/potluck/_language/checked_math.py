"""The module `math` of the language: the kit's functions, with Python's errors.

The functions of a C library differ in the last bit from one system to another. Those that are exact everywhere, such as
`math.sqrt` and `math.floor`, are Python's own.
"""

from __future__ import annotations

import math
from functools import partial
from types import SimpleNamespace
from typing import Any, Callable

from . import sentences


#: The greatest whole number.
MOST = (1 << 63) - 1


def _kit() -> Any:
    """The kit, which the compiler does without."""
    from potluck._kit import functions

    return functions


class Wrong(Exception):
    """A function without a value for its arguments."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def _of_kit(name: str) -> Callable[..., float]:
    """A function of the kit. Where it has no value, or one that is too large, Python raises."""

    def checked(*arguments: float) -> float:
        numbers = [float(argument) for argument in arguments]
        value: float = getattr(_kit(), name)(*numbers)
        if math.isnan(value) and not any(map(math.isnan, numbers)):
            raise Wrong(sentences.domain(name))
        if math.isinf(value) and all(map(math.isfinite, numbers)) and name != "hypot":
            # A logarithm of 0, 0 to a negative power, or log Γ of a whole number.
            is_pole = numbers[0] in (0, -1) or numbers[0] < 0 and name == "lgamma"
            raise Wrong(sentences.domain(name) if is_pole else sentences.too_large(name))
        return value

    return checked


def _of_python(name: str) -> Callable[..., Any]:
    """A function that is exact everywhere."""
    function: Callable[..., Any] = getattr(math, name)

    def checked(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except ValueError:
            raise Wrong(sentences.domain(name)) from None

    return checked


def _rounding(name: str) -> Callable[[float], int]:
    """`floor`, `ceil` and `trunc`, whose errors are those of a conversion."""
    function: Callable[[float], int] = getattr(math, name)
    return lambda x: function(x)


def _log(x: float, base: float | None = None) -> float:
    log = _of_kit("log")
    if base is None:
        return log(x)
    over, under = log(x), log(base)
    if under == 0:
        raise Wrong(sentences.DIVISION)
    return over / under


def _product(name: str, *numbers: int) -> int:
    """`comb`, `perm` and `factorial`. Stops beyond 64 bits, for which the product need not end."""
    if min(numbers) < 0:
        raise Wrong(sentences.domain(name))
    n, k = (numbers[0], numbers[0]) if len(numbers) == 1 else numbers
    if k > n:
        return 0
    k = min(k, n - k) if name == "comb" else k
    result = 1
    for place in range(1, k + 1):
        # Each step is a whole number: a product of so many neighbours, or a binomial coefficient.
        result = result * (n - k + place) // (place if name == "comb" else 1)
        if result > MOST:
            break
    return result


def power(x: float, y: float) -> float:
    """`x ** y` of real numbers. Its errors differ from those of `math.pow`."""
    if x == 0 and y < 0:
        raise Wrong(sentences.DIVISION)
    value: float = _kit().pow(x, y)
    if math.isnan(value) and not (math.isnan(x) or math.isnan(y)):
        raise Wrong(sentences.COMPLEX)
    if math.isinf(value) and math.isfinite(x) and math.isfinite(y):
        raise Wrong(sentences.POWER_RANGE)
    return value


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: _of_kit(name) for name in (
        "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "expm1", "gamma", "hypot",
        "lgamma", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh")},
    **{name: _of_python(name) for name in (
        "copysign", "degrees", "fabs", "fmod", "gcd", "isfinite", "isinf", "isnan", "isqrt", "lcm", "radians", "sqrt")},
    **{name: partial(_product, name) for name in ("comb", "factorial", "perm")},
    **{name: _rounding(name) for name in ("ceil", "floor", "trunc")},
    "log": _log,
}

#: What `import math` gives.
MODULE = SimpleNamespace(**FUNCTIONS, pi=math.pi, e=math.e, tau=math.tau, inf=math.inf, nan=math.nan)
