"""A reading that cannot be computed has no value, in a module as in plain Python."""

from __future__ import annotations

import unittest
from typing import Optional

from potluck import Played, Reading
from potluck._language import reference

from .language.compiler import compiled, runtime
from .language.module import Module
from .language.sandbox import Sandbox, library
from .support import ProgramTest

FILE = """\
from math import *
from potluck import *
def nested(n):
    return 0 if n == 0 else 1 + nested(n - 1) + 12 // (n - 3)
def long(a, b):
    total = 0
    for i in range(a, a + 3):
        for j in range(b, b + 3):
            for k in range(5):
                total += i // j + k % j + [1, 2, 3, 4][j]
                if total > 10:
                    total -= j * k
    return total
class Work(Simulation):
    n = Parameter(6, "a number", 0, 10)
    won, lost = Count(), Count()
    def trial(self, random):
        self.won.add(random.coin())
    readings = [
"""
#: Answers that are computed, and that are not.
EXACT = {
    "1 / self.n": True, "1 / (self.n - 6)": False, "inf": False, "nan": False, "-inf": False, "None": False,
    "9223372036854775807 * self.n - 9223372036854775807 * self.n": False, "nested(2)": True, "nested(self.n)": False,
    "long(self.n, 1)": True, "long(self.n, -1)": False, "long(self.n, 2)": False, "long(3, 1) + long(self.n, 0)": False,
    "sqrt(self.n)": True, "sqrt(-self.n)": False, "[1, 2, 3][self.n - 6]": True, "[1, 2, 3][self.n]": False,
    "int(1e18 * self.n)": True, "int(1e19 * self.n)": False, "1 << self.n": True, "1 << -self.n": False,
    "exp(100.0 * self.n)": True, "exp(1000.0 * self.n)": False, "pi": True, "self.n": True,
}
#: The same of functions of the tally.
OF_TALLY = {
    "tally.won.value / trials": True, "tally.won.value / tally.lost.value": False, "trials // tally.lost.value": False,
    "nested(2) + tally.won.value": True, "nested(2) // tally.lost.value": False, "long(trials, 1)": True,
    "long(trials, tally.lost.value)": False, "log(tally.lost.value)": False, "None": False,
}


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class ReadingTests(ProgramTest):
    def both(self, readings: list[str], won: Optional[int] = None) -> tuple[list[Reading], list[list[object]]]:
        """Returns the readings of plain Python with the checks of a module, and those of a module."""
        path = self.folder / "work.py"
        path.write_text(FILE + "".join(f"        {reading},\n" for reading in readings) + "    ]\n")
        octets = compiled(path, path.name, self.folder / "module.wasm")
        with Module(Sandbox(), octets) as module:
            module.configure([6])
            slots = module.run(1, 1, 0, 1, 100).slots
            slots[0] = slots[0] if won is None else won
            got = module.read(100, slots)
        work = reference._made(reference._class(path.read_text(), path.name), {})
        fields = work._tally()
        for slot, field in zip(slots, fields.values()):
            field.merge([slot])
        played = Played.of(work, fields, work.readings, 1, 100, of_trials=True).readings
        return list(played.values()), [list(each) for each in got]

    def test_an_exact_answer(self) -> None:
        python, module = self.both(
            [f'proportion("{place}", won, exact=lambda self: {each})' for place, each in enumerate(EXACT)])
        for expression, has_one, ours, theirs in zip(EXACT, EXACT.values(), python, module):
            with self.subTest(expression):
                self.assertEqual(ours.exact is not None, has_one)
                self.assertEqual([ours.value, ours.low, ours.high, ours.exact], theirs)

    def test_a_function_of_the_tally(self) -> None:
        python, module = self.both(
            [f'derived("{place}", lambda self, tally, trials: {each})' for place, each in enumerate(OF_TALLY)])
        for expression, has_one, ours, theirs in zip(OF_TALLY, OF_TALLY.values(), python, module):
            with self.subTest(expression):
                self.assertEqual(ours.value is not None, has_one)
                self.assertEqual([ours.value, None, None, None], theirs)

    def test_a_count_that_is_no_whole_number_of_64_bits(self) -> None:
        of_value = 'derived("a", lambda self, tally, trials: tally.won.value / trials)'
        readings = [of_value, 'derived("b", lambda self, tally, trials: tally.lost.value + 1)']
        for won in (2**63 - 1, 2**63, 2**64 - 1):
            python, module = self.both(readings, won)
            self.assertEqual([[each.value, each.low, each.high, each.exact] for each in python], module, won)
            self.assertEqual([each.value is not None for each in python], [won < 2**63, True])

    def test_a_function_of_a_reading(self) -> None:
        """It may fail at one end of the interval only."""
        python, module = self.both([
            f'derived("{place}", proportion("share", won), lambda self, x: log(x - {place / 50}))'
            for place in range(50)])
        for ours, theirs in zip(python, module):
            self.assertEqual([ours.value, ours.low, ours.high, ours.exact], theirs, ours.name)
        kinds = {(ours.value is None, ours.low is None) for ours in python}
        self.assertEqual(kinds, {(False, False), (False, True), (True, True)})


if __name__ == "__main__":
    unittest.main()
