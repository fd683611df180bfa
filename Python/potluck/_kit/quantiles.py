"""Counts of numbers in buckets, from which any quantile can be read."""

from __future__ import annotations

import math
from typing import Iterator, Optional, Sequence, Union

from ._words import LONG, bits, real
from .tally import Field, number

#: The buckets of one sign: 32 for each of 64 powers of two.
BUCKETS = 64 * 32
#: The number of counts, and the place of the one about 0.
COUNTS, ZERO = 2 * BUCKETS + 3, BUCKETS + 1
#: The exponent and the first five bits of 2⁻³², less 1.
FIRST = (1023 - 32) * 32 - 1
#: The bits of a number below those of its bucket.
REST = 47


class Quantiles(Field):
    """Numbers of which any quantile can be read later: `latency = Quantiles()`, `self.latency.add(x)`.

    No range has to be known before. A quantile is off by less than 1/32 of itself, and whole numbers below 64 are exact.
    Numbers below 2⁻³² count as 0.
    """

    def __init__(self) -> None:
        # Below all buckets, the buckets in the order of the numbers, above all buckets.
        self._counts = [0] * COUNTS
        # How many numbers were not at the end of their bucket that is nearer to 0.
        self._between = 0

    def add(self, x: Union[int, float]) -> None:
        """Adds a number."""
        word = bits(number(float(x)))
        bucket = (word << 1 & LONG) >> 1 + REST
        place = max(0, min(bucket - FIRST, BUCKETS + 1))
        if place > BUCKETS and x > 0:
            self._counts[-1] = min(self._counts[-1] + 1, LONG)
        else:
            self._counts[ZERO - place if word >> 63 else ZERO + place] += 1
            self._between += 0 < place <= BUCKETS and word & (1 << REST) - 1 != 0

    @property
    def below(self) -> int:
        """The numbers below all buckets."""
        return self._counts[0]

    @property
    def above(self) -> int:
        """The numbers above all buckets."""
        return self._counts[-1]

    @property
    def total(self) -> float:
        """How many numbers there are."""
        total = 0.0
        for count in self._counts:
            total += float(count)
        return total

    @property
    def vary(self) -> bool:
        """Whether no bucket has all numbers."""
        total = self.total
        return all(count != total for _, count in self.counted())

    def ends(self, place: int) -> Optional[tuple[float, float]]:
        """Returns the ends of the bucket at a place, the lower one first; None for those without ends."""
        if not 0 < place < COUNTS - 1:
            return None
        bucket = abs(place - ZERO)
        if bucket == 0:
            return 0.0, 0.0
        near = real(bucket + FIRST << REST)
        far = real(bucket + FIRST + 1 << REST) if self._between else near
        return (-far, -near) if place < ZERO else (near, far)

    def counted(self) -> Iterator[tuple[int, float]]:
        """The places that have numbers, and how many."""
        return ((place, float(count)) for place, count in enumerate(self._counts) if count > 0)

    def number(self, rank: float) -> Optional[float]:
        """Returns the number of this rank, from 1. Ranks between whole ones are between two numbers."""
        whole = math.floor(rank)
        low = self._number(whole)
        if low is None or rank == whole:
            return low
        high = self._number(whole + 1)
        return None if high is None else low + (high - low) * (rank - whole)

    def _number(self, rank: int) -> Optional[float]:
        found = self._find(rank)
        ends = found and self.ends(found[0])
        if found is None or ends is None:
            return None
        place, before = found
        return ends[0] + (ends[1] - ends[0]) * ((rank - before - 0.5) / float(self._counts[place]))

    def _find(self, rank: int) -> Optional[tuple[int, float]]:
        """Returns the bucket that has the number of a whole rank, and how many numbers are in those before it."""
        before = 0.0
        for place, count in self.counted():
            if rank <= before + count:
                return place, before
            before += count
        return None

    def bound(self, rank: float, is_upper: bool) -> Optional[float]:
        """Returns the lowest or the highest number that may have this rank, as the buckets beside its own show."""
        number, found = self.number(rank), self._find(math.ceil(rank) if is_upper else math.floor(rank))
        ends = found and self.ends(found[0])
        if number is None or found is None or ends is None:
            return None
        return number + self.unevenness(found[0]) * (ends[is_upper] - number)

    def unevenness(self, place: int) -> float:
        """How uneven the numbers in a bucket may be, from 0 to 1."""
        ends = self.ends(place)
        if ends is None or not ends[0] < ends[1]:
            return 0.0
        count, most = float(self._counts[place]), 0.0
        for step in (-1, 1):
            # At a power of two, the buckets beside each other are not equally wide.
            other = self.ends(place + step)
            width = 0.0 if other is None else other[1] - other[0]
            beside = float(self._counts[place + step]) * ((ends[1] - ends[0]) / width if width > 0 else 1.0)
            chance = 2 * math.sqrt(count + beside)
            most = max(most, (abs(count - beside) - chance) / max(count, beside))
        return most

    def quantile(self, p: float) -> float:
        """The number that a part `p` of the numbers is below; NaN if there is none."""
        total = self.total
        if total == 0:
            return math.nan
        # The median of an even count is in the middle between two numbers.
        found = self.number(max(1.0, min(total, p * total + 0.5)))
        return math.nan if found is None else found

    def slots(self) -> list[int]:
        return [*self._counts, self._between]

    def merge(self, slots: Sequence[int]) -> None:
        *counts, between = slots
        self._counts = [min(mine + other, LONG) for mine, other in zip(self._counts, counts)]
        self._between = min(self._between + between, LONG)

    def __repr__(self) -> str:
        return f"<Quantiles: median {self.quantile(0.5)}>"
