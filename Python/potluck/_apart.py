"""Starts processes of Python that import only the parts of this package that they need: all of it would take longer than the
work of a short run, and twice the memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

#: Makes a package `potluck` that is only this folder, and calls a function in one of its modules.
_PROGRAM = (
    "import importlib, sys, types\n"
    "package = types.ModuleType('potluck')\n"
    "package.__path__ = [sys.argv[1]]\n"
    "sys.modules['potluck'] = package\n"
    "module, function = sys.argv[2].split(':')\n"
    "sys.exit(getattr(importlib.import_module(module), function)(*sys.argv[3:]))\n"
)


def command(function: str, *words: str) -> list[str]:
    """Returns the command that calls a function, `potluck.module:function`, with some words. What the function returns is the
    exit code."""
    folder = Path(__file__).resolve().parent
    # Neither the user's variables nor other packages matter there.
    return [sys.executable, "-I", "-S", "-X", "utf8", "-c", _PROGRAM, str(folder), function, *words]


def end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process at once, and closes the pipes to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                pass
