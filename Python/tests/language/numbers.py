"""Random expressions whose value is a number or a truth value."""

from __future__ import annotations

import math
from typing import Callable

from .dice import Table
from .kinds import BOOLS, FLOATS, HUGE, INTS, LARGE, SMALL, Kind
from .whole import WholeNumbers

REALS = (0.0, 0.5, 1.0, 0.1, 1.5, 2.25, 1e-9, 3.7, 12.5, 99.99, 1e3, 1e6, 1e9, 1e-300)


class Numbers(WholeNumbers):
    """Writes real numbers and truth values, too."""

    # --- real numbers --------------------------------------------------------

    def real(self, limit: float, depth: int) -> str:
        if depth <= 0 or limit < 1:
            return self.small_real(limit, depth)
        calls = self.calls(Kind("float"), limit)
        if calls and self.dice.chance(0.1):
            return self.call(self.dice.pick(calls), depth)
        return REAL.pick(self.dice)(self, limit, depth - 1)

    def mixed(self, limit: float, depth: int) -> str:
        """Returns an expression that is a whole number or a real one. A module must not lose a bit of it."""
        parts = [self.integer(min(limit, HUGE), depth), self.real(limit, depth)]
        if self.dice.chance(0.5):
            parts.reverse()
        if self.dice.chance(0.5):
            return self.extreme(parts)
        return f"({parts[0]} if {self.boolean(depth)} else {parts[1]})"

    def either(self, first: str, operator: str, second: str) -> str:
        pair = [first, second] if self.dice.chance(0.5) else [second, first]
        return f"({pair[0]} {operator} {pair[1]})"

    def number(self, limit: float, depth: int) -> str:
        """Returns a real number, or now and then a whole one in its place."""
        if self.dice.chance(0.35):
            return self.integer(min(limit, HUGE), depth)
        return self.real(limit, depth)

    def small_real(self, limit: float, depth: int) -> str:
        dice = self.dice
        variables = self.having(Kind("float"), limit)
        choices: list[tuple[float, Callable[[], str]]] = [(2, lambda: self.real_constant(limit))]
        if variables:
            choices.append((7, lambda: dice.pick(variables).text))
        if limit >= SMALL:
            choices.append((2, lambda: self.element(Kind("float"), depth) or self.real_constant(limit)))
        if self.has_random and limit >= 1:
            choices.append((3, lambda: self.real_draw(limit, depth)))
        return dice.weighted(choices)()

    def real_draw(self, limit: float, depth: int) -> str:
        dice = self.dice
        if limit >= 50 and dice.chance(0.5):
            return dice.pick(["random.normal()", "random.exponential()", "random.real(-2.5, 7.25)",
                              f"random.real({dice.between(-9, 9)}, {dice.between(10, 30)})",
                              "random.normal(1.5, 0.25)", "random.exponential(0.5)",
                              "random.normal(mean=2, deviation=3)", *DISTRIBUTIONS])
        return "random.unit()"

    def real_constant(self, limit: float) -> str:
        if self.accident():
            return self.dice.pick(["1e300", "math.inf", "math.nan", "-1e308", "9.3e18", "-0.0"])
        if limit >= 4 and self.dice.chance(0.15):
            return self.dice.pick(["math.pi", "math.e"])
        number = self.dice.pick([x for x in REALS if x <= limit] or [0.0])
        return repr(-number) if self.dice.chance(0.2) else repr(number)

    def real_divisor(self, depth: int) -> str:
        """Returns a real number of at least 0.5 in size."""
        if self.accident():
            return f"({self.real(2, depth)})"
        if self.dice.chance(0.5):
            return f"({self.dice.pick(['', '-'])}(abs({self.real(SMALL, depth)}) + 0.5))"
        return self.dice.pick(["2.0", "0.75", "10.0", "3", "(-1.5)", "7"])

    def logarithm(self, limit: float, depth: int) -> str:
        word = self.dice.pick(["log", "log", "log2", "log10"])
        if self.accident():
            return f"math.{word}({self.real(SMALL, depth)})"
        if limit < 60:
            return self.small_real(limit, depth)
        return f"math.{word}(abs({self.number(1e15, depth)}) + 0.25)"

    # --- truth values --------------------------------------------------------

    def boolean(self, depth: int) -> str:
        if depth <= 0:
            return self.small_boolean(depth)
        calls = self.calls(Kind("bool"), 0)
        if calls and self.dice.chance(0.1):
            return self.call(self.dice.pick(calls), depth)
        return TRUTH.pick(self.dice)(self, depth - 1)

    def joined(self, depth: int) -> str:
        word = self.dice.pick([" and ", " or "])
        return f"({word.join(self.dice.several(2, 3, lambda: self.boolean(depth)))})"

    def compare_lists(self, depth: int) -> str:
        if self.dice.chance(0.5):
            pairs = [f"({self.integer(SMALL, depth)}, {self.integer(10, depth)})" for _ in range(2)]
            return f"({pairs[0]} {self.dice.pick(['==', '!='])} {pairs[1]})"
        return f"({self.list_text(INTS, depth)[0]} {self.dice.pick(['==', '!='])} {self.list_text(INTS, depth)[0]})"

    def some_limit(self) -> int:
        return self.dice.pick([10, SMALL, LARGE, HUGE])

    def container(self, depth: int) -> str:
        dice = self.dice
        if dice.chance(0.5):
            return f"({', '.join(dice.several(2, 4, lambda: self.integer(SMALL, 0)))})"
        if dice.chance(0.4):
            return f"range({self.integer(9, 0)}, {self.integer(40, 0)}{dice.pick(['', ', 2', ', 3'])})"
        return self.list_text(INTS, depth)[0]

    def small_boolean(self, depth: int) -> str:
        dice = self.dice
        variables = self.having(Kind("bool"))
        choices: list[tuple[float, Callable[[], str]]] = [
            (0.5, lambda: dice.pick(["True", "False"])),
            (2, lambda: f"({self.integer(SMALL, 0)} < {self.integer(SMALL, 0)})"),
            (0.7, lambda: self.element(Kind("bool"), depth) or "True"),
        ]
        if self.flags:
            choices.append((1, lambda: dice.pick(self.flags)))
        if variables:
            choices.append((5, lambda: dice.pick(variables).text))
        if self.has_random:
            choices.append((2, lambda: dice.pick(["random.coin()", "random.chance(0.5)", "random.chance(1 / 3)"])))
        return dice.weighted(choices)()

    def compare(self, first: str, second: str) -> str:
        return f"({first} {self.dice.pick(COMPARISONS)} {second})"

    def chain(self, depth: int) -> str:
        parts = [self.number(SMALL, depth) for _ in range(3)]
        return f"({parts[0]} {self.dice.pick(COMPARISONS)} {parts[1]} {self.dice.pick(COMPARISONS)} {parts[2]})"


COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]

#: Ways to write a real number of at most `limit`.
REAL: Table[Callable[[Numbers, float, int], str]] = Table([
    (4, lambda s, limit, d: s.small_real(limit, d + 1)),
    (3, lambda s, limit, d: s.either(s.number(limit / 2, d), "+", s.real(limit / 2, d))),
    (3, lambda s, limit, d: s.either(s.number(limit / 2, d), "-", s.real(limit / 2, d))),
    (3, lambda s, limit, d: s.either(s.real(limit**0.5, d), "*", s.number(limit**0.5, d))),
    (2, lambda s, limit, d: f"({s.number(limit / 2, d)} / {s.real_divisor(d)})"),
    (2, lambda s, limit, d: f"({s.integer(min(limit, HUGE), d)} / {s.divisor(HUGE, d)})"),
    # Of two whole numbers the remainder would be whole, too.
    (1, lambda s, limit, d: f"({s.number(SMALL * SMALL, d)} % float({s.real_divisor(d)}))"
     if limit > 2000 else s.real(limit, d)),
    (0.7, lambda s, limit, d: f"({s.real(limit / 4, d)} // {s.real_divisor(d)})"),
    (1, lambda s, limit, d: f"(-{s.real(limit, d)})"),
    (1, lambda s, limit, d: f"abs({s.real(limit, d)})"),
    (1, lambda s, limit, d: f"float({s.integer(min(limit, HUGE), d)})"),
    (1, lambda s, limit, d: s.extreme([s.real(limit, d) for _ in range(s.dice.between(2, 3))])),
    (1.5, lambda s, limit, d: f"({s.real(limit, d)} if {s.boolean(d)} else {s.real(limit, d)})"),
    (1, lambda s, limit, d: s.of_list(FLOATS, limit, d) or s.real(limit, d)),
    (1, lambda s, limit, d: f"math.sqrt(abs({s.number(min(limit, 1e30), d)}))"),
    (1.5, lambda s, limit, d: f"math.{s.dice.pick(['sin', 'cos', 'atan'])}({s.number(1e6, d)})"),
    (0.5, lambda s, limit, d: f"math.{s.dice.pick(['asin', 'acos'])}(max(-1.0, min(1.0, {s.real(limit, d)})))"),
    (0.3, lambda s, limit, d: f"math.tan({s.real(1e3, d)})" if limit > 1e17 else s.real(limit, d)),
    (1, lambda s, limit, d: f"math.{s.dice.pick(['tanh', 'erf', 'cbrt'])}({s.real(limit, d)})"),
    (0.3, lambda s, limit, d: f"math.hypot({s.number(limit * 0.7, d)}, {s.number(limit * 0.7, d)})"),
    (0.3, lambda s, limit, d: f"math.{s.dice.pick(['expm1', 'sinh', 'cosh'])}({s.real(math.log(limit), d)})"),
    (0.3, lambda s, limit, d: f"math.log1p(abs({s.number(limit, d)}))" if limit > 60 else s.real(limit, d)),
    (0.3, lambda s, limit, d: f"math.{s.dice.pick(['gamma', 'lgamma'])}(abs({s.real(10, d)}) + 0.5)"
     if limit > 2e7 else s.real(limit, d)),
    (0.5, lambda s, limit, d: f"math.atan2({s.number(1e6, d)}, {s.number(1e6, d)})"),
    (1, lambda s, limit, d: f"math.exp({s.real(math.log(limit), d)})"),
    (1.5, lambda s, limit, d: s.logarithm(limit, d)),
    (0.7, lambda s, limit, d: f"({s.real(limit**0.5 * 0.99, d)} ** 2)"),
    (0.5, lambda s, limit, d: f"({s.number(limit, d)} ** 0.5)"
     if s.accident() else f"(abs({s.real(limit, d)}) ** 0.5)"),
    (0.5, lambda s, limit, d: f"((abs({s.real(10, d)}) + 0.5) ** {s.number(3, d)})"
     if limit > 2000 else s.real(limit, d)),
    (0.2, lambda s, limit, d: f"({s.divisor(SMALL, d)} ** -{s.dice.between(1, 3)})"),
    (0.3, lambda s, limit, d: f"math.fmod({s.real(limit, d)}, {s.real_divisor(d)})"),
    (0.3, lambda s, limit, d: f"math.fabs({s.number(limit, d)})"),
    (0.2, lambda s, limit, d: f"math.degrees({s.real(limit / 58, d)})" if limit > 58 else s.real(limit, d)),
    (0.2, lambda s, limit, d: f"math.radians({s.number(limit, d)})"),
    (0.2, lambda s, limit, d: f"math.log({s.real(50, d)} ** 2 + 1, {s.dice.between(2, 12)})"
     if limit > 60 else s.real(limit, d)),
    (0.3, lambda s, limit, d: f"math.pow(abs({s.real(10, d)}) + 0.5, {s.number(3, d)})"
     if limit > 2000 else s.real(limit, d)),
    (0.2, lambda s, limit, d: f"math.copysign({s.real(limit, d)}, {s.real(limit, d)})"),
])

