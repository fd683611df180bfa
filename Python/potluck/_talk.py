"""Understands what a running program prints.

The one place that knows the form of its output: with `--json` a line with the result, and with `--progress-json` lines
before it, each an event like those of 'potluck watch --json'. Lines of stderr that begin with `potluck: ` are its
remarks; the last one before a failure says why.
"""

from __future__ import annotations

import signal
import warnings
from typing import Any, Callable

from . import _json
from ._errors import PotluckError, PotluckWarning, UsageError
from ._order import Order
from ._result import Result
from ._tally import Tally

#: A line is a result at most. A round trip of a hundred thousand cities takes a few megabytes.
LONGEST_LINE = 1 << 28
#: The end of stderr is kept: more than a compiler's messages take.
MOST_STDERR = 1 << 20

PREFIX = "potluck: "
#: The states of a job that has ended. The result or the error tells this.
OVER = ("done", "failed")
#: The exit code for wrong usage.
USAGE = 2
#: Exit codes of a run that was stopped and prints what it has.
STOPPED = (0, 130, 143)


class Talk:
    """Takes the output of one run, piece by piece, and gives tallies and the result. Starts and reads nothing."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._line = bytearray()
        self._stderr = bytearray()
        self._result: Result | None = None

    def hear(self, octets: bytes) -> list[Tally]:
        """Takes a piece of stdout and returns the tallies that it completes."""
        start = len(self._line)
        self._line += octets
        if b"\n" not in octets:
            if len(self._line) > LONGEST_LINE:
                raise _json.unexpected("a line that does not end")
            return []
        end = start + octets.rindex(b"\n")
        lines = bytes(self._line[:end]).split(b"\n")
        del self._line[:end + 1]
        return [tally for line in lines if line.strip() for tally in self._event(_json.parse(line))]

    def hear_error(self, octets: bytes) -> None:
        """Takes a piece of stderr."""
        self._stderr += octets
        del self._stderr[:-MOST_STDERR]

    def _event(self, value: Any) -> list[Tally]:
        members = _json.Members(value)
        name = members.raw.get("event")
        if name is None:
            if self._result is not None:
                raise _json.unexpected("two results")
            self._result = Result.of(value)
        # Other events are about laptops, which nobody asked for.
        return [Tally.of(value)] if name == "job" and members.raw.get("state") not in OVER else []

    def end(self, code: int) -> Result:
        """Takes the exit code. Returns the result, or raises the program's error."""
        said = self._stderr.decode("utf-8", "replace")
        if self._line.strip() and code in STOPPED:
            raise _json.unexpected("a line without an end")
        if self._result is None or code not in STOPPED:
            raise failure(code, said, self._order.explain)
        for remark in _remarks(said):
            warnings.warn(remark, PotluckWarning, stacklevel=5)
        return self._result


def failure(code: int, said: str, explain: Callable[[str], str] = str) -> PotluckError:
    """Returns the error for an exit code and what was said on stderr. `explain` may add to a message about usage."""
    remarks, lines = _remarks(said), said.strip().splitlines()
    message = remarks[-1] if remarks else lines[-1] if lines else _ending(code)
    if code == USAGE:
        return UsageError(explain(message), details=said, code=code)
    return PotluckError(message, details=said, code=code)


def _remarks(said: str) -> list[str]:
    return [line[len(PREFIX):] for line in said.splitlines() if line.startswith(PREFIX)]


def last(result: Result) -> Tally:
    """Returns the tally that ends a run, so that every run has at least one."""
    return Tally.of(result.raw, state="done" if result.complete else "stopped")


def _ending(code: int) -> str:
    if code >= 0:
        return f"the program ended without a result (exit code {code})"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"the program was ended by {name}"
