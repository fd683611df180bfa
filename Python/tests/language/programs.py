"""Random programs: a simulation or a gathering with parameters, helpers, fields and readings."""

from __future__ import annotations

import struct
from typing import Callable, NamedTuple, Union

from .dice import Dice
from .kinds import (BOOL, FLOAT, FLOATS, GRID, HUGE, INT, INTS, MIXED, PAIR, REAL_TOTAL, SMALL, TOTAL, Function, Kind,
                    Variable)
from .statements import Statements

Value = Union[int, float, bool, str, tuple[str, ...]]

#: About how many statements all trials of a program run together.
MOST_WORK = 6000
#: Of ten programs, so many may end with an error.
ACCIDENTS = 3


class Setting(NamedTuple):
    """A parameter's line in the class, and its value in a run."""

    line: str
    word: str
    value: Value
    slot: int

    @property
    def typed(self) -> str:
        """The value as a user types it."""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        return ",".join(self.value) if isinstance(self.value, tuple) else str(self.value)


class Program(NamedTuple):
    """A file, and what to run of it."""

    source: str
    settings: list[Setting]
    seed: int
    first: int
    blocks: int
    trials: int
    is_gathering: bool
    #: Whether the program may end with an error. A constant beyond 64 bits is refused before it runs.
    has_accidents: bool


# Functions whose parameters may be whole or real numbers: the types follow from the calls. `{}` stands for `def NAME(`.
GENERAL = [
    ("clamp", 3, "    return min(max(x, y), z)"),
    ("gap", 2, "    d = x - y\n    if d < 0:\n        return -d\n    return d"),
    ("middle", 3, "    if x <= y <= z or z <= y <= x:\n        return y\n"
                  "    return x if y <= x <= z or z <= x <= y else z"),
    ("halved", 1, "    return x // 2"),
    ("first_above", 2, "    for k in (x, y):\n        if k > 3:\n            return k\n    return x"),
]

_RATES = ["0.25", "1 / 3", "-2.5e-1", "math.pi / 2", "math.sqrt(2)", "2.0 ** 0.5"]
_TABLES = ["[3, 1, 2]", "[5] * 4", "list(range(4))", "[k * k for k in range(4)]", "[0, -7, 1000]"]


