"""A class of an author in plain Python: its parameters, fields and readings, and what is refused."""

from __future__ import annotations

import math
import unittest
from fractions import Fraction
from typing import Any

import potluck
from potluck import Count, ExactSum, Histogram, Maximum, Minimum, Moments, Parameter, derived, mean, proportion


class Dice(potluck.Simulation):
    """Two dice"""

    sides = Parameter(6, "sides of a die", 2, 100)
    scale = Parameter(0.5, "a real number", 0, 2)
    quick = Parameter(False, "a flag")
    kind = Parameter("call", "a choice", ["call", "put"])
    top_pings = Parameter(["rocket", "ham"], "several", ["ham", "olives", "rocket"], count=(1, 2))
    same, sums = Count(), Moments()
    steps = 300

    def prepare(self) -> None:
        self.table = [side * side for side in range(self.sides)]
        if self.sides == 13:
            raise ValueError("thirteen is unlucky")

    def trial(self, random: potluck.Random) -> None:
        first, second = random.integer(1, self.sides), random.integer(1, self.sides)
        self.note(f"{first} and {second}")
        self.same.add(first == second)
        self.sums.add(first + second)

    readings = [
        proportion("same", same, exact=lambda self: 1 / self.sides),
        derived("per mille", proportion("same", same), lambda self, share: 1000 * share),
        derived("inverse", mean("mean", sums), lambda self, middle: 1 / (middle - middle)),
        derived("hits", lambda self, tally, trials: tally.same.value / trials if trials > 1 else None),
    ]


class Words(potluck.Gathering):
    """A text"""

    count = Parameter(10, "how many", 1, 1000)
    data = potluck.Table("some numbers")
    odd = Count()
    block_size = 4

    def units(self) -> int:
        return self.count

    def block(self, units: range, random: potluck.Random, output: potluck.Output) -> None:
        for unit in units:
            self.odd.add(unit % 2)
            output.write("n ")
            output.line(unit if len(self.data) == 0 else self.data[0][unit % self.data.columns])


def made(called: str, /, **body: Any) -> Any:
    """Returns a class with these attributes."""
    return type(called, (potluck.Simulation,), body)


class ParameterTests(unittest.TestCase):
    def test_an_instance_has_the_values(self) -> None:
        dice = Dice(sides=8, kind="put", top_pings=["olives"])
        values = (dice.sides, dice.scale, dice.quick, dice.kind, dice.top_pings)
        self.assertEqual(values, (8, 0.5, False, "put", ("olives",)))
        self.assertEqual(Dice().top_pings, ("ham", "rocket"))
        self.assertEqual(made("X", lambda_=Parameter(1, "x", 0, 9))(lambda_=3).lambda_, 3)
        self.assertEqual(dice.table, [side * side for side in range(8)])
        self.assertEqual(Dice(**{"top-pings": "rocket,ham", "scale": 2}).top_pings, ("ham", "rocket"))
        self.assertIsInstance(Dice(scale=2).scale, float)
        self.assertEqual(repr(Dice(scale=2)), (
            "Dice(sides=6, scale=2.0, quick=False, kind='call', top_pings=('ham', 'rocket'))"))

    def test_a_wrong_value_is_refused(self) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"sides": 1}, "invalid value 1 for parameter 'sides': must be a whole number from 2 to 100"),
            ({"sides": 2.5}, "must be a whole number from 2 to 100"), ({"sides": True}, "must be a whole number"),
            ({"sides": "6"}, "must be a whole number from 2 to 100"), ({"scale": math.nan}, "must be a number from 0 to 2"),
            ({"quick": 1}, "must be True or False"), ({"kind": "both"}, "must be one of call, put"),
            ({"top_pings": []}, "'top-pings': must be 1 to 2 of ham, olives, rocket"),
            ({"top_pings": ["ham", "fish"]}, "1 to 2"),
            ({"side": 6}, "unknown parameter 'side' of dice; did you mean 'sides'?"),
            ({"x": 6}, "parameters: sides, scale"),
        ]
        for given, sentence in cases:
            with self.subTest(given=given), self.assertRaisesRegex(potluck.UsageError, sentence.replace("?", r"\?")):
                Dice(**given)

    def test_a_call_in_another_form_is_refused(self) -> None:
        dice: Any = Dice
        with self.assertRaisesRegex(TypeError, "parameters are given by name; Dice has sides, scale"):
            dice(6)
        for subject, sentence in (
            (Dice(sides=7, kind="put"), r"potluck.run\(Dice, sides=7, kind='put'\), without making an instance"),
            (Dice(), r"potluck.run\(Dice\), without making"), (3, "3 is no simulation; give a class of your own"),
        ):
            with self.subTest(subject=subject), self.assertRaisesRegex(potluck.UsageError, sentence):
                potluck.run(subject, trials=1)
        for given, sentence in (
            ({"seed": 1.5, "trials": 3}, "seed must be a whole number, 0 or more, and is 1.5"),
            ({"seed": 1, "trials": -3}, "trials must be a whole number"),
        ):
            with self.assertRaisesRegex(potluck.UsageError, sentence):
                dice().play(**given)
        self.assertEqual(Dice().play(seed=1, trials=2e2).trials, 200)

    def test_prepare_refuses_with_its_own_sentence(self) -> None:
        with self.assertRaisesRegex(ValueError, "thirteen is unlucky"):
            Dice(sides=13)

    def test_a_wrong_declaration_is_refused(self) -> None:
        wrong: Any = Parameter
        for arguments, sentence in [
            ((6, "sides"), "least and the greatest"), ((6, "sides", 1, 8.5), "whole bounds"),
            ((6, "sides", 7, 8), "outside its range; it must be a whole number from 7 to 8"),
            (("a", "kind", ["b"]), "outside its range"),
            (("a", "kind", ["a", "a"]), "different names"), ((None, "x"), "a parameter's default is a number"),
        ]:
            with self.subTest(arguments=arguments), self.assertRaisesRegex(TypeError, sentence):
                wrong(*arguments)


