"""Random expressions whose value is a whole number."""

from __future__ import annotations

import math
from typing import Callable

from .dice import Table
from .expressions import Expressions
from .kinds import HUGE, INTS, SMALL, Kind

INTERESTING = (0, 1, 2, 3, 5, 6, 7, 10, 16, 63, 100, 255, 999, 1000, 2**20, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1,
               10**15, 2**61)


class WholeNumbers(Expressions):
    """Writes whole numbers."""

    def integer(self, limit: float, depth: int) -> str:
        limit = int(limit)
        if depth <= 0 or limit < 4:
            return self.small_integer(limit, depth)
        calls = self.calls(Kind("int"), limit)
        if calls and self.dice.chance(0.1):
            return self.call(self.dice.pick(calls), depth)
        return WHOLE.pick(self.dice)(self, limit, depth - 1)

    def small_integer(self, limit: int, depth: int) -> str:
        """Returns something short: a constant, a variable, an element or a draw."""
        dice = self.dice
        variables = self.having(Kind("int"), limit)
        most = min(limit, SMALL)
        choices: list[tuple[float, Callable[[], str]]] = [(2, lambda: self.constant(limit))]
        if variables:
            choices.append((7, lambda: dice.pick(variables).text))
        if limit >= SMALL:
            choices.append((2, lambda: self.element(Kind("int"), depth) or self.constant(limit)))
        if limit >= 64 and any(v.kind.name == "list" for v in self.variables):
            choices.append((1, lambda: f"len({dice.pick([v.text for v in self.variables if v.kind.name == 'list'])})"))
        if limit >= 1:
            choices.append((0.7, lambda: f"int({self.boolean(depth - 1)})"))
        if self.has_random and limit >= 2:
            choices.append((2.5, lambda: self.whole_draw(most, depth)))
        return dice.weighted(choices)()

    def whole_draw(self, most: int, depth: int) -> str:
        dice = self.dice
        if self.accident():
            return f"random.below({self.integer(most, depth - 1)})"
        lists = [v for v in self.having(INTS) if v.length > 0] if most >= SMALL else []
        if lists and dice.chance(0.2):
            return f"random.choice({dice.pick(lists).text})"
        if dice.chance(0.4):
            low = dice.between(-most, most)
            return f"random.integer({low}, {dice.between(low, most)})"
        if dice.chance(0.15) and most > 3:
            return f"random.below(min(abs({self.integer(HUGE // 2, depth - 1)}) + 1, {most}))"
        if dice.chance(0.1):
            return f"random.pair({dice.between(1, most)}, {dice.between(1, 9)})[{dice.below(1)}]"
        if dice.chance(0.05) and most > 5:
            return f"random.below({dice.pick([2**32, 2**33, 2**40, 2**62 + 1])}) % {most}"
        if dice.chance(0.05) and most > 5:
            return f"random.next() % {most}"
        return f"random.below({dice.between(1, most)})"

    def constant(self, limit: int) -> str:
        if self.accident():
            return self.dice.pick(["9223372036854775807", "-9223372036854775808", "-2 ** 63", "4611686018427387904"])
        number = self.dice.pick([n for n in INTERESTING if n <= limit] or [0])
        if number > 3 and self.dice.chance(0.3):
            number = self.dice.below(number)
        return str(-number) if self.dice.chance(0.2) else str(number)

    def divisor(self, limit: float, depth: int) -> str:
        """Returns a whole number that is not 0."""
        limit = int(limit)
        if self.accident():
            return f"({self.integer(min(limit, 5), depth)})"
        if limit > 8 and self.dice.chance(0.5):
            sign = self.dice.pick(["", "-"])
            return f"({sign}(abs({self.integer(min(limit, HUGE) - 2, depth)}) + 1))"
        number = self.dice.between(1, min(limit, 100))
        return f"({-number})" if self.dice.chance(0.3) else str(number)

    def product(self, limit: int, depth: int) -> str:
        if self.accident():
            return f"({self.integer(HUGE, depth)} * {self.integer(HUGE, depth)})"
        left = self.dice.pick([3, 10, SMALL, 2**20, 2**31])
        left = min(left, limit // 2) or 1
        sides = [self.integer(left, depth), self.integer(limit // left, depth)]
        return f"({' * '.join(sides if self.dice.chance(0.5) else sides[::-1])})"

    def power(self, limit: int, depth: int) -> str:
        if self.accident():
            base, exponent = self.integer(SMALL, depth), self.integer(12, depth)
            if exponent.lstrip("(").startswith(("-", "~")):
                # A constant that is negative would make the power a real number.
                exponent = f"abs({exponent})"
            return f"({base} ** {exponent})"
        exponent = self.dice.between(0, 5)
        base = int(limit ** (1 / max(1, exponent)) * 0.999)
        if exponent > 1 and self.dice.chance(0.4):
            return f"({self.integer(base, depth)} ** ({self.integer(SMALL, depth)} % {exponent + 1}))"
        return f"({self.integer(base, depth)} ** {exponent})"

    def shift(self, most: int, depth: int) -> str:
        if self.accident():
            return f"({self.integer(80, depth)})"
        if self.dice.chance(0.5):
            return str(self.dice.between(0, most))
        return f"({self.integer(SMALL, depth)} % {most + 1})"

    def shift_left(self, limit: int, depth: int) -> str:
        most = self.dice.between(0, min(limit.bit_length() - 2, 40))
        if self.accident():
            most = 66
            return f"({self.integer(limit, depth)} << {self.shift(most, depth)})"
        return f"({self.integer(limit >> most, depth)} << {self.shift(most, depth)})"

    def bits(self, limit: int, depth: int) -> str:
        most = 2 ** (limit.bit_length() - 1) - 1
        return f"({self.integer(most, depth)} {self.dice.pick('&|^')} {self.integer(most, depth)})"

    def from_real(self, limit: int, depth: int) -> str:
        word = self.dice.pick(["int", "int", "round", "math.floor", "math.ceil", "math.trunc"])
        if self.accident():
            return f"{word}({self.real(1e19, depth)})"
        return f"{word}({self.real(max(1, min(limit - 1, 2**53)), depth)})"


#: Ways to write a whole number of at most `limit`; `d` is how deep its parts may nest.
WHOLE: Table[Callable[[WholeNumbers, int, int], str]] = Table([
    (4, lambda s, limit, d: s.small_integer(limit, d + 1)),
    (3, lambda s, limit, d: f"({s.integer(limit // 2, d)} + {s.integer(limit // 2, d)})"),
    (3, lambda s, limit, d: f"({s.integer(limit // 2, d)} - {s.integer(limit // 2, d)})"),
    (3, lambda s, limit, d: s.product(limit, d)),
    (1, lambda s, limit, d: f"(-{s.integer(limit, d)})"),
    (0.5, lambda s, limit, d: f"(~{s.integer(limit - 1, d)})"),
    (0.3, lambda s, limit, d: f"(+{s.integer(limit, d)})"),
    (1, lambda s, limit, d: f"abs({s.integer(limit, d)})"),
    (2, lambda s, limit, d: f"({s.integer(limit, d)} // {s.divisor(HUGE, d)})"),
    (3, lambda s, limit, d: f"({s.integer(HUGE, d)} % {s.divisor(limit, d)})"),
    (0.5, lambda s, limit, d: f"divmod({s.integer(limit, d)}, {s.divisor(limit, d)})[{s.dice.below(2)}]"),
    (1.5, lambda s, limit, d: s.bits(limit, d)),
    (0.7, lambda s, limit, d: s.shift_left(limit, d)),
    (0.7, lambda s, limit, d: f"({s.integer(limit, d)} >> {s.shift(70, d)})"),
    (1, lambda s, limit, d: s.power(limit, d)),
    (1, lambda s, limit, d: s.extreme([s.integer(limit, d) for _ in range(s.dice.between(2, 3))])),
    (1.5, lambda s, limit, d: f"({s.integer(limit, d)} if {s.boolean(d)} else {s.integer(limit, d)})"),
    (1.5, lambda s, limit, d: s.from_real(limit, d)),
    (1, lambda s, limit, d: s.of_list(INTS, limit, d) or s.integer(limit, d)),
    (0.5, lambda s, limit, d: f"math.gcd({s.integer(limit, d)}, {s.integer(limit, d)})"),
    (0.4, lambda s, limit, d: f"math.isqrt(abs({s.integer(min(limit**2, HUGE), d)}))"),
    (0.5, lambda s, limit, d: f"({s.integer(limit // 2, d)} + ({s.boolean(d)}))"),
    (0.2, lambda s, limit, d: f"math.factorial({s.integer(HUGE, d)} % 10)" if limit > 10**6 else s.integer(limit, d)),
    (0.2, lambda s, limit, d: f"math.comb({s.integer(HUGE, d)} % 20, {s.integer(HUGE, d)} % 20)"
     if limit > 10**6 else s.integer(limit, d)),
    (0.1, lambda s, limit, d: f"math.perm({s.integer(HUGE, d)} % 10, {s.integer(HUGE, d)} % 10)"
     if limit > 10**7 else s.integer(limit, d)),
    (0.1, lambda s, limit, d: f"math.lcm({s.integer(math.isqrt(limit), d)}, {s.integer(math.isqrt(limit), d)})"),
])
