"""Plays random programs in plain Python and as modules, and compares their tallies, readings and errors.

    python3 -m tests.language.differ [FIRST] COUNT [--mutants] [--shrink] [--show]

compares the programs of COUNT seeds, in the folder Python. Of each difference it prints the seed, both answers and the
program; with `--shrink` the shortest program that it finds with the same difference. `--mutants` gives each program a
random mistake, which may be refused. `--show` prints the programs.
"""

from __future__ import annotations

import contextlib
import functools
import os
import struct
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Optional

from potluck import UsageError
from potluck._kit.output import Print
from potluck._language import reference
from potluck._played import Played

from .compiler import Refused, compiled, exporting
from .module import COLLECT, TALLY, Answer, Conflict, Failed, Module
from .programs import Program, program
from .sandbox import Sandbox

LABEL = "program.py"
#: Units of a block of a random gathering.
UNITS = 8
#: A mutant that runs longer than this many instructions never ends, and Python would not end either.
FEW = 50_000_000
#: Where a name has whole and real numbers, Python keeps every bit of the whole ones. A module ends before it loses any.
STRICTER = "a whole number beyond 2**53 in a variable that also has real numbers"
OUT_OF_RANGE = "AssertionError: the verdict is 2"
#: The mistake made or removed a parameter.
OTHER_COUNT = "AssertionError: the verdict is 1"
#: What is called of a module. Compiling the rest takes time, so only each eighth module is whole.
CALLED = ("potluck_abi", "potluck_alloc", "potluck_configure", "potluck_run", "potluck_why")
WHOLE = 8
#: A folder in memory, where the machine has one: each program is written and read several times.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

# The blocks of a gathering and the readings share a class.
reference._class = functools.lru_cache(maxsize=1)(reference._class)


