"""Random programs have the same tally, readings and errors in plain Python and as modules.

`POTLUCK_PROGRAMS=100000` compares more of them. `python3 -m tests.language.differ SEED 1` shows one.
"""

from __future__ import annotations

import multiprocessing
import os
import unittest

from .language.compiler import runtime
from .language.sandbox import library

#: As many as two cores compare within two minutes, at a quarter of a second for each.
PROGRAMS = int(float(os.environ.get("POTLUCK_PROGRAMS", "800")))
#: A process compares so many at once.
PART = 50


def differences(part: tuple[int, bool]) -> list[str]:
    """Returns what differs in some programs, each with its seed."""
    from .language.differ import Differ
    from .language.mutants import mutant
    from .language.programs import program

    first, is_mutant = part
    differ, found = Differ(), []
    for seed in range(first, first + PART):
        made = mutant(seed) if is_mutant else program(seed)
        if difference := differ.difference(made, is_mutant):
            found.append(f"seed {seed}{' of mutants' if is_mutant else ''}: {difference}\n{made.source}")
    differ.close()
    return found


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class ProgramTests(unittest.TestCase):
    def differ(self, count: int, is_mutant: bool) -> None:
        parts = [(first, is_mutant) for first in range(0, count, PART)]
        with multiprocessing.get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool:
            found = [line for lines in pool.imap_unordered(differences, parts) for line in lines]
        self.assertEqual(found, [], "\n".join(found[:5]))

    def test_a_module_does_what_python_does(self) -> None:
        self.differ(PROGRAMS, is_mutant=False)

    def test_a_program_with_a_mistake_is_refused_or_does_what_python_does(self) -> None:
        self.differ(PROGRAMS // (4 if PROGRAMS < 100_000 else 1), is_mutant=True)


if __name__ == "__main__":
    unittest.main()
