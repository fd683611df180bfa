/* Throws a die with one word, by Lemire's method. */
#include "streams.h"

static inline uint32_t below(stream *s, uint32_t n) {
    uint64_t product = (uint64_t)next(s) * n;
    if (UNLIKELY((uint32_t)product < n))
        while ((uint32_t)product < -n % n) product = (uint64_t)next(s) * n;
    return product >> 32;
}

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t sides, uint64_t *counts) {
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint64_t sum = 0;
            for (int trial = 0; trial < TRIALS; trial++) sum += below(&s, sides);
            counts[0] += sum;
        }
}
