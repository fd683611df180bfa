"""A sweep is the program's, in order, whoever asks for it and however it ends."""

from __future__ import annotations

import asyncio
import csv
import itertools
import json
import os
import signal
import subprocess
import tempfile
from typing import Any
from unittest import mock

import potluck
from potluck import _points, _talk

from .support import PROGRAM, FakeTest, ProgramTest, point, result

LINES = [["out", json.dumps(point(index)) + "\n"] for index in range(3)]


class Scalar:
    """What NumPy's scalars are like, without NumPy."""

    ndim = 0

    def __init__(self, value: Any) -> None:
        self.value = value

    def item(self) -> Any:
        return self.value


class PlanTests(ProgramTest):
    def test_values_become_words(self) -> None:
        for value, expected in (
            (range(3, 6), "3,4,5"), ([0.1, 1 / 3, 1e-7, 3.0], "0.1,0.3333333333333333,1e-07,3"), ("3..10", "3..10"),
            ((True, False), "yes,no"), (["cost", "one-tree"], "cost,one-tree"), (["3..5", 8], "3..5,8"),
            (iter([1, 2]), "1,2"), ([Scalar(2), Scalar(True), Scalar(0.5)], "2,yes,0.5"),
        ):
            plan = _points.plan({"a": value, "b": Scalar(7), "c": 1.5}, None)
            self.assertEqual((plan.words, plan.path), ({"a": expected, "b": "7", "c": "1.5"}, None))

    def test_one_point_and_many_need_a_file(self) -> None:
        plan = _points.plan({"a": [5], "b": 2}, None)
        self.assertEqual((plan.words, plan.file), ({"b": "2"}, b"a\n5\n"))
        many = [place / 7 for place in range(5000)]
        plan = _points.plan({"a": many, "b": [1, 2], "c": 3}, None)
        expected = "a,b\n" + "".join(f"{_number(a)},{b}\n" for a in many for b in (1, 2))
        self.assertEqual((plan.words, plan.file), ({"c": "3"}, expected.encode()))

    def test_points_become_a_file(self) -> None:
        plan = _points.plan({"c": 1}, ({"a": place, "b": "x"} for place in (1, 2.5)))
        self.assertEqual((plan.words, plan.path, plan.file), ({"c": "1"}, "/dev/stdin", b"a,b\n1,x\n2.5,x\n"))
        self.assertEqual(_points.plan({}, "points.csv"), _points.Plan({}, "points.csv"))

    def test_what_is_no_sweep_never_reaches_the_program(self) -> None:
        cases: list[tuple[dict[str, Any], Any, str]] = [
            ({}, None, "potluck.run"), ({"a": 3}, None, "potluck.run"), ({"a": "cost"}, None, "potluck.run"),
            ({"a": []}, None, "no values"), ({"a": {1, 2}}, None, "in order"), ({"a": {1: 2}}, None, "in order"),
            ({"a": b"12"}, None, "in order"), ({"a": [[1, 2], [3]]}, None, "no single value"),
            ({"a": ["1,2", "3"]}, None, "no single value"), ({"a": [None, 1]}, None, "not a number"),
            ({"a": itertools.count()}, None, "more than 10000"), ({"a": [float("nan"), 1]}, None, "finite"),
            ({"a": ["x" * 70_000] * 200, "b": range(100)}, None, "more than 10000"),
            ({}, [], "no points"), ({}, [{}], "no points"), ({}, [1], "no mapping"), ({}, [{"a": "1,2"}], "cannot be"),
            ({}, [{"a": 1}, {"b": 1}], "point 2"), ({}, [{"a": 1}, {"a": 1, "b": 2}], "point 2"),
            ({}, [{"a": "x\ny"}], "cannot be"), ({}, [{"a": ""}], "cannot be"), ({}, [{"a": " x"}], "cannot be"),
            ({}, ({"a": place} for place in itertools.count()), "more than 10000"),
        ]
        for given, points, message in cases:
            with self.subTest(message=message), self.assertRaisesRegex(potluck.UsageError, message):
                _points.plan(given, points)
        with self.assertRaisesRegex(potluck.UsageError, "given twice"):
            potluck.sweep_order("pi", a=[1, 2], parameters={"a": 1})


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


