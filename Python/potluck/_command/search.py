"""Searches a tree on all cores. What is left of a part goes back into the heap, and is halved for cores that wait."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from .._sandbox.records import numbers
from . import figures
from .crew import BlocksFailed, Order, Worker
from .failures import Failure
from .plan import Plan
from .result import Result
from .search_part import Best, Found, Part, shown, start

if TYPE_CHECKING:
    from .run import Interrupts, Progress

#: How often the clock and Ctrl-C are looked at, in seconds.
_LOOK = 0.02


class _Heap:
    """The parts of a tree that are left, and the best solution so far."""

    def __init__(self, cores: int, best: Best) -> None:
        self.changed = threading.Condition()
        self._left: list[Part] = [Part(0, figures.POINTS, b"", Best())]
        self._idle, self._busy, self._cores = 0, 0, cores
        self.best, self.done, self.expanded = best, 0, 0
        self.is_over = False
        self.failure: list[BlocksFailed] = []

    def serve(self, worker: Worker) -> None:
        """Gives parts to a process, until none are left."""
        while True:
            with self.changed:
                self._idle += 1
                while not self._left and self._busy and not self._is_ended:
                    self.changed.wait()
                self._idle -= 1
                if self._is_ended or not self._left:
                    self._cores -= 1
                    self.changed.notify_all()
                    return
                part = self._left.pop()._replace(bound=self.best)
                self._busy += 1
            answer = worker.ask(part)
            with self.changed:
                self._busy -= 1
                if answer is None or answer[0] == "failed":
                    why = answer[1:] if answer is not None else (None, "a process that computed it ended")
                    self.failure.append(BlocksFailed(*why))
                else:
                    self._put(part, answer[1])
                self.changed.notify_all()

    @property
    def _is_ended(self) -> bool:
        return self.is_over or bool(self.failure)

    @property
    def has_ended(self) -> bool:
        """Whether no process computes any more."""
        return self._cores == 0

    def _put(self, part: Part, found: Found) -> None:
        self.done += found.end - part.first
        self.expanded += found.expanded
        self.best = min(self.best, found.best)
        if found.end == part.end:
            return
        # The rest of a point that is begun stays with that point.
        rest, middle = part.end - found.end, (found.end + part.end + 1) // 2
        if self._idle > len(self._left) and rest > 1:
            self._left += [
                Part(middle, part.end, b"", self.best), Part(found.end, middle, found.path, self.best)]
        else:
            self._left.append(Part(found.end, part.end, found.path, self.best))


def search(own: Plan, order: Order, interrupts: Interrupts, progress: Progress, begun: float) -> Result:
    """Computes a search."""
    heap, seconds, ended = _Heap(own.cores, start(order)), own.goal.seconds, "trials"
    workers = [Worker("search", order) for _ in range(own.cores)]

    def tally() -> bytes:
        return numbers(heap.best.key, heap.best.point)

    def look() -> Any:
        return heap.done, own.chunk.read(tally(), heap.done)

    try:
        for worker in workers:
            threading.Thread(target=heap.serve, args=(worker,), daemon=True).start()
        with heap.changed:
            while not heap.has_ended:
                if heap.failure:
                    raise Failure(_explained(own, heap.failure[0]))
                elapsed = time.monotonic() - begun
                if interrupts or seconds is not None and elapsed >= seconds:
                    heap.is_over, ended = True, "stopped" if interrupts else "time"
                    heap.changed.notify_all()
                progress(look, elapsed)
                heap.changed.wait(_LOOK)
            if heap.failure:
                raise Failure(_explained(own, heap.failure[0]))
    finally:
        for worker in workers:
            worker.end()
    elapsed = time.monotonic() - begun
    ended = "trials" if heap.done == figures.POINTS else ended
    solution = shown(order, heap.best) if not heap.best.is_empty else b""
    return Result(
        own.chosen, own.parameters, own.files.hash, own.files.inputs, own.seed, own.block_size, heap.done, tally(), None,
        tuple(own.chunk.read(tally(), heap.done)), ended, elapsed, own.cores, heap.expanded, solution or None)


def _explained(own: Plan, failure: BlocksFailed) -> str:
    place = "" if failure.block is None else f", point {failure.block}"
    return f"{own.chosen.label}{place}: {failure}"
