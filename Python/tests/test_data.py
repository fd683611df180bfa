"""Data in a trial: columns of files, NumPy's files, and distributions of measured numbers."""

from __future__ import annotations

import importlib
import json
import struct
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any

import potluck
from potluck._command import named_rows, numpy_file, tables
from potluck._command.failures import Failure
from potluck._sandbox import Input

from .language.compiler import Refused, compiled
from .pure import PureTest
from .support import ROOT
from .test_language_page import samples

PENGUINS = ROOT / "Examples/penguins.csv"
#: Of `scipy.stats.bootstrap`, SciPy 1.17.1, of Examples/penguins.csv: numpy.median of the grams, and the ratio of the sums with
#: paired=True; method="percentile", n_resamples=200000 and numpy.random.default_rng(1).
SCIPY = {"median, from": 3725, "median, to": 4237.5, "grams per mm, from": 19.3492, "grams per mm, to": 20.9213}
#: The same files, with what an input of the columns "weight" and "height, m" makes of them.
FILES = (
    'name,"height, m",weight\r\n"Ada, ""x""",1.5,2\n\nBob,1e3,-3\n', "\ufeffheight, m;weight;name\n1.5;2;a, b\n1e3; -3 ;",
    '# "height, m" weight\n1.5 2\n1e3 -3\n', 'weight\t"height, m"\n2\t1.5\n-3\t1e3\n')
MISTAKES = (
    ("1 2 3\n", "has no line of names, and its rows have 3 numbers instead of 2: 'weight' and 'height, m'"),
    ('wight,"height, m"\n1,2\n', "has no column 'weight'; did you mean 'wight'?"),
    ("a,b\n1,2\n", "has no column 'weight'; its columns are 'a' and 'b'"),
    ('weight,weight,"height, m"\n1,2,3\n', "line 1: two columns are called 'weight'"),
    ('weight,"height, m"\n1\n', "line 2: expected 2 cells as in line 1, found 1"),
    ('x,weight,"height, m"\n"x\ny",1,2\n,NA,3\n', "line 4: 'weight' is 'NA', which is no number; leave out the line"),
    ('weight,"height, m"\n1,\n', "line 2: 'height, m' is empty; leave out the line"),
    ('weight,"height, m"\n', "has no numbers"), ("", "has no numbers"))
AUTHOR = textwrap.dedent("""\
    import potluck
    from potluck import Empirical, Moments, Table

    class Measured(potluck.Simulation):
        data = Table("two columns", columns=["weight", "height, m"])
        picked, between, single = Moments(), Moments(), Moments()
        def prepare(self):
            self.weights = Empirical(self.data.column("weight"))
            self.heights = Empirical(self.data.column(1))
            self.last = Empirical([self.data[-1][0]])
        def trial(self, random):
            self.picked.add(self.weights.pick(random))
            self.between.add(self.heights.interpolate(random))
            self.single.add(self.last.pick(random) - self.last.interpolate(random) + len(self.data.column(0)) * random.unit())
    """)


class FileTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="potluck-data-"))

    def read(self, content: bytes, *columns: str) -> tables.Table:
        (self.folder / "file").write_bytes(content)
        return tables.read(str(self.folder / "file"), Input("x", "", columns))

    def test_columns_are_taken_by_their_names(self) -> None:
        for text in FILES:
            with self.subTest(text):
                self.assertEqual(self.read(text.encode(), "weight", "height, m"), (2, 2, (2, 1.5, -3, 1000)))
        self.assertEqual(self.read(b"1 2\n3 4\n", "a", "b"), (2, 2, (1, 2, 3, 4)))
        self.assertEqual(self.read(b"blood pressure\n3\n", "blood pressure"), (1, 1, (3,)))

    def test_a_mistake_is_named(self) -> None:
        for text, sentence in MISTAKES:
            with self.subTest(text), self.assertRaises(Failure) as caught:
                self.read(text.encode(), "weight", "height, m")
            self.assertIn(sentence, str(caught.exception))

    def test_names_of_rows_stand_behind_the_numbers(self) -> None:
        file = self.folder / "file"
        file.write_text("city,x,y\nKöln,1,2\n'Aachen-Süd',3,4\n", encoding="utf-8")
        named = tables.read(str(file), Input("cities", "", has_row_names=True))
        self.assertEqual((named.rows, named.columns, named_rows.own_columns(named)), (2, 5, 2))
        # The bits are those that the program writes (RowNamesTests.swift).
        self.assertEqual(struct.pack(">d", named.numbers[2]).hex(), "7fe04bc3b66c6e00")
        with self.assertRaisesRegex(Failure, "is not a number"):
            tables.read(str(file), Input("cities", ""))

    def test_numpy_and_potluck_read_what_the_other_writes(self) -> None:
        try:
            numpy: Any = importlib.import_module("numpy")
        except ImportError:
            self.skipTest("needs NumPy")
        path = self.folder / "x.npy"
        for kind in ("<f8", "<f4", "<i8", "<i4", "u1", "?"):
            for shape in ((6,), (2, 3), (3, 2), (6, 1)):
                array = numpy.arange(6).reshape(shape).astype(kind)
                for version in ((1, 0), (2, 0), (3, 0)):
                    with open(path, "wb") as file:
                        numpy.lib.format.write_array(file, array, version=version)
                    columns = shape[1] if len(shape) == 2 else 1
                    self.assertEqual(
                        tables.read(str(path), Input("x", "")), (6 // columns, columns, tuple(map(float, array.flatten().tolist()))))
                path.write_bytes(numpy_file.head(6 // columns, columns) + array.astype("<f8").tobytes())
                self.assertEqual(numpy.load(path).tolist(), array.reshape(-1).tolist() if columns == 1 else array.tolist())
        two = numpy.arange(6.0).reshape(2, 3)
        for wrong, words in (
            (two.astype(">f8"), "another kind"), (two.astype("c16"), "complex"), (two.astype("U3"), "texts"),
            (two.astype("f2"), "another kind"), (numpy.zeros(2, "f8,i4"), "records"), (two.astype("M8[D]"), "dates"),
            (numpy.asfortranarray(two), "columns first"), (numpy.zeros(()), "one or two dimensions"),
            (numpy.zeros((1, 1, 1)), "one or two dimensions"), (numpy.zeros(0), "no numbers"),
            (two + numpy.nan, "row 0, column 0"), (numpy.array([2**53 + 1]), "up to 2^53"),
        ):
            numpy.save(path, wrong)
            with self.subTest(words), self.assertRaisesRegex(Failure, words.replace("^", r"\^")):
                tables.read(str(path), Input("x", ""))
        path.write_bytes(path.read_bytes()[:-1])
        with self.assertRaisesRegex(Failure, "is damaged"):
            tables.read(str(path), Input("x", ""))


class DataTests(PureTest):
    def test_a_bootstrap_has_the_intervals_of_scipy(self) -> None:
        words = ("--input", f"penguins={PENGUINS}", "--trials", "200000", "--seed", "1", "--json")
        said = self.pure("run", "Examples/Python/bootstrap.py", *words)
        for reading in json.loads(said.stdout)["readings"]:
            # The buckets of quantiles and the two Monte Carlo errors, as a part of the data's own value.
            self.assertLess(abs(reading["value"] / SCIPY[reading["name"]] - 1), 0.001, reading["name"])

    def test_a_module_and_plain_python_have_the_same_tally(self) -> None:
        file, data = self.folder / "measured.py", self.folder / "data.csv"
        file.write_text(AUTHOR)
        data.write_text(FILES[0])
        words = ("--input", f"data={data}", "--trials", "3000", "--seed", "4", "--json")
        said = json.loads(self.pure("run", str(file), *words).stdout)
        names: dict[str, Any] = {}
        exec(AUTHOR, names)
        played = names["Measured"](data=[[2, 1.5], [-3, 1e3]]).play(seed=4, trials=3000)
        self.assertEqual(said["slots"], [slot for each in played.tally.values() for slot in each.slots()])

    def test_the_sample_of_the_page_reads_a_file(self) -> None:
        found = [sample for sample in samples() if " Table(" in sample]
        self.assertEqual(len(found), 1)
        file, data = self.folder / "tallest.py", self.folder / "people.csv"
        file.write_text(found[0])
        data.write_text("name,height\nAda,1.7\nBob,1.8\n")
        said = self.pure("run", str(file), "--input", f"people={data}", "--trials", "20000", "--seed", "1", "--json")
        # The tallest of ten is Ada only if all ten are.
        self.assertAlmostEqual(json.loads(said.stdout)["readings"][0]["value"], 1.8 - 0.1 / 2**10, delta=1e-4)
        self.assertIn("it needs numbers: --input people=FILE", self.pure("run", str(file), "--trials", "100").stderr)

    def test_what_a_table_has_not_is_refused_before_the_run(self) -> None:
        for old, new, sentence in (
            ('column("weight")', 'column("wight")', "the table declares no column 'wight'"),
            (', columns=["weight", "height, m"]', "", "the table declares no column 'weight'; declare it"),
            ('["weight", "height, m"]', '["weight", "weight"]', "two columns are called 'weight'"),
            ('["weight", "height, m"]', "3", "the columns of a table are a list of names"),
            ("self.weights.pick(random)", "self.weights.draw(random)", "an Empirical has two methods"),
            ("self.weights.pick(random)", "Empirical([1]).pick(random)", "make an Empirical once, in 'prepare'"),
        ):
            file = self.folder / "measured.py"
            file.write_text(AUTHOR.replace(old, new))
            with self.subTest(new), self.assertRaisesRegex(Refused, sentence):
                compiled(file, "measured.py", self.folder / "out")
        empirical: Any = potluck.Empirical
        for numbers, sentence in (([], "at least one number"), ([1, float("nan")], "finite"), ([-1e308, 1e308], "apart")):
            with self.subTest(numbers), self.assertRaisesRegex(ValueError, sentence):
                empirical(numbers)

    def test_a_program_and_python_read_the_same_files(self) -> None:
        file, data = self.folder / "measured.py", self.folder / "data"
        file.write_text(AUTHOR)
        for text in (*FILES, *(text for text, _ in MISTAKES)):
            data.write_text(text)
            self.assertSame(f"run {file} --input data={data} --trials 1000 --seed 2 --json")
        output = self.folder / "x.npy"
        self.assertSame(f"run matrix-product -p size=8 -o {output} -f")
        self.assertEqual(output.read_bytes()[:128], numpy_file.head(8, 8))
        self.assertSame(f"run primes -p limit=100 -p list=yes -o {output} -f")
        self.assertSame(f"run matrix-product --input a={output} --input b={output} -o -")
        self.assertSame(f"check Examples/Python/bootstrap.py --quick --input penguins={PENGUINS}")


if __name__ == "__main__":
    unittest.main()
