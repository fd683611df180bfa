// OpenSSL's hash functions. Swift imports all of them directly.

#ifndef POTLUCK_DIGEST_H
#define POTLUCK_DIGEST_H

#if __has_include(<openssl/evp.h>)
#include <openssl/crypto.h>
#include <openssl/evp.h>
#else
#error "OpenSSL's headers are missing: run 'make deps'"
#endif

#endif
