"""Numbers as the sum of two real numbers, as `Sources/Kit/Maths/TwoPart.swift` has them: high, and what it lacks."""

from __future__ import annotations

from typing import NamedTuple

from ._words import upper


class TwoPart(NamedTuple):
    """The sum of a real number and a much smaller one."""

    high: float
    low: float = 0.0

    def normal(self) -> "TwoPart":
        """Returns the same number with as much of it as possible in the first part, which must be the larger one."""
        total = self.high + self.low
        return TwoPart(total, (self.high - total) + self.low)

    def plus(self, other: "TwoPart") -> "TwoPart":
        """Returns the sum."""
        total = added(self.high, other.high)
        return TwoPart(total.high, total.low + (self.low + other.low)).normal()

    def times(self, other: "TwoPart") -> "TwoPart":
        """Returns the product."""
        exact = product(self.high, other.high)
        return TwoPart(exact.high, exact.low + (self.high * other.low + self.low * other.high)).normal()

    def over(self, other: "TwoPart") -> "TwoPart":
        """Returns the quotient."""
        quotient = self.high / other.high
        exact = product(quotient, other.high)
        rest = ((self.high - exact.high) - exact.low) + (self.low - quotient * other.low)
        return TwoPart(quotient, rest / other.high)


def added(a: float, b: float) -> TwoPart:
    """Returns the exact sum of two numbers (Knuth)."""
    total = a + b
    part = total - a
    return TwoPart(total, (a - (total - part)) + (b - part))


def product(a: float, b: float) -> TwoPart:
    """Returns the product of two numbers, exact to 106 bits (Dekker)."""
    first, second = upper(a), upper(b)
    a_rest, b_rest = a - first, b - second
    total = a * b
    return TwoPart(total, ((first * second - total) + (first * b_rest + a_rest * second)) + a_rest * b_rest)
