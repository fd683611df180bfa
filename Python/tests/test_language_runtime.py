"""The runtime's functions, called from modules that are assembled by hand and run by the program."""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction
from typing import Callable, Sequence

from potluck._kit import functions
from potluck._kit.random import Random, WeightedChoice
from potluck._kit.tally import ExactSum, Maximum, Minimum, Moments
from potluck._language.declaration import Field
from potluck._language.describe import describe
from potluck._language.link import Code
from potluck._language.wasm import F64, I32, I64

from .assembled import (
    F64_BITS,
    I64_EXTEND,
    Call,
    bits,
    calculated,
    call,
    constant,
    declaration,
    get,
    long,
    number,
    output,
    program,
    put,
    ready,
    real,
    word,
)
from .support import ROOT, ProgramTest

#: How far a function of the kit may be from the exact result, in units of the last bit; see Tests/Kit/MathsTable.swift.
BOUNDS = {
    "log": 0.52, "exp": 0.53, "sin": 0.85, "cos": 0.85, "pow": 0.6, "cbrt": 0.67, "hypot": 0.51, "log1p": 0.7,
    "expm1": 0.9, "sinh": 0.9, "cosh": 0.9, "tanh": 0.9, "erf": 0.95, "erfc": 2.3, "gamma": 1.4, "lgamma": 1.4,
}  # fmt: skip

LEAST, MOST = -(1 << 63), (1 << 63) - 1
SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
    math.inf, -math.inf, math.nan,
]  # fmt: skip
EDGES = [
    0, 1, -1, 2, -2, 3, 10, -10, (1 << 31) - 1, 1 << 31, -(1 << 31), (1 << 32) + 1, (1 << 53) - 1, 1 << 53,
    (1 << 53) + 1, -(1 << 53) - 1, 3037000499, 3037000500, -3037000500, MOST, MOST - 1, LEAST, LEAST + 1,
]  # fmt: skip


def table() -> dict[str, list[tuple[list[float], float, float]]]:
    """Returns the kit's table: of each function the arguments, the correctly rounded result, and what it lacks.

    What it lacks is in units of its last bit.
    """
    rows: dict[str, list[tuple[list[float], float, float]]] = {}
    for line in (ROOT / "Tests/Kit/maths-table.txt").read_text().splitlines():
        name, *words, rest = line.split()
        *arguments, result = (struct.unpack(">d", bytes.fromhex(each))[0] for each in words)
        rows.setdefault(name, []).append((arguments, result, int(rest) / 1000))
    return rows


def integers(dice: random.Random) -> int:
    """Returns an integer of any size, often near a power of two."""
    size = dice.getrandbits(dice.randrange(64))
    return max(LEAST, min(MOST, dice.choice((size, -size, (1 << dice.randrange(64)) + dice.randrange(-2, 3)))))


def reals(dice: random.Random) -> float:
    return dice.choice((
        dice.choice(SPECIAL[:-3]), dice.uniform(-10, 10), float(integers(dice)),
        dice.uniform(-1, 1) * 10.0 ** dice.randrange(-300, 300),
    ))  # fmt: skip


class RuntimeTest(ProgramTest):
    def results(self, function: str, types: Sequence[int], result: int, rows: Sequence[Sequence[float]]) -> list[int]:
        return calculated([Call(function, types, result, rows)], self.folder)[0]

    def assertSame(
        self,
        function: str,
        types: Sequence[int],
        result: int,
        rows: Sequence[Sequence[float]],
        expected: Callable[..., float],
    ) -> None:
        """Checks that a function of the runtime gives the bits of another one."""
        for row, slot in zip(rows, self.results(function, types, result, rows)):
            wanted = expected(*row)
            if result == F64:
                given, shown = number(slot), float(wanted)
                self.assertTrue(slot == bits(shown) or given != given and shown != shown, (function, row, given, shown))
            else:
                self.assertEqual(slot, wanted, (function, row))


