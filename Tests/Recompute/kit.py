"""Streams, draws and functions, written from docs/RANDOM.md. The names are those of the page."""
import math
import os
import struct

from words import LONG, Words

LANES = 16
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/RANDOM.md")


# --- blocks ------------------------------------------------------------------


def block_size(steps):
    """`Block.size(forTrialsOf: steps)`."""
    size = 65_536
    while size > 16 and size > 2**20 // max(1, steps):
        size //= 2
    return size


# --- draws -------------------------------------------------------------------


class Stream(Words):
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

    def lognormal(self, mean, deviation):
        return exp(self.normal(mean, deviation))

    def weibull(self, k, s=1.0):
        x = -log(1 - self.unit())
        return s * exp(log(x) / k) if x else 0.0

    def triangular(self, a, c, b):
        u = self.unit()
        w = b - a
        return a + math.sqrt(u * w * (c - a)) if u * w < c - a else b - math.sqrt((1 - u) * w * (b - c))

    def raised(self, k):
        d = (k + 1 if k < 1 else k) - 0.3333333333333333
        c = 1 / math.sqrt(9 * d)
        while True:
            x = self.normal()
            u = 1 - self.unit()
            t = 1 + c * x
            v = t * t * t
            q = x * x
            if t > 0 and (u < 1 - 0.0331 * q * q or log(u) < 0.5 * q + d * ((1 - v) + log(v))):
                return d * v

    def gamma(self, k, s=1.0):
        raised = self.raised(k)
        return s * (raised if k >= 1 else raised * exp(log(1 - self.unit()) / k))

    def loggamma(self, k):
        raised = log(self.raised(k))
        return raised if k >= 1 else raised + log(1 - self.unit()) / k

    def beta(self, a, b):
        x = self.loggamma(a)
        y = self.loggamma(b)
        if x >= y:
            return 1 / (1 + exp(y - x))
        r = exp(x - y)
        return r / (1 + r)

    def chi_squared(self, f):
        return 2 * self.gamma(0.5 * f)

    def student_t(self, f):
        x = self.normal()
        return x * exp(0.5 * (log(0.5 * f) - self.loggamma(0.5 * f)))

    def geometric(self, p):
        return 1 + math.floor(log(1 - self.unit()) / log1p(-p))

    def searched(self, first, a, s, most):
        while True:
            left, p = self.unit(), first
            for k in range(most + 1):
                if left < p:
                    return k
                left -= p
                p *= a / (k + 1) - s

    def poisson(self, m):
        if m < 10:
            return self.searched(exp(-m), m, 0.0, 110)
        b = 0.931 + 2.53 * math.sqrt(m)
        a = 0.02483 * b - 0.059
        i = 1.1239 + 1.1328 / (b - 3.4)
        s = 0.9277 - 3.6224 / (b - 2)
        while True:
            u = self.unit() - 0.5
            v = 1 - self.unit()
            h = 0.5 - abs(u)
            if h < 0.013 and v > h:
                continue
            x = ((2 * a / h + b) * u + m) + 0.43
            if not 0 <= x < 2**31:
                continue
            k = math.floor(x)
            if h >= 0.07 and v <= s or log(v * i / (a / (h * h) + b)) <= (k * log(m) - m) - logfactorial(k):
                return k

    def binomial(self, n, p):
        r = max(1 - p if p > 0.5 else p, 0.0)
        count = self.rarer(n, r)
        return n - count if p > 0.5 else count

    def rarer(self, n, r):
        m = n * r
        if m < 10:
            return self.searched(exp(n * log1p(-r)), (n + 1) * (r / (1 - r)), r / (1 - r), min(n, 110))
        q = math.sqrt(m * (1 - r))
        b = 1.15 + 2.53 * q
        a = (0.0248 * b - 0.0873) + 0.01 * r
        i = (2.83 + 5.1 / b) * q
        s = 0.92 - 4.2 / b
        w = math.floor((n + 1) * r)
        while True:
            u = self.unit() - 0.5
            v = 1 - self.unit()
            h = 0.5 - abs(u)
            if h == 0:
                continue
            x = (2 * a / h + b) * u + (m + 0.5)
            if not 0 <= x < n + 1:
                continue
            k = math.floor(x)
            limit = (logfactorial(w) + logfactorial(n - w)) - (logfactorial(k) + logfactorial(n - k))
            if h >= 0.07 and v <= s or log(v * i / (a / (h * h) + b)) <= limit + (k - w) * log(r / (1 - r)):
                return k

    def negative_binomial(self, r, p):
        return self.poisson(self.gamma(r, (1 - p) / p))

    def in_disc(self):
        while True:
            x = 2 * self.unit() - 1
            y = 2 * self.unit() - 1
            if x * x + y * y < 1:
                return x, y

    def on_sphere(self):
        x, y = self.in_disc()
        q = x * x + y * y
        f = 2 * math.sqrt(1 - q)
        return x * f, y * f, 1 - 2 * q

    def dirichlet(self, shapes):
        logs = [self.loggamma(k) for k in shapes]
        parts = [exp(x - max(logs)) for x in logs]
        total = 0.0
        for part in parts:
            total += part
        return [part / total for part in parts]

    def multinomial(self, n, weights):
        rest = [0.0] * (len(weights) + 1)
        for i in reversed(range(len(weights))):
            rest[i] = rest[i + 1] + weights[i]
        counts = []
        for i in range(len(weights) - 1):
            counts.append(self.binomial(n - sum(counts), weights[i] / rest[i] if rest[i] > 0 else 0.0))
        return [*counts, n - sum(counts)]

    def normals(self, factor):
        z = [self.normal() for _ in factor]
        result = []
        for row in range(len(z)):
            total = 0.0
            for i in range(row + 1):
                total += factor[row][i] * z[i]
            result.append(total)
        return result

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


