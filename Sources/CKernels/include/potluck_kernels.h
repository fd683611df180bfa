// The vector kernels, which are Swift that exports C functions: what they are called by, and what this CPU can run.
//
// A kernel gets the states of a block's sixteen streams as four times sixteen words: the first words of all lanes, then
// the second, and so on. It runs so many trials in each lane and adds what it counts to `counts`.

#ifndef POTLUCK_KERNELS_H
#define POTLUCK_KERNELS_H

#include <stdint.h>

enum potluck_kernels_level {
    POTLUCK_KERNELS_PLAIN,
    POTLUCK_KERNELS_AVX2,
    POTLUCK_KERNELS_AVX512,
};

// What this CPU and its system can run.
enum potluck_kernels_level potluck_kernels_of_this_cpu(void);

// The same, or less where POTLUCK_KERNEL in the environment is `plain` or `avx2`: to compare, or for a CPU that slows down
// with wide vectors. Anything else there, and more than the CPU can do, is as if it were not set.
enum potluck_kernels_level potluck_kernels_chosen(void);

#if defined(__x86_64__)
// Where the host opens one door: counts[0] stays that won, counts[1] switches that won.
void potluck_kernels_avx2_monty_hall(const uint32_t *states, intptr_t trials, uint32_t doors, uint64_t *counts);
void potluck_kernels_avx512_monty_hall(const uint32_t *states, intptr_t trials, uint32_t doors, uint64_t *counts);

// counts[0] points inside the circle.
void potluck_kernels_avx2_pi(const uint32_t *states, intptr_t trials, uint64_t *counts);
void potluck_kernels_avx512_pi(const uint32_t *states, intptr_t trials, uint64_t *counts);
#endif

#endif