class ClassTests(unittest.TestCase):
    def test_names_are_made_from_the_class(self) -> None:
        for name, expected in [
            ("MontyHall", "monty-hall"), ("Pi", "pi"), ("HTTPLine2D", "http-line2-d"), ("a_B", "a-b"),
            ("ÉtéÀb", "été-àb"),
        ]:
            self.assertEqual(made(name).name, expected)
        self.assertEqual(made("X", name="own").name, "own")

    def test_what_has_a_meaning_of_its_own_is_refused(self) -> None:
        bodies: list[tuple[dict[str, Any], str]] = [
            ({"trial": Count()}, "'trial' means something else"),
            ({"name": Parameter(1, "x", 0, 2)}, "'name' means something else"),
            ({"__init__": lambda self: None}, "write prepare"), ({"won": Count}, r"brackets; write won = Count\(\)"),
        ]
        for body, sentence in bodies:
            with self.subTest(body=body), self.assertRaisesRegex(TypeError, sentence):
                made("X", **body)
        count = Count()
        # Python before 3.12 raises a RuntimeError from it.
        with self.assertRaises((TypeError, RuntimeError)):
            made("X", a=count, b=count)

    def test_trials_keep_nothing(self) -> None:
        dice = Dice()
        for name, sentence in [
            ("sides", "cannot change"), ("same", "field of the tally"), ("extra", "only be set in prepare"),
        ]:
            with self.subTest(name=name), self.assertRaisesRegex(AttributeError, sentence):
                setattr(dice, name, 3)

    def test_each_instance_has_its_own_fields(self) -> None:
        one, other = Dice(), Dice()
        one.trial(potluck.Random(seed=1))
        self.assertEqual((one.sums.count, other.sums.count, Dice.sums.count), (1, 0, 0))
        one.play(seed=1, trials=5)
        self.assertEqual((one.sums.count, one.trials_in_block), (5, 2048))
        self.assertEqual(Words().trials_in_block, 4)

    def test_without_readings_each_field_suggests_one(self) -> None:
        readings = made("X", a=Count(), b=Moments(), c=Histogram(2, 0, 1), d=Minimum()).readings
        self.assertEqual([(each.name, each.kind) for each in readings], [
            ("a", "proportion"), ("b", "mean"), ("c", "histogram")])
        self.assertEqual(made("X", a=Count(), readings=[]).readings, [])

    def test_block_size_is_a_power_of_two(self) -> None:
        for size in (8, 48, 1 << 17):
            with self.subTest(size=size), self.assertRaisesRegex(ValueError, "power of two from 16 to 65536"):
                made("X", block_size=size)().trials_in_block


class ReadingTests(unittest.TestCase):
    def test_readings_are_computed_from_the_tally(self) -> None:
        played = Dice().play(seed=7, trials=600)
        same = played["same"]
        count: Any = played.tally["same"]
        self.assertEqual((same.value, same.exact, same.confidence), (count.value / 600, 1 / 6, 0.95))
        assert same.value is not None and same.low is not None and same.high is not None
        scaled = played["per mille"]
        self.assertEqual(
            (scaled.value, scaled.low, scaled.high), (1000 * same.value, 1000 * same.low, 1000 * same.high))
        self.assertEqual((played["inverse"].value, played["inverse"].low), (None, None))
        self.assertEqual(played["hits"].value, same.value)
        self.assertIn("same 0.1", repr(played))
        self.assertIsNone(Dice().play(seed=7, trials=1)["hits"].value)

    def test_trials_that_were_alike_have_no_interval_of_a_mean(self) -> None:
        class Same(potluck.Simulation):
            """The same"""

            x = Moments()

            def trial(self, random: potluck.Random) -> None:
                self.x.add(3)

        played = Same().play(seed=1, trials=10)
        self.assertEqual((played["x"].value, played["x"].low, played["x"].confidence), (3.0, None, None))


