"""Modules that the compiler of Python makes compute what Python computes."""

from __future__ import annotations

import json
import subprocess
import unittest
from pathlib import Path

from potluck._language.compile import compiled

from .support import PROGRAM, ROOT, ProgramTest
from .test_language_compile import FIRST, source

RUNTIME = ROOT / ".build/python/runtime.wasm"


@unittest.skipUnless(RUNTIME.exists() and Path(PROGRAM).exists(), "make build makes the program and the runtime")
class ModuleTests(ProgramTest):
    def run_trial(self, trial: str, rest: str = "", *words: str) -> dict[str, object]:
        """Compiles a trial, runs it, and returns the program's JSON, or its error."""
        file = self.folder / "example.wasm"
        file.write_bytes(compiled(source(trial, rest).encode(), RUNTIME.read_bytes()))
        done = subprocess.run(
            [PROGRAM, "run", str(file), "--trials", "1000", "--seed", "1", "--json", *words],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            return {"error": done.stderr}
        made: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
        return made

    def assert_always(self, conditions: list[str]) -> None:
        """Checks that conditions hold in each trial."""
        failed = "\n".join(f"if not ({each}):\n    raise ValueError({each!r})" for each in conditions)
        made = self.run_trial(f"{failed}\nself.won.add()")
        self.assertEqual(made.get("counts", made), {"won": 1000})

    def test_whole_numbers_are_pythons(self) -> None:
        # The draw keeps the compiler from computing the results.
        self.assert_always(
            [
                condition
                for a in (-7, -1, 0, 5, 2**62, -(2**63))
                for b in (-3, 2, 7)
                for condition in (
                    f"(({a}) + random.below(1)) // ({b} + random.below(1)) == {a // b}",
                    f"(({a}) + random.below(1)) % ({b} + random.below(1)) == {a % b}",
                )
            ]
        )

    def test_real_numbers_are_pythons(self) -> None:
        self.assert_always(
            [
                condition
                for a in (-7.5, 0.1, 1e20)
                for b in (-0.3, 2.0)
                for condition in (
                    f"({a} + random.below(1)) // {b} == {a // b!r}",
                    f"({a} + random.below(1)) % {b} == {a % b!r}",
                )
            ]
        )

    def test_reductions_are_pythons(self) -> None:
        # A reduction keeps its value while the next item is computed.
        self.assert_always(
            [
                f"{reduced.replace('d', '(3 + random.below(1))')} == {eval(reduced, {'d': 3})!r}"
                for item in ("k % 7", "k % -7", "k // 2", "k // -7", "k % d", "k // d", "k // -d", "abs(k)", "k // d % 5")
                for items in ("[-3, 1]", "(1, -3)", "range(-9, d)")
                for reduced in (
                    f"max({item} for k in {items})",
                    f"min({item} for k in {items})",
                    f"sum({item} for k in {items})",
                    f"any({item} > 4 for k in {items})",
                )
            ]
        )

    def test_a_variable_keeps_its_value_for_the_next_round(self) -> None:
        for loop in ("for k in range(5):", "k = -1\nwhile k < 4:\n    k += 1"):
            made = self.run_trial(f"""
{loop}
    y = (k - 3) % 7 + abs(k - 3) + (k - 3) // 2
    if k == 0:
        x = 9
    if x != 9 or y != (k + 4) % 7 + abs(3 - k) + (k + 1) // 2 - 2:
        raise ValueError("another number")
self.won.add()
""")
            self.assertEqual(made.get("counts", made), {"won": 1000})

    def test_an_overflow_ends_the_run_with_its_line(self) -> None:
        made = self.run_trial("x = 2**62 + random.below(1)\nself.total.add(x + x)")
        self.assertIn(f"line {FIRST + 1}: a whole number is beyond 64 bits", str(made["error"]))

    def test_an_index_outside_ends_the_run_with_its_line(self) -> None:
        made = self.run_trial("x = [1, 2, 3]\nself.total.add(x[random.below(4)])")
        self.assertIn(f"line {FIRST + 1}: an index is outside its list", str(made["error"]))

    def test_a_name_without_a_value_ends_the_run_with_its_line(self) -> None:
        made = self.run_trial("if random.coin():\n    x = 1\nself.total.add(x)")
        self.assertIn(f"line {FIRST + 2}: 'x' has no value yet", str(made["error"]))

    def test_prepare_may_refuse_parameters(self) -> None:
        rest = "def prepare(self):\n    if self.sides > 50:\n        raise ValueError('too many sides')\n"
        self.assertIn("counts", self.run_trial("self.won.add()", rest))
        self.assertIn("too many sides", str(self.run_trial("self.won.add()", rest, "-p", "sides=51")["error"]))

    def test_whole_and_real_numbers_add_up_to_the_same_moments(self) -> None:
        whole = self.run_trial("n = random.integer(-1000, 1000)\nself.total.add(n)\nself.total.add(n * 3000000)")
        real = self.run_trial("n = float(random.integer(-1000, 1000))\nself.total.add(n)\nself.total.add(n * 3000000)")
        self.assertEqual(whole["slots"], real["slots"])


if __name__ == "__main__":
    unittest.main()
