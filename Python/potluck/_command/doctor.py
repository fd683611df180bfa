"""`potluck doctor`: says what this command has and lacks here."""

from __future__ import annotations

import importlib.util
import platform
import sys

from .. import _platform, _sandbox
from .._sandbox.engine import flags
from .._sandbox.errors import VERSION
from . import absent, bundle, plan, readings_json
from .arguments import Arguments, Command, Option
from .canvas import Canvas
from .failures import FAILURE, SUCCESS

JSON = Option("json", "print JSON", "Output")

COMMAND = Command(
    "doctor", "check what works here", (), (JSON,),
    ("The check compiles and runs a module. It prints each problem and how to fix it, and what limits the number of cores "
     "that compute by default. The exit code is 0 if there is no problem and 1 otherwise.",))

Finding = tuple[str, str, str, str]


def run(arguments: Arguments) -> int:
    found = [*_modules(), _cores(), _program()]
    is_healthy = all(level != "problem" for _, level, _, _ in found)
    if arguments.has(JSON):
        keys = ("topic", "level", "text", "advice")
        members = [{key: value or None for key, value in zip(keys, finding)} for finding in found]
        sys.stdout.write(readings_json.text({"healthy": is_healthy, "findings": members}) + "\n")
    else:
        canvas = Canvas.of(sys.stdout)
        marks = {"problem": "PROBLEM"}
        lines = []
        for _, level, text, advice in found:
            beside = canvas.beside(9).wrapped(text) + (canvas.beside(9).wrapped(advice) if advice else [])
            lines += [f"{marks.get(level, level) if place == 0 else '':9}{line}" for place, line in enumerate(beside)]
        sys.stdout.write(canvas.text(lines))
    return SUCCESS if is_healthy else FAILURE


def _modules() -> list[Finding]:
    """Whether modules run, and which are there."""
    names = bundle.names()
    if not names:
        return [("modules", "problem", "The modules of the built-in simulations are missing.", "Install the wheel again.")]
    try:
        _sandbox.Module(bundle.module(names[0]))
    except _sandbox.ModuleError as error:
        return [("sandbox", "problem", f"Modules do not run: {error}.", f"Run 'pip install wasmtime=={VERSION}'.")]
    found = [("sandbox", "good", f"Modules run in wasmtime {VERSION} on {platform.system()} ({_machine()}).", "")]
    if not flags().work:
        found.append((
            "numbers", "note", "This processor does not tell when a NaN is made, so modules with real numbers are slower.", ""))
    return [*found, ("modules", "good", f"{len(names)} simulations are built in.", "")]


def _machine() -> str:
    return _platform.SYSTEM.machine


def _cores() -> Finding:
    count = plan.machine()
    return "cores", "good", f"This machine has {count} {'core' if count == 1 else 'cores'}.", ""


def _program() -> Finding:
    advice = f"To serve a session, to keep a history or to launch ranks, {absent.WHERE}."
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    has_worker = importlib.util.find_spec("potluck._worker") is not None
    joins = "runs simulations and joins sessions" if has_worker else "runs simulations"
    return "program", "note", f"This is the command in Python {python}, which {joins}.", advice
