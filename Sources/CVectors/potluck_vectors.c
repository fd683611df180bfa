#include "potluck_vectors.h"

#include <stdlib.h>
#include <string.h>

enum potluck_vectors_level potluck_vectors_of_this_cpu(void) {
#if defined(__x86_64__)
    // Checks features instead of a level (x86-64-v4), because the compiler's runtime may be too old to know levels.
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl"))
        return POTLUCK_VECTORS_AVX512;
    if (__builtin_cpu_supports("avx2")) return POTLUCK_VECTORS_AVX2;
#endif
    return POTLUCK_VECTORS_PLAIN;
}

enum potluck_vectors_level potluck_vectors_chosen(void) {
    enum potluck_vectors_level most = potluck_vectors_of_this_cpu();
    const char *wish = getenv("POTLUCK_KERNEL");
    if (wish && !strcmp(wish, "plain")) return POTLUCK_VECTORS_PLAIN;
    if (wish && !strcmp(wish, "avx2") && most > POTLUCK_VECTORS_AVX2) return POTLUCK_VECTORS_AVX2;
    return most;
}
