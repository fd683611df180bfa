"""The package as the wheel for all systems has it, beside the program: both get the same command lines."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple, Optional

from .language.sandbox import library
from .support import PROGRAM, ROOT, SOURCES

#: What depends on the clock, on the cores, or on the order in which processes answered.
_VARYING = [
    (r" in [^\n]*? on (\d+) cores?", r" in T on \1"), (r'"elapsed":[^,]*,(?:"rate":[^,]*,)?', '"elapsed":T,'),
    (r'"merit":\{[^}]*\}', '"merit":M'), (r'"started":[^,]*', '"started":T'), (r'"cores":\d+', '"cores":C'),
    (r"tree     .* expanded", "tree     N expanded"),
    (r'"expanded":\d+,"inVain":\d+', '"expanded":N'), (r"takes (?:less than )?[0-9.]+ ms", "takes T"),
]
#: The program asks Python itself only where the kernel keeps it in a box.
_UNBOXED = "this kernel keeps no program in a box"
_OF_PYTHON = r"^.*Python itself.*\n|^note .* has no value after .*\n"
#: What is said of work that takes a while.
_MEANWHILE = (
    r"^Compiling .*\n|^(?:potluck: )?[\w-]+: (?:[\d ]+ (?:of [\d ]+ )?(?:trials|units)|[\d.< ]+ % of the tree|\d+ of \d+ points).*\n")

#: The program says so if its last blocks or its readings take a moment. The command in Python never does.
_ENDING = r"^[\w-]+: stopping: finishing the current blocks\n"


class Said(NamedTuple):
    code: int
    stdout: str
    stderr: str

    @property
    def steady(self) -> Said:
        """The same without what differs from run to run."""
        stdout, stderr = self.stdout, self.stderr
        for pattern, replacement in _VARYING:
            stdout, stderr = re.sub(pattern, replacement, stdout), re.sub(pattern, replacement, stderr)
        return Said(self.code, stdout, re.sub(_MEANWHILE, "", stderr, flags=re.MULTILINE))


def places() -> tuple[Path, Path]:
    """The folder of modules and the runtime: of this tree, or of the installation that the program belongs to."""
    beside = Path(PROGRAM).resolve().parent.parent / "lib/potluck"
    if (beside / "modules").is_dir():
        return beside / "modules", beside / "python/runtime.wasm"
    return ROOT / ".build/modules", ROOT / ".build/python/runtime.wasm"


class PureTest(unittest.TestCase):
    """A test of the command in Python, which is installed in a folder once."""

    installed: Path

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.installed = Path(tempfile.mkdtemp(prefix="potluck-pure-"))
        cls.addClassCleanup(shutil.rmtree, cls.installed)
        modules, runtime = places()
        shutil.copytree(SOURCES / "potluck", cls.installed / "potluck", ignore=shutil.ignore_patterns("__pycache__"))
        bundle = cls.installed / "potluck/_bundle"
        shutil.copytree(modules, bundle / "modules")
        shutil.copy(runtime, bundle / "runtime.wasm")
        version = re.search('potluckVersion = "(.*)"', (ROOT / "Sources/Core/Model/Version.swift").read_text())
        assert version is not None
        (bundle / "version").write_text(version.group(1))

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="potluck-python-"))
        self.addCleanup(shutil.rmtree, self.folder)

    @property
    def environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith(("POTLUCK", "COLUMNS"))}
        return {
            **own, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(self.installed), "PYTHONDONTWRITEBYTECODE": "1",
            "POTLUCK_WASMTIME": str(library()), "POTLUCK_EPHEMERAL": "1", "XDG_CONFIG_HOME": str(self.folder)}

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "potluck._command", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.environment, cwd=ROOT, encoding="utf-8")

    def pure(self, *words: str, environment: Optional[dict[str, str]] = None) -> Said:
        """What the command in Python says."""
        return self._said([sys.executable, "-m", "potluck._command", *words], environment)

    def native(self, *words: str, environment: Optional[dict[str, str]] = None) -> Said:
        """What the program says."""
        return self._said([PROGRAM, *words], environment)

    def _said(self, words: list[str], environment: Optional[dict[str, str]]) -> Said:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=ROOT, encoding="utf-8",
            env={**self.environment, **(environment or {})})
        return Said(done.returncode, done.stdout, done.stderr)

    def assertSame(self, line: str) -> None:
        """Checks that both say the same, byte by byte."""
        with self.subTest(line):
            pure, native = self.pure(*shlex.split(line)).steady, self.native(*shlex.split(line)).steady
            native = native._replace(stderr=re.sub(_ENDING, "", native.stderr, flags=re.MULTILINE))
            if _UNBOXED in native.stdout:
                pure, native = (
                    said._replace(stdout=re.sub(_OF_PYTHON, "", said.stdout, flags=re.MULTILINE)) for said in (pure, native))
            self.assertEqual(pure, native)
