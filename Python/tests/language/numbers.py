"""Random expressions whose value is a number or a truth value."""

from __future__ import annotations

import math
from typing import Callable

from .dice import Dice, Table
from .kinds import BOOLS, FLOATS, GRID, HUGE, INTS, LARGE, REAL_GRID, SMALL, Function, Kind, Variable

INTERESTING = (0, 1, 2, 3, 5, 6, 7, 10, 16, 63, 100, 255, 999, 1000, 2**20, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1,
               10**15, 2**61)
REALS = (0.0, 0.5, 1.0, 0.1, 1.5, 2.25, 1e-9, 3.7, 12.5, 99.99, 1e3, 1e6, 1e9, 1e-300)


class Numbers:
    """Writes expressions. `depth` says how deep one may nest; `limit` is the largest size that the value may have."""

    def __init__(self, dice: Dice, accidents: float) -> None:
        self.dice = dice
        #: How likely an expression may end the run: an index that may be outside, a divisor that may be 0 ...
        self.accidents = accidents
        self.variables: list[Variable] = []
        self.functions: list[Function] = []
        self.has_random = False
        self.flags: list[str] = []
        #: How often the innermost loop's body may run in a trial.
        self.weight = 1
        #: About how many statements run.
        self.cost = 0

    # --- what is there -------------------------------------------------------

    def accident(self) -> bool:
        return self.dice.chance(self.accidents)

    def having(self, kind: Kind, limit: float = math.inf) -> list[Variable]:
        return [v for v in self.variables if v.kind.same(kind) and v.kind.limit <= limit]

    def calls(self, kind: Kind, limit: float) -> list[Function]:
        most = 120 / self.weight
        return [f for f in self.functions if f.result.same(kind) and f.result.limit <= limit and f.cost <= most
                and (self.has_random or not f.draws)]

    def call(self, function: Function, depth: int) -> str:
        self.cost += self.weight * function.cost
        words = [self.argument(kind, depth - 1) for kind in function.parameters]
        if function.draws:
            words.insert(0, "random")
        return f"{function.text}({', '.join(words)})"

    def argument(self, kind: Kind, depth: int) -> str:
        return self.value(kind, depth)

    def value(self, kind: Kind, depth: int) -> str:
        raise NotImplementedError

    def list_text(self, kind: Kind, depth: int) -> tuple[str, int]:
        raise NotImplementedError

    def element(self, kind: Kind, depth: int) -> str | None:
        """Returns an element of some list, or None if there is no such list."""
        lists = [v for v in self.variables if v.kind.name == "list" and v.kind.element.same(kind)]
        if lists and (row := self.dice.pick(lists)) and (row.length > 0 or self.accident()):
            return f"{row.text}[{self.index(row.text, row.length, depth - 1)}]"
        grids = self.having(GRID if kind.name == "int" else REAL_GRID) if kind.name != "bool" else []
        grids = [grid for grid in grids if grid.length > 0]
        if grids:
            text = self.dice.pick(grids).text
            row_text = f"{text}[{self.index(text, 1, depth - 1)}]"
            return f"{row_text}[{self.index(row_text, 1, 0)}]"
        tuples = [v for v in self.variables if v.kind.name == "tuple"]
        for v in tuples:
            for place, part in enumerate(v.kind.parts):
                if part.same(kind):
                    return f"{v.text}[{place}]"
        return None

    def index(self, text: str, length: int, depth: int) -> str:
        """Returns an index of a list that has at least `length` elements."""
        if self.accident():
            return self.integer(8, depth)
        if length > 0 and self.dice.chance(0.4):
            return str(self.dice.between(-length, length - 1))
        return f"{self.integer(HUGE if self.dice.chance(0.1) else SMALL, depth)} % len({text})"

    # --- whole numbers -------------------------------------------------------

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
            return f"({self.integer(SMALL, depth)} ** {self.integer(12, depth)})"
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

    def from_real(self, limit: int, depth: int) -> str:
        word = self.dice.pick(["int", "int", "round", "math.floor", "math.ceil", "math.trunc"])
        if self.accident():
            return f"{word}({self.real(1e19, depth)})"
        return f"{word}({self.real(max(1, min(limit - 1, 2**53)), depth)})"

    def of_list(self, kind: Kind, limit: float, depth: int) -> str | None:
        """Returns the sum, the least or the greatest of a list of numbers."""
        word = self.dice.pick(["sum", "min", "max"])
        if limit < 16 * SMALL:
            word = self.dice.pick(["min", "max"])
        if limit < SMALL:
            return None
        text, length = self.list_text(kind, depth)
        if kind.element.name == "int" and limit >= SMALL and self.dice.chance(0.1):
            return f"({text}).count({self.integer(SMALL, 1)})"
        if word != "sum" and length == 0 and not self.accident():
            return None
        return f"{word}({text})"

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
                              "random.normal(mean=2, deviation=3)"])
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

    def extreme(self, parts: list[str]) -> str:
        return f"{self.dice.pick(['min', 'max'])}({', '.join(parts)})"

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

    def bits(self, limit: int, depth: int) -> str:
        most = 2 ** (limit.bit_length() - 1) - 1
        return f"({self.integer(most, depth)} {self.dice.pick('&|^')} {self.integer(most, depth)})"

    def compare(self, first: str, second: str) -> str:
        return f"({first} {self.dice.pick(COMPARISONS)} {second})"

    def chain(self, depth: int) -> str:
        parts = [self.number(SMALL, depth) for _ in range(3)]
        return f"({parts[0]} {self.dice.pick(COMPARISONS)} {parts[1]} {self.dice.pick(COMPARISONS)} {parts[2]})"


COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]

#: Ways to write a whole number of at most `limit`; `d` is how deep its parts may nest.
WHOLE: Table[Callable[[Numbers, int, int], str]] = Table([
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

#: Ways to write a real number of at most `limit`.
REAL: Table[Callable[[Numbers, float, int], str]] = Table([
    (4, lambda s, limit, d: s.small_real(limit, d + 1)),
    (3, lambda s, limit, d: s.either(s.number(limit / 2, d), "+", s.real(limit / 2, d))),
    (3, lambda s, limit, d: s.either(s.number(limit / 2, d), "-", s.real(limit / 2, d))),
    (3, lambda s, limit, d: s.either(s.real(limit**0.5, d), "*", s.number(limit**0.5, d))),
    (2, lambda s, limit, d: f"({s.number(limit / 2, d)} / {s.real_divisor(d)})"),
    (2, lambda s, limit, d: f"({s.integer(min(limit, HUGE), d)} / {s.divisor(HUGE, d)})"),
    (1, lambda s, limit, d: f"({s.number(SMALL * SMALL, d)} % {s.real_divisor(d)})"
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
