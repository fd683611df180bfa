"""What a class plays in plain Python is what the program computes, slot for slot and reading for reading."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import unittest
from typing import Any, Type

import potluck

from .digests import digest
from .everydraw import EveryDraw
from .support import PROGRAM, ROOT, ProgramTest

EXAMPLES = ROOT / "Examples" / "Python"
#: Classes, parameters, and numbers of trials, in which the intervals of few and of many trials are.
RUNS: list[tuple[str, dict[str, Any], tuple[int, ...]]] = [
    ("MontyHall", {}, (0, 1, 15, 17, 255, 1001)), ("MontyHall", {"doors": 10, "opened": 7}, (99,)),
    ("Pi", {}, (0, 3, 700)), ("Buffon", {"length": 7.0, "spacing": 0.9}, (1, 2, 3, 255, 256, 500)),
    ("Birthday", {"people": 30}, (77,)), ("CouponCollector", {"kinds": 6}, (1, 7, 300)),
    ("GamblersRuin", {"stake": 3, "goal": 7, "p": 0.4}, (5, 301)), ("Percolation", {"n": 3, "p": 0.55}, (65,)),
    ("OptionPrice", {}, (6, 270)),
    ("OptionPrice", {"spot": 120.5, "rate": -0.02, "volatility": 0.5, "years": 2.0}, (33,)),
]


def example(name: str) -> Type[potluck.Simulation]:
    """Returns a class of Examples/Python."""
    for file in sorted(EXAMPLES.glob("*.py")):
        if file.stem.replace("_", "") == name.lower():
            found: Type[potluck.Simulation] = runpy.run_path(str(file))[name]
            return found
    raise AssertionError(f"Examples/Python has no {name}")


def numbers(readings: potluck.Readings) -> list[Any]:
    """Returns what readings say, without their exact answers, whose last bits Python's own `math` decides."""
    return [
        (each.name, each.value, each.low, each.high, each.confidence, each.histogram) for each in readings.values()]


class PlayTests(ProgramTest):
    def run_program(self, subject: str, seed: int, trials: int, parameters: dict[str, Any]) -> dict[str, Any]:
        given = [f"--parameter={name}={_typed(value)}" for name, value in parameters.items()]
        words = ["run", subject, f"--seed={seed}", f"--trials={trials}", "--quiet", "--json", *given]
        done = subprocess.run([PROGRAM, *words], capture_output=True, check=True)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def check(self, work: Any, subject: str, seed: int, trials: int, parameters: dict[str, Any]) -> None:
        computed = self.run_program(subject, seed, trials, parameters)
        played = work.play(seed=seed, trials=trials)
        self.assertEqual(played.slots, computed["slots"])
        self.assertEqual(work.trials_in_block, computed["blockSize"])
        self.assertEqual(digest(work, played, computed["simulation"], computed["source"]), computed["digest"])
        read = potluck.Readings.of(computed["readings"])
        self.assertEqual(numbers(played.readings), numbers(read))
        for mine, other in zip(played.readings.values(), read.values()):
            self.assertEqual(mine.exact is None, other.exact is None)
            self.assertAlmostEqual(mine.exact or 0, other.exact or 0, places=9)

    def test_built_in_simulations_written_in_python_give_the_same(self) -> None:
        for name, parameters, counts in RUNS:
            work = example(name)(**parameters)
            for seed, trials in enumerate(counts, start=2**64 - 3):
                if trials:
                    with self.subTest(work=work, trials=trials):
                        self.check(work, type(work).name, seed % 2**64, trials, parameters)

    def test_a_run_of_several_blocks_gives_the_same(self) -> None:
        work = example("CouponCollector")(kinds=9000)
        self.assertEqual(work.trials_in_block, 16)
        self.check(work, "coupon-collector", 5, 35, {"kinds": 9000})

    def test_blocks_add_up_to_the_run(self) -> None:
        work = EveryDraw()
        whole = work.play(seed=4, trials=1100)
        one, rest = work.play(seed=4, trials=1024), work.play(seed=4, trials=76, first=1)
        for name, field in one.tally.items():
            field.merge(rest.tally[name].slots())
            self.assertEqual(field.slots(), whole.tally[name].slots(), name)

    @unittest.skipUnless(shutil.which("swiftc"), "Swift is not installed")
    def test_every_draw_and_every_field_give_the_same(self) -> None:
        source = self.folder / "EveryDraw.swift"
        shutil.copy(ROOT / "Tests" / "Recompute" / "EveryDraw.swift", source)
        for seed, parameters in ((1, {}), (2, {"sides": 999_983, "mean": 0.125, "half": True, "kind": "third"})):
            self.check(EveryDraw(**parameters), str(source), seed, 1500 + seed, parameters)


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