class FakeSweepTests(FakeTest):
    def test_points_are_told_in_order(self) -> None:
        self.fake(*LINES)
        told: list[potluck.Point] = []
        sweep = potluck.sweep(
            "monty-hall", trials=1e4, doors=range(3, 6), lambda_=(1, 2), common_seed=True, seed=7, callback=told.append)
        self.assertEqual([entry.index for entry in told], [0, 1, 2])
        self.assertEqual([*sweep], told)
        self.assertEqual((sweep.varied, sweep.complete, sweep.simulation), (("doors",), True, "monty-hall"))
        self.assertEqual(sweep.to_dict()["points"], [point(index) for index in range(3)])
        arguments = json.loads(self.noted()[0])["arguments"]
        self.assertLessEqual(
            {"--json", "--quiet", "--common-seed", "--seed=7", "--trials=10000", "--parameter=doors=3,4,5",
             "--parameter=lambda=1,2"}, set(arguments))
        self.assertNotIn("--progress-json", arguments)
        self.assertNoChild()

    def test_output_that_is_no_sweep_is_an_error(self) -> None:
        first, second = (LINES[place] for place in (0, 1))
        single = ["out", json.dumps(result()) + "\n"]
        for deeds, message in (
            ([], "without a result"), ([second, first], "not in order"), ([first, first], "not in order"),
            ([first, LINES[2]], "gaps"), ([single], "potluck.run"), ([single, first], "after a result"),
            ([first, single], "no point"), ([["out", json.dumps(point(0, counts=None)) + "\n"]], "no counts"),
        ):
            with self.subTest(message=message):
                self.fake(*deeds)
                with self.assertRaisesRegex(potluck.PotluckError, message):
                    potluck.sweep("monty-hall", doors=[3, 4])
                self.assertNoChild()
        self.fake(*LINES)
        with self.assertRaisesRegex(potluck.UsageError, "potluck.sweep"):
            potluck.run("monty-hall", doors="3..5")

    def test_errors_and_remarks_are_the_programs(self) -> None:
        self.fake(LINES[0], ["err", "potluck: doors=4: trial 7 trapped\n"], ["exit", 1])
        with self.assertRaisesRegex(potluck.PotluckError, "^doors=4: trial 7 trapped$"):
            potluck.sweep("monty-hall", doors=[3, 4])
        self.fake(["err", "potluck: /dev/stdin has a flaw\n"], ["exit", 2])
        with self.assertRaisesRegex(potluck.UsageError, "^points has a flaw$"):
            potluck.sweep("monty-hall", points=[{"doors": 3}])
        # Somebody else stopped it, so what it has is told.
        self.fake(LINES[0], LINES[2], ["err", "potluck: 1 of 3 points are left\n"], ["exit", 130])
        with self.assertWarnsRegex(potluck.PotluckWarning, "1 of 3 points are left") as caught:
            sweep = potluck.sweep("monty-hall", doors=[3, 4])
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(([entry.index for entry in sweep], sweep.complete), ([0, 2], False))
        self.assertIn("stopped early", repr(sweep))
        # Somebody cancelled points in the session, also the last one, so the sweep is not complete.
        for lines, missing in (([LINES[0], LINES[2]], [1]), (LINES[:2], [2]), ([], [0, 1, 2])):
            said = "potluck: 1 of 3 points was cancelled\n"
            self.fake(*lines, ["out", json.dumps({"missing": missing}) + "\n"], ["err", said], ["exit", 1])
            with self.assertWarnsRegex(potluck.PotluckWarning, "1 of 3 points was cancelled"):
                sweep = potluck.sweep("monty-hall", doors=[3, 4])
            self.assertEqual((len(sweep), sweep.complete, sweep.missing), (len(lines), False, tuple(missing)))
            self.assertEqual(sweep.to_dict()["missing"], missing)
        self.fake(["exit", 130])
        sweep = potluck.sweep("monty-hall", doors=[3, 4])
        self.assertEqual((len(sweep), sweep.to_rows(), sweep.varied), (0, [], ()))
        self.assertIn("monty-hall", sweep._repr_html_())

    def test_an_interrupt_stops_it_and_leaves_nothing(self) -> None:
        before = set(os.listdir("/proc/self/fd"))
        for points in (None, [{"doors": 3}, {"doors": 4}]):
            given: dict[str, Any] = {"doors": [3, 4]} if points is None else {"points": points}
            self.fake(LINES[0], ["wait"], ["exit", 130])
            with self.assertRaises(KeyboardInterrupt):
                potluck.sweep("monty-hall", **given, callback=lambda told: signal.raise_signal(signal.SIGINT))
            self.assertEqual(self.noted()[-1], "SIGINT")
            self.assertNoChild()
        with mock.patch("subprocess.Popen", side_effect=OSError("no room")), self.assertRaises(potluck.PotluckError):
            potluck.sweep("monty-hall", points=[{"doors": 3}])
        self.assertEqual(set(os.listdir("/proc/self/fd")), before)

    def test_any_python_can_hand_over_points(self) -> None:
        # One that is built for an old glibc has no memfd_create.
        if hasattr(os, "memfd_create"):
            patch = mock.patch.object(os, "memfd_create")
            patch.start()
            self.addCleanup(patch.stop)
            del os.memfd_create
        self.fake(["read", "/dev/stdin"], *LINES)
        self.assertEqual(len(potluck.sweep("monty-hall", points=[{"doors": 3}, {"doors": 4}])), 3)
        self.assertEqual(self.noted()[1:], ["doors", "3", "4"])
        # More than a pipe holds, for a program that does not open the file again.
        many = range(100_000, 110_000)
        self.fake(["read", 0], *LINES)
        asyncio.run(potluck.sweep_async("monty-hall", points=({"doors": doors} for doors in many)))
        self.assertEqual(self.noted()[5:], ["doors", *map(str, many)])
        with mock.patch.object(tempfile, "tempdir", str(self.folder / "none")):
            with self.assertRaisesRegex(potluck.PotluckError, "cannot write a temporary file: "):
                potluck.sweep("monty-hall", points=[{"doors": 3}])
        self.assertNoChild()

    def test_a_room_computes_it(self) -> None:
        self.fake(*LINES)
        potluck.sweep(
            "monty-hall", doors=[3, 4], session="Monty", connect="host:7077", nodes=["ana", "bob"], wait_for=2,
            browsers=False)
        arguments = json.loads(self.noted()[0])["arguments"]
        self.assertLessEqual(
            {"--session=Monty", "--connect=host:7077", "--nodes=ana,bob", "--wait-for=2", "--no-browsers"},
            set(arguments))
        self.assertEqual([word for word in arguments if word.startswith("--parameter")], ["--parameter=doors=3,4"])
        order = potluck.sweep_order("monty-hall", doors=[3, 4], connect=["a:1", "b:2"])
        self.assertLessEqual({"--connect=a:1", "--connect=b:2"}, set(order.base.words))
        self.assertNotIn("--no-browsers", order.base.words)

    def test_it_can_be_awaited_and_watched(self) -> None:
        self.fake(*LINES)

        async def both() -> tuple[potluck.Sweep, list[int], potluck.Sweep]:
            sweep = await potluck.sweep_async("monty-hall", doors=[3, 4])
            async with potluck.watch_sweep("monty-hall", points=[{"doors": 3}]) as points:
                told = [entry.index async for entry in points]
            return sweep, told, points.result

        sweep, told, watched = asyncio.run(both())
        self.assertEqual((len(sweep), told, len(watched)), (3, [0, 1, 2], 3))
        self.fake(LINES[0], ["wait"], ["exit", 130])

        async def leave() -> None:
            async with potluck.watch_sweep("monty-hall", doors=[3, 4]) as points:
                async for _ in points:
                    break

        asyncio.run(leave())
        self.assertEqual(self.noted()[-1], "SIGINT")
        self.assertNoChild()

    def test_pieces_do_not_matter(self) -> None:
        octets = "".join(line[1] for line in LINES).encode()
        for size in (1, 7, 300, 5000):
            talk = _talk.SweepTalk(potluck.sweep_order("monty-hall", doors=[3, 4]))
            told = [entry for at in range(0, len(octets), size) for entry in talk.hear(octets[at:at + size])]
            self.assertEqual([*talk.end(0)], told)


