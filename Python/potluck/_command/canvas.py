"""A terminal or a file to write to: its width, and what it can show."""

from __future__ import annotations

import os
import sys
import unicodedata
from typing import NamedTuple, Sequence, TextIO

from .. import _platform

#: Lines in a file are not broken.
_FILE = 1000
#: East Asian scripts and emoji, whose characters are two columns wide, beside those that Unicode calls wide.
_WIDE = ("W", "F")


class Canvas(NamedTuple):
    columns: int
    #: Whether it can show more than ASCII.
    unicode: bool

    @classmethod
    def of(cls, stream: TextIO) -> Canvas:
        said = os.environ.get("COLUMNS", "")
        columns = int(said) if said.isdigit() and int(said) > 0 else 0
        is_unicode = _platform.shows_unicode(stream.encoding or "")
        if not stream.isatty():
            return cls(columns or _FILE, is_unicode)
        try:
            own = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            own = 0
        # COLUMNS may make output narrower than the terminal, but not wider: an exported value may be stale.
        return cls(min(columns or own or 80, own or columns or 80), is_unicode)

    def beside(self, margin: int) -> Canvas:
        """The same without a margin."""
        return Canvas(max(1, self.columns - margin), self.unicode)

    @property
    def ellipsis(self) -> str:
        return "…" if self.unicode else "~"

    def flow(self, pieces: Sequence[str], gap: int = 3, indent: int = 2) -> list[str]:
        """Packs pieces into as few indented lines as possible. Breaks a piece only if it is wider than a line."""
        # On very narrow terminals every column is needed for text.
        indent = min(indent, 1) if self.columns < 30 else indent
        lines: list[str] = []
        for piece in pieces:
            if lines and width(lines[-1]) + gap + width(piece) <= self.columns:
                lines[-1] += " " * gap + piece
                continue
            for part in _broken(piece, max(1, self.columns - indent)):
                lines.append(" " * min(indent, self.columns - 1) + part)
        return lines

    def wrapped(self, text: str, indent: int = 0) -> list[str]:
        """Breaks a text into lines between words."""
        return self.flow(text.split(), 1, indent)

    def text(self, lines: Sequence[str]) -> str:
        """Returns lines, each with a line end, cut to the width."""
        return "".join(f"{self._cut(_clean(line, self.unicode))}\n" for line in lines)

    def _cut(self, line: str) -> str:
        if width(line) <= self.columns:
            return line
        return _prefix(line, self.columns - 1) + self.ellipsis


def width(text: str) -> int:
    """The number of columns that a text takes."""
    if text.isascii():
        return len(text)
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def _prefix(text: str, columns: int) -> str:
    """The beginning of a text that takes at most so many columns."""
    taken, left = "", columns
    for character in text:
        left -= _width(character)
        if left < 0:
            break
        taken += character
    return taken


def _broken(text: str, columns: int) -> list[str]:
    parts = []
    while width(text) > columns:
        part = _prefix(text, columns)
        if not part:
            break
        parts.append(part)
        text = text[len(part):]
    return [*parts, text] if text else parts


#: What stands for characters beyond ASCII where they cannot be shown.
_PLAIN = {"…": "...", "±": "+/-", "–": "-", "—": "-", "·": "-", "×": "x", "≤": "<=", "≥": ">="}


def _clean(text: str, is_unicode: bool) -> str:
    if is_unicode or text.isascii():
        return text
    return "".join(c if c.isascii() else _PLAIN.get(c, "?") for c in text)


def prepare() -> None:
    """Makes stdout and stderr take every text, whatever the console's encoding is: Windows has others than UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace", newline="\n")
