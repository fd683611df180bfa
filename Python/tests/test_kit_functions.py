"""The kit's functions in plain Python have the bits of the kit."""

from __future__ import annotations

import math
import shutil
import subprocess
import unittest
from typing import Callable

import potluck
from potluck._kit import functions
from potluck._kit._words import bits, real

from .support import PATIENCE, PROGRAM, ROOT, ProgramTest

TABLE = ROOT / "Tests" / "Kit" / "maths-table.txt"
#: The worst errors that were measured of the kit, in thousandths of the last bit. Other formulas have others.
WORST = {
    "log": 510, "exp": 526, "sin": 783, "cos": 784, "pow": 556, "cbrt": 667, "hypot": 501, "log1p": 661, "expm1": 855,
    "sinh": 857, "cosh": 871, "tanh": 849, "erf": 917, "erfc": 2237, "gamma": 1367, "lgamma": 1337}
#: In the order of EveryFunction.swift, which writes x, y and these.
OF_X = (
    functions.log, functions.log2, functions.log10, functions.exp, functions.sin, functions.cos, functions.tan,
    functions.asin, functions.acos, functions.atan, functions.cbrt, functions.log1p, functions.expm1, functions.sinh,
    functions.cosh, functions.tanh, functions.erf, functions.erfc, functions.gamma, functions.lgamma)


def error(value: float, result: float, thousandths: int) -> float:
    """Returns the distance of a value from the exact result, of which the table has the nearest number and the rest."""
    if not (math.isfinite(value) and math.isfinite(result)):
        return 0 if value == result else math.inf
    return abs((value - result) / math.ulp(result) * 1000 - thousandths)


class FunctionTests(unittest.TestCase):
    def test_no_result_is_farther_from_the_truth_than_those_of_the_kit(self) -> None:
        worst = dict.fromkeys(WORST, 0.0)
        rows = TABLE.read_text().splitlines()
        for row in rows:
            name, *words, thousandths = row.split()
            *arguments, result = [real(int(word, 16)) for word in words]
            function: Callable[..., float] = getattr(functions, name)
            worst[name] = max(worst[name], error(function(*arguments), result, int(thousandths)))
        self.assertGreater(len(rows), 10_000)
        for name, most in WORST.items():
            self.assertLessEqual(worst[name], most, name)
            # The table has the hard arguments, so the worst of them is near the measured one.
            self.assertGreater(worst[name], most - 20, name)

    def test_special_numbers_have_special_results(self) -> None:
        inf, nan = math.inf, math.nan
        cases = [
            ("log", (0.0,), -inf), ("log", (-0.0,), -inf), ("log", (-1.0,), nan), ("log", (inf,), inf),
            ("log", (5e-324,), -744.4400719213812), ("log2", (8.0,), 3.0), ("log2", (5e-324,), -1074.0),
            ("log10", (1e22,), 22.0), ("exp", (-inf,), 0.0), ("exp", (710.0,), inf),
            ("exp", (-745.2,), 0.0), ("exp", (-744.0,), 1e-323), ("exp", (nan,), nan), ("sin", (-0.0,), -0.0),
            ("sin", (inf,), nan), ("cos", (0.0,), 1.0), ("sin", (1e300,), -0.8178819121159085), ("asin", (1.5,), nan),
            ("acos", (-1.0,), math.pi), ("atan", (-inf,), -math.pi / 2), ("atan2", (0.0, -0.0), math.pi),
            ("atan2", (-1.0, 0.0), -math.pi / 2), ("atan2", (inf, -inf), 3 * math.pi / 4), ("pow", (nan, 0.0), 1.0),
            ("pow", (1.0, nan), 1.0), ("pow", (-8.0, 3.0), -512.0), ("pow", (-8.0, 0.5), nan),
            ("pow", (-0.0, -3.0), -inf),
            ("pow", (0.5, inf), 0.0), ("pow", (-1.0, 2.0**70), 1.0), ("pow", (2.0, -1074.0), 5e-324),
            ("cbrt", (-27.0,), -3.0), ("cbrt", (-inf,), -inf), ("hypot", (3.0, -4.0), 5.0), ("hypot", (nan, -inf), inf),
            ("hypot", (1e308, 1.7e308), inf), ("log1p", (-1.0,), -inf), ("log1p", (-1.1,), nan),
            ("log1p", (-0.0,), -0.0),
            ("expm1", (-inf,), -1.0), ("expm1", (-0.0,), -0.0), ("sinh", (-710.0,), -1.1169973830808555e308),
            ("sinh", (711.0,), inf), ("cosh", (-inf,), inf), ("cosh", (-800.0,), inf), ("cosh", (0.0,), 1.0),
            ("tanh", (-25.0,), -1.0),
            ("erf", (inf,), 1.0), ("erfc", (-7.0,), 2.0), ("erfc", (28.0,), 0.0), ("gamma", (5.0,), 24.0),
            ("gamma", (-0.0,), -inf), ("gamma", (-1.0,), nan), ("gamma", (-inf,), nan), ("gamma", (171.9,), inf),
            ("gamma", (-200.5,), -0.0), ("gamma", (-201.5,), 0.0), ("lgamma", (-3.0,), inf), ("lgamma", (1.0,), 0.0),
            ("lgamma", (1e306,), inf), ("lgamma", (-inf,), inf),
            ("normal_below", (0.0,), 0.5), ("normal_below", (-inf,), 0.0), ("normal_below", (nan,), nan),
        ]
        for name, arguments, expected in cases:
            found = getattr(functions, name)(*arguments)
            with self.subTest(name=name, arguments=arguments, found=found):
                self.assertTrue(bits(found) == bits(expected) or math.isnan(found) and math.isnan(expected))


@unittest.skipUnless(shutil.which("swiftc"), "Swift is not installed")
class CompiledFunctionTests(ProgramTest):
    def test_every_function_has_the_bits_of_a_module(self) -> None:
        rows = self.folder / "rows.txt"
        source = self.folder / "every-function.swift"
        shutil.copy(ROOT / "Python" / "tests" / "EveryFunction.swift", source)
        for seed in (1, 2):
            subprocess.run(
                [PROGRAM, "run", str(source), "--seed", str(seed), "--quiet", "--force", "--output", str(rows)],
                check=True, capture_output=True, timeout=PATIENCE)
            for line in rows.read_text().splitlines():
                x, y, *expected = map(float, line.split())
                part, rare, freedom = expected[-7:-4]
                found = [*(function(x) for function in OF_X), functions.atan2(y, x), functions.pow(x, y),
                         functions.hypot(x, y), functions.normal_below(x), part, rare, freedom,
                         potluck.normal_quantile(part), potluck.normal_quantile(rare),
                         potluck.student_quantile(part, freedom), potluck.student_quantile(rare, freedom)]
                for place, (one, other) in enumerate(zip(found, expected)):
                    if not (math.isnan(one) and math.isnan(other)):
                        self.assertEqual(bits(one), bits(other), (place, x, y, one, other))
                self.assertEqual(len(found), len(expected))
