/* Plays craps: two dice from two words, by Lemire's method. */
#include "streams.h"

static inline uint32_t below(stream *s, uint32_t n) {
    uint64_t product = (uint64_t)next(s) * n;
    if (UNLIKELY((uint32_t)product < n))
        while ((uint32_t)product < -n % n) product = (uint64_t)next(s) * n;
    return product >> 32;
}

static inline uint32_t roll(stream *s) {
    uint32_t first = below(s, 6);
    return first + below(s, 6) + 2;
}

static inline int wins(stream *s) {
    uint32_t first = roll(s), next;
    if (first == 7 || first == 11) return 1;
    if (first == 2 || first == 3 || first == 12) return 0;
    do next = roll(s);
    while (next != first && next != 7);
    return next == first;
}

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts) {
    (void)setting;
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint64_t won = 0;
            for (int trial = 0; trial < TRIALS; trial++) won += wins(&s);
            counts[0] += won;
        }
}
