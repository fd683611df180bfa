// Many datagrams for one call of the system's: Swift's Glibc has neither recvmmsg nor the macros for what comes besides.

#ifndef CDATAGRAMS_H
#define CDATAGRAMS_H

#include <stdint.h>

enum {
    // Over the longest beacon, so that what does not fit is seen to be too long.
    cdatagrams_longest = 512,
    // Taken at once.
    cdatagrams_most = 64,
};

typedef struct {
    // A sockaddr_storage, by another name: Swift finds the sockets' own names in one module only, and that is Glibc.
    uint64_t source[16];
    // The interface it came in on; 0 where the system does not say.
    uint32_t interface;
    uint32_t length;
    uint8_t octets[cdatagrams_longest];
} cdatagram;

// Takes what waits at a socket, at most `cdatagrams_most`, and does not wait for more. How many there were.
int cdatagrams_receive(int socket, cdatagram *datagrams);

#endif
