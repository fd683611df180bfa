"""What a worker prints: the state on a terminal, plain lines elsewhere, or events as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any, Optional, TextIO

from .. import _platform
from .._sandbox.errors import on_screen

_SPACE = "\u202f"


class Report:
    def __init__(self, is_json: bool, out: TextIO = sys.stdout) -> None:
        self._is_json, self._out = is_json, out
        self._is_terminal = out.isatty() and not is_json
        self._last: list[str] = []
        #: The lines that are drawn on the terminal.
        self._drawn = 0
        if self._is_terminal:
            _platform.understand_escapes()

    def event(self, name: str, /, **members: Any) -> None:
        """Prints an event of JSON. People see its meaning in the status."""
        if self._is_json:
            at = round(_platform.clock() * 1e9)
            self._write(json.dumps({"event": name, "at": at, **members}, ensure_ascii=False))

    def say(self, text: str, name: str, /, **members: Any) -> None:
        """Prints news: a line, or an event of JSON."""
        if self._is_json:
            return self.event(name, **members)
        self.clear()
        self._write(on_screen(text))

    def lines(self, lines: list[str]) -> None:
        """Prints what people keep. JSON has it in an event."""
        if not self._is_json:
            self.clear()
            self._write("\n".join(map(on_screen, lines)))

    def status(self, lines: list[str], drawn: Optional[list[str]] = None) -> None:
        """Shows the state. On a terminal `drawn` replaces the one before; elsewhere only a change is printed."""
        if self._is_terminal:
            columns, rows = shutil.get_terminal_size()
            shown = [on_screen(line)[:columns - 1] for line in drawn or lines][:rows - 1]
            self._out.write(self._back() + "\n".join(shown))
            self._out.flush()
            self._drawn = len(shown)
        elif not self._is_json and lines != self._last:
            self._write("\n".join(map(on_screen, lines)))
        self._last = lines

    def clear(self) -> None:
        """Removes the state from the terminal."""
        self._out.write(self._back())
        self._out.flush()
        self._drawn = 0

    def _back(self) -> str:
        """Goes to the beginning of what is drawn, and removes it."""
        if self._drawn == 0:
            return ""
        return "\r" + (f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else "") + "\x1b[J"

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
