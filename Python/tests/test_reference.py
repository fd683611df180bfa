"""The checked reference plays a file as plain Python does, and says with the line what a module must not compute."""

from __future__ import annotations

import math
import os
import random
import struct
import textwrap
from fractions import Fraction
from typing import Any, Optional

from potluck._language import checks, sentences
from potluck._language.reference import play

from .everydraw import EveryDraw
from .support import ROOT, ProgramTest

#: The line of the first statement of a trial in `AUTHOR`.
FIRST = 15
AUTHOR = """\
import math
import potluck
from potluck import Count, ExactSum, Moments, Parameter
import package_that_is_not_there
potluck.run("pi")
MINUS = -1
class Work(potluck.Simulation):
    n = Parameter(6, "a number", 0, 100)
    total, hits = ExactSum(), Count()
    def half(self, x):
        if x > 0:
            return x / 2
{more}
    def trial(self, random):
{body}
"""


class ReferenceTests(ProgramTest):
    def play(self, body: str, more: str = "    pass", **more_parameters: Any) -> dict[str, Any]:
        file = self.folder / "work.py"
        file.write_text(AUTHOR.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8), more=more))
        return play(str(file), "work.py", 1, 0, 1, 16, {name: str(value) for name, value in more_parameters.items()})

    def value(self, expression: str) -> Any:
        """Returns the value of an expression that a trial adds."""
        played = self.play(f"self.total.add({expression})")
        self.assertIsNone(played["failure"], (expression, played))
        whole = Fraction(sum(int(slot) << 64 * place for place, slot in enumerate(played["slots"][:4])), 1 << 128)
        whole = whole - (1 << 128) if int(played["slots"][3]) >> 63 else whole
        return float(whole / 16)

    def assertFails(self, body: str, sentence: str, line: int = 0) -> None:
        with self.subTest(body=body):
            last = FIRST + body.count("\n") if line == 0 else FIRST - 1 + line
            self.assertEqual(self.play(body)["failure"], f"line {last}: {sentence}")

    def test_every_draw_has_the_slots_of_plain_python(self) -> None:
        path = ROOT / "Python" / "tests" / "everydraw.py"
        given = {"sides": "1000", "kind": "second", "half": "yes", "mean": "0.5"}
        played = play(str(path), "everydraw.py", 3, 1, 2, 1100, given)
        work = EveryDraw(sides=1000, kind="second", half=True, mean=0.5)
        self.assertEqual(played, {
            "slots": [str(slot) for slot in work.play(seed=3, trials=1100, first=1).slots], "failure": None,
            "conflict": None, "unread": {}})

    def test_whole_numbers_have_64_bits(self) -> None:
        for body in (
            "x = 2**62\nx + x", "x = -2**62\nx - 2**62 - 1", "x = 2**32\nx * x", "x = -2**63\n-x", "x = -2**63\nabs(x)",
            "x = 3\nx ** 40", "x = 1\nx << 63", "x = -2**63\nx // -1", "x = [2**62]\nx[0] *= 2",
            "x = 2**62\nsum([x, x, -x])",
            "x = 21\nmath.factorial(x)", "x = 10**15\nmath.comb(x, x // 2)", "x = 2**62\nx += x", "x = 2\npow(x, 100)",
        ):
            self.assertFails(body, sentences.OVERFLOW)
        self.assertFails("x = 2**62 + (\n    self.n *\n 2**62)", sentences.OVERFLOW, 2)
        self.assertEqual(self.value("2**63 - 1 - (2**63 - 2)"), 1)
        self.assertEqual(self.value("-2**63 // 2**60"), -8)

    def test_other_failures_have_a_line_and_a_sentence(self) -> None:
        for body, sentence in (
            ("1 // (self.n - 6)", sentences.DIVISION), ("1.5 % (self.n - 6)", sentences.DIVISION),
            ("x = 0.0\nx ** -1", sentences.DIVISION), ("divmod(1, self.n - 6)", sentences.DIVISION),
            ("x = 1\nx << self.n - 7", sentences.SHIFT), ("x = 1\nx >> self.n - 7", sentences.SHIFT),
            ("x = 2\nx ** (5 - self.n)", sentences.NEGATIVE_POWER), ("int(2.0**63)", sentences.CONVERSION),
            ("round(math.nan)", sentences.CONVERSION), ("math.floor(-1e19)", sentences.CONVERSION),
            ("x = -8.0\nx ** (1 / 3)", sentences.COMPLEX), ("x = 10.0\nx ** 400", sentences.POWER_RANGE),
            ("math.sqrt(5 - self.n)", sentences.domain("sqrt")), ("math.log(0)", sentences.domain("log")),
            ("math.acos(1.5)", sentences.domain("acos")), ("math.sin(math.inf)", sentences.domain("sin")),
            ("math.fmod(1, 0)", sentences.domain("fmod")), ("math.pow(0, -1)", sentences.domain("pow")),
            ("math.exp(1000)", sentences.too_large("exp")), ("math.log(8, 1)", sentences.DIVISION),
            ("x = [1, 2]\nx[2]", sentences.INDEX), ("x = [1, 2]\nx[-3] = 1", sentences.INDEX),
            ("x = [1, 2]\nx[5] += 1", sentences.INDEX), ("min([0] * (6 - self.n))", sentences.EMPTY),
            ("random.choice([0][1:])", sentences.EMPTY), ("for i in range(1, 2, self.n - 6): pass", sentences.STEP),
            ("[1, 2][::self.n - 6]", sentences.STEP), ("a, b = [1, 2, 3]", sentences.UNPACK),
            ("[1, 2].index(3)", sentences.MISSING), ("[0] * 10**12", sentences.MEMORY),
            ("if self.n > 6:\n    x = 1\nx", sentences.unbound("x")), ("assert self.n == 7", sentences.ASSERTION),
            ("assert self.n == 7, 'n is 7'", "n is 7"), ("raise ValueError('no')", "no"),
            ("raise ValueError", "ValueError"), ("raise", sentences.RAISED),
            ("random.below(self.n - 6)", sentences.BELOW), ("random.integer(7, self.n)", sentences.INTEGER),
            ("random.pair(self.n, 65537)", sentences.PAIR), ("random.chance(self.n)", sentences.CHANCE),
            ("random.choices(self.n, [])", sentences.CHOICES), ("random.sample(self.n, [1])", sentences.SAMPLE),
            ("self.hits.add(5 - self.n)", sentences.COUNT), ("random.gamma(6 - self.n)", sentences.SHAPE),
            ("random.beta(self.n, -1)", sentences.SHAPE), ("random.weibull(0)", sentences.SHAPE),
            ("random.chi_squared(0)", sentences.FREEDOM), ("random.student_t(math.inf)", sentences.FREEDOM),
            ("random.triangular(0, self.n, 1)", sentences.MODE), ("random.geometric(0)", sentences.GEOMETRIC),
            ("random.poisson(-1)", sentences.POISSON), ("random.binomial(-1, 0.5)", sentences.TRIALS),
            ("random.binomial(1, self.n)", sentences.BINOMIAL),
            ("random.negative_binomial(1, 0)", sentences.NEGATIVE_BINOMIAL), ("random.dirichlet([])", sentences.EMPTY),
            ("random.multinomial(1, [-1])", sentences.WEIGHT), ("random.multinomial(1, [0, 0])", sentences.WEIGHTS),
            ("random.normals([[1], [1]])", sentences.COVARIANCE), ("random.lattice(65, 1)", sentences.POINTS),
            ("random.lattice(32, 1)", sentences.POINTS), ("random.lattice(131072, 1)", sentences.POINTS),
            ("random.lattice(64, 17)", sentences.DIMENSIONS), ("random.lattice(64, 0)", sentences.DIMENSIONS),
            ("random.lattice(64, 16).unit(64, 0)", sentences.POINT),
            ("random.lattice(64, 16).unit(-1, 0)", sentences.POINT),
            ("random.lattice(64, 16).normal(0, 16)", sentences.POINT),
            ("random.lattice(64, 16).normal(0, -1)", sentences.POINT),
            ("potluck.cholesky([[1, 2], [2, 1]])", sentences.COVARIANCE),
            ("potluck.cholesky([[1], [2, 1]])", sentences.COVARIANCE),
            ("math.gamma(6 - self.n)", sentences.domain("gamma")), ("math.gamma(172)", sentences.too_large("gamma")),
            ("math.lgamma(5 - self.n)", sentences.domain("lgamma")),
            ("math.log1p(5 - self.n)", sentences.domain("log1p")),
            ("math.cosh(800)", sentences.too_large("cosh")),
        ):
            self.assertFails(body, sentence)
        # The line of the function that ends without its value.
        self.assertEqual(self.play("self.half(0)")["failure"], sentences.at(10, sentences.NO_VALUE))

    def test_prepare_refuses_parameters_and_other_errors_fail(self) -> None:
        for prepare, conflict, failure in (
            ("raise ValueError('too many')", "too many", None), ("assert self.n < 3, 'too many'", "too many", None),
            ("self.x = 1 / (self.n - 6)", None, f"line {FIRST - 2}: {sentences.DIVISION}"),
        ):
            played = self.play("pass", f"    def prepare(self): {prepare}")
            self.assertEqual((played["conflict"], played["failure"]), (conflict, failure), prepare)
        prepared = self.play("pass", "    def prepare(self):\n        assert self.n < 3, 'x'", n=2)
        self.assertEqual((prepared["conflict"], prepared["failure"]), (None, None))

    def test_a_reading_that_fails_is_named_with_its_line(self) -> None:
        file = self.folder / "work.py"
        file.write_text(textwrap.dedent("""\
            import potluck
            from potluck import Count, Histogram, derived, proportion
            def share(tally, bin):
                return tally.sums[bin] / 16
            class Work(potluck.Simulation):
                hits, sums = Count(), Histogram(3, 0, 3)
                def trial(self, random):
                    self.sums.add(random.below(3))
                readings = [
                    derived("a", lambda self, tally, trials: share(tally, trials)),
                    derived("b", lambda self, tally, trials: share(tally, -3)),
                    derived("c", proportion("hits", hits), lambda self, x: 1 / x),
                    proportion("d", hits, exact=lambda self: [1][len([1, 2])]),
                ]
        """))
        self.assertEqual(play(str(file), "work.py", 1, 0, 1, 16, {})["unread"], {
            "a": f"line 4: {sentences.INDEX}", "c": f"line 12: {sentences.DIVISION}",
            "the exact answer of d": f"line 13: {sentences.INDEX}"})

    def test_a_table_comes_from_a_file_of_numbers(self) -> None:
        file = self.folder / "work.py"
        file.write_text(textwrap.dedent("""\
            import potluck
            class Work(potluck.Gathering):
                my_table, total = potluck.Table("numbers"), potluck.ExactSum()
                def units(self):
                    return len(self.my_table)
                def block(self, units, random, output):
                    for row in units:
                        self.total.add(self.my_table[row][1] * self.my_table.columns)
        """))
        numbers = [1.0, 2.0, 3.0, 4.0, 5.0, -0.25]
        (self.folder / "my-table.table").write_bytes(struct.pack("<6d", *numbers))
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        played: Any = play(str(file), "work.py", 1, 0, 1, 3, {"my-table": "2"})
        self.assertEqual((played["failure"], int(played["slots"][2])), (None, 11))

    def test_only_what_the_class_uses_is_run(self) -> None:
        # AUTHOR imports a package that is not there and starts a run.
        self.assertEqual(self.value("MINUS"), -1)

    def test_negative_exponents_that_are_known_give_real_numbers(self) -> None:
        for expression, value in (
            ("2 ** -1", 0.5), ("4 ** MINUS", 0.25), ("4 ** (MINUS * 2)", 1 / 16), ("pow(2, -2)", 0.25),
        ):
            self.assertEqual(self.value(expression), value, expression)

    def test_operations_are_those_of_python(self) -> None:
        dice = random.Random(1)
        numbers: list[Any] = [0, 1, -1, 2, 3, 7, -8, 63, 2**31, -2**31, 2**53 + 1, 0.5, -0.25, 1e10, 3.0, -7.5]
        functions: Any = (
            (checks.whole, lambda a, b: a + b), (checks.multiply, lambda a, b: a * b),
            (checks.divide, lambda a, b: a / b),
            (checks.floor_divide, lambda a, b: a // b), (checks.modulo, lambda a, b: a % b))
        for _ in range(3000):
            a, b = dice.choice(numbers), dice.choice(numbers)
            check, operation = dice.choice(functions)
            try:
                expected = operation(a, b)
            except ZeroDivisionError:
                expected = None
            try:
                found: Any = check(operation(a, b), 7) if check is checks.whole else check(a, b, 7)
            except checks.Failure as failure:
                self.assertEqual(failure.line, 7)
                self.assertTrue(expected is None or isinstance(expected, int) and abs(expected) >= 2**63)
            else:
                self.assertEqual((found, type(found)), (expected, type(expected)))

    def test_powers_of_whole_numbers_are_those_of_python(self) -> None:
        for base in (0, 1, -1, 2, -2, 3, 10, -7):
            for exponent in (0, 1, 2, 3, 17, 62, 63, 64, 65, 1000, 10**18 + 1):
                exact = base ** (exponent if abs(base) > 1 and exponent < 1000 else min(exponent, 2 + exponent % 2))
                is_large = abs(base) > 1 and (exponent >= 64 or not checks.LEAST <= exact <= checks.GREATEST)
                found: Optional[int]
                try:
                    found = checks.raised(base, exponent, 1)
                except checks.Failure:
                    found = None
                self.assertEqual(found, None if is_large else exact, (base, exponent))

    def test_a_sum_of_real_numbers_is_compensated(self) -> None:
        self.assertEqual(self.value("sum([1e100, 1.0, -1e100])"), 1)
        self.assertEqual(self.value("sum([0.1] * 10)"), 1)
        self.assertEqual(self.value("sum([2.5, 0.5], 1)"), 4)
        self.assertEqual(checks.call(1, sum, [1e308, 1e308, -1e308]), math.inf)

    def test_parts_are_evaluated_in_the_order_of_python(self) -> None:
        body = """
            x = [0] * 8
            x[random.below(8)] = random.below(100)
            x[random.below(8)] += random.below(100)
            x[random.below(8)], x[random.below(8)] = random.below(9), random.below(9)
            y = x[random.below(8)] = random.below(9)
            self.total.add(sum([value * (place + 1) for place, value in enumerate(x)]) + y)
        """
        played = self.play(body)
        self.assertIsNone(played["failure"])
        names: dict[str, Any] = {}
        code = AUTHOR.replace("import package_that_is_not_there\n", "").replace('potluck.run("pi")\n', "")
        exec(code.format(body=textwrap.indent(textwrap.dedent(body), " " * 8), more="    pass"), names)
        self.assertEqual(played["slots"], [str(slot) for slot in names["Work"]().play(seed=1, trials=16).slots])

    def test_functions_that_call_themselves_may_be_deep(self) -> None:
        depth = "    def depth(self, x):\n        return 0 if x == 0 else 1 + self.depth(x - 1)"
        self.assertEqual(self.play("self.total.add(self.depth(3000))", depth)["failure"], None)
        self.assertEqual(
            self.play("self.total.add(self.depth(100_000))", depth)["failure"], sentences.at(14, sentences.DEPTH))

    def test_a_failure_keeps_the_blocks_before_it(self) -> None:
        file = self.folder / "work.py"
        file.write_text(
            "import potluck\nclass Work(potluck.Simulation):\n    hits = potluck.Count()\n    block_size = 16\n"
            "    def trial(self, random):\n        self.hits.add()\n"
            "        if random.below(50) == 0: raise ValueError('hit')\n")
        counts = set()
        for seed in range(20):
            played: Any = play(str(file), "work.py", seed, 0, 4, 64, {})
            count = int(played["slots"][0])
            self.assertEqual((count % 16, played["failure"]), (0, "line 7: hit" if count < 64 else None))
            counts.add(count)
        self.assertGreater(len(counts), 2)
