// The vector kernels, which are C functions exported by Swift modules, and the choice of the kernels and of the library of
// lanes for this CPU.

#ifndef POTLUCK_KERNELS_H
#define POTLUCK_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

enum potluck_kernels_level {
    POTLUCK_KERNELS_PLAIN,
    POTLUCK_KERNELS_AVX2,
    POTLUCK_KERNELS_AVX512,
};

// Returns the best kernels that this CPU and its operating system support.
enum potluck_kernels_level potluck_kernels_of_this_cpu(void);

// Returns the same, or lower kernels if the environment variable POTLUCK_KERNEL is `plain`,
// `module` or `avx2`. Use it for comparisons, or on a CPU that slows down with wide vectors.
// Other values, and kernels that the CPU does not support, are ignored.
enum potluck_kernels_level potluck_kernels_chosen(void);

// Whether WebAssembly modules with 128-bit vectors are to run in the place of kernels: this
// CPU has no kernels, or POTLUCK_KERNEL is `module`. Never if POTLUCK_KERNEL is `plain`.
bool potluck_kernels_in_modules(void);

#if defined(__x86_64__)
// Multiplies `rows` rows of `inner` numbers by a matrix in panels of sixteen columns, each row by row. Writes a row of
// 16 * panels sums for each. Each sum is added up in order, and every product is rounded first.
void potluck_kernels_avx2_matrix_product(
    const double *left, intptr_t rows, intptr_t inner, const double *right, intptr_t panels, double *sums);
void potluck_kernels_avx512_matrix_product(
    const double *left, intptr_t rows, intptr_t inner, const double *right, intptr_t panels, double *sums);
#endif

#endif
