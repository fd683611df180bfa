/* Monty Hall in scalar C: the draws of Plugins/MontyHall for a host who opens one door. */
#include "streams.h"

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t doors, uint64_t *counts) {
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint32_t stay = 0, swap = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                uint32_t car, pick, shown, other;
                pair(&s, doors, doors, &car, &pick);
                uint32_t lucky = car == pick, before = car - pick - 1;
                before += doors & (uint32_t)((int32_t)before >> 31);
                pair(&s, doors - 2 + lucky, doors - 2, &shown, &other);
                stay += lucky;
                swap += other == before - (shown < before);
            }
            counts[0] += stay, counts[1] += swap;
        }
}