class Writer(Statements):
    """Writes a program."""

    def __init__(self, seed: int) -> None:
        dice = Dice(seed)
        super().__init__(dice, 0.05 if dice.chance(ACCIDENTS / 10) else 0.0)
        self.seed = seed
        self.settings: list[Setting] = []
        self.is_gathering = dice.chance(0.1)
        #: Lines before the class, and within it.
        self.head: list[str] = []
        self.inside: list[str] = []

    # --- what trials read ----------------------------------------------------

    def constants(self) -> None:
        dice = self.dice
        if dice.chance(0.4):
            self.head.append(f"LIMIT = {dice.pick(['7', '2 * 3 + 1', '-40', '10 ** 2', '1 << 5'])}")
            self.add("LIMIT", INT, writable=False)
        if dice.chance(0.3):
            self.head.append(f"RATE = {dice.pick(_RATES)}")
            self.add("RATE", FLOAT, writable=False)
        if dice.chance(0.3):
            self.head.append(f"TABLE = {dice.pick(_TABLES)}")
            self.add("TABLE", INTS, 3, writable=False)
        if dice.chance(0.2):
            self.head.append("WALLS = [[1, 2], [3, 4], [5, 6]]")
            self.add("WALLS", GRID, 3, writable=False)
        if dice.chance(0.2):
            self.head.append("SHARES = (0.5, 2)")
            self.add("SHARES", Kind("tuple", 0, (FLOAT, INT)), writable=False)

    def parameters(self) -> None:
        dice = self.dice
        size = dice.between(1, 6)
        self.settings.append(Setting('size = Parameter(3, "how large", 1, 6)', "size", size, size))
        self.add("self.size", Kind("int", 6), writable=False)
        if dice.chance(0.5):
            level = dice.pick([dice.between(-SMALL, SMALL), SMALL, -SMALL, 0])
            line = f'level = Parameter({dice.between(-5, 5)}, "a level", {-SMALL}, {SMALL})'
            self.settings.append(Setting(line, "level", level, level % 2**64))
            self.add("self.level", INT, writable=False)
        if dice.chance(0.4):
            rate = dice.pick([0.0, 0.5, 1 / 3, -999.25, 1e-9, float(SMALL)])
            line = f'high_rate = Parameter(0.5, "a rate", {-SMALL}, {SMALL})'
            self.settings.append(Setting(line, "high-rate", rate, struct.unpack("<Q", struct.pack("<d", rate))[0]))
            self.add("self.high_rate", FLOAT, writable=False)
        if dice.chance(0.3):
            quick = dice.chance(0.5)
            line = 'quick = Parameter(False, "whether to stop early")'
            self.settings.append(Setting(line, "quick", quick, int(quick)))
            self.flags.append("self.quick")
        if dice.chance(0.3):
            names = ["call", "put", "both"]
            place = dice.below(3)
            line = 'kind = Parameter("call", "which of them", ["call", "put", "both"])'
            self.settings.append(Setting(line, "kind", names[place], place))
            self.flags += ['(self.kind == "call")', '(self.kind != "both")']
        if dice.chance(0.2):
            bits = dice.between(1, 3)
            chosen = tuple(name for place, name in enumerate(["ham", "olives"]) if bits >> place & 1)
            line = 'tops = Parameter(["ham"], "what is on it", ["ham", "olives"], count=(1, 2))'
            self.settings.append(Setting(line, "tops", chosen, bits))
            self.flags += ['("ham" in self.tops)', '("olives" not in self.tops)', "(len(self.tops) == 2)"]

    def prepare(self) -> None:
        dice = self.dice
        if not dice.chance(0.5):
            return
        before, kept = list(self.variables), []
        # Trials need what is made below.
        self.may_return = False
        lines = [line for _ in range(dice.between(0, 3)) for line in self.statement()]
        self.may_return = True
        if self.accident():
            lines += [f"if {self.boolean(2)}:", '    raise ValueError("these do not fit together")']
        for place in range(dice.between(1, 3)):
            kind = dice.pick([INT, FLOAT, BOOL, INTS, FLOATS, GRID, PAIR])
            name = f"self.made{place}"
            if kind.name == "list":
                text, length = self.new_list(kind, 2)
            else:
                text, length = self.value(kind, 2), 0
            lines.append(f"{name} = {text}")
            kept.append(Variable(name, kind, length, False))
        if dice.chance(0.25) and not self.is_gathering:
            weights = ", ".join(dice.several(1, 5, lambda: dice.pick(["1", "0", "2.5", "0.125", "3"])))
            lines.append(f"self.wheel = potluck.WeightedChoice([1, {weights}])")
            kept.append(Variable("self.wheel", Kind("wheel"), 0, False))
        self.variables = before + kept
        self.method("prepare(self)", lines)

    def method(self, head: str, lines: list[str]) -> None:
        self.inside += ["", f"def {head}:", *self.indented(lines or ["pass"])]

    # --- functions -----------------------------------------------------------

    def general(self) -> None:
        name, count, body = self.dice.pick(GENERAL)
        if any(line.startswith(f"def {name}(") for line in self.head):
            return
        self.head += ["", f"def {name}({', '.join('xyz'[:count])}):", *body.split("\n")]
        for kind in (INT, FLOAT):
            self.functions.append(Function(name, (kind,) * count, kind, False, 4))

    def helper(self) -> None:
        dice = self.dice
        name = f"help{len(self.functions)}"
        kinds = tuple(dice.pick([INT, FLOAT, BOOL, INTS, FLOATS, INT, PAIR, TOTAL]) for _ in range(dice.between(0, 3)))
        result = dice.pick([INT, FLOAT, BOOL, TOTAL, REAL_TOTAL, PAIR, MIXED, FLOAT, INT])
        draws, is_method = dice.chance(0.4), dice.chance(0.5)
        before = (self.variables, self.has_random, self.result, self.cost, self.flags)
        functions = self.functions
        self.functions = [f for f in functions if is_method or not f.text.startswith("self.")]
        outside = [v for v in self.variables if is_method or not v.text.startswith("self.")]
        words = [f"p{place}" for place in range(len(kinds))]
        parameters = [Variable(word, kind, 1 if kind.name == "list" else 0) for word, kind in zip(words, kinds)]
        self.variables, self.has_random, self.result, self.cost = outside + parameters, draws, result, 0
        self.flags = self.flags if is_method else []
        tallies, self.tallies = self.tallies, []
        lines = [line for _ in range(dice.between(0, 4)) for line in self.statement()]
        lines.append(f"return {self.value(result, 3)}")
        if dice.chance(0.2):
            lines[:0] = ['"""Helps."""']
        cost = self.cost + 1
        self.variables, self.has_random, self.result, self.cost, self.flags = before
        self.tallies, self.functions = tallies, functions
        given = (["self"] if is_method else []) + (["random"] if draws else []) + words
        # Calls give lists that have an element, so a list may be read at 0.
        text = f"{name}({', '.join(given)})"
        if is_method:
            self.method(text, lines)
        else:
            self.head += ["", f"def {text}:", *self.indented(lines)]
        self.functions.append(Function(f"self.{name}" if is_method else name, kinds, result, draws, cost))

    # --- the tally -----------------------------------------------------------

    def fields(self) -> list[str]:
        dice, lines = self.dice, []
        i, x, b = (lambda: self.integer(HUGE, 2)), (lambda: self.real(1e9, 2)), (lambda: self.boolean(2))
        number: Callable[[], str] = lambda: dice.pick([i, x, i, x, lambda: self.mixed(2**53, 2)])()

        def field(name: str, made: str, *ways: Callable[[], str]) -> None:
            lines.append(f"{name} = {made}")
            self.tallies += [lambda way=way: f"self.{name}.{way()}" for way in ways]  # type: ignore[misc]

        field("hits", "Count()", lambda: f"add({b()})", lambda: f"add(abs({self.integer(SMALL, 2)}))", lambda: "add()")
        if dice.chance(0.6):
            field("total", "ExactSum()", lambda: f"add({i()})", lambda: f"add({x()})",
                  lambda: f"add_square({number()})")
        if dice.chance(0.7):
            field("whole", "Moments()", lambda: f"add({self.integer(SMALL, 2)})", lambda: f"add({i()})")
        if dice.chance(0.6):
            field("real", "Moments()", lambda: f"add({x()})", lambda: f"add({number()})")
        if dice.chance(0.4):
            field("least", "Minimum()", lambda: f"add({number()})")
        if dice.chance(0.4):
            field("most", "Maximum()", lambda: f"add({number()})")
        if dice.chance(0.4):
            bins, low = dice.between(1, 20), dice.between(-5, 5)
            made = f"Histogram({bins}, {low}, {low + dice.between(1, 20)})"
            field("spread", made, lambda: f"add({self.real(20, 2)})", lambda: f"add({self.integer(30, 2)})")
        if dice.chance(0.3):
            field("both", "Comoments(2)", lambda: f"add({x()}, {i()})", lambda: f"add({number()}, {number()})")
        if dice.chance(0.3):
            field("pairs", "Pairs()", lambda: f"add({self.real(20, 2)}, {self.integer(30, 2)})")
        if dice.chance(0.3):
            field("quantiles", "Quantiles()", lambda: f"add({number()})", lambda: f"add({self.integer(30, 2)})")
        if dice.chance(0.3):
            field("parts", 'Counts("one", "two", "three")', lambda: f"add({self.integer(1, 2)})",
                  lambda: f"add({self.integer(30, 2)} % 3)")
        if dice.chance(0.3):
            field("times", "Series(3)", lambda: f"add({self.integer(1, 2)} % 3, {x()})",
                  lambda: f"add({self.integer(30, 2)} % 3, {i()})")
        return lines

    def counted(self) -> list[str]:
        """Returns statements that put everything into the tally that a trial has computed."""
        lines = []
        for v in self.variables:
            if v.text.startswith(("self.", "LIMIT", "RATE", "TABLE", "WALLS", "SHARES")):
                continue
            lines += self.count(v.text, v.kind)
        return lines

    def count(self, text: str, kind: Kind) -> list[str]:
        fields = [line.split(" = ")[0] for line in self.declared]
        numbers = [name for name in fields if name in ("total", "real", "whole", "least", "most", "spread", "quantiles")]
        if kind.name == "bool":
            return [f"self.hits.add({text})"]
        if kind.name in ("int", "float") and numbers:
            return [f"self.{self.dice.pick(numbers)}.add({text})"]
        if kind.name == "tuple":
            return [line for place, part in enumerate(kind.parts) for line in self.count(f"{text}[{place}]", part)]
        if kind.name == "list" and kind.element.name in ("int", "float", "bool") and numbers:
            # One name for elements of several types.
            name = "each"
            return [f"for {name} in {text}:", *self.indented(self.count(name, kind.element))]
        if kind.name == "list" and kind.element.name == "list" and numbers:
            return [f"for row in {text}:", *self.indented(self.count("row", kind.element))]
        return []

    # --- the whole -----------------------------------------------------------

    def trial(self) -> list[str]:
        self.has_random = True
        if any(v.text == "self.wheel" for v in self.variables):
            self.variables = [v for v in self.variables if v.text != "self.wheel"]
            spun = ["spun = self.wheel.draw(random)"]
            self.add("spun", Kind("int", 8))
        else:
            spun = []
        lines = [line for _ in range(self.dice.between(2, 9)) for line in self.statement()]
        return spun + lines + self.counted()

    def readings(self) -> list[str]:
        dice = self.dice
        if not self.is_gathering and dice.chance(0.6):
            return []
        before, self.has_random = self.variables, False
        self.variables = [v for v in before if v.text in ("self.size", "self.level", "self.high_rate", "LIMIT", "RATE")]
        self.functions = [f for f in self.functions if not f.draws and not f.text.startswith("self.")]
        parts = []
        if not self.is_gathering:
            parts.append(f'proportion("hits", hits, exact=lambda self: {self.real(SMALL, 2)})')
            parts.append('derived("twice", proportion("hits", hits), lambda self, p: 2 * p)')
        fields = {line.split(" = ")[0] for line in self.declared}
        if "both" in fields:
            parts += ['ratio("ratio", both, 1, 0)', 'derived("mixed", both, lambda self, x, y: x * y + 3 / (x - 7))']
        if "pairs" in fields:
            parts += [f'{rule}("{rule}", pairs)' for rule in ("covariance", "correlation", "slope", "intercept")]
        if "quantiles" in fields:
            parts += ['median("median", quantiles)', f'quantile("far", quantiles, {dice.between(1, 99)} / 100)',
                      f'expected_shortfall("beyond", quantiles, {dice.between(1, 99)} / 100)']
        if "parts" in fields:
            parts.append(f"proportions(parts, exact=lambda self: [{self.real(SMALL, 2)}, 0.5, {self.real(SMALL, 2)}])")
        if "times" in fields:
            parts.append('series("times", times)')
        extra = self.real(SMALL, 2)
        parts.append(f'derived("all", lambda self, tally, trials: tally.hits.value / trials + {extra})')
        loops = self.loops() if dice.chance(0.5) else []
        self.variables = before
        return ["", f"readings = [{', '.join(parts)}]", *loops]

    def loops(self) -> list[str]:
        """Returns loops that add readings."""
        numbers = [self.dice.pick([1, 2, 3, -1, 0.5, -0.0, 1e9]) for _ in range(self.dice.between(0, 3))]
        made = 'derived(f"loop {place} of {number!r}", lambda self, tally, trials, n=number: tally.hits.value * n + {})'
        inner = 'derived(f"{again:+03d} in {place}", lambda self, tally, trials, a=again, n=number: n ** a - tally.hits.value)'
        return [
            f"for place, number in enumerate({tuple(numbers)}):",
            "    readings.append(" + made.replace("{})", self.real(SMALL, 2) + ")") + ")",
            f"    for again in range({self.dice.between(-2, 0)}, 2):",
            f"        readings += [{inner}]"]

    def block_function(self) -> list[str]:
        """Returns the body of a gathering's block."""
        writes, dice = self.writes, self.dice
        self.has_random = True
        self.add("unit", Kind("int", 100))
        out: list[str] = []
        if writes == "text":
            for _ in range(dice.between(1, 3)):
                value = self.integer(HUGE, 1) if dice.chance(0.5) else self.real(1e12, 1)
                out.append(f"output.{dice.pick(['write', 'line'])}({value})")
            out.append(dice.pick(['output.write(" and ")', 'output.line("end")', "output.line(unit)"]))
        elif writes == "rows":
            out = [f"output.put({self.real(1e12, 1)})" for _ in range(2)]
        # A unit that is left early would write fewer numbers of a row than others.
        lines = [line for _ in range(dice.between(1, 4)) for line in self.statement()] + self.counted()
        return ["for unit in units:", *self.indented(out + lines)]

    def program(self) -> Program:
        dice = self.dice
        self.constants()
        self.parameters()
        for _ in range(dice.between(0, 2)):
            self.general()
        if dice.chance(0.3):
            self.helper()
        self.prepare()
        for _ in range(dice.between(0, 3)):
            self.helper()
        self.declared = self.fields()
        self.writes = dice.pick(["text", "rows", "nothing"])
        body = ['"""A random program."""', *[setting.line for setting in self.settings], *self.declared]
        trials = 0
        if self.is_gathering:
            body += [f"writes = '{self.writes}'", "block_size = 8"]
            units = dice.between(1, 40)
            self.method("units(self)", [f"return {units}"])
            self.in_loop, self.weight = False, 1
            lines = self.block_function()
            self.method("block(self, units, random, output)", lines)
            trials = units
        else:
            body.append(dice.pick(["block_size = 16", "steps = 100_000"]))
            self.method("trial(self, random)", self.trial())
            most = max(3, MOST_WORK // max(1, self.cost))
            trials = min(dice.between(17, 45), most)
        inside = body + self.inside + self.readings()
        name = "Gathering" if self.is_gathering else "Simulation"
        fields = "Comoments, Count, Counts, ExactSum, Histogram, Maximum, Minimum, Moments, Pairs, Quantiles, Series, Parameter"
        readings = "correlation, covariance, derived, expected_shortfall, intercept, median, proportion, quantile, ratio, slope"
        readings += ", proportions, series"
        source = ["import math", "import potluck", f"from potluck import {fields}, {readings}", "", *self.head, "",
                  f"class Program(potluck.{name}):", *self.indented(inside)]
        size = 8 if self.is_gathering else 16
        blocks = (trials + size - 1) // size
        text = "\n".join(source) + "\n"
        return Program(text, self.settings, dice.below(2**31), 0, blocks, trials, self.is_gathering, self.accidents > 0)


def program(seed: int) -> Program:
    """Returns the random program of a seed."""
    return Writer(seed).program()


__all__ = ["Program", "Setting", "program"]
