"""Comparisons of settings, indices of parameters, and tables that are no files."""

from __future__ import annotations

import importlib
import json
import math
import warnings
from typing import Any

import potluck

from .support import FakeTest, ProgramTest

COLUMN = '''
import potluck


class Column(potluck.Simulation):
    """What are the mean and the largest of numbers that are drawn from a table?"""

    shift = potluck.Parameter(0.0, "added to each number", -4.0, 4.0)
    numbers = potluck.Table("numbers to draw from")
    drawn, most = potluck.Moments(), potluck.Maximum()

    def trial(self, random):
        number = self.numbers[random.below(len(self.numbers))][0] + self.shift
        self.drawn.add(number)
        self.most.add(number)

    readings = [potluck.mean("drawn", drawn)]
'''

SEVERAL = '''
import potluck


class Several(potluck.Simulation):
    """What are the means of two columns?"""

    people = potluck.Table("people", columns=["height", "weight"])
    height, weight = potluck.Moments(), potluck.Moments()

    def trial(self, random):
        row = random.below(len(self.people))
        self.height.add(self.people[row][0])
        self.weight.add(self.people[row][1])

    readings = [potluck.mean("height", height), potluck.mean("weight", weight)]
'''


class ComparisonTests(ProgramTest):
    def test_a_difference_is_the_programs(self) -> None:
        found = potluck.difference("gamblers-ruin", trials=1e4, seed=7, reading="won", p=[0.5, 0.49])
        said = self.printed("difference", "gamblers-ruin", "-p", "p=0.5,0.49", "--trials", "1e4", "--seed", "7", "--reading", "won")
        self.assertEqual(found.to_dict(), said)
        self.assertEqual((found.seed, found.varied, len(found), found.reached), (7, ("p",), 2, None))
        first, second = found
        one, other = first["won"], second["won"]
        assert one.value is not None and other.value is not None and other.difference is not None
        self.assertAlmostEqual(other.difference, other.value - one.value, delta=1e-12)
        self.assertIsNone(one.difference)
        assert other.low is not None and other.high is not None and other.half_width is not None
        self.assertTrue(other.low < other.difference < other.high and other.gain is not None and other.gain > 1)
        self.assertEqual([row["p"] for row in found.to_rows()], [0.5, 0.49])
        self.assertIn("2 settings by p", repr(found))
        self.assertIn("<td>won</td>", found._repr_html_())
        # What it prints computes the same.
        again = self.printed(*found.command.replace("'", "").split()[1:])
        self.assertEqual(again["digest"], found.digest)

    def test_a_precision_ends_a_difference(self) -> None:
        found = potluck.difference("gamblers-ruin", until={"won": 0.01}, seed=7, p="0.5,0.49")
        self.assertTrue(found.reached and (found[1]["won"].half_width or 1) <= 0.01)
        found = potluck.difference("gamblers-ruin", until=1e-9, trials=1e4, seed=7, reading=["won"], p=[0.5, 0.49])
        self.assertIs(found.reached, False)

    def test_indices_are_the_programs(self) -> None:
        found = potluck.sensitivity(
            "gamblers-ruin", rows=64, trials=10, seed=3, reading=["won", "rounds"], stake=(5, 15), p="0.45..0.55")
        said = self.printed(
            "sensitivity", "gamblers-ruin", "-p", "stake=5..15", "-p", "p=0.45..0.55", "--rows", "64", "--trials", "10", "--seed",
            "3", "--reading", "won", "--reading", "rounds")
        self.assertEqual(found.to_dict(), said)
        self.assertEqual((list(found), list(found["won"]), found.points), (["won", "rounds"], ["stake", "p"], 256))
        total = found["won"]["stake"].total
        assert total is not None
        self.assertTrue(-1 < total < 2 and math.isfinite(found["won"]["p"].first_half_width or math.nan))
        self.assertEqual(len(found.to_rows()), 4)
        self.assertIn("how won, rounds depend on stake, p", repr(found))
        self.assertIn("<td>stake</td>", found._repr_html_())

    def test_wrong_usage_is_one_line(self) -> None:
        for call, message in (
            (lambda: potluck.difference("gamblers-ruin", trials=10), "several values"),
            (lambda: potluck.difference("gamblers-ruin", trials=10, p=[0.5]), "at least two values"),
            (lambda: potluck.difference("gamblers-ruin", p=[0.5, 0.4]), "--trials or --until"),
            (lambda: potluck.difference("gamblers-ruin", until=0.1, trails=10, p=[0.5, 0.4]), "did you mean trials="),
            (lambda: potluck.sensitivity("gamblers-ruin", p=(0.4, 0.5, 0.6)), "two ends"),
            (lambda: potluck.sensitivity("gamblers-ruin", p=0.4), "no range to draw from"),
            (lambda: potluck.sensitivity("gamblers-ruin", p=(0.4, 2)), "must be 0.01 to 0.99"),
            (lambda: potluck.sensitivity("gamblers-ruin", rows=2, p=(0.4, 0.5)), "must be from 64"),
        ):
            with self.subTest(message), self.assertRaisesRegex(potluck.UsageError, message) as raised:
                call()
            self.assertNotIn("\n", raised.exception.message)