class RealSweepTests(ProgramTest):
    def lines(self, *words: str) -> list[Any]:
        command = [PROGRAM, "run", *words, "--json", "--quiet", "--ephemeral"]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_all_ways_give_the_programs_points(self) -> None:
        expected = [line["digest"] for line in self.lines(
            "monty-hall", "-p", "doors=4,5", "-p", "opened=1..2", "--trials=10000", "--seed=1")]
        points = [{"doors": doors, "opened": opened} for doors in (4, 5) for opened in (1, 2)]
        path = self.folder / "points.csv"
        path.write_text("doors,opened\n4,1\n4,2\n5,1\n5,2\n")
        ways: list[dict[str, Any]] = [
            {"doors": range(4, 6), "opened": (1, 2)}, {"doors": "4..5", "opened": [Scalar(1), Scalar(2)]},
            {"points": points}, {"points": path}, {"points": iter(points), "cores": 1}]
        for way in ways:
            with self.subTest(way=way):
                sweep = potluck.sweep("monty-hall", trials=1e4, seed=1, ephemeral=True, **way)
                self.assertEqual([entry.digest for entry in sweep], expected)
                self.assertEqual(sweep.varied, ("doors", "opened"))
        with mock.patch.object(_points, "LONGEST_TEXT", 1):
            sweep = potluck.sweep("monty-hall", trials=1e4, seed=1, ephemeral=True, **ways[0])
        self.assertEqual([entry.digest for entry in sweep], expected)

    def test_a_point_has_types_and_can_be_repeated(self) -> None:
        sweep = potluck.sweep("monty-hall", trials=1e4, seed=1, doors=[5])
        self.assertEqual(len(sweep), 1)
        only = sweep[0]
        self.assertEqual((only.index, only.trials, only.ended, only.parameters["doors"]), (0, 10**4, "trials", 5))
        again = potluck.run("monty-hall", trials=1e4, seed=only.seed, doors=5)
        self.assertEqual((again.digest, again.tally), (only.digest, only.tally))
        self.assertEqual(again["switch"].value, only["switch"].value)
        self.assertEqual([run.digest for run in potluck.history(where=f"sweep={only.sweep}")], [only.digest])

    def test_numbers_arrive_exactly(self) -> None:
        values = [0.1, 0.1 + 0.2, 1 / 3, 0.7000000000000001, 1.0]
        sweep = potluck.sweep("option-price", trials=1000, seed=1, volatility=values, ephemeral=True)
        self.assertEqual([entry.parameters["volatility"] for entry in sweep], values)

    def test_seeds_are_one_or_many(self) -> None:
        common = potluck.sweep("monty-hall", trials=1000, seed=3, doors="3..5", common_seed=True, ephemeral=True)
        self.assertEqual([entry.seed for entry in common], [3, 3, 3])
        own = potluck.sweep("monty-hall", trials=1000, seed=3, doors="3..5", ephemeral=True)
        self.assertEqual(len({entry.seed for entry in own}), 3)

    def test_pandas_is_optional(self) -> None:
        sweep = potluck.sweep("monty-hall", trials=1000, seed=1, doors="3..5", ephemeral=True)
        self.assertEqual([row["doors"] for row in sweep.to_rows()], [3, 4, 5])
        try:
            import pandas
        except ImportError:
            with self.assertRaisesRegex(potluck.PotluckError, "pip install pandas"):
                sweep.to_pandas()
        else:
            frame = sweep.to_pandas()
            self.assertIsInstance(frame, pandas.DataFrame)
            self.assertEqual(list(frame["switch"]), [entry["switch"].value for entry in sweep])

    def test_arrays_are_values(self) -> None:
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not installed")
        values = numpy.linspace(0.1, 0.5, 5)
        sweep = potluck.sweep("option-price", trials=1000, volatility=values, strike=numpy.float64(90), ephemeral=True)
        self.assertEqual([entry.parameters["volatility"] for entry in sweep], values.tolist())
        plan = _points.plan({"a": numpy.array([True, False]), "b": numpy.array(3), "c": numpy.float32([0.1])}, None)
        self.assertEqual(plan.words, {"a": "yes,no", "b": "3", "c": "0.10000000149011612"})
        with self.assertRaisesRegex(potluck.UsageError, "no single value"):
            potluck.sweep("monty-hall", trials=1000, doors=numpy.array([[3, 4], [5, 6]]))

    def test_searches_are_swept(self) -> None:
        sweep = potluck.sweep("golomb", marks=(4, 5))
        self.assertEqual([(entry.trials, entry.seed, entry.searched) for entry in sweep], [(None, None, 1)] * 2)

    def test_a_csv_has_the_programs_columns(self) -> None:
        path = self.folder / "points.csv"
        sweep = potluck.sweep("monty-hall", trials=1000, seed=1, doors=[3, 4], csv=path, ephemeral=True)
        with path.open(newline="") as file:
            ours = list(csv.DictReader(file))
        words = [PROGRAM, "run", "monty-hall", "-p", "doors=3,4", "--trials=1000", "--seed=1", "--csv", "--ephemeral"]
        printed = subprocess.run(words, capture_output=True, check=True, text=True).stdout
        theirs = list(csv.DictReader(printed.splitlines()))
        for mine, other in zip(ours, theirs):
            for name in set(mine) - {"elapsed", "rate"}:
                self.assertEqual(mine[name], other[name], name)
        self.assertEqual([row["digest"] for row in ours], [entry.digest for entry in sweep])
        with self.assertRaisesRegex(potluck.UsageError, "force=True"):
            potluck.sweep("monty-hall", trials=1000, doors=[3, 4], csv=path)

    def test_errors_are_the_programs(self) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"doors": [3, 4]}, "needs --trials"), ({"doors": [3, 3], "trials": 10}, "occurs twice"),
            ({"doors": [3, 4], "trials": 10, "session": "Monty", "code": "a b c d e"}, "word 1 of the join code"),
            ({"door": [3, 4], "trials": 10}, "did you mean 'doors'"),
            ({"points": [{"doors": 1}], "trials": 1}, "3 to 100"),
            ({"doors": [3, 4], "point": 3, "trials": 10}, r"did you mean points=\?"),
            ({"doors": "3..100000", "trials": 10}, "at most 10000"),
            ({"doors": [3, 4], "points": [{"opened": 1}], "trials": 10}, "points= and several values of 'doors'"),
        ]
        for words, message in cases:
            with self.subTest(words=words), self.assertRaisesRegex(potluck.UsageError, message):
                potluck.sweep("monty-hall", **words)

    def test_a_stopped_sweep_goes_on(self) -> None:
        def interrupt(told: potluck.Point) -> None:
            signal.raise_signal(signal.SIGINT)

        # The last point would take hours, so nothing but the interrupt ends it.
        with self.assertRaises(KeyboardInterrupt):
            potluck.sweep("golomb", marks=(4, 5, 16), callback=interrupt)
        self.assertNoChild()
        self.assertGreater(len(potluck.history("golomb")), 0)
        first = potluck.sweep("monty-hall", trials=1000, seed=1, doors=[3, 4])
        with self.assertWarnsRegex(potluck.PotluckWarning, "2 of 2 points were computed before"):
            again = potluck.sweep("monty-hall", trials=1000, seed=1, doors=[3, 4])
        self.assertEqual([entry.digest for entry in again], [entry.digest for entry in first])
