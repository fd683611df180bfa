/* Monty Hall with AVX-512 intrinsics: sixteen games at once, and both dice of a pair in one 16-bit multiplication. */
#include <immintrin.h>

#include "streams.h"

typedef __m512i words;

typedef struct {
    words a, b, c, d;
} lanes;

static inline words next_words(lanes *s) {
    words result = _mm512_add_epi32(_mm512_rol_epi32(_mm512_add_epi32(s->a, s->d), 7), s->a);
    words shifted = _mm512_slli_epi32(s->b, 9);
    s->c = _mm512_xor_si512(s->c, s->a);
    s->d = _mm512_xor_si512(s->d, s->b);
    s->b = _mm512_xor_si512(s->b, s->c);
    s->a = _mm512_xor_si512(s->a, s->d);
    s->c = _mm512_xor_si512(s->c, shifted);
    s->d = _mm512_rol_epi32(s->d, 11);
    return result;
}

typedef struct {
    lanes s;
    words dice;
} thrown;

/* Throws both dice of a lane again if one was unfair. This is rare, so it handles one lane after the other. */
__attribute__((noinline, cold)) static thrown again(lanes s, words drawn, words sides) {
    struct {
        uint32_t a[LANES], b[LANES], c[LANES], d[LANES], word[LANES], sides[LANES];
    } m;
    _mm512_storeu_si512(m.a, s.a), _mm512_storeu_si512(m.b, s.b);
    _mm512_storeu_si512(m.c, s.c), _mm512_storeu_si512(m.d, s.d);
    _mm512_storeu_si512(m.word, drawn), _mm512_storeu_si512(m.sides, sides);
    for (int lane = 0; lane < LANES; lane++) {
        stream one = {m.a[lane], m.b[lane], m.c[lane], m.d[lane]};
        for (uint32_t word = m.word[lane], n = m.sides[lane];; word = next(&one)) {
            uint32_t x = (word >> 16) * (n >> 16), y = (word & 0xffff) * (n & 0xffff);
            m.word[lane] = (x & 0xffff0000) | y >> 16;
            if ((uint16_t)x >= 65536 % (n >> 16) && (uint16_t)y >= 65536 % (n & 0xffff)) break;
        }
        m.a[lane] = one.a, m.b[lane] = one.b, m.c[lane] = one.c, m.d[lane] = one.d;
    }
    s = (lanes){_mm512_loadu_si512(m.a), _mm512_loadu_si512(m.b), _mm512_loadu_si512(m.c), _mm512_loadu_si512(m.d)};
    return (thrown){s, _mm512_loadu_si512(m.word)};
}

/* The upper halves hold the first die and its sides, the lower halves the second. */
static inline words pairs(lanes *s, words sides) {
    words drawn = next_words(s), dice = _mm512_mulhi_epu16(drawn, sides);
    if (UNLIKELY(_mm512_cmplt_epu16_mask(_mm512_mullo_epi16(drawn, sides), sides))) {
        thrown t = again(*s, drawn, sides);
        *s = t.s, dice = t.dice;
    }
    return dice;
}

void reference(uint64_t seed, uint64_t first, uint64_t blocks, uint32_t doors, uint64_t *counts) {
    const words all = _mm512_set1_epi32(doors), pair = _mm512_set1_epi32(doors << 16 | doors);
    const words but_two = _mm512_set1_epi32((doors - 2) << 16 | (doors - 2)), goat = _mm512_set1_epi32(1 << 16);
    const words one = _mm512_set1_epi32(1), minus_one = _mm512_set1_epi32(-1), lower = _mm512_set1_epi32(0xffff);
    for (uint64_t block = first; block < first + blocks; block++) {
        uint32_t a[LANES], b[LANES], c[LANES], d[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            stream s = start(seed, block, lane);
            a[lane] = s.a, b[lane] = s.b, c[lane] = s.c, d[lane] = s.d;
        }
        lanes s = {_mm512_loadu_si512(a), _mm512_loadu_si512(b), _mm512_loadu_si512(c), _mm512_loadu_si512(d)};
        words stay = _mm512_setzero_si512(), swap = stay;
        for (int trial = 0; trial < TRIALS; trial++) {
            words dice = pairs(&s, pair);
            words car = _mm512_srli_epi32(dice, 16), pick = _mm512_and_si512(dice, lower);
            __mmask16 lucky = _mm512_cmpeq_epi32_mask(car, pick);
            stay = _mm512_mask_add_epi32(stay, lucky, stay, one);
            words before = _mm512_add_epi32(_mm512_sub_epi32(car, pick), minus_one);
            before = _mm512_min_epu32(before, _mm512_add_epi32(before, all));
            dice = pairs(&s, _mm512_mask_add_epi32(but_two, lucky, but_two, goat));
            words shown = _mm512_srli_epi32(dice, 16), other = _mm512_and_si512(dice, lower);
            before = _mm512_mask_add_epi32(before, _mm512_cmplt_epu32_mask(shown, before), before, minus_one);
            swap = _mm512_mask_add_epi32(swap, _mm512_cmpeq_epi32_mask(other, before), swap, one);
        }
        counts[0] += (uint32_t)_mm512_reduce_add_epi32(stay);
        counts[1] += (uint32_t)_mm512_reduce_add_epi32(swap);
    }
}
