"""The simulations of Examples/Python have the tallies of the built-in ones, and of a third implementation."""

from __future__ import annotations

import math
import os
import shutil
import struct
import sys
import tempfile
import unittest
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from potluck._kit.output import Print
from potluck._language import reference

from .language.compiler import compiled, runtime
from .language.module import COLLECT, TALLY, Module
from .language.sandbox import Sandbox, library
from .support import ROOT, ProgramTest

EXAMPLES = ROOT / "Examples" / "Python"
#: Simulations written from docs/RANDOM.md alone.
RECOMPUTE = ROOT / "Tests" / "Recompute"

#: Files and parameters, with about how many trials take a moment in plain Python.
RUNS: list[tuple[str, dict[str, str], int]] = [
    ("monty_hall", {}, 400), ("monty_hall", {"doors": "10", "opened": "7"}, 200), ("pi", {}, 600), ("buffon", {}, 300),
    ("buffon", {"length": "7", "spacing": "0.9"}, 300), ("birthday", {}, 60),
    ("birthday", {"people": "80", "days": "10000"}, 40), ("coupon_collector", {}, 40),
    ("coupon_collector", {"kinds": "6"}, 100), ("gamblers_ruin", {}, 60),
    ("gamblers_ruin", {"stake": "3", "goal": "7", "p": "0.4"}, 150), ("percolation", {"n": "9", "p": "0.55"}, 40),
    ("option_price", {}, 200),
    ("option_price", {"spot": "120", "strike": "80", "rate": "-0.02", "volatility": "0.5", "years": "2"}, 200),
]
#: Those that are not built in, for new fields.
OWN: list[tuple[str, dict[str, str], int]] = [
    ("holdem", {}, 150), ("epidemic", {}, 25), ("epidemic", {"people": "50", "contagion": "0.7"}, 25),
    ("tills", {"tills": "3", "customers": "75"}, 40), ("power", {"patients": "7"}, 100),
    ("ising", {"size": "5", "temperature": "2.5", "warm": "2", "passes": "4"}, 40),
    ("standard_map", {"kicks": "40"}, 60), ("standard_map", {"strength": "7.5", "kicks": "3"}, 200)]
#: What is played in Swift, too, with its parameters and trials.
IN_SWIFT: list[tuple[str, dict[str, str], int]] = [
    ("asian_option", {}, 20_001), ("rare_failure", {}, 20_001), ("tills", {}, 2_001), ("power", {}, 2_001),
    ("ising", {"warm": "10", "passes": "10"}, 1_001), ("standard_map", {}, 2_001)]
#: Built-in simulations that Tests/Recompute does not have.
NOT_RECOMPUTED = ("percolation",)
#: The seeds of each comparison. `POTLUCK_SEEDS=20` compares more, as `make soak` does.
SEEDS = range(int(os.environ.get("POTLUCK_SEEDS", "5")))
#: Limits of the list of primes, up to one with three blocks.
LIMITS = [2001 * (k + 1) | 1 for k in (0, 1, 7, 8, 19)]
HAS_MODULES = unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")


