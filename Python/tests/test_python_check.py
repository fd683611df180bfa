"""`potluck check` of a file in Python also asks Python itself, with the words of the program for Linux."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from unittest import mock

from potluck._command import check, main, python_check

from .pure import PureTest

HEAD = "import math\nimport potluck\nfrom potluck import *\n\n\n"
TWO = """
    class Two(potluck.Simulation):
        "Two coins"

        one, two = Count(), Count()

        def trial(self, random):
            self.one.add(random.coin())
            self.two.add(random.coin())
    """


class PythonCheckTests(PureTest):
    def file(self, body: str, name: str = "author.py") -> Path:
        path = self.folder / name
        path.write_text(HEAD + textwrap.dedent(body))
        return path

    def test_both_say_the_same(self) -> None:
        for body, said in (
            (TWO, "ok      Python itself gets the same tally of the first 160 trials, bit for bit"),
            (TWO.replace("random.coin())", "1 // random.below(9) > 0)"), "ok      Python itself stops with the same sentence"),
            (TWO + "\n    readings = [derived('ratio', lambda self, tally, trials: 1 / (tally.one.value - tally.one.value))]\n"
             .replace("\n    ", "\n        "), "note    ratio has no value after 160 trials: line "),
            (TWO.replace("self.one.add(random.coin())", "while self.one is self.one: pass"), ""),
            ("""
             class Odd(potluck.Gathering):
                 "Numbers of a table"
                 data = Table("numbers")
                 scale = Parameter(0.5, "a factor", 0.1, 2.0)
                 kind = Parameter("sum", "what is written", ["sum", "none"])
                 rows = Count()
                 block_size = 4

                 def units(self):
                     return len(self.data)

                 def block(self, units, random, output):
                     for row in units:
                         output.line(self.scale * sum(self.data[row]))
                         self.rows.add(1)
             """, "ok      Python itself gets the same tally of the first 4 trials, bit for bit"),
        ):
            path = self.file(body)
            rest = ""
            if "Table" in body:
                (self.folder / "t").write_text("1 2.5\n3 4\n5 6\n7 8\n9 1\n")
                rest = f" --input data={self.folder / 't'} -p scale=0.3"
            line = f"check {path} --quick{rest}"
            self.assertSame(line)
            with self.subTest(line):
                self.assertIn(said, self.pure(*line.split()).stdout)

    def test_a_file_that_does_more_than_trials_is_stopped(self) -> None:
        left = self.folder / "left"
        for deed in (
            f"open({str(left)!r}, 'w')", f"__import__('os').mkdir({str(left)!r})", "__import__('subprocess').run(['true'])",
            "__import__('socket').socket()", "__import__('ctypes').CDLL(None)", "__import__('this')", "open('author.py')",
            "open('/etc/passwd')", "open('/etc/x.table', 'rb')",
        ):
            with self.subTest(deed):
                path = self.file(TWO + f"\n        def helper(self, x={deed}):\n            return 1\n")
                said = self.pure("check", str(path), "--quick")
                self.assertIn("not compared with Python itself: Python says: the file does something that no trial does (",
                              said.stdout)
                self.assertEqual((said.code, left.exists()), (0, False))


class DifferenceTests(PureTest):
    """What no file shows, because the module and Python agree."""

    def said(self, play: object, *words: str) -> tuple[int, str, str]:
        import contextlib
        import io

        path = self.folder / "two.py"
        path.write_text(HEAD + textwrap.dedent(TWO))
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.dict(os.environ, self.environment), mock.patch.object(python_check.PythonCheck, "_play", play), \
                mock.patch("potluck._command.bundle.runtime", return_value=self.runtime()), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main.main(["check", str(path), "--quick", *words])
        return code, out.getvalue(), err.getvalue()

    def runtime(self) -> bytes:
        return (self.installed / "potluck/_bundle/runtime.wasm").read_bytes()

    def test_a_difference_breaks_the_rules(self) -> None:
        answer = python_check._Answer
        for given, why in (
            (answer((1, 2), None, {}), "in block 0 with seed 2010: one, two differ; please report"),
            (answer((1,), None, {}), "its tally has 1 numbers"),
            (answer((), "line 4: a division by zero", {}), "it stops with 'line 4: a division by zero'"),
        ):
            with self.subTest(why):
                code, out, err = self.said(lambda *_: given)
                self.assertIn(f"BROKEN  Python itself gets something else in block 0 with seed {check.SEED}: ", out)
                self.assertIn(why, out)
                self.assertEqual((code, err), (1, "potluck: two breaks the rules marked BROKEN above\n"))

    def test_a_file_that_has_changed_is_not_compared(self) -> None:
        played = python_check.PythonCheck._play

        def play(own: python_check.PythonCheck, first: int, end: int, trials: int) -> python_check._Answer:
            path = self.folder / "two.py"
            path.write_text(path.read_text() + "\n")
            return played(own, first, end, trials)

        code, out, _ = self.said(play)
        self.assertEqual(code, 0)
        self.assertIn("two.py has changed meanwhile", out)

    def test_python_that_takes_too_long_or_says_nothing_is_a_remark(self) -> None:
        for call, why in (
            ("import time; time.sleep(99)", "Python takes longer than 0 minutes for 160 trials"),
            ("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)", "Python takes more than 60 s of CPU time for 160 trials"),
            ("print('no answer')", "Python says: no answer"), ("pass", "Python says: nothing"),
            ("raise MemoryError", "Python says: MemoryError"),
        ):
            with self.subTest(why), mock.patch.object(python_check, "_CALL", call), \
                    mock.patch.object(python_check, "_PATIENCE", 1 if "sleep" in call else 300):
                code, out, _ = self.said(python_check.PythonCheck._play)
                self.assertEqual(code, 0)
                self.assertIn(f"note    not compared with Python itself: {why}", out)
