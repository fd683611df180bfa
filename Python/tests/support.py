"""What the tests share: the program, a fake one, and a folder for the history of each test."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "Python"
PROGRAM = os.environ.get("POTLUCK", str(ROOT / ".build/release/potluck"))
FAKE = Path(__file__).resolve().parent / "fake.py"

#: How long a test waits for an event before it fails; no test passes by waiting. In CI other work goes first, and may take
#: every core for minutes.
PATIENCE = 600

# A shell that starts the tests in the background lets them ignore Ctrl-C, and the programs that they start would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, in which the program keeps its history."""

    def setUp(self) -> None:
        folder = tempfile.mkdtemp(prefix="potluck-python-")
        self.addCleanup(shutil.rmtree, folder)
        self.folder = Path(folder)
        self.set(POTLUCK=PROGRAM, POTLUCK_STATE=str(self.folder / "state"), XDG_CONFIG_HOME=folder)

    def set(self, **variables: str) -> None:
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def printed(self, *words: str) -> Any:
        """Returns the JSON that the program itself prints."""
        done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, check=True, text=True)
        return json.loads(done.stdout)

    def assertNoChild(self) -> None:
        """Checks that this process has no child left, also none that has ended."""
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


class FakeTest(ProgramTest):
    """A test with a program that does what the test says."""

    def setUp(self) -> None:
        super().setUp()
        self.diary = self.folder / "diary"
        program = self.folder / "potluck"
        program.write_text(f"#!{sys.executable} -S\n" + FAKE.read_text())
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.set(POTLUCK=str(program), FAKE_DIARY=str(self.diary), FAKE_SIMULATION="{}")

    def fake(self, *deeds: Any) -> None:
        """Says what the fake program does, one deed after the other; see fake.py."""
        self.set(FAKE_DEEDS=json.dumps(deeds))

    def noted(self) -> list[str]:
        """Returns what the fake program wrote down: its arguments and the signals that it got."""
        return self.diary.read_text().splitlines() if self.diary.exists() else []


def event(trials: int = 1000, **more: Any) -> dict[str, Any]:
    """Returns an event of a running job."""
    return {
        "event": "job", "at": 1, "job": "0000000000000001", "simulation": "monty-hall", "submitter": "ana",
        "plugin": False, "module": None, "state": "running", "trials": trials,
        "readings": [reading("switch", 0.66)], "elapsed": 0.5, "rate": None, "nodes": [], **more}


def result(**more: Any) -> dict[str, Any]:
    """Returns a result."""
    return {
        "simulation": "monty-hall", "parameters": {"doors": 3, "opened": 1}, "seed": 1, "trials": 2000,
        "tally": {"stay": 660, "switch": 1340}, "readings": [reading("switch", 0.67)], "digest": "ab" * 32,
        "complete": True, "elapsed": 0.25, "rate": 8000.0, "cores": 2, **more}


def point(index: int, **more: Any) -> dict[str, Any]:
    """Returns a point of a sweep."""
    return {
        "point": index, "simulation": "monty-hall", "parameters": {"doors": 3 + index, "opened": 1}, "seed": 1 + index,
        "trials": 2000, "tally": [660, 1340], "counts": {"stay": 660, "switch": 1340},
        "readings": [reading("switch", 0.67)], "digest": "cd" * 32, "ended": "trials", "elapsed": 0.25, "rate": 8000.0,
        "cores": 2, "sweep": "8ab2be2e05beef99", **more}


def reading(name: str, value: Any, **more: Any) -> dict[str, Any]:
    """Returns a reading."""
    return {
        "name": name, "value": value, "low": 0.64, "high": 0.69, "confidence": 0.95, "exact": 2 / 3, **more}
