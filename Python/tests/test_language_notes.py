"""Notes and pictures: they are in the module's log while that is on, and the tally is the same either way and in Python."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from potluck._language.reference import play

from .language.compiler import compiled, runtime
from .language.module import Module
from .language.sandbox import Sandbox, library

FILE = '''
import potluck
from potluck import Count


class Dart(potluck.Simulation):
    """A dart at a square"""

    inside = Count()
    block_size = 16

    def trial(self, random):
        x, y = random.unit(), random.unit()
        hit = x * x + y * y < 1
        self.note(f"hit: {hit}")
        self.sketch(2, 1)
        self.sketch("circle", 0, 0, 1)
        if hit:
            self.sketch("disc", x, y, 0.01, "good")
        else:
            self.sketch("disc", x, y, 0.01, "bad")
        self.sketch("box", 0, 0, 1, 0.5, "faint")
        self.sketch("block", 1, 1, 2, 0)
        self.sketch("line", -1, 0, 3.5, 1, "marked")
        self.sketch("text", 0.5, 0.5, f"1 of {1 + 1}\tdarts", "plain")
        self.inside.add(hit)
'''
SEED, TRIALS = 3, 40


@unittest.skipUnless(library() and runtime(), "wasmtime or the runtime is missing; run make build")
class NoteTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="potluck-notes-")
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "dart.py"
        self.path.write_text(FILE, encoding="utf-8")
        self.octets = compiled(self.path, self.path.name, Path(folder.name) / "module.wasm")
        self.sandbox = Sandbox()

    def played(self, is_told: bool, trials: int) -> tuple[list[int], str]:
        with Module(self.sandbox, self.octets) as module:
            module.configure([])
            said = module.log() if is_told else ""
            self.assertEqual(said, "")
            answer = module.run(1, SEED, 0, (trials + 15) // 16, trials)
            self.assertIsNone(answer.failure)
            return answer.slots, module.log()

    def test_the_tally_is_pythons_with_the_log_and_without_it(self) -> None:
        expected = play(str(self.path), self.path.name, SEED, 0, (TRIALS + 15) // 16, TRIALS, {})
        self.assertIsNone(expected["failure"])
        told, log = self.played(True, TRIALS)
        untold, silence = self.played(False, TRIALS)
        self.assertEqual(told, untold)
        self.assertEqual([str(slot) for slot in told], expected["slots"])
        self.assertEqual(silence, "")
        self.assertEqual(log.count(" hit: "), TRIALS)

    def test_a_picture_is_lines_of_the_log(self) -> None:
        lines = self.played(True, 1)[1].splitlines()
        self.assertTrue(all(line.startswith("0 1 ") for line in lines), lines)
        note, picture, circle, disc, *rest = (line[4:] for line in lines)
        self.assertIn(note, ("hit: True", "hit: False"))
        self.assertEqual(picture, "\t1000 500")
        self.assertEqual(circle, "\t+\tc 0 0 500 0")
        self.assertRegex(disc, r"^\t\+\tC [0-9]+ [0-9]+ 5 %d$" % (2 if note == "hit: True" else 3))
        self.assertEqual(rest, [
            "\t+\tb 0 0 500 250 1", "\t+\tB 500 500 1000 0 0", "\t+\tl -500 0 1750 500 4",
            "\t+\tt 250 250 0 1 of 2 darts"])


if __name__ == "__main__":
    unittest.main()
