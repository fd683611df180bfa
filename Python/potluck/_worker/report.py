"""What a worker prints: a line that changes on a terminal, plain lines elsewhere, or events as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any, TextIO

from .._sandbox.errors import on_screen
from . import machine

_SPACE = "\u202f"


class Report:
    def __init__(self, is_json: bool, out: TextIO = sys.stdout) -> None:
        self._is_json, self._out = is_json, out
        self._is_terminal = out.isatty() and not is_json
        self._last = ""
        #: The cells of the line that is on the terminal.
        self._width = 0

    def event(self, name: str, /, **members: Any) -> None:
        """Prints an event of JSON. People see its meaning in the status."""
        if self._is_json:
            at = round(machine.clock() * 1e9)
            self._write(json.dumps({"event": name, "at": at, **members}, ensure_ascii=False))

    def say(self, text: str, name: str, /, **members: Any) -> None:
        """Prints news: a line, or an event of JSON."""
        if self._is_json:
            return self.event(name, **members)
        self.clear()
        self._write(on_screen(text))

    def status(self, state: str, figures: str) -> None:
        """Shows what the worker does. Elsewhere than on a terminal only a change of the state is a line."""
        if self._is_terminal:
            line = on_screen(f"{state} {figures}".strip())[:shutil.get_terminal_size().columns - 1]
            self._out.write("\r" + line.ljust(self._width))
            self._out.flush()
            self._width = len(line)
        elif not self._is_json and state != self._last:
            self._write(on_screen(state))
        self._last = state

    def clear(self) -> None:
        """Removes the status from the terminal."""
        if self._width > 0:
            self._out.write("\r" + " " * self._width + "\r")
            self._width = 0

    def _write(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()


def amount(value: float) -> str:
    """Returns `734 112` or `1.43 billion`."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if value >= size * 0.9995:
            return f"{value / size:.3g}{_SPACE}{name}"
    return f"{round(value):,}".replace(",", _SPACE)


def count(number: int, one: str) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def time(seconds: float) -> str:
    """Returns `36 s`, `2 min 5 s` or `1 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{_SPACE}s"
    if whole < 3600:
        return f"{whole // 60}{_SPACE}min {whole % 60}{_SPACE}s"
    return f"{whole // 3600}{_SPACE}h {whole % 3600 // 60}{_SPACE}min"
