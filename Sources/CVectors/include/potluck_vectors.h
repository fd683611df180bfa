// Which vectors this CPU has, and which of them to use.

#ifndef POTLUCK_VECTORS_H
#define POTLUCK_VECTORS_H

enum potluck_vectors_level {
    POTLUCK_VECTORS_PLAIN,
    POTLUCK_VECTORS_AVX2,
    POTLUCK_VECTORS_AVX512,
};

// Returns the widest vectors that this CPU and its operating system support.
enum potluck_vectors_level potluck_vectors_of_this_cpu(void);

// Returns the same, or narrower ones if the environment variable POTLUCK_KERNEL is `plain` or `avx2`. Use it for
// comparisons, or on a CPU that slows down with wide vectors. Other values, and vectors that the CPU does not support, are
// ignored.
enum potluck_vectors_level potluck_vectors_chosen(void);

#endif
