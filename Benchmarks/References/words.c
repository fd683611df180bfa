/* Adds plain words. */
#include "streams.h"

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts) {
    (void)setting;
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint64_t sum = 0;
            for (int trial = 0; trial < TRIALS; trial++) sum += next(&s);
            counts[0] += sum;
        }
}