class Differ:
    """Compares programs. It keeps its files in a folder of its own, until it is closed."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="potluck-programs-", dir=MEMORY)
        self._path = Path(self._folder.name) / LABEL
        self._sandbox = Sandbox()
        #: How programs ended: "tally", or the sentence of an error.
        self.ends: Counter[str] = Counter()

    def close(self) -> None:
        self._folder.cleanup()

    def difference(self, program: Program, may_be_refused: bool = False) -> Optional[str]:
        """Returns how the module differs from plain Python; None if it does not."""
        self._path.write_text(program.source, encoding="utf-8")
        called = (*CALLED, "potluck_read") if "readings = " in program.source else CALLED
        try:
            with exporting(*called) if program.seed % WHOLE else contextlib.nullcontext():
                octets = compiled(self._path, LABEL, Path(self._folder.name) / "module.wasm")
        except Refused as error:
            self.ends["refused"] += 1
            # What the compiler knows of a constant may end a program before it runs.
            known = ("is beyond 64 bits", "has no value yet", "never returns a value: each path in it ends the run")
            is_fine = may_be_refused or program.has_accidents and any(
                words in error.messages[0].sentence for words in known)
            return None if is_fine else f"the compiler refuses it: {error}"
        except Exception as error:
            return f"the compiler fails: {error}"
        try:
            if not program.is_gathering:
                return self._compare(program, octets, program.first, program.blocks, program.trials, may_be_refused)
            for block in range(program.blocks):
                count = min(UNITS, program.trials - block * UNITS)
                if found := self._compare(program, octets, block, 1, count, may_be_refused):
                    return f"block {block}: {found}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None

    def _compare(
        self, program: Program, octets: bytes, first: int, blocks: int, trials: int, is_mutant: bool
    ) -> Optional[str]:
        with Module(self._sandbox, octets) as module:
            if is_mutant:
                module.instance.most = FEW
            try:
                size, units = module.configure([setting.slot for setting in program.settings])
                shape = COLLECT if program.is_gathering else TALLY
                if program.is_gathering:
                    # A mistake may have left fewer units, or blocks of another size.
                    trials = min(trials, units - first * UNITS)
                    if trials <= 0 or size != UNITS:
                        return None
                found = module.run(shape, program.seed, first, blocks, trials)
                got = found.failure
            except Conflict as conflict:
                found, got = Answer([], b"", None), f"conflict: {conflict}"
            except Failed as failed:
                found, got = Answer([], b"", None), str(failed)
            except Exception as error:
                found, got = Answer([], b"", None), f"{type(error).__name__}: {error}"
            if got is not None and ("never ends" in got or "memory" in got or "deep" in got):
                self.ends["too much for Python"] += 1
                return None
            if is_mutant and got == OTHER_COUNT:
                self.ends["other parameters"] += 1
                return None
            if got is not None and STRICTER in got:
                self.ends["stricter than Python"] += 1
                return None
            words = {setting.word: setting.typed for setting in program.settings}
            try:
                expected: dict[str, Any] = reference.play(
                    str(self._path), LABEL, program.seed, first, blocks, trials, words)
            except UsageError as error:
                # The mistake was in the range of a parameter, or in its name.
                is_fine = is_mutant and (got == OUT_OF_RANGE or str(error).startswith("unknown parameter"))
                return None if is_fine else f"Python: {error}\nmodule: {got}"
            end = expected["failure"] or (expected["conflict"] and f"conflict: {expected['conflict']}")
            self.ends["tally" if end is None else _plain(str(end))] += 1
            if got != end:
                return f"Python: {end or 'a tally'}\nmodule: {got or 'a tally'}"
            if end is not None:
                return None
            slots = [str(slot) for slot in found.slots]
            if program.is_gathering:
                printed = Print()
                if "writes = 'nothing'" not in program.source:
                    printed.add(first, found.output)
                slots += [str(slot) for slot in printed.slots()]
            if slots != expected["slots"]:
                return f"Python: {' '.join(expected['slots'])}\nmodule: {' '.join(slots)}"
            if program.is_gathering or "readings = " not in program.source:
                return None
            return self._readings(program, module, found.slots, trials, words)

    def _readings(
        self, program: Program, module: Module, slots: list[int], trials: int, words: dict[str, str]
    ) -> Optional[str]:
        """Compares what both make of a tally, to the last bit."""
        work = reference._made(reference._class(program.source, LABEL), words)
        fields, place = work._tally(), 0
        for field in fields.values():
            count = len(field.slots())
            field.merge(slots[place:place + count])
            place += count
        played = Played.of(work, fields, work._rules, program.seed, trials, of_trials=True)
        ours = module.read(trials, slots)
        for reading, got in zip(played.readings.values(), ours):
            expected = [reading.value, reading.low, reading.high, reading.exact]
            is_strict = any(None is ours and abs(theirs or 0.0) > 2.0 ** 53 for ours, theirs in zip(got, expected))
            if is_strict:
                self.ends["stricter than Python"] += 1
            elif [_bits(number) for number in expected] != [_bits(number) for number in got]:
                return f"Python: reading {reading.name} {expected}\nmodule: reading {reading.name} {got}"
        return None if len(ours) == len(played.readings) else f"{len(ours)} readings"


def _bits(number: Optional[float]) -> Optional[bytes]:
    return None if number is None else struct.pack("<d", number)


def _plain(end: str) -> str:
    return end.split(": ", 1)[-1].split("'")[-1]


def main(words: list[str]) -> int:
    numbers = [int(float(word)) for word in words if not word.startswith("--")]
    first, count = numbers if len(numbers) == 2 else (0, numbers[0] if numbers else 100)
    is_mutant = "--mutants" in words
    make = program
    if is_mutant:
        from .mutants import mutant as make  # type: ignore[no-redef]
    if "--show" in words:
        for seed in range(first, first + count):
            print(f"# seed {seed}\n{make(seed).source}")
        return 0
    differ, done, wrong = Differ(), 0, 0
    try:
        for seed in range(first, first + count):
            wrong += report(differ, seed, make(seed), is_mutant, "--shrink" in words)
            done += 1
    except KeyboardInterrupt:
        # The summary says how far it came.
        pass
    differ.close()
    ends = ", ".join(f"{number} {end}" for end, number in differ.ends.most_common())
    print(f"{done} programs, {wrong} differ: {ends}")
    return 1 if wrong else 0


def report(differ: Differ, seed: int, made: Program, is_mutant: bool, shrinks: bool) -> bool:
    """Prints how a program differs. Returns whether it does."""
    if (found := differ.difference(made, is_mutant)) is None:
        return False
    if shrinks:
        from .shrink import shrink

        made = shrink(made, differ, is_mutant)
        found = differ.difference(made, is_mutant)
    settings = " ".join(f"-p {setting.word}={setting.typed}" for setting in made.settings)
    print(f"--- seed {seed}: {found}\n--- {settings} --trials {made.trials} --seed {made.seed}")
    print(made.source, flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
