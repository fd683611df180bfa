"""Streams of random words and the draws from them, as docs/RANDOM.md has them."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, MutableSequence, Sequence, TypeVar

from .._language import missing, sentences
from .._language.stream_names import key
from ._logarithm import log
from .draws import Composed

T = TypeVar("T")

WORD = 0xFFFF_FFFF
LONG = 0xFFFF_FFFF_FFFF_FFFF
#: Lanes of a block; each has a stream of its own.
LANES = 16
#: Separates the streams of trials from any other use of Philox with the same key: "POT1".
TAG = 0x504F_5431
#: The same for the named streams of a trial: "POT2".
NAMED = 0x504F_5432
#: The state in place of one of zeros, which the generator would never leave.
NOT_ZERO = (0x9E37_79B9, 0, 0, 0)
#: A sum of probabilities that rounding took beyond 0 or 1 by less than this counts as 0 or 1.
ROUNDING = 1e-9


def philox(key: int, counter: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Returns the four words that ten rounds of Philox4x32 make of the counter under this key."""
    a, b, c, d = counter
    k0, k1 = key & WORD, key >> 32 & WORD
    for _ in range(10):
        p, q = a * 0xD251_1F53, c * 0xCD9E_8D57
        a, b, c, d = (q >> 32) ^ b ^ k0, q & WORD, (p >> 32) ^ d ^ k1, p & WORD
        k0, k1 = k0 + 0x9E37_79B9 & WORD, k1 + 0xBB67_AE85 & WORD
    return a, b, c, d


