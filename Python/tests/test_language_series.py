"""Categories and series have the slots and the readings of plain Python in a module, also of many numbers."""

from __future__ import annotations

import struct
import unittest

from .language.compiler import Refused, compiled, runtime
from .language.sandbox import library
from .language.twins import TwinTest

FILE = """\
from potluck import *
NAMES = ["a", "b"]
class Work(Simulation):
    \"""Counts categories, and adds at times\"""
    hand, one, way = Counts("low", "middle", "high"), Counts(*NAMES, "c"), Series(5)
    def trial(self, random):
        x = random.integer(0, 9)
        self.hand.add(0 if x < 5 else 1 if x < 8 else 2)
        if random.chance(0.25):
            self.one.add(self.both(random))
        place = 0.0
        for time in range(4):
            place += random.normal(0.5)
            self.way.add(time, place)
        self.way.add(x // 3, x)
    def both(self, random):
        self.hand.add(0)
        return 1
    readings = [
        proportions(hand, exact=lambda self: [1 / 2, 0.3, 0.2]), series("way", way), *proportions(one),
    ]
"""


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class SeriesTests(TwinTest):
    def test_many_numbers(self) -> None:
        for trials in (1, 2, 100, 5000):
            with self.subTest(trials=trials):
                played, curves = self.played(FILE, trials)
                self.assertEqual(list(played.readings), ["low", "middle", "high", "way", "a", "b", "c"])
                self.assertEqual([len(curve) for curve in curves], [0, 0, 0, 15, 0, 0, 0])
                shown = played["way"].series
                assert shown is not None
                words = struct.unpack("<15d", struct.pack("<15Q", *curves[3]))
                wanted = [number for point in zip(shown.means, shown.low, shown.high) for number in point]
                self.assertEqual([None if word != word else word for word in words], wanted)

    def test_mistakes_are_refused(self) -> None:
        for old, new, sentence in (
            ('Counts("low", "middle", "high")', "Counts()",
             'counts are of 1 to 256 categories, given by their names; write Counts("low", "high")'),
            ('"middle", "high")', '"low", "high")', 'two categories are called "low"'),
            ('Counts("low", "middle", "high")', "Counts(3)",
             'the name of a category is a text; write Counts("low", "high")'),
            ("Series(5)", "Series(1001)", "a series has 1 to 1000 times"),
            ("Series(5)", "Series()", "the number of times is missing; write Series(60)"),
            ("self.hand.add(0)", "self.hand.add(0.5)",
             "a category is a whole number, from 0, and this is a real number"),
            ("self.way.add(time, place)", "self.way.add(place)", "add takes a time and a number: self.way.add(time, x)"),
            ("self.way.add(time, place)", "self.way.add(place, place)",
             "a time is a whole number, from 0, and this is a real number"),
            ("[1 / 2, 0.3, 0.2]", "[0.8, 0.2]", "there are 2 exact answers for 3 categories"),
            ("[1 / 2, 0.3, 0.2]", "0.5", "the exact answers are a list of numbers, one for each category: "
             "proportions(hands); an exact answer is exact=lambda self: [0.4, 0.6]"),
            ("proportions(one)", "proportions(way)", "proportions needs a field of Counts, and 'way' is Series"),
            ('series("way", way)', 'series("way", way, exact=lambda self: 1)', "a series has no exact answer"),
            ('series("way", way)', 'derived("x", series("way", way), lambda self, x: x)',
             "a series has no single value to compute with"),
            ('series("way", way)', 'derived("x", lambda self, tally, trials: tally.way.mean)',
             "this field has no 'mean'; it has readings of its own: series(…)"),
        ):
            path = self.folder / "work.py"
            path.write_text(FILE.replace(old, new, 1))
            with self.subTest(new), self.assertRaises(Refused) as refused:
                compiled(path, path.name, self.folder / "module.wasm")
            self.assertIn(sentence, [each.sentence for each in refused.exception.messages])


if __name__ == "__main__":
    unittest.main()