def table(name, number=float.fromhex):
    """Returns the rows of a table in the page: the block of code that is marked with this name."""
    with open(PAGE, encoding="utf-8") as page:
        body = page.read().split(f"\n```{name}\n")[1].split("\n```")[0]
    return [[number(word) for word in line.split()] for line in body.splitlines()]


def of(text):
    return float.fromhex(text)


LOG, EXP = table("log"), table("exp")
SHIFT = of("0x1.8p52")


def log(x, low=0.0):
    """The logarithm of x; with `low`, log1p's of x + low."""
    offset = (bits(x) - 0x3FE6955500000000) & LONG
    n = float(signed(offset) >> 52)
    z = real(bits(x) - (offset & 0xFFF0000000000000))
    inverse, value, error = LOG[offset >> 46 & 63]
    upper = real(bits(z) & 0xFFFFFFFF00000000)
    lower = z - upper
    near = upper * inverse - 1
    far = lower * inverse
    r = near + far
    s = ((near - r) + far) + low / x
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


def log1p(x):
    if abs(x) < 2.0**-54:
        return x
    high = 1 + x
    back = high - 1
    return log(high, (1 - (high - back)) + (x - back))


def cholesky(a):
    f = [[0.0] * len(a) for _ in a]
    for i in range(len(a)):
        for j in range(i + 1):
            total = float(a[i][j])
            for k in range(j):
                total -= f[i][k] * f[j][k]
            f[i][j] = math.sqrt(total) if i == j else total / f[j][j]
    return f


def logfactorial(k):
    if k < 10:
        return log(float(math.factorial(k)))
    x = k + 1.0
    z = 1 / (x * x)
    series = 0.0007936507936507937 - z * 0.0005952380952380953
    series = (0.08333333333333333 - z * (0.002777777777777778 - z * series)) / x
    return ((x - 0.5) * log(x) - x) + (0.9189385332046727 + series)


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