class FunctionsTests(RuntimeTest):
    def test_functions_are_as_near_to_the_table_as_the_kit_promises(self) -> None:
        rows = table()
        self.assertEqual(set(rows), set(BOUNDS))
        calls = [
            Call(f"rt_{name}", [F64] * len(each[0][0]), F64, [row[0] for row in each]) for name, each in rows.items()
        ]
        for (name, each), slots in zip(rows.items(), calculated(calls, self.folder)):
            self.assertGreater(len(each), 150)
            for (arguments, result, rest), slot in zip(each, slots):
                value = number(slot)
                if math.isfinite(result) and math.isfinite(value):
                    error = (Fraction(value) - Fraction(result)) / Fraction(math.ulp(result)) - Fraction(rest)
                    self.assertLessEqual(abs(error), BOUNDS[name], (name, arguments))
                else:
                    self.assertEqual(value, result, (name, arguments))

    def test_functions_give_the_bits_of_the_reference(self) -> None:
        dice = random.Random(5)
        for name in functions.__all__:
            reference = getattr(functions, name)
            count = 2 if name in ("pow", "atan2", "hypot") else 1
            rows = [
                [first] if count == 1 else [first, second]
                for first in SPECIAL
                for second in (SPECIAL if count == 2 else [0])
            ]
            rows += [row for row, _, _ in table().get(name, [])]
            rows += [[dice.choice((reals(dice), dice.uniform(-1, 1))) for _ in range(count)] for _ in range(1000)]
            self.assertSame(f"rt_{name}", [F64] * count, F64, rows, reference)


