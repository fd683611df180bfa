"""Monty Hall in Python with numba: the streams and draws of the kit, so that every peer gets the same counts."""
import os

import numba
from numba import uint32, uint64

LANES, BLOCK = 16, 65536
# Sixty-four tasks share the trials evenly and cost nothing.
TASKS = 64
SEED = 2015


@numba.njit(cache=True, inline="always")
def rotate(x, by):
    return uint32((x << uint32(by)) | (x >> uint32(32 - by)))


@numba.njit(cache=True, inline="always")
def draw(a, b, c, d):
    """Returns the next word of a stream, and the stream after it."""
    word = uint32(rotate(uint32(a + d), 7) + a)
    shifted = uint32(b << uint32(9))
    c, d = c ^ a, d ^ b
    b, a = b ^ c, a ^ d
    return word, a, b, c ^ shifted, rotate(d, 11)


@numba.njit(cache=True)
def play(seed, first, blocks):
    """Plays the games of these blocks with three doors. Returns how many were won by staying and by swapping."""
    stay, swap = uint64(0), uint64(0)
    for block in range(first, first + blocks):
        for lane in range(LANES):
            a, b, c, d = uint32(block), uint32(uint64(block) >> uint64(32)), uint32(lane), uint32(0x504F5431)
            k0, k1 = uint32(seed), uint32(uint64(seed) >> uint64(32))
            for _ in range(10):
                p, q = uint64(a) * uint64(0xD2511F53), uint64(c) * uint64(0xCD9E8D57)
                a, b, c, d = uint32(q >> uint64(32)) ^ b ^ k0, uint32(q), uint32(p >> uint64(32)) ^ d ^ k1, uint32(p)
                k0, k1 = uint32(k0 + uint32(0x9E3779B9)), uint32(k1 + uint32(0xBB67AE85))
            won, won_by_swap = uint32(0), uint32(0)
            for _ in range(BLOCK // LANES):
                while True:
                    word, a, b, c, d = draw(a, b, c, d)
                    x, y = uint64(word & uint32(0xFFFF0000)) * uint64(3), uint64(uint32(word << uint32(16))) * uint64(3)
                    if uint32(x) >= uint32(1 << 16) and uint32(y) >= uint32(1 << 16):
                        break
                car, pick = uint32(x >> uint64(32)), uint32(y >> uint64(32))
                lucky = uint32(car == pick)
                # The car's place among the doors that were not chosen.
                place = uint32(car - pick - uint32(1))
                if place > uint32(3):
                    place = uint32(place + uint32(3))
                # One or two doors can be opened, and one is left to change to. No word is thrown away for that.
                word, a, b, c, d = draw(a, b, c, d)
                shown = uint32((uint64(word & uint32(0xFFFF0000)) * uint64(uint32(1) + lucky)) >> uint64(32))
                won += lucky
                won_by_swap += uint32(place == uint32(shown < place))
            stay += uint64(won)
            swap += uint64(won_by_swap)
    return stay, swap


def task(first, blocks):
    """Plays the games of these blocks. Returns the counts, and this process's memory in kilobytes."""
    stay, swap = play(SEED, first, blocks)
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    return int(stay), int(swap), pages * (os.sysconf("SC_PAGE_SIZE") // 1024)


def nothing(_):
    """An empty task."""


def ranges(blocks):
    """Shares blocks out among the tasks."""
    each = (blocks + TASKS - 1) // TASKS
    return [(number * each, each) for number in range(TASKS)]


def report(seconds, results):
    """Prints what the tasks returned."""
    stay, swap, sizes = zip(*results)
    print(f"seconds {seconds:.6f}\nstay {sum(stay)}\nswap {sum(swap)}\nkilobytes {max(sizes)}")
