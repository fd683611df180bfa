// The parts of libsodium that Potluck uses. Swift imports the functions directly.

#ifndef POTLUCK_SODIUM_H
#define POTLUCK_SODIUM_H

#if __has_include(<sodium.h>)
#include <sodium.h>
#else
#error "libsodium's headers are missing: run 'make deps'"
#endif

#endif