class FieldTests(unittest.TestCase):
    def test_no_numbers_have_no_value(self) -> None:
        for value in (Minimum().value, Maximum().value, Moments().mean, Moments().variance):
            self.assertTrue(math.isnan(value))
        self.assertEqual((Count().value, ExactSum().value), (0, 0.0))

    def test_sums_are_exact(self) -> None:
        total = ExactSum()
        for x in (1e18, 1.0, 2.0**-80, -1e18, 3):
            total.add(x)
        self.assertEqual(total.units, int((4 + Fraction(1, 2**80)) * 2**128))
        total.add_square(-1.5)
        self.assertEqual(total.value, 6.25)

    def test_a_number_that_a_field_cannot_hold_is_refused(self) -> None:
        moments, total, least, most, bins = Moments(), ExactSum(), Minimum(), Maximum(), Histogram(2, 0, 1)
        fields = (moments, total, least, most, bins)
        for each in fields:
            each.add(0.5)
        slots = [each.slots() for each in fields]
        for each in fields:
            with self.assertRaisesRegex(ValueError, "NaN"):
                each.add(math.nan)
        for add, beyond in ((moments.add, 3.1e9), (moments.add, 3_037_000_500), (total.add, -(2.0**63)),
                            (total.add_square, -math.inf), (total.add_square, 3_037_000_500)):
            with self.assertRaisesRegex(ValueError, "below"):
                add(beyond)
        self.assertEqual([each.slots() for each in fields], slots)

    def test_a_histogram_has_bins_and_two_ends(self) -> None:
        bins = Histogram(4, -1, 1)
        for x in (-1.5, -1, -0.5, 0, 0.999, 1, 5):
            bins.add(x)
        self.assertEqual((bins.below, [bins[place] for place in range(4)], bins.above), (1, [1, 1, 1, 1], 2))
        with self.assertRaisesRegex(IndexError, "outside its list"):
            bins[4]
        for arguments in ((0, 0, 1), (4, 1, 1), (4, 0, math.inf)):
            with self.assertRaises(ValueError):
                Histogram(*arguments)

    def test_a_count_does_not_go_down(self) -> None:
        with self.assertRaisesRegex(ValueError, "cannot go down"):
            Count().add(-1)


class RandomTests(unittest.TestCase):
    def test_the_first_words_are_those_of_the_page(self) -> None:
        for lane, words in ((0, [0xEC363DD1, 0xC44702AA, 0xA2E1BA98, 0xCDBC6A77]), (1, [0x92AEA849, 0xB79FD016])):
            stream = potluck.Random(seed=1, lane=lane)
            self.assertEqual([stream.next() for _ in words], words)

    def test_a_draw_of_pythons_own_module_is_named(self) -> None:
        random: Any = potluck.Random(seed=1)
        with self.assertRaisesRegex(AttributeError, r"of Python's module; write random.unit\(\)"):
            random.random()
        self.assertFalse(hasattr(random, "shuffled"))

    def test_a_draw_with_something_that_it_cannot_take_is_refused(self) -> None:
        random: Any = potluck.Random(seed=1)
        for name, arguments, sentence in [
            ("below", (0,), "above 0"), ("integer", (2, 1), "below its start"), ("pair", (0, 2), "from 1 to 65 536"),
            ("chance", (1.5,), "from 0 to 1"), ("chance", (math.nan,), "from 0 to 1"),
            ("choices", (1, []), "not empty"),
            ("sample", (3, [1, 2]), "more different elements"), ("choice", ([],), "empty list"),
        ]:
            with self.subTest(name=name), self.assertRaisesRegex((ValueError, IndexError), sentence):
                getattr(random, name)(*arguments)
        with self.assertRaises(TypeError):
            random.below(6.0)
        for weights, sentence in (([], "the sum"), ([0], "the sum"), ([1, -1], "a weight"), ([math.nan], "a weight")):
            with self.subTest(weights=weights), self.assertRaisesRegex(ValueError, sentence):
                potluck.WeightedChoice(weights)


class GatheringTests(unittest.TestCase):
    def test_blocks_are_joined_in_order(self) -> None:
        played = Words(count=6).play()
        self.assertEqual(played.output, b"n 0\nn 1\nn 2\nn 3\nn 4\nn 5\n")
        odd, octets, *sums = played.slots
        self.assertEqual((odd, octets, len(sums)), (3, 24, 20))
        self.assertEqual(Words(count=6).play(trials=3).output, b"n 0\nn 1\nn 2\n")

    def test_a_table_has_rows(self) -> None:
        self.assertEqual(Words(count=2, data=[[1, 2.5]]).play().output, b"n 1.0\nn 2.5\n")
        with self.assertRaisesRegex(potluck.UsageError, "same length"):
            Words(data=[[1], [2, 3]])

    def test_real_numbers_are_written_as_the_program_writes_them(self) -> None:
        output = potluck.Output()
        for x in (
            0.1, -3.0, 1e100, 1e15, 2.0**53, -2.0**53 - 2, 9.9e15, 1e16, 1e-5, 5e-324, math.inf, math.nan, 7, True,
        ):
            output.line(x)
        self.assertEqual(output.octets.decode().split(), [
            "0.1", "-3.0", "1e+100", "1000000000000000.0", "9007199254740992.0", "-9.007199254740994e+15", "9.9e+15",
            "1e+16", "1e-05", "5e-324", "inf", "nan", "7", "1"])
