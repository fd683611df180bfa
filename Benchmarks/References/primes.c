/* Counts the primes in blocks of 2^20 numbers. A plain sieve of odd numbers goes through all blocks of a call at once, in
   segments that fit into a level 1 cache. It works up to 10^9. */
#include <stdint.h>
#include <string.h>

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts);

enum { BLOCK = 1 << 20, SEGMENT = 1 << 15, ROOT = 31623, MOST = 3401 };

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts) {
    (void)seed, (void)setting;
    static uint8_t composite[ROOT + 1], marks[SEGMENT];
    static uint32_t primes[MOST];
    static uint64_t next[MOST];
    uint64_t low = first * BLOCK, high = (first + blocks) * BLOCK;
    /* Odd numbers: index i stands for low + 1 + 2 i. */
    uint64_t start = low + 1, all = (high - low) / 2;
    int count = 0;
    memset(composite, 0, sizeof composite);
    for (uint32_t p = 3; p <= ROOT; p += 2) {
        if (composite[p]) continue;
        for (uint64_t m = (uint64_t)p * p; m <= ROOT; m += 2 * p) composite[m] = 1;
        if ((uint64_t)p * p >= high) continue;
        uint64_t multiple = (uint64_t)p * p;
        if (multiple < start) multiple = (start + p - 1) / p * p;
        if (multiple % 2 == 0) multiple += p;
        primes[count] = p;
        next[count++] = (multiple - start) / 2;
    }
    uint64_t found = low == 0 ? 1 : 0;
    for (uint64_t at = 0; at < all; at += SEGMENT) {
        memset(marks, 0, sizeof marks);
        for (int i = 0; i < count; i++) {
            uint64_t p = primes[i], m = next[i] - at;
            for (; m < SEGMENT; m += p) marks[m] = 1;
            next[i] = m + at;
        }
        uint32_t crossed = 0;
        for (int i = 0; i < SEGMENT; i++) crossed += marks[i];
        found += SEGMENT - crossed;
    }
    /* 1 is not a prime, and 2 is. */
    counts[0] += low == 0 ? found - 1 : found;
}
