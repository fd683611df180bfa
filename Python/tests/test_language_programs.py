"""Random programs have the same tally, readings and errors in plain Python and as modules.

`POTLUCK_PROGRAMS=100000` compares more of them. `python3 -m tests.language.differ SEED 1` shows one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import unittest

from .language.compiler import runtime
from .language.sandbox import library
from .support import ROOT

#: With those that have a mistake five hundred. Two cores compare them within two minutes.
PROGRAMS = int(float(os.environ.get("POTLUCK_PROGRAMS", "400")))


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class ProgramTests(unittest.TestCase):
    def compare(self, count: int, *options: str) -> None:
        """Compares programs in as many processes as there are cores."""
        part = -(-count // len(os.sched_getaffinity(0)))
        command = [sys.executable, "-m", "tests.language.differ"]
        running = [
            subprocess.Popen(
                [*command, str(first), str(min(part, count - first)), *options],
                cwd=ROOT / "Python",
                stdout=subprocess.PIPE,
                text=True,
            )
            for first in range(0, count, part)
        ]
        said = [each.communicate()[0] for each in running]
        self.assertEqual([each.returncode for each in running], [0] * len(running), "\n".join(said))

    def test_a_module_does_what_python_does(self) -> None:
        self.compare(PROGRAMS)

    def test_a_program_with_a_mistake_is_refused_or_does_what_python_does(self) -> None:
        self.compare(PROGRAMS // (4 if PROGRAMS < 100_000 else 1), "--mutants")


if __name__ == "__main__":
    unittest.main()
