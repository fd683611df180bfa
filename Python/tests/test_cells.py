"""A class becomes a file, wherever it was defined, and errors name the lines of its author."""

from __future__ import annotations

import importlib
import itertools
import json
import linecache
import os
import sys
import textwrap
from pathlib import Path
from typing import Any

import potluck
from potluck import _cell
from potluck._language.reference import play

from .support import FakeTest, result

_numbers = itertools.count()


class Notebook:
    """Runs cells as a notebook does: the text of each is where Python looks for the lines of a file."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, text: str) -> None:
        name = f"<cell {next(_numbers)}>"
        text = textwrap.dedent(text).strip("\n") + "\n"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), self.names)


class CellTest(FakeTest):
    def setUp(self) -> None:
        super().setUp()
        self.set(XDG_CACHE_HOME=str(self.folder / "cache"))
        self.notebook = Notebook()
        self.notebook.run("""
            import math
            import potluck
            from potluck import Count as Counter, Parameter, Random, proportion
            SIDES, LIMITS = 6, [3, (0.5, True)]
            OFFSET = 1
            roll = object()

            def shifted(x):
                # Moved by a constant.
                return helper(x) + OFFSET

            def helper(x):
                return x * LIMITS[0]
        """)
        self.dice = """
            # A comment of the cell.
            class Dice(potluck.Simulation):
                "Two dice"
                sides = Parameter(SIDES, "sides", 2, 100)
                won = Counter()

                def trial(self, random: Random) -> None:
                    roll = random.below(self.sides)
                    self.won.add(shifted(roll) < LIMITS[1][0] + math.pi)

                readings = [proportion("won", won, exact=lambda self: 1 / SIDES)]
        """
        self.notebook.run(self.dice)

    def source(self, name: str = "Dice") -> tuple[_cell.Source, str]:
        source = _cell.of(self.notebook.names[name])
        return source, Path(source.path).read_text()


class CellTests(CellTest):
    def test_a_cell_becomes_a_file_with_what_it_uses(self) -> None:
        source, text = self.source()
        names: dict[str, Any] = {}
        exec(text, names)
        played = names["Dice"](sides=9).play(seed=3, trials=100)
        self.assertEqual(played.slots, self.notebook.names["Dice"](sides=9).play(seed=3, trials=100).slots)
        self.assertTrue(0 < played.slots[0] < 100)
        checked = play(source.path, "x", 3, 0, 1, 100, {"sides": "9"})
        self.assertEqual(checked["slots"], [str(slot) for slot in played.slots])
        self.assertNotIn("roll = ", text.split("class Dice")[0])
        for line in (
            "SIDES = 6", "LIMITS = [3, (0.5, True)]", "from potluck import Count as Counter",
            "from potluck import Random",
        ):
            self.assertIn(line + "\n", text)

    def test_another_constant_or_class_is_another_file(self) -> None:
        first, _ = self.source()
        self.notebook.run("unused = 3")
        self.assertEqual(self.source()[0].path, first.path)
        self.notebook.run("OFFSET = 2")
        second, text = self.source()
        self.assertNotEqual(second.path, first.path)
        self.assertIn("OFFSET = 2\n", text)
        self.notebook.run(self.dice.replace("Two dice", "Two other dice"))
        self.assertEqual(len({first.path, second.path, self.source()[0].path}), 3)
        self.assertEqual(sorted(each.name for each in Path(first.path).parent.iterdir()), sorted(
            os.path.basename(path) for path in (first.path, second.path, self.source()[0].path)))

    def test_values_come_along_as_they_are(self) -> None:
        values = [
            0, -5, 2**70, True, None, "text", 0.1, -0.0, float("inf"), -float("inf"), [], (), (1,), [[1, 2.5], [3, 4]]]
        for value in values:
            self.notebook.names["LIMITS"] = value
            names: dict[str, Any] = {}
            exec(self.source()[1].split("class Dice")[0], names)
            self.assertEqual((repr(names["LIMITS"]), type(names["LIMITS"])), (repr(value), type(value)))
        self.notebook.names["LIMITS"] = float("nan")
        exec(self.source()[1].split("class Dice")[0], names)
        self.assertNotEqual(names["LIMITS"], names["LIMITS"])

    def test_what_cannot_come_along_is_named(self) -> None:
        class Array(list):  # type: ignore[type-arg]
            def tolist(self) -> list[int]:
                return [*self]

        for value, sentence in (
            ({}, "(Dice|helper) uses 'LIMITS', and a value of type dict cannot come along; use numbers"),
            ([{}], "a value of type list cannot come along"), (object(), "of type object"),
            (Array(), "write LIMITS = LIMITS.tolist"), (lambda: 3, "whose source cannot be read|by its own name"),
            (self.notebook.names["helper"], "function helper as"),
        ):
            self.notebook.names["LIMITS"] = value
            with self.subTest(value=value), self.assertRaisesRegex(potluck.UsageError, sentence):
                self.source()

    def test_a_class_without_source_is_refused(self) -> None:
        exec("class Typed(potluck.Simulation):\n    def trial(self, random): pass\n", self.notebook.names)
        with self.assertRaisesRegex(potluck.PotluckError, "cannot read the source of Typed; write the class in a file"):
            self.source("Typed")

    def test_other_things_are_refused(self) -> None:
        self.notebook.run("""
            class Child(Dice):
                def trial(self, random): pass

            class Empty(potluck.Simulation):
                pass
        """)
        subject: Any
        for subject, sentence in (
            (self.notebook.names["Child"], "Child inherits from Dice"), (int, "int is no simulation"),
            (self.notebook.names["Dice"](), "give the class and its parameters"),
            (self.notebook.names["Empty"], "Empty has no method trial"),
        ):
            with self.subTest(subject=subject), self.assertRaisesRegex(potluck.UsageError, sentence):
                potluck.run(subject, trials=1)
        self.assertEqual(self.noted(), [])

    def test_a_class_within_a_function_brings_what_is_around_it(self) -> None:
        self.notebook.run("""
            def make(bias):
                class Coin(potluck.Simulation):
                    heads = Counter()

                    def trial(self, random):
                        self.heads.add(random.chance(bias))

                return Coin

            One, Other = make(0.25), make(1.0)
        """)
        paths = {self.source(name)[0].path for name in ("One", "Other")}
        self.assertEqual(len(paths), 2)
        played: list[Any] = [play(path, "x", 1, 0, 1, 50, {})["slots"] for path in paths]
        self.assertEqual({slots == ["50"] for slots in played}, {False, True})

    def test_old_files_are_removed(self) -> None:
        path = Path(self.source()[0].path)
        os.utime(path, (0, 0))
        self.notebook.run("OFFSET = 5")
        self.assertTrue(Path(self.source()[0].path).exists())
        self.assertFalse(path.exists())


class FileTests(CellTest):
    def write(self, name: str, text: str) -> Any:
        (self.folder / f"{name}.py").write_text(textwrap.dedent(text))
        sys.path.insert(0, str(self.folder))
        self.addCleanup(sys.path.remove, str(self.folder))
        self.addCleanup(sys.modules.pop, name, None)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    ONE = """
        import potluck
        LIMIT = 3
        class One(potluck.Simulation):
            n = potluck.Count()
            def trial(self, random): self.n.add(random.below(LIMIT))
        print_me = len([1, 2])
    """

    def test_a_file_with_one_simulation_is_run_itself(self) -> None:
        module = self.write("one_simulation", self.ONE)
        self.assertEqual(_cell.of(module.One), _cell.Source(str(self.folder / "one_simulation.py")))

    def test_other_files_are_cut(self) -> None:
        two = self.ONE + "\n        class Two(potluck.Simulation):\n            def trial(self, random): return\n"
        for name, text in (
            ("two_simulations", two), ("computed_limit", self.ONE.replace("LIMIT = 3", "LIMIT = len([1, 2, 3])")),
            ("imported_limit", self.ONE.replace("LIMIT = 3", "from one_simulation import LIMIT")),
        ):
            self.write("one_simulation", self.ONE)
            source = _cell.of(self.write(name, text).One)
            self.assertEqual(Path(source.path).parent.name, "cells")
            self.assertIn("LIMIT = 3\n", Path(source.path).read_text())
            own = str(self.folder / f"{name}.py")
            line = Path(source.path).read_text().splitlines().index("class One(potluck.Simulation):") + 1
            self.assertEqual(source.translate(f"{source.path}:{line + 2}:9: error: no"), f"{own}:6:9: error: no")
            other = f"points.csv, line {line}: not a number"
            self.assertEqual(source.translate(other), other)


class RunTests(CellTest):
    def test_run_gives_the_program_the_file(self) -> None:
        self.fake(["out", json.dumps(result()) + "\n"])
        potluck.run(self.notebook.names["Dice"], trials=1e3, sides=8)
        words = json.loads(self.noted()[0])["arguments"]
        self.assertEqual(words[-1], self.source()[0].path)
        self.assertIn("--parameter=sides=8", words)
        sweep = potluck.sweep_order(self.notebook.names["Dice"], trials=1e3, sides=[8, 9])
        self.assertEqual(sweep.base.simulation, self.source()[0].path)
        with self.assertRaisesRegex(potluck.PotluckError, "unexpected"):
            potluck.simulation(self.notebook.names["Dice"])

    def test_errors_name_the_lines_of_the_cell(self) -> None:
        path = self.source()[0].path
        lines = Path(path).read_text().splitlines()
        trial = lines.index("    def trial(self, random: Random) -> None:") + 1
        helper = lines.index("    return x * LIMITS[0]") + 1
        said = f"{path}:{trial + 1}:9: error: no\n{os.path.basename(path)}:{helper}:3: note: x\n{path}:1:1: error: y\n"
        command = f"; to find the trial: potluck replay {path} --seed 1"
        said += f"potluck: {path}, seed 1, block 0: line {trial + 2}: division by zero{command}\n"
        self.fake(["err", said], ["exit", 1])
        with self.assertRaises(potluck.PotluckError) as caught:
            potluck.run(self.notebook.names["Dice"], trials=1)
        first = lines[0]
        self.assertEqual(caught.exception.details, (
            "the cell of Dice:8:9: error: no\nthe cell of helper:13:3: note: x\n"
            f"'{first}':1: error: y\n"
            f"potluck: the cell of Dice, seed 1, block 0: line 9 of the cell of Dice: division by zero{command}\n"))
        self.assertEqual(
            str(caught.exception),
            "the cell of Dice, seed 1, block 0: line 9 of the cell of Dice: division by zero" + command)

    def test_a_message_has_the_errors_of_the_compiler(self) -> None:
        path = self.source()[0].path
        line = Path(path).read_text().splitlines().index("    def trial(self, random: Random) -> None:") + 1
        said = f"{path}:{line}:3: error: no\npotluck: cannot compile {path}; see the errors above\n"
        self.fake(["err", said], ["exit", 1])
        with self.assertRaises(potluck.PotluckError) as caught:
            potluck.run(self.notebook.names["Dice"], trials=1)
        self.assertEqual(str(caught.exception), "cannot compile the cell of Dice:\nthe cell of Dice:7:3: error: no")
