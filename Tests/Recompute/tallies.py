"""Tallies and digests, written from docs/RANDOM.md."""
import hashlib
import math
import struct
from fractions import Fraction

from kit import LONG, bits, signed


class Count:
    def __init__(self):
        self.value = 0

    def add(self, times=1):
        self.value = min(self.value + int(times), LONG)

    def slots(self):
        return [self.value]


class ExactSum:
    def __init__(self):
        self.sum, self.spoilt = 0, 0

    def add(self, x):
        if isinstance(x, int):
            self.sum += x * 2**128
        elif abs(x) < 2.0**63:
            size = math.floor(Fraction(abs(x)) * 2**128)
            self.sum += -size if x < 0 else size
        else:
            self.spoilt = 1

    def add_square(self, x):
        if x * x < 2**63:
            self.sum += math.floor(Fraction(x) ** 2 * 2**128)
        else:
            self.spoilt = 1

    def slots(self):
        whole = self.sum % 2**256
        return [whole >> 64 * i & LONG for i in range(4)] + [self.spoilt]


class Moments:
    def __init__(self):
        self.count, self.sum, self.squares = Count(), ExactSum(), ExactSum()

    def add(self, x):
        self.count.add()
        self.sum.add(x)
        self.squares.add_square(x)

    def slots(self):
        return self.count.slots() + self.sum.slots() + self.squares.slots()


def key(x):
    return bits(x) if bits(x) < 2**63 else signed(bits(x) ^ (2**63 - 1))


class Minimum:
    def __init__(self):
        self.key = 2**63 - 1

    def add(self, x):
        self.key = min(self.key, -(2**63) if math.isnan(x) else key(x))

    def slots(self):
        return [self.key & LONG]


class Maximum:
    def __init__(self):
        self.key = -(2**63)

    def add(self, x):
        self.key = max(self.key, 2**63 - 1 if math.isnan(x) else key(x))

    def slots(self):
        return [self.key & LONG]


class Histogram:
    def __init__(self, count, low, high):
        self.low, self.high, self.scale = low, high, count / (high - low)
        self.counts = [0] * (count + 2)

    def add(self, x):
        last = len(self.counts) - 1
        if x < self.low:
            self.counts[0] += 1
        elif x < self.high:
            self.counts[1 + min(math.floor((x - self.low) * self.scale), last - 2)] += 1
        else:
            self.counts[last] += 1

    def slots(self):
        return self.counts


class Comoments:
    def __init__(self, size):
        self.size, self.count = size, Count()
        self.sums = [ExactSum() for _ in range(size)]
        self.products = {(i, j): ExactSum() for i in range(size) for j in range(i, size)}

    def add(self, *numbers):
        self.count.add()
        for i, x in enumerate(numbers):
            self.sums[i].add(x)
            for j in range(i, self.size):
                y = numbers[j]
                if abs(x) < 2**63 and abs(y) < 2**63 and abs(x * y) < 2**63:
                    product = Fraction(x) * Fraction(y)
                    whole = math.floor(abs(product) * 2**128)
                    self.products[i, j].sum += whole if product > 0 else -whole
                else:
                    self.products[i, j].spoilt = 1

    def slots(self):
        return self.count.slots() + [slot for each in [*self.sums, *self.products.values()] for slot in each.slots()]


class Pairs(Comoments):
    def __init__(self):
        super().__init__(5)

    def add(self, x, y):
        super().add(x, y, x * y, x * x, y * y)


class Quantiles:
    def __init__(self):
        self.counts = [0] * 4100

    def add(self, x):
        if math.isnan(x):
            self.counts[4098] = LONG
            return
        b = bits(x) % 2**63
        bucket = min(max((b >> 47) - 31_711, 0), 2049)
        slot = 2049 - bucket if bits(x) >> 63 else 2049 + bucket
        if slot != 4098 or self.counts[slot] != LONG:
            self.counts[slot] += 1
        if 1 <= bucket <= 2048 and b % 2**47 > 0:
            self.counts[4099] += 1

    def slots(self):
        return self.counts


class Histogram2D:
    def __init__(self, columns, rows, x, y):
        self.columns, self.rows, self.x, self.y = columns, rows, x, y
        self.outside, self.cells, self.nan = 0, [0] * (columns * rows), 0

    def add(self, x, y):
        if math.isnan(x) or math.isnan(y):
            self.nan = LONG
            return
        if not (self.x[0] <= x < self.x[1] and self.y[0] <= y < self.y[1]):
            self.outside += 1
            return
        column, row = (
            min(math.floor((number - low) * (n / (high - low))), n - 1)
            for number, n, (low, high) in ((x, self.columns, self.x), (y, self.rows, self.y)))
        self.cells[row * self.columns + column] += 1

    def slots(self):
        return [self.outside, *self.cells, self.nan]


class Counts:
    def __init__(self, size):
        self.counts = [0] * size

    def add(self, category):
        self.counts[category] += 1

    def slots(self):
        return self.counts


class Series:
    def __init__(self, size):
        self.moments = [Moments() for _ in range(size)]

    def add(self, time, x):
        self.moments[time].add(x)

    def slots(self):
        return [slot for each in self.moments for slot in each.slots()]


class Output:
    """What a gathering wrote: a count of bytes and four sums."""

    def __init__(self):
        self.octets, self.sums = Count(), [ExactSum() for _ in range(4)]

    def add(self, octets, block):
        if octets is None:
            return
        self.octets.add(len(octets))
        for k, each in enumerate(self.sums):
            each.sum += int.from_bytes(sha256(sha256(octets) + struct.pack("<QQ", block, k)), "little")

    def slots(self):
        return self.octets.slots() + [slot for each in self.sums for slot in each.slots()]


# --- the digest --------------------------------------------------------------


def sha256(octets):
    return hashlib.sha256(octets).digest()


def table_slots(tables):
    """Returns the slots that follow the parameters. A table is a list of rows, and empty if it was not given."""
    if not any(tables):
        return []
    octets = b""
    for rows in tables:
        octets += struct.pack("<QQ", len(rows), len(rows[0]) if rows else 0)
        octets += b"".join(struct.pack("<d", number) for row in rows for number in row)
    return list(struct.unpack("<4Q", sha256(octets)))


class Digest:
    def __init__(self):
        self.octets = b"potluck result 1\n"

    def number(self, number):
        self.octets += struct.pack("<Q", number & LONG)

    def text(self, text):
        self.number(len(text.encode()))
        self.octets += text.encode()

    def numbers(self, numbers):
        self.number(len(numbers))
        for number in numbers:
            self.number(number)

    def hexadecimal(self):
        return sha256(self.octets).hex()
