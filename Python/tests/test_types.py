"""Everything has a type, and the types are right for those who use the module."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
import unittest
from importlib import util

import potluck
from potluck._language.source import EXPORTED, RUNNING

from .support import SOURCES, ProgramTest


def checker() -> list[str]:
    """Returns the command of mypy; empty if it is not installed."""
    if util.find_spec("mypy") is not None:
        return [sys.executable, "-m", "mypy"]
    found = shutil.which("mypy")
    return [] if found is None else [found]


class TypeTests(ProgramTest):
    @unittest.skipUnless(checker(), "mypy is not installed")
    def test_mypy_finds_nothing(self) -> None:
        words = [*checker(), "--strict", "--cache-dir", str(self.folder), "potluck", "tests/typed.py"]
        done = subprocess.run(words, cwd=SOURCES, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_public_names_are_documented(self) -> None:
        self.assertTrue((SOURCES / "potluck" / "py.typed").exists())
        self.assertEqual(potluck.__all__, sorted(potluck.__all__))
        for name in potluck.__all__:
            self.assertTrue(inspect.getdoc(getattr(potluck, name)), name)

    def test_the_compiler_knows_the_public_names(self) -> None:
        self.assertEqual(sorted((*EXPORTED["potluck"], *RUNNING)), potluck.__all__)

    def test_verbs_have_one_signature(self) -> None:
        expected = list(inspect.signature(potluck.order).parameters)
        for verb in (potluck.run, potluck.run_async, potluck.watch):
            self.assertEqual(list(inspect.signature(verb).parameters), expected)
            self.assertIn("trials, until, for_: when to stop", verb.__doc__ or "")
        expected = list(inspect.signature(potluck.sweep_order).parameters)
        for verb in (potluck.sweep, potluck.sweep_async, potluck.watch_sweep):
            self.assertEqual(list(inspect.signature(verb).parameters), expected)
            self.assertIn("common_seed: whether", verb.__doc__ or "")
