"""Several numbers at once, for their covariances and for functions of their means."""

from __future__ import annotations

import math
from typing import Sequence, Union

from .._language import sentences
from ._words import LONG
from .tally import UNITS, ExactSum, Field, fitting

#: The most numbers of comoments.
MOST = 16
#: The numbers of pairs: x, y, x · y, x · x and y · y.
PAIRS = 5


class Comoments(Field):
    """Several numbers at once, for functions of their means: `order = Comoments(2)`, `self.order.add(cost, weight)`.

    Their squares must be below 2⁶³.
    """

    def __init__(self, size: int) -> None:
        if not 1 <= size <= MOST:
            raise ValueError(f"comoments are of 1 to {MOST} numbers")
        #: How many numbers are added at once.
        self.size = size
        #: How many times numbers were added.
        self.count = 0
        # The sums of the numbers, then those of the products of each number with itself and with those after it.
        self._sums = [ExactSum() for _ in range(size + size * (size + 1) // 2)]

    def empty(self) -> "Comoments":
        made = Comoments(self.size)
        made.attribute = self.attribute
        return made

    def add(self, *numbers: Union[int, float]) -> None:
        """Adds a number for each place."""
        if len(numbers) != self.size:
            raise TypeError(f"these comoments take {self.size} numbers at once, and got {len(numbers)}")
        self._add([float(x) for x in numbers], sentences.COMOMENTS)

    def _add(self, numbers: Sequence[float], sentence: str) -> None:
        for x in numbers:
            fitting(x, x * x, sentence)
        self.count += 1
        products = iter(self._sums[self.size:])
        for i, x in enumerate(numbers):
            self._sums[i].add(x)
            for y in numbers[i:]:
                next(products).add_product(x, y)

    def mean(self, i: int) -> float:
        """The mean of number i, from 0; NaN if nothing was added."""
        return math.nan if self.count == 0 else self._sums[i].value / float(self.count)

    def covariance(self, i: int, j: int) -> float:
        """The sample covariance of two numbers, with divisor n − 1, from the exact sums; NaN if there is none."""
        i, j = min(i, j), max(i, j)
        x, y, xy = self._sums[i], self._sums[j], self._sums[self.size + i * self.size - i * (i - 1) // 2 + j - i]
        if self.count < 2:
            return math.nan
        spread = (self.count * xy.units << UNITS) - x.units * y.units
        value = spread / (1 << 2 * UNITS) / (float(self.count) * float(self.count - 1))
        # Squares cut off at 2⁻¹²⁸ can fall slightly short of the square of the sum.
        return max(0.0, value) if i == j else value

    def slots(self) -> list[int]:
        return [self.count & LONG, *(slot for each in self._sums for slot in each.slots())]

    def merge(self, slots: Sequence[int]) -> None:
        self.count = min(self.count + slots[0], LONG)
        for place, each in enumerate(self._sums):
            each.merge(slots[5 * place + 1:5 * place + 6])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.count}: means {[self.mean(i) for i in range(self.size)]}>"


class Pairs(Comoments):
    """Pairs of numbers, for their covariance, correlation and a line through them: `self.pairs.add(x, y)`.

    A number must be below 55 108, so that its fourth power is below 2⁶³.
    """

    def __init__(self) -> None:
        super().__init__(PAIRS)

    def empty(self) -> "Pairs":
        made = Pairs()
        made.attribute = self.attribute
        return made

    def add(self, *numbers: Union[int, float]) -> None:
        """Adds a pair."""
        if len(numbers) != 2:
            raise TypeError(f"a pair has 2 numbers, and this has {len(numbers)}")
        x, y = float(numbers[0]), float(numbers[1])
        self._add([x, y, x * y, x * x, y * y], sentences.PAIRS)
