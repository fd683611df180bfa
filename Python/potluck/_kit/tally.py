"""The fields of a tally. Whole numbers of any size carry the exact sums; the slots are those of docs/RANDOM.md."""

from __future__ import annotations

import math
from typing import Optional, Sequence, Union

from .._language import sentences
from ._words import LONG, bits, real, signed

#: Units of an exact sum in 1, as a power of two.
UNITS = 128
#: Numbers, and squares, of this size or more cannot be added to an exact sum.
LIMIT = 2.0**63
#: The keys that are free for marks, because no number has them.
LEAST, GREATEST = -(1 << 63), (1 << 63) - 1


class Field:
    """A field of a tally. The class that declares it has it without numbers, and each instance has its own."""

    #: The name of the attribute that declares it.
    attribute: Optional[str] = None

    def __set_name__(self, owner: type, name: str) -> None:
        if self.attribute is not None:
            raise TypeError(f"'{self.attribute}' and '{name}' are the same field; write one for each")
        self.attribute = name

    def empty(self) -> "Field":
        """Returns a field as it is declared, without numbers."""
        made = type(self)()
        made.attribute = self.attribute
        return made

    def slots(self) -> list[int]:
        """Returns its slots of 64 bits, as docs/RANDOM.md has them."""
        raise NotImplementedError

    def merge(self, slots: Sequence[int]) -> None:
        """Adds what another field like this has counted, given by its slots."""
        raise NotImplementedError


class Count(Field):
    """The number of times that something happened: `won = Count()`, `self.won.add(roll == 7)`."""

    def __init__(self) -> None:
        #: How many times it happened.
        self.value = 0

    def add(self, times: int = 1) -> None:
        """Adds 1 if `times` is true, or a whole number that is not negative."""
        if times < 0:
            raise ValueError(sentences.COUNT)
        self.value = min(self.value + int(times), LONG)

    def slots(self) -> list[int]:
        return [self.value]

    def merge(self, slots: Sequence[int]) -> None:
        self.value = min(self.value + slots[0], LONG)

    def __repr__(self) -> str:
        return f"<Count {self.value}>"


class ExactSum(Field):
    """A sum without rounding. Its numbers must be of size below 2⁶³."""

    def __init__(self) -> None:
        self._units = 0

    def add(self, x: Union[int, float]) -> None:
        """Adds a number."""
        if isinstance(x, int):
            self._units += x << UNITS
        else:
            self._units += _units(fitting(x, abs(x), sentences.SUM), 1)

    def add_square(self, x: Union[int, float]) -> None:
        """Adds the square of a number, which is exact before it is cut off after 128 bits."""
        fitting(x, x * x, sentences.SQUARE)
        self._units += x * x << UNITS if isinstance(x, int) else _units(x, 2)

    def add_product(self, x: float, y: float) -> None:
        """Adds the product of two numbers whose squares fit. It is exact before it is cut off after 128 bits."""
        (one, first), (other, second) = math.frexp(x), math.frexp(y)
        whole = int(math.ldexp(one, 53)) * int(math.ldexp(other, 53))
        place = first + second - 106 + UNITS
        size = abs(whole) << place if place >= 0 else abs(whole) >> -place
        self._units += -size if whole < 0 else size

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return self.units / (1 << UNITS)

    @property
    def units(self) -> int:
        """The sum in units of 2⁻¹²⁸, with 256 bits."""
        whole = self._units & (1 << 256) - 1
        return whole - (1 << 256) if whole >> 255 else whole

    def slots(self) -> list[int]:
        # The last slot says whether a number did not fit.
        return [self._units >> shift & LONG for shift in (0, 64, 128, 192)] + [0]

    def merge(self, slots: Sequence[int]) -> None:
        self._units += sum(slots[i] << 64 * i for i in range(4))

    def __repr__(self) -> str:
        return f"<ExactSum {self.value}>"


def number(x: float) -> float:
    """Returns a number. Raises if it is NaN."""
    if x != x:
        raise ValueError(sentences.NAN)
    return x


def fitting(x: float, size: float, sentence: str) -> float:
    """Returns a number. Raises if it, or its square, is too large for a sum."""
    if not size < LIMIT:
        raise ValueError(sentence if x == x else sentences.NAN)
    return x


def _units(x: float, power: int) -> int:
    """Returns a number, or its square, in units of 2⁻¹²⁸, without what is below them."""
    significand, exponent = math.frexp(x)
    whole = int(math.ldexp(significand, 53))
    place = power * (exponent - 53) + UNITS
    size = abs(whole) if power == 1 else whole * whole
    size = size << place if place >= 0 else size >> -place
    return -size if x < 0 and power == 1 else size