def trials_of(most: int, seed: int) -> int:
    """Returns an odd number of trials, another one for each seed."""
    return most - 2 * (seed * 7 % (most // 3)) | 1


def in_python(name: str, parameters: dict[str, str], seed: int, trials: int) -> list[int]:
    """Returns the slots of a run in plain Python; of a gathering with those of its print."""
    file = EXAMPLES / f"{name}.py"
    played: dict[str, Any] = reference.play(str(file), file.name, seed, 0, math.ceil(trials / 16), trials, parameters)
    assert played["failure"] is None and played["conflict"] is None, played
    return [int(slot) for slot in played["slots"]]


@contextmanager
def module(name: str, parameters: dict[str, str]) -> Iterator[tuple[Module, int]]:
    """Makes the module of an example within this process. Gives it with the number of trials of a block."""
    file = EXAMPLES / f"{name}.py"
    work = reference._made(reference._class(file.read_text(), file.name), parameters)
    values = [vars(work)[each] for each in work._parameters]
    slots = [struct.unpack("<Q", struct.pack("<q" if isinstance(each, int) else "<d", each))[0] for each in values]
    with tempfile.TemporaryDirectory() as folder:
        octets = compiled(file, file.name, Path(folder) / "module.wasm")
    with Module(Sandbox(), octets) as made:
        yield made, made.configure(slots)[0]


def recomputed(name: str, parameters: dict[str, str], seed: int, trials: int) -> list[int]:
    """Returns the slots of a run by Tests/Recompute."""
    sys.path.insert(0, str(RECOMPUTE))
    try:
        import kit  # type: ignore[import-not-found]
        import simulations  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(RECOMPUTE))
    simulation = simulations.SIMULATIONS[name.replace("_", "-")](parameters, {})
    # The built-in one has this size with method=trial, which Tests/Recompute leaves out.
    total, size = simulation.tally(), 1 << 14 if simulation.is_gathering else simulation.block_size()
    for block in range(math.ceil(trials / size)):
        here = min(size, trials - block * size)
        if simulation.is_gathering:
            total["output"].add(simulation.block(range(block * size, block * size + here), total), block)
            continue
        for lane in range(min(kit.LANES, here)):
            stream = kit.Stream(seed, block, lane)
            for _ in range(math.ceil((here - lane) / kit.LANES)):
                simulation.trial(stream, total)
    return [slot for field in total.values() for slot in field.slots()]


class ExampleTests(ProgramTest):
    def test_examples_are_short(self) -> None:
        files = sorted(EXAMPLES.glob("*.py"))
        self.assertGreaterEqual(len(files), 10)
        for file in files:
            longest = {"bootstrap": 50, "primes": 45, "ising": 50}
            most = longest.get(file.stem, 60 if file.stem in ("holdem", "asian", "asian_option", "power") else 40)
            self.assertLessEqual(len(file.read_text().splitlines()), most, file.name)

    def test_a_lattice_buys_a_hundredfold_variance(self) -> None:
        words = ("run", str(EXAMPLES / "asian.py"), "-p", "points=1024", "--trials", "32", "--seed", "1", "--ephemeral")
        price, geometric, plain, bought = self.printed(*words)["readings"]
        self.assertTrue(geometric["low"] < geometric["exact"] < geometric["high"], geometric)
        self.assertTrue(plain["low"] < price["value"] < plain["high"], (price, plain))
        self.assertGreater(bought["value"], 100)

    @HAS_MODULES
    def test_a_magnet_has_the_order_that_onsager_found(self) -> None:
        for temperature in ("1.8", "2.0"):
            words = ("run", str(EXAMPLES / "ising.py"), "-p", f"temperature={temperature}", "--trials", "4000", "--seed", "1")
            order = self.printed(*words, "--ephemeral")["readings"][0]
            self.assertTrue(order["low"] < order["exact"] < order["high"], order)
            self.assertLess(order["high"] - order["low"], 0.002)

    def test_plain_python_has_the_tally_of_a_third_implementation(self) -> None:
        for name, parameters, most in RUNS:
            if name in NOT_RECOMPUTED:
                continue
            for seed in SEEDS:
                trials = trials_of(most, seed)
                with self.subTest(name, parameters=parameters, seed=seed, trials=trials):
                    self.assertEqual(
                        in_python(name, parameters, seed, trials), recomputed(name, parameters, seed, trials))

    def test_a_gathering_writes_what_a_third_implementation_writes(self) -> None:
        for limit in LIMITS:
            ours = in_python("primes", {"limit": str(limit)}, 0, limit)
            self.assertEqual(ours, recomputed("primes", {"limit": str(limit), "list": "yes"}, 0, limit))

    @HAS_MODULES
    def test_a_module_has_the_tally_of_plain_python(self) -> None:
        for name, parameters, most in RUNS + OWN:
            with module(name, parameters) as (made, size):
                for seed in SEEDS:
                    trials = trials_of(most, seed)
                    with self.subTest(name, parameters=parameters, seed=seed, trials=trials):
                        found = made.run(TALLY, seed, 0, math.ceil(trials / size), trials)
                        self.assertEqual(found.slots, in_python(name, parameters, seed, trials))

    @HAS_MODULES
    def test_the_module_of_a_gathering_writes_what_plain_python_writes(self) -> None:
        for limit in LIMITS:
            with self.subTest(limit=limit), module("primes", {"limit": str(limit)}) as (made, size):
                found, printed = [0, 0], Print()
                for block in range(math.ceil(limit / size)):
                    answer = made.run(COLLECT, 0, block, 1, min(size, limit - block * size))
                    printed.add(block, answer.output)
                    found = [found[0] + answer.slots[0], answer.slots[1]]
                self.assertEqual(found + printed.slots(), in_python("primes", {"limit": str(limit)}, 0, limit))

    @HAS_MODULES
    def test_a_file_has_the_result_of_the_built_in_simulation(self) -> None:
        for name, parameters, most in RUNS:
            for seed in SEEDS:
                trials = trials_of(50 * most, seed)
                words = ["--trials", str(trials), "--seed", str(seed), "--ephemeral"]
                for word, value in parameters.items():
                    words += ["-p", f"{word}={value}"]
                with self.subTest(name, parameters=parameters, seed=seed, trials=trials):
                    ours = self.printed("run", str(EXAMPLES / f"{name}.py"), *words)
                    theirs = self.printed("run", name.replace("_", "-"), *words)
                    for member in ("simulation", "parameters", "slots", "blockSize"):
                        self.assertEqual(ours[member], theirs[member])
                    self.same_readings(ours["readings"], theirs["readings"])

    @HAS_MODULES
    def test_a_file_writes_what_the_built_in_gathering_writes(self) -> None:
        for limit in LIMITS:
            lists, words = [], [f"--parameter=limit={limit}", "--ephemeral", "--force", "--output"]
            for job in ([str(EXAMPLES / "primes.py")], ["primes", "-p", "list=yes", "-p", "method=trial"]):
                path = self.folder / "primes.txt"
                slots = self.printed("run", *job, *words, str(path))["slots"]
                lists.append((slots, path.read_bytes()))
            self.assertEqual(lists[0], lists[1])

    @HAS_MODULES
    @unittest.skipUnless(shutil.which("swiftc"), "Swift is not installed")
    def test_methods_in_swift_give_the_same(self) -> None:
        for name, parameters, trials in IN_SWIFT:
            words = ["--trials", str(trials), "--seed", "3", "--ephemeral"]
            for word, value in parameters.items():
                words += ["-p", f"{word}={value}"]
            ours = self.printed("run", str(EXAMPLES / f"{name}.py"), *words)
            theirs = self.printed("run", str(EXAMPLES.parent / f"{name}.swift"), *words)
            for member in ("parameters", "slots", "blockSize"):
                self.assertEqual(ours[member], theirs[member], name)
            self.same_readings(ours["readings"], theirs["readings"])

    def same_readings(self, ours: Any, theirs: Any) -> None:
        """The exact answers are computed in another order here and there."""
        self.assertEqual(len(ours), len(theirs))
        for one, other in zip(ours, theirs):
            for member in ("name", "value", "low", "high"):
                self.assertEqual(one[member], other[member])
            if one["exact"] is not None and other["exact"] is not None:
                self.assertAlmostEqual(one["exact"], other["exact"], delta=1e-12 * abs(other["exact"]))


if __name__ == "__main__":
    unittest.main()
