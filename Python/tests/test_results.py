"""Results are the program's."""

from __future__ import annotations

import csv
import subprocess
import warnings
from typing import Any

import potluck

from .support import PROGRAM, ProgramTest

#: What two runs of the same thing need not share.
TIMES = ("elapsed", "rate", "merit")


class ResultTests(ProgramTest):
    def test_a_result_is_what_the_program_prints(self) -> None:
        cases = [
            ("monty-hall", {"trials": 10**5, "seed": 1}, {"doors": 5}),
            ("monty-hall", {"trials": 1e5, "seed": "0xff"}, {"opened": 2, "doors": 9}),
            ("pi", {"until": 0.01, "seed": 2**64 - 1}, {}),
            ("pi", {"until": "1%", "seed": 3, "cores": 1}, {}),
            ("gamblers-ruin", {"until": "rounds<2%", "seed": 3}, {}),
            ("option-price", {"trials": "1e4", "seed": 4}, {"spot": 90.5, "volatility": 0.3}),
            ("coupon-collector", {"trials": 1000, "seed": 5}, {}),
            ("queens", {}, {"queens": 6, "list": True}),
            ("golomb", {}, {"marks": 5}),
            ("tsp", {}, {"airports": ["LHR", "JFK", "SYD", "NBO"]}),
        ]
        for simulation, limits, parameters in cases:
            with self.subTest(simulation=simulation, limits=limits, parameters=parameters):
                words = [f"--{name}={value}" for name, value in limits.items()]
                words = [word.replace("=100000.0", "=100000") for word in words]
                for name, value in parameters.items():
                    shown = ",".join(value) if isinstance(value, list) else str(value).lower()
                    words.append(f"--parameter={name}={shown}")
                expected = self.printed("run", simulation, *words)
                result = potluck.run(simulation, **limits, **parameters)
                same = [name for name in expected if name not in (*TIMES, "expanded", "inVain")]
                self.assertEqual({name: result.to_dict()[name] for name in same}, {name: expected[name] for name in same})
                self.assertEqual(set(result.to_dict()), set(expected))
                self.assertEqual((result.digest, result.simulation), (expected["digest"], simulation))
                self.assertEqual([*result.readings], [reading["name"] for reading in expected["readings"]])
                self.assertIn(expected["digest"][:16], repr(result))

    def test_a_result_has_types(self) -> None:
        result = potluck.run("monty-hall", trials=10**5, seed=1)
        self.assertEqual((result.trials, result.seed, result.complete, result.searched), (10**5, 1, True, None))
        self.assertEqual(result.parameters, {"doors": 3, "opened": 1})
        self.assertEqual(result.tally["stay"] + result.tally["switch"], 10**5)
        switch = result["switch"]
        assert switch.value is not None and switch.low is not None and switch.high is not None
        self.assertTrue(switch.low < switch.value < switch.high)
        self.assertEqual((switch.exact, switch.confidence), (2 / 3, 0.95))
        assert switch.half_width is not None
        relative = switch.half_width / 1.959963984540054 / switch.value
        self.assertAlmostEqual(result.merit["switch"] * relative**2 * result.elapsed * result.cores, 1)
        self.assertEqual(switch.to_dict()["name"], "switch")
        with self.assertRaisesRegex(KeyError, "stay, switch"):
            result["swich"]

    def test_a_precision_may_be_that_of_some_readings(self) -> None:
        whole = potluck.run("gamblers-ruin", until="2%", seed=1)
        both = potluck.run("gamblers-ruin", until={"won": "2%", "rounds": "2%"}, seed=1)
        self.assertEqual(both.digest, whole.digest)
        one = potluck.run("gamblers-ruin", until={"rounds": 0.5}, seed=1)
        assert one["rounds"].half_width is not None
        self.assertLessEqual(one["rounds"].half_width, 0.5)
        for until, why in (({}, "names no reading"), ({"round": 1}, "did you mean 'rounds'")):
            with self.assertRaisesRegex(potluck.UsageError, why):
                potluck.run("gamblers-ruin", until=until)

    def test_parameters_and_keywords_are_the_same(self) -> None:
        given = potluck.run("monty-hall", trials=1000, seed=1, doors=4)
        named = potluck.run("monty-hall", trials=1000, seed=1, parameters={"doors": 4})
        self.assertEqual(given.digest, named.digest)
        with self.assertRaisesRegex(potluck.UsageError, "given twice"):
            potluck.run("monty-hall", trials=1000, doors=4, parameters={"doors": 4})

    def test_a_search_has_a_solution(self) -> None:
        result = potluck.run("golomb", marks=5)
        self.assertEqual((result.trials, result.seed, result.rate, result.searched), (None, None, None, 1))
        self.assertTrue(result.solution)

    def test_files_go_in_and_come_out(self) -> None:
        a, b, c = (self.folder / name for name in "abc")
        a.write_text("1 2\n3 4\n")
        b.write_text("5 6\n7 8\n")
        result = potluck.run("matrix-product", inputs={"a": a, "b": str(b)}, output=c)
        self.assertEqual(c.read_text(), "19 22\n43 50\n")
        with self.assertRaisesRegex(potluck.PotluckError, "exists"):
            potluck.run("matrix-product", inputs={"a": a, "b": b}, output=c)
        again = potluck.run("matrix-product", inputs={"a": a, "b": b}, output=c, force=True)
        self.assertEqual(result.digest, again.digest)

    def test_a_csv_has_the_programs_columns(self) -> None:
        path = self.folder / "runs.csv"
        result = potluck.run("monty-hall", trials=1000, seed=1, csv=path)
        with path.open(newline="") as file:
            ours = next(csv.DictReader(file))
        words = [PROGRAM, "run", "monty-hall", "--trials=1000", "--seed=1", "--csv"]
        printed = subprocess.run(words, capture_output=True, check=True, text=True).stdout
        theirs = next(csv.DictReader(printed.splitlines()))
        self.assertLessEqual(set(ours), set(theirs))
        for name in set(ours) - set(TIMES):
            self.assertEqual(ours[name], theirs[name], name)
        self.assertEqual(ours["digest"], result.digest)
        with self.assertRaisesRegex(potluck.UsageError, "force=True"):
            potluck.run("monty-hall", trials=1000, csv=path)
        potluck.run("monty-hall", trials=1000, csv=path, force=True)

    def test_no_column_is_lost(self) -> None:
        # A parameter and a reading have a name in common, or a parameter that of a column of every run.
        cities = self.folder / "cities"
        cities.write_text("0,0\n3,0\n3,4\n")
        cases: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
            ("tsp", {}, {"cities": str(cities)}, "distance"), ("option-price", {"trials": 1000, "seed": 1}, {}, "rate")]
        for name, limits, inputs, clashing in cases:
            result = potluck.run(name, **limits, inputs=inputs)
            row = result.to_row()
            heads, cells = csv.reader(self._csv(name, limits, inputs))
            self.assertEqual(len(heads), len(set(heads)))
            self.assertLessEqual(set(row), set(heads))
            theirs = dict(zip(heads, cells))
            self.assertEqual(theirs[f"parameter.{clashing}"], str(row[f"parameter.{clashing}"]))
            self.assertEqual((row["rate"], row["simulation"]), (result.rate, name))
            if name == "tsp":
                self.assertEqual((row["parameter.distance"], row["reading.distance"]), ("plane", result["distance"].value))

    def test_a_parameter_without_effect_has_no_column(self) -> None:
        sweep = potluck.sweep("tsp", cities=[4, 5])
        self.assertEqual(sweep.to_rows()[0]["distance"], sweep[0]["distance"].value)

    def _csv(self, name: str, limits: dict[str, Any], inputs: dict[str, Any]) -> list[str]:
        words = [PROGRAM, "run", name, *(f"--{key}={value}" for key, value in limits.items()), "--csv"]
        words += [f"--input={key}={value}" for key, value in inputs.items()]
        return subprocess.run(words, capture_output=True, check=True, text=True).stdout.splitlines()

    def test_a_run_and_its_record_have_the_same_shape(self) -> None:
        cases: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
            ("monty-hall", {"trials": 1000, "seed": 1}, {}), ("queens", {}, {"queens": 6, "list": True}),
            ("tsp", {}, {"airports": ["LHR", "JFK", "SYD"]})]
        for name, limits, parameters in cases:
            result = potluck.run(name, **limits, parameters=parameters).to_dict()
            run = potluck.history(name)[0].to_dict()
            shared = set(run) & set(result)
            for member in shared:
                self.assertEqual(run[member], result[member], member)
            self.assertLessEqual({"tally", "counts", "slots", "complete", "ended", "source", "parameters"}, shared)

    def test_a_list_that_nobody_keeps_is_told(self) -> None:
        with self.assertWarnsRegex(potluck.PotluckWarning, "primes writes text that is not kept"):
            potluck.run("primes", limit=100, list=True)

    def test_a_remark_is_a_warning(self) -> None:
        with self.assertWarnsRegex(potluck.PotluckWarning, "this machine has") as caught:
            potluck.run("monty-hall", trials=1000, cores=1024)
        self.assertEqual(caught.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            potluck.run("monty-hall", trials=1000, ephemeral=True)

    def test_simulations_say_their_parameters(self) -> None:
        listed = {simulation.name: simulation for simulation in potluck.simulations()}
        self.assertEqual([*listed], [entry["name"] for entry in self.printed("simulations")])
        monty = potluck.simulation("monty-hall")
        self.assertEqual(monty, listed["monty-hall"])
        self.assertEqual([parameter.name for parameter in monty.parameters], ["doors", "opened"])
        self.assertEqual((monty.parameters[0].kind, monty.parameters[0].default), ("integer", 3))
        self.assertEqual(monty.readings, ("stay", "switch"))
        with self.assertRaisesRegex(potluck.UsageError, "did you mean 'monty-hall'"):
            potluck.simulation("monty-hal")


class HistoryTests(ProgramTest):
    def test_the_history_has_the_runs(self) -> None:
        self.assertEqual(len(potluck.history()), 0)
        results = [potluck.run("monty-hall", trials=1000 * doors, seed=1, doors=doors) for doors in (3, 4, 5)]
        runs = potluck.history("monty-hall", where="doors>3", sort="trials", limit=5)
        self.assertEqual([run.digest for run in runs], [results[2].digest, results[1].digest])
        run = runs[0]
        self.assertEqual((run.trials, run.seed, run.ended, run.parameters["doors"]), (5000, 1, "trials", 5))
        self.assertEqual(run["switch"].value, results[2]["switch"].value)
        self.assertEqual(run.to_dict()["id"], run.id)
        self.assertEqual(run.to_row()["switch.low"], run["switch"].low)
        self.assertIsInstance(runs[:1], potluck.History)
        self.assertEqual([run.digest for run in potluck.history(reverse=True)][0], results[0].digest)
        with self.assertRaisesRegex(potluck.UsageError, "dors"):
            potluck.history(where="dors>3")

    def test_pandas_is_optional(self) -> None:
        potluck.run("monty-hall", trials=1000, seed=1)
        runs = potluck.history()
        try:
            import pandas
        except ImportError:
            with self.assertRaisesRegex(potluck.PotluckError, "pip install pandas"):
                runs.to_pandas()
        else:
            frame = runs.to_pandas()
            self.assertIsInstance(frame, pandas.DataFrame)
            self.assertEqual(list(frame["trials"]), [1000])
