"""Streams of words, written from docs/RANDOM.md. The names are those of the page."""

WORD = 2**32 - 1
LONG = 2**64 - 1


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


class Words:
    def __init__(self, seed, block, lane):
        self.begin(philox(seed, (block & WORD, block >> 32, lane, 0x504F5431)))
        self.seed = seed

    def begin(self, state, flip=0):
        self.state = state if any(state) else (0x9E3779B9, 0, 0, 0)
        self.flip = flip

    def stream(self, name):
        """`self.trial` is the number of the trial in the run."""
        h = 0xCBF29CE484222325
        for octet in name.encode():
            h = (h ^ octet) * 0x100000001B3 & LONG
        named = type(self).__new__(type(self))
        named.begin(philox(self.seed ^ h, (self.trial & WORD, self.trial >> 32, 0, 0x504F5432)))
        return named

    def mirrored(self):
        mirror = type(self).__new__(type(self))
        mirror.begin(self.state, self.flip ^ WORD)
        return mirror

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
        return word ^ self.flip

    def next64(self):
        first = self.next()
        return first << 32 | self.next()
