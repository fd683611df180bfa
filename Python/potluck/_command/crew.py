"""Computes a run on all cores: a process for each core, and a thread here that talks to it.

Processes begin blocks in order, so what is done is a beginning of the run but for the blocks under way. A result is always a
beginning, whatever order processes answer in.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import threading
import time
from typing import Any, Callable, NamedTuple, Optional

from .. import _apart, _platform, _sandbox
from .._sandbox.library import VARIABLE, find

#: The seconds that a chunk takes: so short that a stopped run ends soon, and so long that asking costs nothing.
CHUNK = 0.1
#: The last chunks are shorter, so that all cores end together: each gets this part of its share of what is left.
_PARTS = 2


class Order(NamedTuple):
    """What a process needs before its first chunk. The module is compiled already."""

    module: _sandbox.Module
    parameters: tuple[int, ...]
    payload: bytes
    memory: int
    seconds: float
    #: How far the process gives way to others.
    nice: int


class Worker:
    """A process that computes for one core."""

    def __init__(self, kind: str, order: Any) -> None:
        self._process = subprocess.Popen(
            _apart.command(f"potluck._command.worker:{kind}"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, VARIABLE: str(find())})
        self._order: Any = order

    def ask(self, task: Any) -> Any:
        """Returns the answer to a task; None if the process has ended."""
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            return None
        try:
            if self._order is not None:
                pickle.dump(self._order, to, pickle.HIGHEST_PROTOCOL)
                self._order = None
            pickle.dump(task, to, pickle.HIGHEST_PROTOCOL)
            to.flush()
            return pickle.load(back)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            return None

    def end(self) -> None:
        """Ends the process at once."""
        _apart.end(self._process)


class Settled(NamedTuple):
    """The tally of the first blocks of a run, and what the latest of them wrote."""

    blocks: int
    tally: bytes


class BlocksFailed(Exception):
    """Blocks of the run failed. `block` is the one that did; None if no single one is at fault."""

    def __init__(self, block: Optional[int], sentence: str) -> None:
        super().__init__(sentence)
        self.block = block


class _Parts:
    """The blocks of a run: which are to be computed next, and what is done."""

    def __init__(self, layout: _sandbox.Layout, last: int, judged: Callable[[int], int]) -> None:
        self.layout, self.last = layout, last
        #: Blocks begin here, except those that were given back.
        self._next = 0
        self._back: list[tuple[int, int]] = []
        self._done: dict[int, tuple[int, bytes, list[bytes]]] = {}
        self.settled = Settled(0, layout.empty)
        self._judged = judged

    def take(self, size: int, cores: int) -> Optional[tuple[int, int]]:
        """Takes the next blocks, at most `size`, and not beyond the next checkpoint. Returns None if none are left."""
        if self._back:
            return self._back.pop()
        if self._next >= self.last:
            return None
        fair = -(-(self.last - self._next) // (cores * _PARTS))
        first, end = self._next, min(self._next + max(1, min(size, fair)), self._judged(self._next), self.last)
        self._next = end
        return first, end

    def put(self, first: int, end: int, tally: bytes, outputs: list[bytes], wanted: int) -> None:
        """Adds what was computed of the blocks from `first` to `wanted`."""
        self._done[first] = (end, tally, outputs)
        if end < wanted:
            self._back.append((end, wanted))

    def settle(self) -> list[tuple[int, bytes]]:
        """Adds the done blocks that follow the settled ones, up to the next checkpoint. Returns what they wrote, with their
        numbers."""
        written: list[tuple[int, bytes]] = []
        stop = self._judged(self.settled.blocks)
        while self.settled.blocks < stop and self.settled.blocks in self._done:
            first = self.settled.blocks
            end, tally, outputs = self._done.pop(first)
            self.settled = Settled(end, self.layout.merged(self.settled.tally, tally))
            written += [(first + place, output) for place, output in enumerate(outputs)]
        return written


class Crew:
    """The processes of one run, or of the points of a sweep one after the other."""

    #: How often the clock and Ctrl-C are looked at, in seconds.
    LOOK = 0.02

    def __init__(self, order: Order, cores: int) -> None:
        self._layout = order.module.description.layout
        # More processes than this machine has cores would only take memory.
        self._workers = [Worker("blocks", order) for _ in range(min(cores, _platform.cores()))]
        self._threads: list[threading.Thread] = []
        self._changed = threading.Condition()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()

    def run(
        self, seed: int, last: int, trials: Optional[int], judged: Callable[[int], int],
        take: Callable[[Settled, list[tuple[int, bytes]]], bool], is_over: Callable[[], bool],
        configuration: Optional[tuple[int, ...]] = None,
    ) -> Settled:
        """Computes the blocks before `last`, until `take` returns true or `is_over` does. Returns what is settled.

        judged: returns the checkpoint after a block; blocks on both sides of it are computed apart
        take: takes what is settled, never beyond a checkpoint that was not judged, and what was written since
        configuration: parameters in place of those of the order
        """
        for thread in self._threads:
            thread.join()
        run = _Run(_Parts(self._layout, last, judged), self._changed, len(self._workers))
        self._threads = [
            threading.Thread(target=run.serve, args=(worker, (configuration, seed), trials), daemon=True)
            for worker in self._workers]
        for thread in self._threads:
            thread.start()
        with self._changed:
            while not run.settle(take):
                if is_over():
                    run.is_over = True
                if run.busy == 0:
                    # What came last may have settled more.
                    run.settle(take)
                    break
                self._changed.wait(self.LOOK)
            run.is_over = True
            return run.parts.settled


class _Run:
    """One run of a crew. The lock is held wherever something is changed."""

    def __init__(self, parts: _Parts, changed: threading.Condition, busy: int) -> None:
        self.parts, self._changed = parts, changed
        #: The number of threads that compute.
        self.busy = busy
        self.is_over = False
        self._failures: list[BlocksFailed] = []

    def serve(self, worker: Worker, what: tuple[Any, int], trials: Optional[int]) -> None:
        """Gives blocks to a process, until no more are wanted."""
        size = 1
        while True:
            with self._changed:
                task = None if self.is_over or self._failures else self.parts.take(size, self.busy)
                if task is None:
                    self.busy -= 1
                    self._changed.notify_all()
                    return
            begun = time.monotonic()
            answer = worker.ask((*what, *task, trials))
            taken = time.monotonic() - begun
            size = size * 2 if taken < CHUNK / 2 else max(1, size // 2) if taken > CHUNK else size
            with self._changed:
                if answer is None:
                    self._failures.append(BlocksFailed(None, "a process that computed it ended"))
                elif answer[0] == "failed":
                    self._failures.append(BlocksFailed(answer[1], answer[2]))
                else:
                    self.parts.put(task[0], answer[1], answer[2], answer[3], task[1])
                self._changed.notify_all()

    def settle(self, take: Callable[[Settled, list[tuple[int, bytes]]], bool]) -> bool:
        """Settles what can be. Returns whether that is enough. Raises if blocks failed, unless those before them are."""
        while self.parts.settled.blocks < self.parts.last:
            before = self.parts.settled.blocks
            written = self.parts.settle()
            if self.parts.settled.blocks == before:
                break
            if take(self.parts.settled, written):
                return True
        if self._failures:
            raise min(self._failures, key=lambda each: -1 if each.block is None else each.block)
        return self.parts.settled.blocks == self.parts.last