class Moments(Field):
    """Numbers for their mean and variance: how many, their exact sum and that of their squares.

    A number must be below 3·10⁹, so that its square is below 2⁶³.
    """

    def __init__(self) -> None:
        #: How many numbers were added.
        self.count = 0
        #: The sum of the numbers, and that of their squares.
        self.sum, self.squares = ExactSum(), ExactSum()

    def add(self, x: Union[int, float]) -> None:
        """Adds a number."""
        fitting(x, x * x, sentences.MOMENTS)
        self.count += 1
        self.sum.add(x)
        self.squares.add_square(x)

    @property
    def mean(self) -> float:
        """The mean; NaN if nothing was added."""
        return math.nan if self.count == 0 else self.sum.value / float(self.count)

    @property
    def variance(self) -> float:
        """The sample variance, with divisor n − 1, from the exact sums; NaN for fewer than two numbers."""
        if self.count < 2:
            return math.nan
        spread = (self.count * self.squares.units << UNITS) - self.sum.units**2
        # Squares cut off at 2⁻¹²⁸ can fall slightly short of the square of the sum.
        return max(0.0, spread / (1 << 2 * UNITS) / (float(self.count) * float(self.count - 1)))

    def slots(self) -> list[int]:
        return [self.count & LONG, *self.sum.slots(), *self.squares.slots()]

    def merge(self, slots: Sequence[int]) -> None:
        self.count = min(self.count + slots[0], LONG)
        self.sum.merge(slots[1:6])
        self.squares.merge(slots[6:11])

    def __repr__(self) -> str:
        return f"<Moments of {self.count}: mean {self.mean}, variance {self.variance}>"


class _Extreme(Field):
    """The smallest or the largest number, as a key that orders like the numbers."""

    _nothing: int

    def __init__(self) -> None:
        self._key = self._nothing

    @property
    def value(self) -> float:
        """The number; NaN if nothing was added."""
        return real(self._key if self._key >= 0 else self._key ^ GREATEST)

    def _key_of(self, x: Union[int, float]) -> int:
        word = signed(bits(number(float(x))))
        return word if word >= 0 else word ^ GREATEST

    def slots(self) -> list[int]:
        return [self._key & LONG]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.value}>"


class Minimum(_Extreme):
    """The smallest number added. Minus zero is smaller than zero."""

    _nothing = GREATEST

    def add(self, x: Union[int, float]) -> None:
        """Adds a number."""
        self._key = min(self._key, self._key_of(x))

    def merge(self, slots: Sequence[int]) -> None:
        self._key = min(self._key, signed(slots[0]))


class Maximum(_Extreme):
    """The largest number added. Zero is larger than minus zero."""

    _nothing = LEAST

    def add(self, x: Union[int, float]) -> None:
        """Adds a number."""
        self._key = max(self._key, self._key_of(x))

    def merge(self, slots: Sequence[int]) -> None:
        self._key = max(self._key, signed(slots[0]))


class Histogram(Field):
    """Counts of numbers in bins of equal width, below them and above them: `Histogram(40, 0, 20)` has 40 from 0 to 20.

    `histogram[0]` is the count of the first bin.
    """

    def __init__(self, bins: int, low: float, high: float) -> None:
        low, high = float(low), float(high)
        if not (bins > 0 and low < high and high - low < math.inf):
            raise ValueError(
                "a histogram has a number of bins and a range, as in Histogram(40, 0, 20): 40 bins from 0 to 20")
        #: The ends of the range. `high` does not belong to it.
        self.low, self.high = low, high
        self._scale = bins / (high - low)
        if self._scale == math.inf:
            raise ValueError("a histogram's bins are too narrow")
        self._counts = [0] * bins
        #: The numbers below the range.
        self.below = 0
        #: The numbers above the range.
        self.above = 0

    def empty(self) -> "Histogram":
        made = Histogram(len(self._counts), self.low, self.high)
        made.attribute = self.attribute
        return made

    def add(self, x: Union[int, float]) -> None:
        """Adds a number to its bin, to `below` or to `above`."""
        value = number(float(x))
        if value < self.low:
            self.below += 1
        elif value < self.high:
            # Rounding may lift a number just below `high` to the bin after the last.
            self._counts[min(int((value - self.low) * self._scale), len(self._counts) - 1)] += 1
        else:
            self.above += 1

    def __getitem__(self, bin: int) -> int:
        if not -len(self._counts) <= bin < len(self._counts):
            raise IndexError(sentences.INDEX)
        return self._counts[bin]

    def slots(self) -> list[int]:
        return [self.below, *self._counts, self.above]

    def merge(self, slots: Sequence[int]) -> None:
        below, *counts, above = slots
        self.below = min(self.below + below, LONG)
        self._counts = [min(mine + other, LONG) for mine, other in zip(self._counts, counts)]
        self.above = min(self.above + above, LONG)

    def __repr__(self) -> str:
        return f"<Histogram from {self.low} to {self.high}: {self.below} {self._counts} {self.above}>"
