"""Loops in a class that add readings: a module has the readings that Python makes, or the loop is refused."""

from __future__ import annotations

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from potluck import Played
from potluck._language import reference

from .language.compiler import Refused, compiled, runtime
from .language.module import Module
from .language.sandbox import Sandbox, library

HEAD = """\
import math
from potluck import *
NAMES = ("few", "many")
SHIFT = 3
def shared(self, tally, trials):
    total = 0.0
    for k in range(6):
        if k % 2:
            total += tally.faces[k]
        while total > trials:
            total -= 1
    return total / trials
class Work(Simulation):
    SHIFT = 5
    PARTS = [0.25, 0.5, 0.99]
    n = Parameter(6, "a number", 0, 10)
    faces = Histogram(SHIFT + 1, -0.5, SHIFT + 0.5)
    won, waits, weather = Count(), Quantiles(), Counts(*NAMES)
    def trial(self, random):
        face = random.below(6)
        self.faces.add(face)
        self.won.add(face == 2)
        self.waits.add(random.exponential())
        self.weather.add(face % 2)
"""

LOOPS = """\
    readings = [quantile(f"first, {PARTS[0]:.0%}", waits, PARTS[0]), derived("shared", shared)]
    for part in (PARTS[1], PARTS[2]):
        readings.append(quantile(f"{part!r} of {len(NAMES)} {NAMES!r:>20}", waits, part))
    for place, called in enumerate(NAMES):
        pass
        for other in range(-1, place + 1):
            readings += [derived(f"{called}{other:+d}", lambda self, tally, trials, k=place, o=other: (
                sum([tally.faces[i] * o for i in range(k, 6)]) + self.n ** o + o ** k + SHIFT) / trials,
                exact=lambda self, o=other, p=(other, -0.0): o * 0.5 + p[1] + self.n // o)]
            readings.append(proportion(f"won {called}{other}", won, exact=lambda self, o=other: 1 / (self.n + o)))
    readings.extend(proportions(weather))
    for a, b in zip(NAMES, (0.1, 0.2, 0.3)):
        readings.extend((median(f"{a} {b}", waits),))
    readings.append(expected_shortfall(f"after the loop {part}", waits, part))
"""

#: A loop that is refused, and words of the sentence.
REFUSED = {
    "readings = [quantile(f'{part}', waits, part) for part in PARTS]": "write a loop",
    "readings = [*[quantile(f'{part}', waits, part) for part in PARTS]]": "write a loop",
    "readings = [*mean('mean', won)]": "no list of readings",
    "readings = []\nfor k in range(self.n):\n    readings.append(proportion(f'{k}', won))": "must be known before",
    "readings = []\nfor k in n:\n    readings.append(proportion(f'{k}', won))": "must be known before",
    "readings = []\nfor k in 'ab':\n    readings.append(proportion(f'{k}', won))": "runs over a range",
    "readings = []\nfor k in 5:\n    readings.append(proportion(f'{k}', won))": "runs over a range",
    "readings = []\nfor k in (1, 2):\n    readings.append(derived(f'{k}', lambda self, tally, trials: k))": "'k'",
    "readings = []\nfor k in (1, 2):\n    readings.append(derived(f'{k}', lambda self, tally, trials, k: k))": "4 arguments",
    "readings = []\nfor k in ([1], [2]):\n    readings.append(derived('a', lambda self, t, n, k=k: k[0]))": "could change",
    "readings = []\nfor k in (1, 2):\n    readings.append(derived(f'{k}', lambda self, t, n, k=k: sum([k for k in (1, 2)])))":
        "another name",
    "readings = []\nfor k, j in (1, 2):\n    readings.append(proportion(f'{k}', won))": "not 2 each",
    "readings = []\nfor k, (j, i) in ((1, (2, 3)),):\n    readings.append(proportion(f'{k}', won))": "plain names",
    "readings = []\nfor k in range(300):\n    readings.append(proportion(f'{k}', won))": "more than 256 times",
    "readings = []\nfor k in range(20):\n    for j in range(20):\n        pass": "more than 256 times",
    "readings = []\nfor k in (1, 2):\n    j = k + 1": "only adds to the list",
    "readings = []\nfor k in (1, 2):\n    if k > 1:\n        readings.append(proportion(f'{k}', won))": "only adds to the list",
    "readings = []\nfor k in (1, 2):\n    break": "only adds to the list",
    "readings = []\nfor k in (1, 2):\n    readings.append(proportion('same', won))": "two readings are called",
    "readings = []\nfor k in (1, 2):\n    readings.append(proportion(f'{k:s}', won))": "Python cannot write",
    "readings = []\nfor k in (1, 2):\n    readings.append(proportion(f'{math.sin(k)}', won))": "must be known before",
    "readings = []\nfor k in (1, 2):\n    readings += proportion(f'{k}', won)": "no list of readings",
    "readings = []\nfor k in (1, 2):\n    readings.append(proportion(f'{k}', won))\nelse:\n    pass": "no 'else'",
    "readings = (proportion('a', won),)\nreadings.append(proportion('b', won))": "write readings = [] before",
    "for k in (1, 2):\n    readings.append(proportion(f'{k}', won))\nreadings = []": "write readings = [] before",
    "readings = []\nwhile True:\n    readings.append(proportion('a', won))": "move this",
    **{f"readings = []\nfor {name} in (1, 2):\n    readings.append(proportion(f'{{{name}}}', won))": "means something else"
       for name in ("name", "trial", "steps", "_k", "won", "n", "len", "NAMES", "shared", "Work", "Count", "math")},
}  # fmt: skip


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class ListingTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def made(self, text: str) -> Path:
        path = self.folder / "work.py"
        path.write_text(text, encoding="utf-8")
        return path

    def test_readings_of_loops_are_those_of_python(self) -> None:
        path = self.made(HEAD + LOOPS)
        octets = compiled(path, path.name, self.folder / "module.wasm")
        with Module(Sandbox(), octets) as module:
            module.configure([6])
            slots = module.run(1, 1, 0, 1, 100).slots
            got = [list(each) for each in module.read(100, slots)]
        work = reference._made(reference._class(path.read_text(), path.name), {})
        fields = work._tally()
        for field in fields.values():
            field.merge([slots.pop(0) for _ in field.slots()])
        played = Played.of(work, fields, work._rules, 1, 100, of_trials=True).readings
        self.assertEqual([[each.value, each.low, each.high, each.exact] for each in played.values()], got)
        self.assertEqual(
            [name for name in played if "won" in name], [f"won {each}" for each in ("few-1", "few0", "many-1", "many0", "many1")])
        self.assertTrue({"first, 25%", "0.99 of 2      ('few', 'many')", "few 0.1", "after the loop 0.99", "many+1", "many"} <= set(played))

    def test_a_loop_that_cannot_be_unrolled_is_refused(self) -> None:
        for lines, words in REFUSED.items():
            with self.subTest(lines):
                body = "".join(f"    {line}\n" for line in lines.split("\n"))
                path = self.made(HEAD + body)
                with self.assertRaises(Refused) as caught:
                    compiled(path, path.name, self.folder / "module.wasm")
                self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
