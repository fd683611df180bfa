/* Bets a fifth of the money on a biased coin, a hundred times. */
#include "streams.h"

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts) {
    (void)setting;
    for (uint64_t block = first; block < first + blocks; block++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            uint32_t doubled = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                double money = 1;
                for (int bet = 0; bet < 100; bet++) money *= unit(&s) < 0.6 ? 1.2 : 0.8;
                doubled += money >= 2;
            }
            counts[0] += doubled;
        }
}
