"""Streams, draws, functions, tallies and digests, written from docs/RANDOM.md. The names are those of the page."""
import hashlib
import math
import os
import struct
from fractions import Fraction

WORD = 2**32 - 1
LONG = 2**64 - 1
LANES = 16
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/RANDOM.md")


# --- words -------------------------------------------------------------------


def philox(key, counter):
    a, b, c, d = counter
    k0, k1 = key & WORD, key >> 32
    for _ in range(10):
        p, q = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (q >> 32) ^ b ^ k0, q & WORD, (p >> 32) ^ d ^ k1, p & WORD
        k0, k1 = (k0 + 0x9E3779B9) & WORD, (k1 + 0xBB67AE85) & WORD
    return a, b, c, d


def rotl(x, k):
    return (x << k | x >> (32 - k)) & WORD


def block_size(steps):
    """`Block.size(forTrialsOf: steps)`."""
    size = 65_536
    while size > 16 and size > 2**20 // max(1, steps):
        size //= 2
    return size


# --- draws -------------------------------------------------------------------


class Stream:
    def __init__(self, seed, block, lane):
        state = philox(seed, (block & WORD, block >> 32, lane, 0x504F5431))
        self.state = state if any(state) else (0x9E3779B9, 0, 0, 0)

    def next(self):
        a, b, c, d = self.state
        word = (rotl((a + d) & WORD, 7) + a) & WORD
        t = b << 9 & WORD
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        self.state = a, b, c, rotl(d, 11)
        return word

    def next64(self):
        first = self.next()
        return first << 32 | self.next()

    def below(self, n):
        draw, bits = (self.next, 32) if n <= 2**32 else (self.next64, 64)
        while True:
            product = draw() * n
            if product % 2**bits >= 2**bits % n:
                return product >> bits

    def integer(self, low, high):
        return low + self.below(high - low + 1)

    def pair(self, m, n):
        while True:
            word = self.next()
            first, second = (word >> 16) * m, word % 2**16 * n
            if first % 2**16 >= 2**16 % m and second % 2**16 >= 2**16 % n:
                return first >> 16, second >> 16

    def coin(self):
        return self.next() >> 31 == 1

    def unit(self):
        first = self.next()
        return float((first >> 5) * 2**26 + (self.next() >> 6)) * 2.0**-53

    def real(self, low, high):
        return low + self.unit() * (high - low)

    def chance(self, p):
        return self.unit() < p

    def exponential(self, mean=1.0):
        return -mean * log(1 - self.unit())

    def normal(self, mean=0.0, deviation=1.0):
        while True:
            x = 2 * self.unit() - 1
            y = 2 * self.unit() - 1
            q = x * x + y * y
            if 0 < q < 1:
                return mean + deviation * (x * math.sqrt(-2 * log(q) / q))

    def shuffle(self, items):
        for i in range(len(items) - 1):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]

    def choice(self, items):
        return items[self.below(len(items))] if items else None

    def choices(self, count, items):
        return [items[self.below(len(items))] for _ in range(count)]

    def sample(self, count, items):
        items = list(items)
        for i in range(count):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]
        return items[:count]


class WeightedChoice:
    def __init__(self, weights):
        total, count = 0.0, len(weights)
        for weight in weights:
            total += weight
        share = [weight / total * count for weight in weights]
        self.keep, self.alias = [2**32] * count, [0] * count
        small = [i for i in range(count) if share[i] < 1]
        large = [i for i in range(count) if not share[i] < 1]
        while small and large:
            poor, rich = small.pop(), large[-1]
            self.keep[poor] = math.floor(share[poor] * 2.0**32)
            self.alias[poor] = rich
            share[rich] -= 1 - share[poor]
            if share[rich] < 1:
                small.append(large.pop())
        for i in small:
            if weights[i] == 0:
                self.keep[i], self.alias[i] = 0, weights.index(max(weights))

    def draw(self, stream):
        column = stream.below(len(self.keep))
        return column if stream.next() < self.keep[column] else self.alias[column]


# --- functions ---------------------------------------------------------------


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def real(pattern):
    return struct.unpack("<d", struct.pack("<Q", pattern & LONG))[0]


def signed(pattern):
    pattern &= LONG
    return pattern - 2**64 if pattern >> 63 else pattern


def table(name):
    """Returns the rows of a table in the page: the block of code that is marked with this name."""
    with open(PAGE, encoding="utf-8") as page:
        body = page.read().split(f"\n```{name}\n")[1].split("\n```")[0]
    return [[float.fromhex(word) for word in line.split()] for line in body.splitlines()]


def of(text):
    return float.fromhex(text)


LOG, EXP = table("log"), table("exp")
SHIFT = of("0x1.8p52")


def log(x):
    offset = (bits(x) - 0x3FE6955500000000) & LONG
    n = float(signed(offset) >> 52)
    z = real(bits(x) - (offset & 0xFFF0000000000000))
    inverse, value, error = LOG[offset >> 46 & 63]
    upper = real(bits(z) & 0xFFFFFFFF00000000)
    lower = z - upper
    near = upper * inverse - 1
    far = lower * inverse
    r = near + far
    s = (near - r) + far
    base = n * of("0x1.62e42fefa38p-1") + value
    rest = n * of("0x1.ef35793c7673p-45") + error
    square = r * r
    c0 = of("0x1.5555555555555p-2") - r * of("0x1.000000000007dp-2")
    c1 = of("0x1.9999999999c7ap-3") - r * of("0x1.5555554239cc1p-3")
    c2 = (of("0x1.24924905b93cap-3") - r * of("0x1.0007034988fc7p-3")) + square * of("0x1.c72c948dba414p-4")
    curve = c0 + square * (c1 + square * c2)
    total = base + r
    lost = (base - total) + r
    return total + (lost + (rest + (s + (r * r) * (r * curve - 0.5))))


def exp(x):
    shifted = x * of("0x1.71547652b82fep5") + SHIFT
    n = shifted - SHIFT
    count = signed(bits(shifted) - bits(SHIFT))
    r = (x - n * of("0x1.62e42fefap-6")) - n * of("0x1.cf79abc9e3b3ap-45")
    square = r * r
    c0 = 0.5 + r * of("0x1.5555555548f87p-3")
    c1 = (of("0x1.5555555545e84p-5") + r * of("0x1.11115b78ab584p-7")) + square * of("0x1.6c172893266dcp-10")
    curve = c0 + square * c1
    power, error = EXP[count % 32]
    growth = r + (square * curve + error)
    scale = count >> 5
    assert -960 < scale < 1024, "beyond what the page has"
    large = real(bits(power) + scale * 2**52)
    return large + large * growth


# --- tallies -----------------------------------------------------------------


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
