"""Comoments, pairs and quantiles have the slots and the readings of plain Python in a module, also of many numbers."""

from __future__ import annotations

import unittest

from .language.compiler import Refused, compiled, runtime
from .language.sandbox import library
from .language.twins import TwinTest

FILE = """\
from potluck import *
class Work(Simulation):
    \"""Adds several numbers at once\"""
    both, three, pairs, spread = Comoments(2), Comoments(3), Pairs(), Quantiles()
    dice = Quantiles()
    def trial(self, random):
        x = random.normal(3, 2)
        y = random.exponential(1 + x * x)
        self.both.add(x, y)
        self.three.add(1, x * 1e-20, self.doubled(random, y))
        self.pairs.add(x, y)
        self.spread.add(y - x)
        self.dice.add(random.integer(1, 6) + random.integer(1, 6))
    def doubled(self, random, y):
        if random.coin():
            self.three.add(y, 2, 3)
        return 2 * y
    readings = [
        ratio("ratio", both), ratio("again", three, 2, 0), covariance("covariance", pairs),
        derived("mixed", three, lambda self, x, y, z: z * z / x + y),
        derived("root", both, lambda self, x, y: (x - 1.4) ** 0.5 if x > 1.4 else None),
        correlation("correlation", pairs), slope("slope", pairs, exact=lambda self: 1), intercept("intercept", pairs),
        median("median", spread), quantile("p99", spread, 99 / 100), quantile("p01", spread, 0.01),
        expected_shortfall("beyond", spread, 0.95), expected_shortfall("below", spread, 0.05), median("throw", dice),
        derived("outside", lambda self, tally, trials: tally.spread.above + tally.spread.below + tally.both.count),
    ]
"""


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class FieldTests(TwinTest):
    def test_many_numbers(self) -> None:
        for trials in (1, 2, 100, 5000):
            with self.subTest(trials=trials):
                played, _ = self.played(FILE, trials)
        self.assertEqual(played["throw"].value, 7)
        self.assertEqual([name for name, reading in played.readings.items() if reading.low is None], ["outside"])

    def test_mistakes_are_refused(self) -> None:
        for old, new, sentence in (
            ("Comoments(2)", "Comoments(17)", "comoments are of 1 to 16 numbers"),
            ("Comoments(2)", "Comoments()", "the count of numbers is missing; write Comoments(2)"),
            ("self.both.add(x, y)", "self.both.add(x)", "add takes 2 numbers here: self.both.add(x, y)"),
            ("spread, 0.01", "spread, 1.0", "a quantile is of a part above 0 and below 1"),
            ("spread, 0.01", "spread", "quantile takes a name, a field and a part of the numbers: "
             'quantile("p01", field, 0.99); an exact answer is exact=lambda self: …'),
            ("three, 2, 0", "three, 2, 3", "the field has 3 numbers, from 0, and none of number 3"),
            ('slope("slope", pairs', 'slope("slope", both', "slope needs a field of Pairs, and 'both' is Comoments"),
            ("lambda self, x, y, z:", "lambda self, x:", "this function has 2 arguments; write lambda self, x, y, z: …"),
            ('derived("mixed", three', 'derived("mixed", pairs',
             "derived needs a reading or a field of Comoments here, and this is Pairs"),
        ):
            path = self.folder / "work.py"
            path.write_text(FILE.replace(old, new, 1))
            with self.subTest(new), self.assertRaises(Refused) as refused:
                compiled(path, path.name, self.folder / "module.wasm")
            self.assertIn(sentence, [each.sentence for each in refused.exception.messages])


if __name__ == "__main__":
    unittest.main()
