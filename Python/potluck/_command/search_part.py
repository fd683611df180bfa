"""Searches a part of a tree in this process."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from .._sandbox import ModuleError, ParameterError, Shape, limits
from .._sandbox.chunk import Chunk
from .._sandbox.errors import wrong_answer
from .._sandbox.instance import Instance
from .._sandbox.layout import GREATEST
from .._sandbox.records import Record, numbers, octets, signed
from . import figures

#: The seconds of a call: the best of others is known after it.
CALL = 0.02
#: The nodes of the first call, and of any. The first ones measure little.
_FIRST, _MOST = 64, 1 << 24
#: The most branches from the root to a solution.
_DEEPEST = 4096
_LONG = (1 << 64) - 1


class Best(NamedTuple):
    """The cost of a solution as a key, and its point. Smaller is better."""

    key: int = GREATEST
    point: int = _LONG

    @property
    def is_empty(self) -> bool:
        return self.key == GREATEST


class Part(NamedTuple):
    """Points to search: `path` is what is left to do at the first one."""

    first: int
    end: int
    path: bytes
    bound: Best


class Found(NamedTuple):
    """What became of a part: the points before `end` are done."""

    end: int
    path: bytes
    best: Best
    expanded: int


class Searcher:
    """An instance of a search's module, ready for many calls."""

    def __init__(self, order: Any) -> None:
        self._order, self._nodes = order, _FIRST
        self._canonical = False
        self._instance = self._made()

    def _made(self) -> Instance:
        order = self._order
        # The checks of an answer to the configuration are those of a chunk.
        self._chunk = Chunk(order.module, order.parameters, order.payload, memory=order.memory, seconds=order.seconds)
        return self._chunk.instance(self._canonical)

    def searched(self, part: Part) -> Found:
        """Searches for about 20 ms."""
        begun = time.monotonic()
        found = self._asked(part, self._nodes)
        if self._instance.made_nan and not self._canonical:
            # The bits of a NaN differ between processors, so the same is searched again with NaNs that are the same.
            self._canonical = True
            self._instance.__exit__()
            self._instance = self._made()
            found = self._asked(part, self._nodes)
        taken = max(1e-6, time.monotonic() - begun)
        if found.expanded > 0:
            self._nodes = min(_MOST, max(1, min(4 * self._nodes, int(found.expanded * CALL / taken))))
        return found

    def shown(self, best: Best) -> bytes:
        """Returns a solution as its author shows it."""
        record = self._record(Part(best.point, best.point + 1, b"", best), 0)
        return record[1]

    def _asked(self, part: Part, nodes: int) -> Found:
        return self._record(part, nodes)[0]

    def _record(self, part: Part, nodes: int) -> tuple[Found, bytes]:
        count = part.end - part.first
        request = numbers(Shape.SPACE, 0, part.first, count, count, part.bound.key) + octets(part.path)
        request += numbers(part.bound.point, nodes)
        record = Record("potluck_run", self._instance.record("potluck_run", request))
        if record.number() != Shape.SPACE:
            raise record.wrong("a different kind of work")
        done, more, key = record.number(), record.number(), record.number()
        if more > 1:
            raise record.wrong("an unknown state")
        if record.count("slots", 2) != 2:
            raise record.wrong("another number of slots")
        again, point = record.number(), record.number()
        output, rest = record.octets(limits.LARGEST_ANSWER), record.octets(limits.LARGEST_ANSWER)
        expanded = record.number()
        record.end()
        if again != key:
            raise record.wrong("two different best values")
        if expanded > nodes > 0:
            raise record.wrong(f"{expanded} nodes instead of {nodes}")
        best = Best(signed(key), point)
        if nodes == 0:
            if more or done or rest or not best.is_empty and best != part.bound:
                raise record.wrong("another solution")
            return Found(part.first, b"", best, expanded), output
        self._check(part, done, more == 1, rest, best, expanded, bool(output))
        return Found(part.first + done, rest, best, expanded), b""

    @staticmethod
    def _check(
        part: Part, done: int, has_more: bool, rest: bytes, best: Best, expanded: int, has_output: bool
    ) -> None:
        count = part.end - part.first
        # A part without points asks for the author's start, which may be anywhere.
        last = part.end if count else figures.POINTS
        problems = [
            (has_output, "output that was not asked for"), (done > count, f"{done} points instead of {count}"),
            (has_more != (done < count), "both finished and unfinished"),
            (bool(rest) and not has_more, "a finished search with work left"),
            # Otherwise it could be asked without end.
            (has_more and expanded == 0, "an unfinished search that does nothing"),
            (len(rest) % 8 != 0 or len(rest) // 8 >= _DEEPEST, "a wrong path"),
            (not best.is_empty and (best >= part.bound or not part.first <= best.point < last),
             "a best value that is no better than the bound, or is elsewhere"),
        ]
        for is_so, why in problems:
            if is_so:
                raise wrong_answer("potluck_run", why)


def start(order: Any) -> Best:
    """Returns the solution that the author's own method finds before a search; an empty one if there is none."""
    try:
        return Searcher(order).searched(Part(0, 0, b"", Best())).best
    except (ModuleError, ParameterError):
        return Best()


def shown(order: Any, best: Best) -> bytes:
    """Returns a solution as its author shows it; nothing if it is not found again."""
    try:
        return Searcher(order).shown(best)
    except (ModuleError, ParameterError):
        return b""
