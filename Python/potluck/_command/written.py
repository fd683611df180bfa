"""What a gathering writes: a file, or stdout."""

from __future__ import annotations

import os
import struct
import sys
import tempfile
from typing import IO, Optional

from .._kit import output
from .._kit.output import Print
from .._sandbox import Shape, Writes
from .._sandbox.errors import is_fit
from . import numpy_file, spelling
from .arguments import Arguments, Option
from .chosen import Chosen
from .failures import Failure, UsageError, ValueIsWrong


def _path(text: str) -> str:
    if not text:
        raise ValueIsWrong("use a file name, or - for stdout")
    return text


OUTPUT = Option(
    "output", "write the simulation's output to this file, or to stdout with -", "Output", "FILE", "o", read=_path)
FORCE = Option("force", "overwrite the file if it exists", "Output", short="f")


#: How the names of NumPy's files end.
_NUMPY = ".npy"


class Written:
    """The outputs of the blocks so far, and where they go in the end.

    The file gets the new content when the run has ended; until then the old one stays.
    """

    def __init__(self, path: Optional[str], writes: Writes) -> None:
        self._path, self._writes = path, writes
        self.print = Print()
        self._spool: Optional[IO[bytes]] = None if path is None else tempfile.TemporaryFile()
        self._sizes: list[int] = []

    @classmethod
    def of(cls, chosen: Chosen, writes: Writes, arguments: Arguments) -> Optional[Written]:
        """Returns None for work that is no gathering. Refuses a file that cannot be written before the run."""
        path = arguments.value(OUTPUT)
        if path is not None and writes == Writes.NOTHING:
            raise UsageError(
                f"{chosen.name} writes no output with these parameters; leave out --output, or see "
                f"'potluck simulations {chosen.name}'")
        if path is not None and path.endswith(_NUMPY) and writes != Writes.ROWS:
            raise UsageError(f"{chosen.name} writes text, and {_NUMPY} is for rows of numbers; use another name")
        if chosen.description.shape != Shape.COLLECT:
            return None
        if path is not None and path != "-":
            _expect_writable(path, arguments.has(FORCE))
        return cls(path, writes)

    @property
    def is_stdout(self) -> bool:
        """Whether everything else goes to stderr."""
        return self._path == "-"

    @property
    def remark(self) -> str:
        """Says that the output is not kept; empty if it is."""
        what = "rows of numbers that are" if self._writes == Writes.ROWS else "text that is"
        is_kept = self._path is not None or self._writes == Writes.NOTHING
        return "" if is_kept else f"writes {what} not kept; use -o FILE, or -o - to print"

    def add(self, block: int, octets: bytes) -> None:
        """Adds what the next block wrote."""
        self.print.add(block, octets)
        if self._spool is not None:
            self._spool.write(octets)
            self._sizes.append(len(octets))

    def write(self, trials: int) -> None:
        """Writes all to the file or to stdout."""
        if self._spool is None or self._path is None:
            return
        self._spool.seek(0)
        if self.is_stdout:
            self._copy(sys.stdout.buffer, trials, is_screen=sys.stdout.isatty())
            sys.stdout.buffer.flush()
            return
        label = spelling.path(self._path)
        # A device or a pipe is written as it is.
        is_file = os.path.isfile(self._path) or not os.path.exists(self._path)
        made = f"{self._path}.{os.getpid()}.new" if is_file else self._path
        try:
            with open(made, "wb") as file:
                self._copy(file, trials, is_screen=False)
            if is_file:
                os.replace(made, self._path)
        except OSError as error:
            if is_file and os.path.exists(made):
                os.unlink(made)
            raise Failure(f"cannot write {label}: {error.strerror}") from None

    def _copy(self, to: IO[bytes], trials: int, *, is_screen: bool) -> None:
        columns = sum(self._sizes) // 8 // trials if trials else 0
        uneven = Failure("the simulation wrote rows of different lengths; ask its author to fix it")
        is_numpy = (self._path or "").endswith(_NUMPY)
        if is_numpy:
            # The head says how many numbers follow.
            if sum(self._sizes) != 8 * columns * trials:
                raise uneven
            to.write(numpy_file.head(trials, columns))
        for size in self._sizes:
            octets = self._spool.read(size) if self._spool is not None else b""
            if self._writes == Writes.ROWS:
                # A worker sees only its own blocks. Only here can rows of different lengths be noticed.
                if size and (columns == 0 or size % (8 * columns) != 0):
                    raise uneven
                to.write(octets if is_numpy else _rows(octets, columns))
            else:
                to.write(_shown(octets) if is_screen else octets)


def _rows(octets: bytes, columns: int) -> bytes:
    """Rows of numbers as text: one row per line, with enough digits to restore each number."""
    numbers = struct.unpack(f"<{len(octets) // 8}d", octets)
    found = [text[:-2] if text.endswith(".0") else text for text in map(output.text, numbers)]
    rows = (found[at:at + columns] for at in range(0, len(found), columns or 1))
    return "".join(f"{' '.join(row)}\n" for row in rows).encode()


def _shown(octets: bytes) -> bytes:
    """Escapes what could control a terminal."""
    text = octets.decode("utf-8", "replace")
    return "".join(c if c in "\n\t" or is_fit(c) else f"\\u{{{ord(c):x}}}" for c in text).encode()


def _expect_writable(path: str, is_forced: bool) -> None:
    """Refuses what would fail after the run, or overwrite a file that the user did not mean."""
    label, folder = spelling.path(path), os.path.dirname(path) or "."
    if not is_forced and os.path.isfile(path) and os.path.getsize(path) > 0:
        raise Failure(f"{label} already exists; use --force to overwrite it, or choose another name")
    if os.path.isdir(path):
        raise Failure(f"cannot write {label}: Is a directory")
    if not os.path.isdir(folder):
        raise Failure(f"cannot write {label}: No such file or directory")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Failure(f"cannot write {label}: Permission denied")