class ArithmeticTests(RuntimeTest):
    def test_a_quotient_of_integers_is_rounded_once(self) -> None:
        dice = random.Random(1)
        rows = [[a, b] for a in EDGES for b in EDGES if b]
        rows += [[integers(dice), integers(dice) or 1] for _ in range(3000)]
        self.assertSame("rt_int_divide", [I64, I64], F64, rows, lambda a, b: a / b)

    def test_integers_and_reals_compare_exactly(self) -> None:
        dice = random.Random(2)
        reals_near = [float(n) + step for n in EDGES for step in (0, 0.5, -0.5)] + SPECIAL
        rows: list[list[float]] = [[n, x] for n in EDGES for x in reals_near]
        rows += [[integers(dice), reals(dice)] for _ in range(2000)]
        self.assertSame("rt_compare", [I64, F64], I32, rows, lambda n, x: 2 if x != x else (n > x) - (n < x))

    def test_a_product_that_does_not_fit_is_noticed(self) -> None:
        dice = random.Random(3)
        rows = [[a, b] for a in EDGES for b in EDGES]
        rows += [[integers(dice), integers(dice)] for _ in range(3000)]
        self.assertSame("rt_mul_overflows", [I64, I64], I32, rows, lambda a, b: int(not LEAST <= a * b <= MOST))

    def test_remainders_of_reals_are_those_of_python(self) -> None:
        dice = random.Random(4)
        finite = SPECIAL[:-3]
        rows = [[x, y] for x in finite for y in [*finite, math.inf, -math.inf] if y]
        rows += [[reals(dice), reals(dice) or 1.0] for _ in range(3000)]
        self.assertSame("rt_fmod", [F64, F64], F64, rows, math.fmod)
        self.assertSame("rt_float_mod", [F64, F64], F64, rows, lambda x, y: x % y)
        self.assertSame("rt_float_floordiv", [F64, F64], F64, rows, lambda x, y: x // y)


class SumsTests(RuntimeTest):
    def test_sums_have_the_slots_and_values_of_the_reference(self) -> None:
        for seed in range(4):
            dice = random.Random(seed)
            total, moments = ExactSum(), Moments()
            made = program()
            work = declaration("collect", "text", fields=[Field("total", "sum"), Field("moments", "moments")])
            describe(made, work)
            ready(made, 1, 1)
            sum_at, moments_at = (field.address for field in work.fields)
            code = b""

            def add(function: str, address: int, value: float) -> None:
                nonlocal code
                argument = long(value) if isinstance(value, int) else real(value)
                code += constant(address) + argument + call(made.function(function))

            for _ in range(700):
                x = dice.choice(
                    (reals(dice), dice.uniform(-3e9, 3e9), dice.uniform(-1, 1) * 2.0 ** -dice.randrange(150))
                )
                x = x if abs(x) < 3e9 else math.fmod(x, 3e9)
                n = integers(dice) % 6_000_000_000 - 3_000_000_000
                add("rt_sum_rare", sum_at, x)
                total.add(x)
                add("rt_sum_add_square", sum_at, x)
                total.add_square(x)
                add("rt_sum_add_square_int", sum_at, n)
                total.add_square(n)
                add("rt_moments_rare", moments_at, x)
                moments.add(x)
                add("rt_moments_add_int", moments_at, n)
                moments.add(n)
            code += constant(moments_at) + call(made.function("rt_moments_fold"))
            line = call(made.function("rt_out_int")) + call(made.function("rt_out_newline"))
            for function, address in (
                ("sum_value", sum_at),
                ("moments_mean", moments_at),
                ("moments_variance", moments_at),
            ):
                code += constant(address) + call(made.function(f"rt_{function}")) + F64_BITS + line
            # The words of both sums: after the count, and with what is pending between them.
            places = [0, *(8 + 8 * word for word in range(5)), *(104 + 8 * word for word in range(5))]
            for place in places:
                code += constant(moments_at + place) + b"\x29\3\0" + line
            made.define("block", Code([], code))
            value, mean, variance, *slots = map(int, output(made, self.folder))
            self.assertEqual([bits(total.value), bits(moments.mean), bits(moments.variance)], [value, mean, variance])
            self.assertEqual([slot % (1 << 64) for slot in slots], moments.slots())

    def test_extremes_have_the_values_of_the_reference(self) -> None:
        keys = [bits(x) if x >= 0 and math.copysign(1, x) > 0 else bits(x) ^ MOST for x in SPECIAL if x == x]
        for kind, extreme in (("minimum", Minimum), ("maximum", Maximum)):
            made = program()
            work = declaration("collect", "text", fields=[Field("field", kind)])
            describe(made, work)
            ready(made, 1, 1)
            code = b""
            expected = [extreme().value]
            show = constant(work.fields[0].address) + call(made.function(f"rt_{kind}_value")) + F64_BITS
            show += call(made.function("rt_out_int")) + call(made.function("rt_out_newline"))
            for key in keys:
                code += constant(work.fields[0].address) + long(key) + b"\x37\3\0" + show
                expected.append(number(key if key >= 0 else key ^ MOST))
            made.define("block", Code([], show + code))
            for slot, wanted in zip(map(int, output(made, self.folder)), expected):
                self.assertTrue(
                    slot == bits(wanted) or wanted != wanted and number(slot) != number(slot), (kind, slot, wanted)
                )


class StreamTests(RuntimeTest):
    def test_a_draw_continues_after_its_first_word(self) -> None:
        limits = [1, 2, 6, 65536, 3 << 30, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 3 << 61, MOST] * 20
        made = program()
        describe(made, declaration("collect", "text"))
        ready(made, 1, 1)
        code = b""
        words = call(made.function("rt_words"))
        for limit in limits:
            code += word()
            for place in range(4):
                code += words + get(place) + b"\x36\2" + bytes((4 * place,))
            code += long(limit) + get(6) + call(made.function("rt_below_rest"))
            code += call(made.function("rt_out_int")) + call(made.function("rt_out_newline"))
            for place in range(4):
                code += words + b"\x28\2" + bytes((4 * place,)) + put(place)
        made.define("block", Code([I32, I32], code))
        for seed in (1, 2, 99):
            stream = Random(seed)
            drawn = list(map(int, output(made, self.folder, "--seed", str(seed))))
            self.assertEqual(drawn, [stream.below(limit) for limit in limits])

    def test_a_weighted_choice_has_the_tables_of_the_reference(self) -> None:
        dice = random.Random(6)
        for count in (1, 2, 3, 10, 100):
            weights = [dice.choice((0.0, 1.0, dice.random(), dice.random() * 1e300, 5e-324)) for _ in range(count)]
            weights[dice.randrange(count)] = 0.5
            made = program()
            describe(made, declaration("collect", "text"))
            ready(made, 1, 1)
            table = made.data(struct.pack(f"<{count}d", *weights))
            code = constant(table) + constant(count) + call(made.function("rt_weighted")) + put(6)
            line = call(made.function("rt_out_int")) + call(made.function("rt_out_newline"))
            code += get(6) + b"\x29\3\0" + line
            for column in range(count):
                code += get(6) + constant(8 + 8 * column) + b"\x6a\x29\3\0" + line
                code += get(6) + constant(8 + 8 * count + 4 * column) + b"\x6a\x28\2\0" + I64_EXTEND + line
            made.define("block", Code([I32], code))
            columns, *rest = map(int, output(made, self.folder))
            choice = WeightedChoice(weights)
            self.assertEqual(columns, count)
            self.assertEqual(rest[0::2], list(choice._keep))
            self.assertEqual(rest[1::2], list(choice._alias))


class OutputTests(RuntimeTest):
    def test_numbers_are_written_as_the_reference_writes_them(self) -> None:
        from potluck._kit.output import text

        dice = random.Random(7)
        numbers: list[float] = [
            *SPECIAL,
            *EDGES,
            *(reals(dice) for _ in range(500)),
            *(integers(dice) for _ in range(500)),
        ]
        made = program()
        describe(made, declaration("collect", "text"))
        ready(made, 1, 1)
        code = b""
        for each in numbers:
            if isinstance(each, int):
                code += long(each) + call(made.function("rt_out_int"))
            else:
                code += real(each) + call(made.function("rt_out_float"))
            code += call(made.function("rt_out_newline"))
        made.define("block", Code([], code))
        self.assertEqual(output(made, self.folder), [text(each) for each in numbers])
