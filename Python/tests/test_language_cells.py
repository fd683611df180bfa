"""Histograms in two dimensions have the slots and the readings of plain Python in a module, and merge exactly."""

from __future__ import annotations

import math
import random
import struct
import unittest

from potluck import CellCounts, Histogram2D, Reading
from potluck._chart import chart
from potluck._command.canvas import Canvas
from potluck._command.cell_map import cell_map
from potluck._kit.tally import Histogram
from potluck._sandbox import Reading as Words
from potluck._sandbox.cells import cells

from .language.compiler import Refused, compiled, runtime
from .language.sandbox import library
from .language.twins import TwinTest

FILE = """\
from potluck import *
SIZE = 7
class Work(Simulation):
    \"""Adds pairs\"""
    both, one = Histogram2D(SIZE, 3, x=(-1.5, 2), y=(0, 5)), Histogram2D(1, 1, (0, 1), (0, 1))
    way = Histogram2D(rows=4, columns=2, x=(-9, 9), y=[-3, 1.5])
    def trial(self, random):
        x, y = random.normal(), random.exponential()
        self.both.add(x, y)
        self.one.add(random.below(2), self.inner(random))
        self.way.add(1e300 if random.chance(0.1) else 9 * x, math.inf if random.coin() else -y)
    def inner(self, random):
        self.one.add(0, 0.5)
        return random.unit()
    readings = [
        histogram("both", both), histogram("way", way), derived("beyond", lambda self, tally, trials: tally.way.outside / trials),
    ]
import math
"""


