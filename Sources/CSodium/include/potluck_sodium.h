// libsodium, as far as Potluck uses it. Swift imports the functions themselves; the sizes below are macros there.

#ifndef POTLUCK_SODIUM_H
#define POTLUCK_SODIUM_H

#if __has_include(<sodium.h>)
#include <sodium.h>
#else
#error "libsodium's headers are missing: run 'make deps'"
#endif

#endif
