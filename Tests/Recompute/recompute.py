#!/usr/bin/env -S python3 -B
"""Computes digests of Potluck from docs/RANDOM.md alone, without Potluck's code.

    recompute.py run NAME [-p NAME=VALUE]... --trials N --seed S     print the digest of a run
    recompute.py compare PROGRAM [--plugin]                          compare many runs with the program `potluck`

It needs only Python's own library. The identity of a simulation is the SHA-256 of its source file, which is read from
this repository. `--plugin` compares EveryDraw.swift instead of what is built in; the program compiles it with Swift.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

from kit import LANES, PAGE, Stream
from simulations import SIMULATIONS
from tallies import Digest, sha256, table_slots

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")


def tally(simulation, seed, trials):
    """Returns the merged tally of all trials, as slots."""
    total, size = simulation.tally(), simulation.block_size()
    for block in range(math.ceil(trials / size)):
        first = block * size
        here = min(size, trials - first)
        if simulation.is_gathering:
            total["output"].add(simulation.block(range(first, first + here), total), block)
            continue
        for lane in range(min(LANES, here)):
            stream = Stream(seed, block, lane)
            for stream.trial in range(first + lane, first + here, LANES):
                simulation.trial(stream, total)
    return [slot for field in total.values() for slot in field.slots()]


def digest(name, given, seed, trials=None, tables=None):
    """Returns the digest of a run with these parameters, as text by name, and with tables, as lists of rows by name."""
    kind = SIMULATIONS[name]
    simulation = kind(given, tables or {})
    if trials is None:
        trials = simulation.units()
    path = os.path.join(HERE if kind.is_plugin else os.path.join(ROOT, "Plugins", kind.__name__),
                        kind.__name__ + ".swift")
    with open(path, "rb") as file:
        source = sha256(file.read()).hex()
    parts = Digest()
    parts.text(name)
    parts.text(source)
    parts.number(1)
    parts.numbers(simulation.parameters() + table_slots(simulation.inputs()))
    parts.number(seed)
    parts.number(simulation.block_size())
    parts.number(trials)
    parts.numbers(tally(simulation, seed, trials))
    return parts.hexadecimal()


def golden_of(name, given, seed, trials):
    """Returns the beginning of the hash of a tally."""
    parts = Digest()
    parts.numbers(tally(SIMULATIONS[name](given, {}), seed, trials))
    return parts.hexadecimal()[:16]


# Name, parameters, seed, trials: full blocks, short ones, several of them, and every kind of parameter and tally.
EXAMPLE = ("monty-hall", {}, 7, 20)
CASES = [
    EXAMPLE,
    ("monty-hall", {}, 0, 1),
    ("monty-hall", {}, 2**64 - 1, 4096),
    ("monty-hall", {}, 1, 66_001),
    ("monty-hall", {"doors": "10"}, 2015, 12_345),
    ("monty-hall", {"doors": "4", "opened": "2"}, 42, 10_000),
    ("monty-hall", {"doors": "100", "opened": "98"}, 0xFEDCBA9876543210, 8300),
    ("pi", {}, 3, 20_000),
    ("buffon", {}, 7, 5000),
    ("buffon", {"length": "7", "spacing": "0.9"}, 11, 5000),
    ("option-price", {}, 1, 10_000),
    ("option-price", {"spot": "120", "strike": "80", "rate": "-0.02", "volatility": "0.5", "years": "2"}, 5, 3777),
    ("gamblers-ruin", {}, 9, 500),
    ("gamblers-ruin", {"stake": "3", "goal": "7", "p": "0.4"}, 10, 5000),
    ("birthday", {}, 4, 2000),
    ("coupon-collector", {"kinds": "6"}, 8, 3000),
    ("coupon-collector", {}, 8, 300),
]
PLUGIN_CASES = [
    ("every-draw", {}, 1, 1000),
    ("every-draw", {"sides": "1000000", "half": "yes", "kind": "third", "mean": "0.3"}, 99, 3000),
]
# The beginnings of the hashes of their tallies, which have every accumulator. No version of Potluck may change them.
PLUGIN_GOLDENS = ["ca5ec38bd1af6a92", "5cbdb7f9313ee8bf"]
# Gatherings, which write text or rows and may read tables: name, parameters, seed, tables.
GATHERING_CASES = [
    ("primes", {"limit": "140000"}, 1, {}),
    ("primes", {"limit": "140000", "list": "yes"}, 2, {}),
    ("matrix-product", {"size": "12", "draw": "77"}, 3, {}),
    ("matrix-product", {}, 4, {"a": [[1.5, -2, 0.1], [3, 1e-3, 7]], "b": [[0.7], [-1.25], [1e6]]}),
]


def compare(program, cases):
    """Prints and counts the cases in which the program has another digest."""
    wrong = 0
    for name, given, seed, trials, tables in cases:
        with tempfile.TemporaryDirectory() as folder:
            theirs = programs_digest(program, folder, name, given, seed, trials, tables)
        ours = digest(name, given, seed, trials, tables)
        wrong += theirs != ours
        sign = "ok  " if theirs == ours else "FAIL"
        settings = "".join(f" {key}={value}" for key, value in given.items())
        goal = f"{trials} trials" if trials else "with tables" if tables else "all units"
        print(f"{sign}  {name}{settings}, seed {seed}, {goal}: {ours}", flush=True)
        if theirs != ours:
            print(f"      the program has {theirs}", flush=True)
    return wrong


def programs_digest(program, folder, name, given, seed, trials, tables):
    """Returns the digest that the program prints."""
    what = os.path.join(HERE, "EveryDraw.swift") if SIMULATIONS[name].is_plugin else name
    words = ["run", what, "--seed", str(seed), "--json", "--ephemeral", "--cores", "2"]
    words += ["--trials", str(trials)] if trials else []
    for key, value in given.items():
        words += ["-p", f"{key}={value}"]
    for key, rows in tables.items():
        path = os.path.join(folder, key)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(" ".join(repr(float(number)) for number in row) + "\n" for row in rows)
        words += ["--input", f"{key}={path}"]
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["digest"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    run = actions.add_parser("run")
    run.add_argument("name", choices=sorted(SIMULATIONS))
    run.add_argument("-p", "--parameter", action="append", default=[])
    run.add_argument("--trials", help="required, except where the parameters fix the number of units")
    run.add_argument("--seed", type=lambda text: int(text, 0), required=True)
    against = actions.add_parser("compare")
    against.add_argument("program")
    against.add_argument("--plugin", action="store_true")
    given = parser.parse_args()
    if given.action == "run":
        pairs = dict(pair.split("=", 1) for pair in given.parameter)
        if given.trials is None and not SIMULATIONS[given.name].is_gathering:
            parser.error("give --trials")
        print(digest(given.name, pairs, given.seed, int(float(given.trials)) if given.trials else None))
    else:
        cases = [(*case, {}) for case in (PLUGIN_CASES if given.plugin else CASES)]
        if not given.plugin:
            cases += [(*case[:3], None, case[3]) for case in GATHERING_CASES]
        wrong = compare(given.program, cases)
        for case, golden in zip(cases if given.plugin else [], PLUGIN_GOLDENS):
            found = golden_of(*case[:4])
            if found != golden:
                print(f"FAIL  the tally of {case[0]}, seed {case[2]}, was {golden}, and is {found}")
                wrong += 1
        with open(PAGE, encoding="utf-8") as page:
            if digest(*EXAMPLE) not in page.read():
                print("FAIL  the example in docs/RANDOM.md has another digest")
                wrong += 1
        sys.exit(1 if wrong else 0)


main()