def bits(number: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", number))[0])


def filled(seed: int, size: int) -> list[tuple[float, float]]:
    """Pairs within and beyond a rectangle, also on its edges."""
    dice = random.Random(seed)
    odd = (-2.0, 3.0, 0.0, -0.0, 1.0, math.inf, -math.inf, math.nextafter(3.0, 0) if hasattr(math, "nextafter") else 2.9)
    return [
        (dice.choice(odd) if dice.random() < 0.3 else dice.uniform(-3, 4), dice.uniform(-1, 2)) for _ in range(size)]


class CellTests(unittest.TestCase):
    def test_every_split_gives_the_same_slots(self) -> None:
        for seed in range(2000):
            dice = random.Random(seed)
            whole = Histogram2D(3, 2, (-2, 3), (0, 1))
            parts = [whole.empty() for _ in range(dice.randrange(1, 5))]
            for pair in filled(seed, dice.randrange(12)):
                whole.add(*pair)
                dice.choice(parts).add(*pair)
            merged = whole.empty()
            for part in dice.sample(parts, len(parts)):
                merged.merge(part.slots())
            self.assertEqual(merged.slots(), whole.slots(), seed)

    def test_a_cell_is_a_bin_of_each_number(self) -> None:
        both, across, up = Histogram2D(5, 3, (-2, 3), (0, 1)), Histogram(5, -2, 3), Histogram(3, 0, 1)
        for x, y in filled(1, 500):
            both.add(x, y)
            if -2 <= x < 3 and 0 <= y < 1:
                across.add(x)
                up.add(y)
        self.assertEqual([sum(column) for column in zip(*both.counts)], [across[bin] for bin in range(5)])
        self.assertEqual([sum(row) for row in both.counts], [up[bin] for bin in range(3)])
        self.assertEqual(both.outside, 500 - sum(map(sum, both.counts)))
        self.assertEqual(both[4, 2], both.counts[2][4])
        for cell in ((5, 0), (0, 3), (-1, 0)):
            with self.assertRaises(IndexError):
                both[cell]

    def test_wrong_ranges_and_numbers_are_refused(self) -> None:
        for columns, rows, x, y in (
            (0, 3, (0, 1), (0, 1)), (65, 64, (0, 1), (0, 1)), (2, 2, (1, 1), (0, 1)), (2, 2, (0, 1), (0, math.inf)),
            (2, 2, (0, 1), (math.nan, 1)), (2, 2, (-1e308, 1e308), (0, 1)), (2, 2, (0, 5e-324), (0, 1)),
        ):
            with self.subTest(x=x, y=y), self.assertRaises(ValueError):
                Histogram2D(columns, rows, x, y)
        for pair in ((math.nan, 0.0), (0.0, math.nan)):
            with self.assertRaises(ValueError):
                Histogram2D(2, 2, (0, 1), (0, 1)).add(*pair)

    def test_words_are_cells_or_nothing(self) -> None:
        honest = [4, bits(-1.0), bits(0.5), 9, *range(1, 13)]
        found = cells(honest, (1.0, 2.0))
        assert found is not None
        self.assertEqual((found.columns, found.rows, found.y, found.outside), (4, 3, (-1.0, 0.5), 9))
        for words in (
            honest[:4], honest[:-1], [0, *honest[1:]], [5, *honest[1:]], [2**64 - 1, *honest[1:]], [13, *honest[1:]],
            [4, bits(math.nan), *honest[2:]], [4, bits(0.5), *honest[2:]], [4, honest[1], bits(math.inf), *honest[3:]],
            [1, *honest[1:4], *[0] * 4097],
        ):
            self.assertIsNone(cells(words, (1.0, 2.0)))
        for ends in (None, (1.0, 1.0), (-1e308, 1e308)):
            self.assertIsNone(cells(honest, ends))

    def test_the_map_is_that_of_the_program(self) -> None:
        """Tests/Console/CellMapTests.swift has the same counts."""
        def drawn(columns: int, counts: list[int], size: int, is_unicode: bool, *rest: int) -> list[str]:
            words = (columns, bits(-10.0), bits(0.5), *rest, *counts)
            reading = Words("landing", "histogram2d", None, None, None, True, False, words, (-2.0, 2.0))
            return cell_map(reading, Canvas(size, is_unicode))
        many = drawn(64, [0] * 2048 + [5] * 2048, 40, True, 0)
        self.assertEqual(len(many), 1 + 16 + 2)
        self.assertEqual([many[1], many[9], many[16]], [" 0.5│" + "█" * 32, "    │", " -10│"])
        self.assertEqual(many[17:], ["     -2" + " " * 29 + "2", "  ░▒▓█ up to 40 in 2 × 4 cells"])
        few = drawn(4, [1, 100, 200, 300, 400, 0, 0, 0, 0, 0, 0, 1], 80, False, 1234)
        self.assertEqual(few[:2] + few[-2:], [
            "landing", " 0.5|" + " " * 30 + "." * 10, "     -2" + " " * 37 + "2", "  .:+# up to 400 in a cell   1 234 outside"])
        self.assertEqual(drawn(2, [0, 0], 40, True, 3), ["landing", "  nothing counted yet", "  3 outside"])

    def test_the_drawing_has_the_cells(self) -> None:
        drawn = CellCounts((-2.0, 2.0), (-10.0, 0.5), 12, ((1, 100, 200, 200), (200, 0, 0, 0), (0, 0, 0, 1)))
        svg = chart([Reading("landing", None, None, None, None, None, cells=drawn)])
        for part in (
            'fill-opacity="1.00" d="M0 1h1v1h-1zM2 2h2v1h-2z"', 'fill-opacity="0.16" d="M3 0h1v1h-1zM0 2h1v1h-1z"',
            ">landing<", ">most 200<", ">12 outside<",
        ):
            self.assertIn(part, svg)


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class CellLanguageTests(TwinTest):
    def test_many_numbers(self) -> None:
        for trials in (1, 2, 100, 5000):
            with self.subTest(trials=trials):
                played, words = self.played(FILE, trials)
                self.assertEqual(list(played.readings), ["both", "way", "beyond"])
                for name, own in zip(("both", "way"), words):
                    shown, ends = played[name].cells, {"both": (-1.5, 2.0), "way": (-9.0, 9.0)}[name]
                    found = cells(own, ends)
                    assert shown is not None and found is not None
                    self.assertEqual((shown.x, shown.y, shown.outside), (ends, found.y, found.outside))
                    self.assertEqual(sum(shown.rows, ()), found.counts)

    def test_mistakes_are_refused(self) -> None:
        size = "a histogram in two dimensions has columns and rows, and at most 4096 cells"
        ends = "a range has two ends, of which the second is above the first; write Histogram2D(40, 20, x=(-10, 10), y=(0, 5))"
        for old, new, sentence in (
            ("SIZE, 3", "SIZE, 0", size), ("SIZE, 3", "SIZE * 100, 6", size), ("SIZE, 3", "SIZE, 3.0", size),
            ("x=(-1.5, 2)", "x=(2, 2)", ends), ("x=(-1.5, 2)", "x=2", ends), ("x=(-1.5, 2)", "x=(0, 1, 2)", ends),
            ("x=(-1.5, 2), ", "", "the range of x of a histogram in two dimensions is missing; write "
             "Histogram2D(40, 20, x=(-10, 10), y=(0, 5))"),
            ("self.both.add(x, y)", "self.both.add(x)", "add takes 2 numbers here: self.both.add(x, y)"),
            ("tally.way.outside", "tally.way.above",
             "this field has no 'above'; write tally.way.outside; its cells are in the reading histogram(…)"),
            ("tally.way.outside", "tally.way[0, 1]",
             "only a histogram has bins; write tally.way.outside; its cells are in the reading histogram(…)"),
            ('histogram("both", both)', 'histogram("both", both, exact=lambda self: 1)', "a histogram has no exact answer"),
            ('histogram("both", both)', 'mean("both", both)', "mean needs a field of Moments, and 'both' is Histogram2D"),
            ('histogram("both", both)', 'derived("x", histogram("both", both), lambda self, x: x)',
             "a histogram has no single value to compute with"),
        ):
            path = self.folder / "work.py"
            path.write_text(FILE.replace(old, new, 1))
            with self.subTest(new), self.assertRaises(Refused) as refused:
                compiled(path, path.name, self.folder / "module.wasm")
            self.assertIn(sentence, [each.sentence for each in refused.exception.messages])


if __name__ == "__main__":
    unittest.main()
