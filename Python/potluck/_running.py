"""Runs an order, or a sweep, and waits for it."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Callable, Generic, Iterator, Mapping, NoReturn, Optional, Sequence

from . import _child, _program, _table
from ._comparison_order import ComparisonOrder
from ._errors import PotluckError
from ._order import Order
from ._result import Result
from ._sweep import Point, Sweep
from ._sweep_order import SweepOrder
from ._talk import AnswerTalk, Item, Listener, Outcome, SweepTalk, Talk, last
from ._tally import Tally


@dataclass(frozen=True)
class Job(Generic[Item, Outcome]):
    """One start of the program: what it is told, who hears it, and what is due at its end."""

    words: Sequence[str]
    secrets: Mapping[str, str]
    talk: Listener[Item, Outcome]
    callback: Optional[Callable[[Item], object]]
    #: Does what is due with the outcome, and returns the items that it ends with.
    finish: Callable[[Outcome], list[Item]]
    #: What the program reads from stdin.
    file: Optional[bytes] = None

    def tell(self, item: Item) -> None:
        if self.callback is not None:
            self.callback(item)

    @contextmanager
    def stdin(self) -> Iterator[int]:
        """Opens what the program reads."""
        if self.file is None:
            yield subprocess.DEVNULL
            return
        with _unnamed(self.file) as file:
            yield file.fileno()


def _unnamed(octets: bytes) -> IO[bytes]:
    """Returns an open file with these bytes. It has no name, so nothing is left of it, however this Python ends.

    Many Pythons have no `os.memfd_create`, because they are built for an old glibc.
    """
    try:
        file = tempfile.TemporaryFile()
        try:
            file.write(octets)
            file.flush()
            # A program that opens /dev/stdin begins at the start anyway; one that reads its stdin does not.
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file
    except OSError as error:
        raise PotluckError(f"cannot write a temporary file: {error.strerror}") from error


def run(job: Job[Item, Outcome]) -> Outcome:
    """Runs it. If Python is interrupted, or the callback fails, it first stops the program."""

    def hear(octets: bytes) -> None:
        for item in job.talk.hear(octets):
            job.tell(item)

    with job.stdin() as stdin:
        code = _child.communicate(job.words, job.secrets, hear, job.talk.hear_error, stdin)
    outcome = job.talk.end(code)
    for item in job.finish(outcome):
        job.tell(item)
    return outcome


def of_run(order: Order, *, live: bool) -> Job[Tally, Result]:
    """Returns the job of a single run. `live` asks for tallies while it runs; the last one is always told."""

    def finish(result: Result) -> list[Tally]:
        if order.csv is not None:
            _table.write(order.csv, [result.to_row()])
        return [last(result)]

    return Job(order.command(live and has_events()), order.secrets, Talk(order), order.callback, finish)


def of_sweep(order: SweepOrder) -> Job[Point, Sweep]:
    """Returns the job of a sweep. Its points are told as they end."""

    def finish(sweep: Sweep) -> list[Point]:
        if order.base.csv is not None:
            _table.write(order.base.csv, sweep.to_rows())
        return []

    return Job(order.command(), order.base.secrets, SweepTalk(order), order.callback, finish, order.file)


def of_comparison(order: ComparisonOrder, read: Callable[[Any], Outcome]) -> Job[NoReturn, Outcome]:
    """Returns the job of a comparison. `read` makes what is returned of the program's answer."""
    return Job(order.command(), order.base.secrets, AnswerTalk(order, read), None, lambda _: [])


def has_events() -> bool:
    """Whether the program tells how a run proceeds. One that does not gives only the last tally."""
    return _program.offers("run", "--progress-json")
