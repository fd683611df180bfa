"""Runs an order, or a sweep, and waits for it."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Callable, Generic, Iterator, Mapping, Optional, Sequence

from . import _child, _program, _table
from ._order import Order
from ._result import Result
from ._sweep import Point, Sweep
from ._sweep_order import SweepOrder
from ._talk import Item, Listener, Outcome, SweepTalk, Talk, last
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
        """Opens what the program reads. It is a file without a name, so nothing is left of it, however this ends."""
        if self.file is None:
            yield subprocess.DEVNULL
            return
        file = os.memfd_create("potluck")
        try:
            with open(file, "wb", closefd=False) as whole:
                whole.write(self.file)
            yield file
        finally:
            os.close(file)


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


def has_events() -> bool:
    """Whether the program tells how a run proceeds. One that does not gives only the last tally."""
    return _program.offers("run", "--progress-json")