class FakeComparisonTests(FakeTest):
    def test_what_is_no_answer_is_refused(self) -> None:
        for said in ({}, {"simulation": "a"}, []):
            self.fake(["out", json.dumps(said) + "\n"])
            with self.assertRaisesRegex(potluck.PotluckError, "unexpected"):
                potluck.difference("a", trials=1, p=[1, 2])
        self.fake(["err", "potluck: stopped before each setting had its first trials\n"], ["exit", 130])
        with self.assertRaisesRegex(potluck.PotluckError, "^stopped before"):
            potluck.difference("a", trials=1, p=[1, 2])


class DataTests(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.set(XDG_CACHE_HOME=str(self.folder / "cache"))
        self.column = self.folder / "column.py"
        self.column.write_text(COLUMN)

    def digest(self, data: Any) -> str:
        with warnings.catch_warnings():
            # Small numbers beside large ones are all alike.
            warnings.simplefilter("ignore", potluck.PotluckWarning)
            return potluck.run(self.column, trials=1000, seed=1, inputs={"numbers": data}).digest

    def test_a_list_and_an_array_are_the_same_as_a_file(self) -> None:
        file = self.folder / "numbers.txt"
        numbers = [0.1, 1e9, -3, 2**31, 5e-324]
        file.write_text("".join(f"{number!r}\n" for number in numbers))
        expected = self.digest(file)
        for data in (str(file), numbers, tuple(numbers), iter(numbers), [[number] for number in numbers]):
            self.assertEqual(self.digest(data), expected)
        # A row of five is another table.
        self.assertNotEqual(self.digest([numbers]), expected)
        try:
            numpy: Any = importlib.import_module("numpy")
        except ImportError:
            self.skipTest("needs NumPy")
        array = numpy.array(numbers)
        for data in (array, array.reshape(5, 1), numpy.asfortranarray(array.reshape(5, 1)), array.astype(">f8"), [*array]):
            self.assertEqual(self.digest(data), expected)
        small = self.digest([1, 2, 250])
        for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "f2", "f4"):
            self.assertEqual(self.digest(numpy.array([1, 2, 250 if kind != "i1" else 2]).astype(kind)) == small, kind != "i1", kind)
        for wrong, message in (
            (array.astype("c16"), "complex"), (numpy.array(["a"]), "texts"), (numpy.array([None]), "has no numbers for input"),
            (numpy.array([2**60]), "up to 2.53"),
        ):
            with self.subTest(message), self.assertRaisesRegex(potluck.PotluckError, message):
                self.digest(wrong)

    def test_the_command_repeats_a_run_of_a_list(self) -> None:
        result = potluck.run(self.column, trials=1000, seed=1, inputs={"numbers": [1, 2, 3]}, shift=1)
        runs = potluck.history()
        path = runs[0].raw["inputs"]["numbers"]["file"]
        again = self.printed(
            "run", str(self.column), "-p", "shift=1", "--input", f"numbers={path}", "--trials", "1000", "--seed", "1")
        self.assertEqual(again["digest"], result.digest)

    def test_a_frame_has_names(self) -> None:
        file = self.folder / "several.py"
        file.write_text(SEVERAL)
        rows = "weight,height\n70.5,1.8\n60,1.7\n"
        data = self.folder / "people.csv"
        data.write_text(rows)

        class Frame:
            columns = ["weight", "height"]

            def to_csv(self, index: bool) -> str:
                assert not index
                return rows

            def __array__(self) -> Any:
                raise AssertionError("its names are lost")

        given: Any = Frame()
        expected = potluck.run(file, trials=100, seed=1, inputs={"people": data})
        self.assertEqual(potluck.run(file, trials=100, seed=1, inputs={"people": given}).digest, expected.digest)

    def test_what_is_no_table_is_refused(self) -> None:
        for data, message in (
            (["a"], "row 1 of input 'numbers' has 'a'"), ([1, None], "row 2 of input 'numbers' has None"),
            (3, "'int' has no numbers for input"), ([], "no numbers"), ([[1, 2], [3]], "expected 2 numbers"), ([math.inf], "finite"),
        ):
            wrong: Any = data
            with self.subTest(message), self.assertRaisesRegex(potluck.PotluckError, message):
                self.digest(wrong)

    def test_a_file_that_is_lacking_is_named(self) -> None:
        with self.assertRaisesRegex(potluck.PotluckError, "no file was given, so try --input numbers=FILE; to find the trial"):
            potluck.run(self.column, trials=100, seed=1)

    def test_plain_python_takes_the_numbers_of_a_column(self) -> None:
        namespace: dict[str, Any] = {}
        exec(COLUMN, namespace)
        column = namespace["Column"]
        self.assertEqual(column(numbers=[1, 2, 3]).play(seed=1, trials=100).slots, column(numbers=[[1], [2], [3]]).play(seed=1, trials=100).slots)
