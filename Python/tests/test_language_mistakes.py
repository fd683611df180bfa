"""Typical mistakes: each is a sentence with its line, or Python's own numbers.

A file in `mistakes` says in a comment what must happen in that line:

    # refused: WORDS; WORDS     the compiler names this line, with all of these words
    # here                      a note of the same error names this line, too
    # ends: WORDS               a run ends in this line, in plain Python and as a module
    # never ends                a trial does not end
    # deep                      a trial calls itself until the stack is used up; the program counts that, and Python
    # right                     the tally is the one that Python computes
"""

from __future__ import annotations

import re
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

from potluck._language.reference import play

from .language.compiler import Refused, compiled, runtime
from .language.module import Answer, Module
from .language.sandbox import Sandbox, library
from .language.standard import standard

FOLDER = Path(__file__).resolve().parent / "mistakes"
_MARK = re.compile(r"# (?P<kind>refused|ends|never ends|deep|right|here)(?:: (?P<words>.*))?$")
#: As many trials show every mistake that depends on chance.
TRIALS, SEED = 400, 1
#: A trial that never ends is stopped after so many instructions.
FEW = 20_000_000


class Mark(NamedTuple):
    """What a file says of one of its lines."""

    kind: str
    line: int
    words: list[str]


def marks(path: Path) -> list[Mark]:
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := _MARK.search(line):
            found.append(Mark(match["kind"], number, (match["words"] or "").split("; ")))
    return found


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class MistakeTests(unittest.TestCase):
    sandbox: Sandbox

    @classmethod
    def setUpClass(cls) -> None:
        cls.sandbox = Sandbox()

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="potluck-mistakes-")
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "module.wasm"

    def run_module(self, path: Path, fuel: int) -> Answer:
        octets = compiled(path, path.name, self.out)
        with Module(self.sandbox, octets) as module:
            module.instance.most = fuel
            module.configure(standard(path))
            return module.run(1, SEED, 0, 1, TRIALS)

    def test_there_are_many_mistakes(self) -> None:
        files = sorted(FOLDER.glob("*.py"))
        self.assertGreaterEqual(len(files), 50)
        for file in files:
            self.assertEqual(sum(mark.kind != "here" for mark in marks(file)), 1, file.name)

    def test_each_mistake_is_a_sentence_with_its_line_or_pythons_numbers(self) -> None:
        for path in sorted(FOLDER.glob("*.py")):
            with self.subTest(path.stem):
                found = marks(path)
                mark = next(each for each in found if each.kind != "here")
                if mark.kind == "refused":
                    self.refused(path, mark, [each.line for each in found if each.kind == "here"])
                elif mark.kind == "never ends":
                    self.assertEqual(self.run_module(path, FEW).failure, "it never ends")
                elif mark.kind == "deep":
                    self.assertIn("call stack exhausted", str(self.run_module(path, FEW).failure))
                else:
                    self.played(path, mark)

    def refused(self, path: Path, mark: Mark, here: list[int]) -> None:
        with self.assertRaises(Refused) as caught:
            compiled(path, path.name, self.out)
        errors = [message for message in caught.exception.messages if message.kind == "error"]
        self.assertEqual(len(errors), 1, caught.exception)
        first = errors[0]
        self.assertEqual(first.line, mark.line, first.sentence)
        for word in mark.words:
            self.assertIn(word.lower(), first.sentence.lower())
        notes = [message.line for message in caught.exception.messages if message.kind == "note"]
        for line in here:
            self.assertIn(line, notes, caught.exception)

    def played(self, path: Path, mark: Mark) -> None:
        expected = play(str(path), path.name, SEED, 0, 1, TRIALS, {})
        answer = self.run_module(path, 2_000_000_000)
        self.assertEqual(answer.failure, expected["failure"])
        if mark.kind == "right":
            self.assertIsNone(answer.failure)
            self.assertEqual([str(slot) for slot in answer.slots], expected["slots"])
            return
        said = str(answer.failure)
        self.assertTrue(said.startswith(f"line {mark.line}: "), said)
        for word in mark.words:
            self.assertIn(word.lower(), said.lower())


if __name__ == "__main__":
    unittest.main()
