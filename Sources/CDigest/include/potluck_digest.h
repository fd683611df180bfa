// OpenSSL's hashes, all of which Swift imports itself.

#ifndef POTLUCK_DIGEST_H
#define POTLUCK_DIGEST_H

#if __has_include(<openssl/evp.h>)
#include <openssl/crypto.h>
#include <openssl/evp.h>
#else
#error "OpenSSL's headers are missing: run 'make deps'"
#endif

#endif