#: Draws that are made of others, of numbers below 50.
DISTRIBUTIONS = [
    "random.log_normal(0, 0.25)", "random.weibull(1.5)", "random.triangular(0, 1, 3)", "random.gamma(0.5)",
    "random.gamma(2, scale=0.5)", "random.beta(2, 0.3)", "random.chi_squared(1)",
    "max(-9.0, min(9.0, random.student_t(4)))",
    "float(random.geometric(0.75))", "float(random.poisson(2.5))", "float(random.poisson(11))",
    "float(random.binomial(9, 0.25))", "float(random.binomial(40, 0.6))", "float(random.negative_binomial(1.5, 0.75))",
    "random.lattice(64, 2).unit(63, 1)", "random.lattice(256, 3).normal(7, 2)"]

#: Ways to write a truth value.
TRUTH: Table[Callable[[Numbers, int], str]] = Table([
    (2, lambda s, d: s.small_boolean(d + 1)),
    (4, lambda s, d: s.compare(s.integer(s.some_limit(), d), s.integer(s.some_limit(), d))),
    (2, lambda s, d: s.compare(s.real(SMALL, d), s.real(SMALL, d))),
    (1.5, lambda s, d: s.compare(s.number(HUGE, d), s.number(HUGE, d))),
    (0.3, lambda s, d: s.compare(s.mixed(2**53, d), s.number(HUGE, d))),
    (1.5, lambda s, d: s.chain(d)),
    (1.5, lambda s, d: f"(not {s.boolean(d)})"),
    (2.5, lambda s, d: s.joined(d)),
    (0.5, lambda s, d: f"({s.boolean(d)} {s.dice.pick(['==', '!='])} {s.boolean(d)})"),
    (1, lambda s, d: f"({s.integer(SMALL, d)} {s.dice.pick(['in', 'not in'])} {s.container(d)})"),
    (0.5, lambda s, d: f"({s.boolean(d)} if {s.boolean(d)} else {s.boolean(d)})"),
    (0.5, lambda s, d: f"{s.dice.pick(['any', 'all'])}({s.list_text(BOOLS, d)[0]})"),
    (0.3, lambda s, d: f"({s.boolean(d)} {s.dice.pick('&|^')} {s.boolean(d)})"),
    (0.4, lambda s, d: s.compare_lists(d)),
    (0.3, lambda s, d: f"{s.dice.pick(['any', 'all'])}({s.boolean(d)} for _ in range({s.dice.between(0, 4)}))"),
    (0.3, lambda s, d: f"math.{s.dice.pick(['isnan', 'isinf', 'isfinite'])}({s.real(1e300, d)})"),
])
