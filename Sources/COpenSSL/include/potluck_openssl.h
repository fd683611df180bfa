// The parts of OpenSSL that links and hashes use. Swift imports functions directly. The functions defined here wrap
// macros, which Swift cannot see.

#ifndef POTLUCK_OPENSSL_H
#define POTLUCK_OPENSSL_H

#if __has_include(<openssl/ssl.h>)
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#else
#error "OpenSSL's headers are missing: run 'make deps'"
#endif

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "OpenSSL 3.0 or later is needed; this is an older one"
#endif

/// Restricts a context to TLS 1.3, with little memory and without compression,
/// tickets and session cache: every link makes a full handshake.
static inline int potluck_openssl_restrict(SSL_CTX *context) {
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    // In TLS 1.3, SSL_OP_NO_TICKET alone still permits stateful tickets.
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_read_ahead(context, 1);
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1 &&
           SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1 &&
           SSL_CTX_set1_groups_list(context, "X25519:P-256") == 1;
}

/// Sets the argument of the callback for TLS's own messages.
static inline void potluck_openssl_set_message_owner(SSL *ssl, void *owner) { SSL_set_msg_callback_arg(ssl, owner); }

/// Returns the reason code of an OpenSSL error.
static inline int potluck_openssl_error_reason(unsigned long error) { return ERR_GET_REASON(error); }

#endif
