/* Counts an event with a probability of 0.3. */
#include "streams.h"

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts) {
    (void)setting;
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint32_t happened = 0;
            for (int trial = 0; trial < TRIALS; trial++) happened += unit(&s) < 0.3;
            counts[0] += happened;
        }
}
