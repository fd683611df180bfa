"""The random choices of a generator: the same for a seed in every version of Python."""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import accumulate
from typing import Callable, Generic, Sequence, TypeVar

T = TypeVar("T")


class Dice:
    """A stream of choices. It uses only `random()`, which no version of Python changes for a seed."""

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)

    def below(self, n: int) -> int:
        return int(self._source.random() * n)

    def between(self, low: int, high: int) -> int:
        """Returns a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def fraction(self) -> float:
        return self._source.random()

    def chance(self, p: float) -> bool:
        return self._source.random() < p

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def weighted(self, things: Sequence[tuple[float, T]]) -> T:
        """Picks one of some things, each with its weight."""
        left = self._source.random() * sum(weight for weight, _ in things)
        for weight, thing in things:
            left -= weight
            if left < 0:
                return thing
        return things[-1][1]

    def several(self, low: int, high: int, make: Callable[[], T]) -> list[T]:
        return [make() for _ in range(self.between(low, high))]


class Table(Generic[T]):
    """Things with weights, from which one is picked often."""

    def __init__(self, rows: Sequence[tuple[float, T]]) -> None:
        self._things = [thing for _, thing in rows]
        self._ends = list(accumulate(weight for weight, _ in rows))

    def pick(self, dice: Dice) -> T:
        place = bisect_right(self._ends, dice.fraction() * self._ends[-1])
        return self._things[min(place, len(self._things) - 1)]
