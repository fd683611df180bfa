"""Readings that need fewer trials, in the examples: a module has the tallies and the readings of plain Python."""

from __future__ import annotations

import re
import unittest

from potluck._kit._words import bits

from .language.compiler import Refused, compiled, runtime
from .language.sandbox import library
from .language.twins import TwinTest
from .support import ROOT

EXAMPLES = ROOT / "Examples" / "Python"
FILE = """\
from potluck import *
def of_y(simulation):
    return 0.25
class Work(Simulation):
    \"""A mean with several controls\"""
    half = Parameter(0.5, "the mean of x", 0.0, 1.0)
    all, weights, one = Comoments(4), Moments(), Comoments(2)
    def trial(self, random):
        x = random.unit()
        y = x * random.unit()
        self.all.add(x * x + y, x, y, 3)
        self.one.add(x * x + y, x)
        self.weights.add(1 / (1 + x))
    def of_x(self):
        return self.half
    readings = [
        controlled("price", all, [of_x, of_y, lambda work: 6 * work.half], exact=lambda self: 7 / 12),
        controlled("one", one, mean=lambda self: self.half),
        controlled("none", one, lambda self: 1 // 0),
        effective("effective", weights),
    ]
"""
MISTAKES = {
    'controlled("a", all)': "controlled takes a name, a field and the true mean of its control",
    'controlled("a", all, lambda self: 1)': "the field has 3 controls, and 1 true means are given",
    'controlled("a", weights, lambda self: 1)': "controlled needs a field of Comoments, and 'weights' is Moments",
    'controlled("a", one, 0.5)': "this is a function of the simulation: write lambda self: 0.5",
    'controlled("a", one, lambda self, x: x)': "a true mean is a function of the simulation",
    'controlled("a", one, lambda self: 1, other=3)': "a reading has no 'other'",
    'effective("a", all)': "effective needs a field of Moments, and 'all' is Comoments",
}


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class MethodTests(TwinTest):
    def test_many_numbers(self) -> None:
        for trials in (1, 3, 4, 5, 6, 1000):
            played, _ = self.played(FILE, trials, parameters=[bits(0.5)])
        self.assertAlmostEqual(played["price"].value, 7 / 12, delta=0.01)
        self.assertIsNone(played["none"].value)
        self.assertLess(played["price"].high - played["price"].low, played["one"].high - played["one"].low)

    def test_examples(self) -> None:
        for name, parameters in (
            ("asian_option", [*map(bits, (100.0, 100.0, 0.05, 0.2)), 12]), ("rare_failure", [4, bits(11.0)]),
            ("power", [64, *map(bits, (0.5, 1.0, 0.05))]),
        ):
            with self.subTest(name):
                self.played((EXAMPLES / f"{name}.py").read_text(), 300, f"{name}.py", parameters)

    def test_a_mistake_has_its_sentence(self) -> None:
        path = self.folder / "work.py"
        for line, sentence in MISTAKES.items():
            path.write_text(FILE.replace('effective("effective", weights),', f"{line},"))
            with self.subTest(line), self.assertRaisesRegex(Refused, re.escape(sentence)):
                compiled(path, path.name, self.folder / "module.wasm")


if __name__ == "__main__":
    unittest.main()
