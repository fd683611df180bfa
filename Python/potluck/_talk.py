"""Understands what a running program prints.

The one place that knows the form of its output: with `--json` a line with the result, and with `--progress-json` lines
before it, each an event like those of 'potluck watch --json'; and of a sweep a line for each point. Lines of stderr
that begin with `potluck: ` are its remarks; the last one before a failure says why.
"""

from __future__ import annotations

import signal
import warnings
from abc import ABC, abstractmethod
from typing import Any, Callable, Generic, NoReturn, TypeVar

from . import _json
from ._comparison_order import ComparisonOrder
from ._errors import PotluckError, PotluckWarning, UsageError
from ._order import Order
from ._result import Result
from ._sweep import Point, Sweep
from ._sweep_order import SweepOrder
from ._tally import Tally

#: A line is a result at most. A round trip of a hundred thousand cities takes a few megabytes.
LONGEST_LINE = 1 << 28
#: The end of stderr is kept: more than a compiler's messages take.
MOST_STDERR = 1 << 20

PREFIX = "potluck: "
#: The end of a remark about a file that a compiler refused, and how many of the compiler's lines a message has.
ABOVE = "; see the errors above"
MOST_ERRORS = 12
#: The states of a job that has ended. The result or the error tells this.
OVER = ("done", "failed")
#: The exit code for wrong usage.
USAGE = 2
#: The exit code for a failure.
FAILED = 1
#: Exit codes of a run that was stopped and prints what it has.
STOPPED = (0, 130, 143)


Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class Listener(ABC, Generic[Item, Outcome]):
    """Takes what the program prints, piece by piece, and gives the items that it tells and the outcome. Starts and
    reads nothing."""

    def __init__(self, explain: Callable[[str], str], translate: Callable[[str], str]) -> None:
        self._explain = explain
        self._translate = translate
        self._line = bytearray()
        self._stderr = bytearray()

    def hear(self, octets: bytes) -> list[Item]:
        """Takes a piece of stdout and returns the items that it completes."""
        start = len(self._line)
        self._line += octets
        if b"\n" not in octets:
            if len(self._line) > LONGEST_LINE:
                raise _json.unexpected("a line that does not end")
            return []
        end = start + octets.rindex(b"\n")
        lines = bytes(self._line[:end]).split(b"\n")
        del self._line[:end + 1]
        return [item for line in lines if line.strip() for item in self._take(_json.parse(line))]

    def hear_error(self, octets: bytes) -> None:
        """Takes a piece of stderr."""
        self._stderr += octets
        del self._stderr[:-MOST_STDERR]

    def end(self, code: int) -> Outcome:
        """Takes the exit code. Returns the outcome, or raises the program's error."""
        said = self._translate(self._stderr.decode("utf-8", "replace"))
        if self._line.strip() and self._has_outcome(code):
            raise _json.unexpected("a line without an end")
        outcome = self._outcome(code) if self._has_outcome(code) else None
        if outcome is None:
            raise failure(code, said, self._explain)
        for remark in _remarks(said):
            warnings.warn(remark, PotluckWarning, stacklevel=5)
        return outcome

    @abstractmethod
    def _take(self, value: Any) -> list[Item]:
        """Takes a line."""

    def _has_outcome(self, code: int) -> bool:
        """Whether the program prints what it has before it ends with this code."""
        return code in STOPPED

    @abstractmethod
    def _outcome(self, code: int) -> Outcome | None:
        """Returns the outcome after the last line, if there is one."""


class Talk(Listener[Tally, Result]):
    """Gives the tallies and the result of one run."""

    def __init__(self, order: Order) -> None:
        super().__init__(order.explain, order.translate)
        self._result: Result | None = None

    def _take(self, value: Any) -> list[Tally]:
        members = _json.Members(value)
        name = members.raw.get("event")
        if "point" in members.raw:
            raise UsageError("several values of a parameter make a sweep; use potluck.sweep")
        if name is None:
            if self._result is not None:
                raise _json.unexpected("two results")
            self._result = Result.of(value)
        # Other events are about laptops, which nobody asked for.
        return [Tally.of(value)] if name == "job" and members.raw.get("state") not in OVER else []

    def _outcome(self, code: int) -> Result | None:
        return self._result


class SweepTalk(Listener[Point, Sweep]):
    """Gives the points of a sweep."""

    def __init__(self, order: SweepOrder) -> None:
        super().__init__(order.explain, order.base.translate)
        self._simulation = order.base.simulation
        self._points: list[Point] = []
        #: The places of the points that were cancelled. The program says so in its last line, and fails.
        self._missing: list[int] = []
        self._is_single = False

    def _take(self, value: Any) -> list[Point]:
        if self._is_single:
            raise _json.unexpected("a line after a result")
        if self._missing:
            raise _json.unexpected("a line after the last one")
        members = _json.Members(value)
        if "missing" in members.raw:
            self._missing = [_json.Members({"missing": place}).whole("missing") for place in members.list("missing")]
            return []
        if not self._points and "point" not in members.raw:
            Result.of(value)
            self._is_single = True
            return []
        point = Point.of(value)
        if self._points and point.index <= self._points[-1].index:
            raise _json.unexpected("points that are not in order")
        self._points.append(point)
        return [point]

    def _has_outcome(self, code: int) -> bool:
        return code in STOPPED or code == FAILED and bool(self._missing)

    def _outcome(self, code: int) -> Sweep | None:
        if self._is_single:
            raise UsageError("no parameter has several values; use potluck.run for a single run")
        if code == 0 and [point.index for point in self._points] != list(range(len(self._points))):
            raise _json.unexpected("a sweep with gaps")
        # A sweep that was stopped at once has no points, but one that ended has.
        if not self._points and code == 0:
            return None
        simulation = self._points[0].simulation if self._points else self._simulation
        return Sweep(simulation, self._points, complete=code == 0, missing=self._missing)


class AnswerTalk(Listener[NoReturn, Outcome]):
    """Gives the one answer of a command that tells nothing before it."""

    def __init__(self, order: ComparisonOrder, read: Callable[[Any], Outcome]) -> None:
        super().__init__(order.explain, order.base.translate)
        self._read = read
        self._answer: Outcome | None = None

    def _take(self, value: Any) -> list[NoReturn]:
        if self._answer is not None:
            raise _json.unexpected("two answers")
        self._answer = self._read(value)
        return []

    def _outcome(self, code: int) -> Outcome | None:
        return self._answer


def failure(code: int, said: str, explain: Callable[[str], str] = str) -> PotluckError:
    """Returns the error for an exit code and what was said on stderr. `explain` may add to a message about usage."""
    remarks, lines = _remarks(said), said.strip().splitlines()
    message = remarks[-1] if remarks else lines[-1] if lines else _ending(code)
    if message.endswith(ABOVE):
        # Only `details` has what is above, and a notebook shows the message.
        errors = [line for line in lines if not line.startswith(PREFIX)][:MOST_ERRORS]
        message = "\n".join([message[:-len(ABOVE)] + ":", *errors])
    if code == USAGE:
        return UsageError(explain(message), details=said, code=code)
    return PotluckError(message, details=said, code=code)


def _remarks(said: str) -> list[str]:
    # A PotluckWarning says itself that it is a warning.
    return [line[len(PREFIX):].removeprefix("warning: ") for line in said.splitlines() if line.startswith(PREFIX)]


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
