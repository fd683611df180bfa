"""The rows of a gathering's tables are lists that are only read."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path
from typing import Any

from .language.compiler import Refused, compiled, runtime
from .support import PROGRAM, ProgramTest

AUTHOR = """\
import potluck
from potluck import Table


def spread(row):
    return max(row) - min(row)


class Rows(potluck.Gathering):
    data = Table("numbers")
    def units(self):
        return len(self.data)
    def last(self, unit):
        return self.data[-1 - unit]
    def block(self, units, random, output):
"""
#: The line of the loop over the units.
LOOP = AUTHOR.count("\n") + 1
ROWS = [[float(row * row - column * column) for column in range(4)] for row in range(9)]


@unittest.skipUnless(runtime() and Path(PROGRAM).exists(), "make build makes the program and the runtime")
class TableTests(ProgramTest):
    def text(self, statements: str) -> str:
        body = "".join(f"            {line}\n" for line in statements.splitlines())
        return f"{AUTHOR}        for unit in units:\n{body}"

    def output(self, statements: str) -> str:
        """Compiles the statements of a unit, and returns what the program writes or says."""
        file, module, data = self.folder / "rows.py", self.folder / "rows.wasm", self.folder / "data"
        file.write_text(self.text(statements))
        module.write_bytes(compiled(file, "rows.py", module))
        data.write_text("".join(" ".join(map(repr, row)) + "\n" for row in ROWS))
        done = subprocess.run(
            [PROGRAM, "run", str(module), "--input", f"data={data}", "--output", "-"], capture_output=True, text=True,
            check=False)
        return done.stderr if done.returncode else done.stdout

    def test_a_row_is_a_list(self) -> None:
        statements = """\
row = self.data[unit]
total = sum(row) + spread(self.data[unit]) + spread(self.last(unit))
a, b, c, d = self.data[unit]
total += 3 * a + b * c - d + sorted(self.data[unit], reverse=True)[0]
for each in self.data:
    total += each[2]
rows = [other for other in self.data]
total += rows[unit][3] + sum(other[1] for other in self.data) + self.data[unit][1:][0]
for x, y in zip(row, self.data[0]):
    total += x * y
output.line(total)"""
        names: dict[str, Any] = {}
        exec(self.text(statements), names)
        self.assertEqual(self.output(statements), names["Rows"](data=ROWS).play().output.decode())

    def test_a_row_that_is_not_there_ends_the_run_with_its_line(self) -> None:
        said = self.output("row = self.data[unit]\nrow = self.data[unit + 1]\noutput.line(row[0])")
        self.assertIn(f"line {LOOP + 2}: an index is outside its list", said)

    def test_a_row_does_not_change(self) -> None:
        with self.assertRaisesRegex(Refused, r"a trial may only read it; copy it first: mine = row\[:\]"):
            self.output("row = self.data[unit]\nrow[0] = 1.0")


if __name__ == "__main__":
    unittest.main()