class Random(Composed):
    """The random numbers of a trial: one lane's stream, xoshiro128++ seeded by Philox.

    `potluck.Random(seed=1)` is the stream of the first trial of a run with seed 1, and `potluck.Random(seed=1, lane=3)`
    that of the fourth. Every draw takes the words from it that docs/RANDOM.md says, and nothing else.
    """

    __slots__ = ("_a", "_b", "_c", "_d", "_flip", "_seed", "_trial")

    def __init__(self, seed: int, block: int = 0, lane: int = 0) -> None:
        if not (0 <= seed <= LONG and 0 <= block <= LONG and 0 <= lane < LANES):
            raise ValueError("a stream needs a seed and a block from 0 to 2**64 - 1, and a lane from 0 to 15")
        # How many trials come before those of a later block depends on the size of a block.
        self._begin(philox(seed, (block & WORD, block >> 32, lane, TAG)), seed, lane if block == 0 else None)

    def _begin(self, state: tuple[int, int, int, int], seed: int = 0, trial: int | None = None, flip: int = 0) -> None:
        self._a, self._b, self._c, self._d = state if any(state) else NOT_ZERO
        self._seed = seed
        # The number of the trial in its run; None in a stream that has no named ones.
        self._trial = trial
        # Ones in a mirrored stream: what each word is combined with.
        self._flip = flip

    def stream(self, name: str) -> Random:
        """Returns a stream of the trial's own with this name, at its first word.

        It depends only on the seed, the number of the trial in the run and the name: not on the parameters, nor on what the
        trial drew before. So two settings meet the same customers: `arrivals = random.stream("arrivals")`. In a gathering a
        named stream belongs to a block.
        """
        if self._trial is None:
            raise ValueError("only the stream that a trial is given has named ones, and potluck.Random(seed, lane=…)")
        found = Random.__new__(Random)
        found._begin(philox(self._seed ^ key(name), (self._trial & WORD, self._trial >> 32, 0, NAMED)))
        return found

    def mirrored(self) -> Random:
        """Returns the mirror of this stream: it begins at the same place, and all bits of its words are inverted.

        Where this one draws `unit()` u, the mirror draws 1 − 2⁻⁵³ − u, and a normal number has the other sign.
        """
        found = Random.__new__(Random)
        found._begin((self._a, self._b, self._c, self._d), flip=self._flip ^ WORD)
        return found

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise AttributeError(missing.draw(name) or f"there is no draw '{name}'")

    def next(self) -> int:
        """Returns the next 32 random bits."""
        a, b, c, d = self._a, self._b, self._c, self._d
        s = a + d & WORD
        word = (s << 7 | s >> 25) + a & WORD ^ self._flip
        c ^= a
        d ^= b
        self._a = a ^ d
        self._b = b ^ c
        self._c = c ^ b << 9 & WORD
        self._d = (d << 11 | d >> 21) & WORD
        return word

    def _next64(self) -> int:
        """Returns the next 64 random bits: two words, the first in the upper half."""
        first = self.next()
        return first << 32 | self.next()

    def below(self, n: int) -> int:
        """Returns a random whole number from 0 up to but not including n, each equally likely."""
        n = index(n)
        if not 0 < n <= 1 << 64:
            raise ValueError(sentences.BELOW)
        if n <= 1 << 32:
            product = self.next() * n
            # Products with a lower half below 2³² mod n would favour some numbers.
            if product & WORD < n:
                while product & WORD < (1 << 32) % n:
                    product = self.next() * n
            return product >> 32
        product = self._next64() * n
        while product & LONG < (1 << 64) % n:
            product = self._next64() * n
        return product >> 64

    def integer(self, low: int, high: int) -> int:
        """Returns a random whole number from low to high, both included."""
        if high < low:
            raise ValueError(sentences.INTEGER)
        return low + self.below(high - low + 1)

    def pair(self, m: int, n: int) -> tuple[int, int]:
        """Returns two random numbers for the price of one: below m and below n, which are at most 65 536."""
        if not (0 < m <= 1 << 16 and 0 < n <= 1 << 16):
            raise ValueError(sentences.PAIR)
        while True:
            word = self.next()
            first, second = (word >> 16) * m, (word & 0xFFFF) * n
            if first & 0xFFFF >= (1 << 16) % m and second & 0xFFFF >= (1 << 16) % n:
                return first >> 16, second >> 16

    def coin(self) -> bool:
        """Returns true with probability 1/2."""
        return self.next() >> 31 == 1

    def unit(self) -> float:
        """Returns a random real number from 0 up to but not including 1."""
        first = self.next()
        return ((first >> 5) * 67_108_864 + (self.next() >> 6)) * 2.0**-53

    def real(self, low: float, high: float) -> float:
        """Returns a random real number from low up to high. Rounding may return high."""
        start = float(low)
        return start + self.unit() * (float(high) - start)

    def chance(self, p: float) -> bool:
        """Returns true with probability p, which must be from 0 to 1."""
        if not -ROUNDING <= p <= 1 + ROUNDING:
            raise ValueError(sentences.CHANCE)
        return self.unit() < p

    def exponential(self, mean: float = 1) -> float:
        """Returns an exponentially distributed number with this mean."""
        # 1 - unit() is never 0, so the logarithm is finite.
        return -float(mean) * log(1 - self.unit())

    def normal(self, mean: float = 0, deviation: float = 1) -> float:
        """Returns a normally distributed number, by Marsaglia's polar method."""
        while True:
            x = 2 * self.unit() - 1
            y = 2 * self.unit() - 1
            square = x * x + y * y
            if 0 < square < 1:
                return mean + deviation * (x * math.sqrt(-2 * log(square) / square))

    def shuffle(self, elements: MutableSequence[T]) -> None:
        """Shuffles a list in place. Every order is equally likely."""
        count = len(elements)
        for i in range(count - 1):
            j = i + self.below(count - i)
            elements[i], elements[j] = elements[j], elements[i]

    def choice(self, elements: Sequence[T]) -> T:
        """Returns a random element of a list that is not empty."""
        if not elements:
            raise IndexError(sentences.EMPTY)
        return elements[self.below(len(elements))]

    def choices(self, count: int, elements: Sequence[T]) -> list[T]:
        """Returns `count` random elements with replacement: every draw is from all elements."""
        if count < 0 or count > 0 and not elements:
            raise ValueError(sentences.CHOICES)
        return [elements[self.below(len(elements))] for _ in range(count)]

    def sample(self, count: int, elements: Sequence[T]) -> list[T]:
        """Returns `count` different elements in random order. Every selection is equally likely."""
        if not 0 <= count <= len(elements):
            raise ValueError(sentences.SAMPLE)
        pool = list(elements)
        for i in range(count):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:count]

    def __repr__(self) -> str:
        return f"<stream {self._a:08x} {self._b:08x} {self._c:08x} {self._d:08x}>"


class WeightedChoice:
    """A choice among 0 … len(weights) - 1, with probabilities in proportion to the weights (Vose's alias method).

    Make it in `prepare`, once: `self.loot = potluck.WeightedChoice([5, 3, 2])`. Then `self.loot.draw(random)` is 0, 1
    or 2.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        total = 0.0
        for weight in weights:
            if not 0 <= weight < math.inf:
                raise ValueError(sentences.WEIGHT)
            total += weight
        if not 0 < total < math.inf:
            raise ValueError(sentences.WEIGHTS)
        count = len(weights)
        share = [weight / total * count for weight in weights]
        self._keep, self._alias = [1 << 32] * count, [0] * count
        small = [i for i in range(count) if share[i] < 1]
        large = [i for i in range(count) if not share[i] < 1]
        while small and large:
            poor, rich = small.pop(), large[-1]
            self._keep[poor] = int(share[poor] * 2.0**32)
            self._alias[poor] = rich
            share[rich] -= 1 - share[poor]
            if share[rich] < 1:
                small.append(large.pop())
        # Rounding must not make a weight of zero possible.
        for i in small:
            if weights[i] == 0:
                self._keep[i], self._alias[i] = 0, list(weights).index(max(weights))

    def draw(self, random: Random) -> int:
        """Returns a random number, with probabilities in proportion to the weights."""
        column = random.below(len(self._keep))
        return column if random.next() < self._keep[column] else self._alias[column]
