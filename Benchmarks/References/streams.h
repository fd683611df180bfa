/* The kit's streams in C: lane l of block b of seed s, sixteen lanes a block, 65 536 trials a block. */
#include <stdint.h>

/* The function of every reference. It adds its counts for the blocks from `first` on. */
void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t setting, uint64_t *counts);

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { LANES = 16, BLOCK = 65536, TRIALS = BLOCK / LANES };

typedef struct {
    uint32_t a, b, c, d;
} stream;

__attribute__((unused)) static inline stream start(uint64_t seed, uint64_t block, uint32_t lane) {
    uint32_t x[4] = {(uint32_t)block, (uint32_t)(block >> 32), lane, 0x504F5431};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)x[0] * 0xD2511F53, q = (uint64_t)x[2] * 0xCD9E8D57;
        uint32_t first = (uint32_t)(q >> 32) ^ x[1] ^ k0, third = (uint32_t)(p >> 32) ^ x[3] ^ k1;
        x[0] = first, x[1] = (uint32_t)q, x[2] = third, x[3] = (uint32_t)p;
        k0 += 0x9E3779B9, k1 += 0xBB67AE85;
    }
    if (!(x[0] | x[1] | x[2] | x[3])) x[0] = 0x9E3779B9;
    return (stream){x[0], x[1], x[2], x[3]};
}

__attribute__((unused)) static inline uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

__attribute__((unused)) static inline uint32_t next(stream *s) {
    uint32_t result = rotate(s->a + s->d, 7) + s->a, shifted = s->b << 9;
    s->c ^= s->a, s->d ^= s->b, s->b ^= s->c, s->a ^= s->d, s->c ^= shifted, s->d = rotate(s->d, 11);
    return result;
}

/* Two dice from one word: each half of the word times the sides of its die; the result is in the upper 16 bits. */
__attribute__((unused)) static inline void pair(stream *s, uint32_t m, uint32_t n, uint32_t *first, uint32_t *second) {
    for (;;) {
        uint32_t word = next(s);
        uint64_t x = (uint64_t)(word & 0xffff0000) * m, y = (uint64_t)(word << 16) * n;
        *first = x >> 32, *second = y >> 32;
        if (LIKELY((uint32_t)x >= m << 16 && (uint32_t)y >= n << 16)) return;
        if ((uint32_t)x >= 65536 % m << 16 && (uint32_t)y >= 65536 % n << 16) return;
    }
}

/* Draws one of 2^53 equally spaced numbers from 0 up to 1. */
__attribute__((unused)) static inline double unit(stream *s) {
    uint64_t high = next(s) >> 5, low = next(s) >> 6;
    return (double)(int64_t)(high << 26 | low) * 0x1p-53;
}
