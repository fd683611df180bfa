/* Points in a square in scalar C: the draws of Plugins/Pi. */
#include "streams.h"

void pi(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t unused, uint64_t tally[2]) {
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint32_t inside = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                double x = unit(&s), y = unit(&s);
                inside += x * x + y * y < 1;
            }
            tally[0] += inside;
        }
}
