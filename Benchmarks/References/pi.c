/* Points in a square in scalar C: the draws of Plugins/Pi. */
#include "streams.h"

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts) {
    (void)setting;
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint32_t inside = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                double x = unit(&s), y = unit(&s);
                inside += x * x + y * y < 1;
            }
            counts[0] += inside;
        }
}
