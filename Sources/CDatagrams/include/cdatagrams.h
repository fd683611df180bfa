// Receives many datagrams with one system call. It is in C because Swift's Glibc has neither recvmmsg nor the macros
// for control messages.

#ifndef CDATAGRAMS_H
#define CDATAGRAMS_H

#include <stdint.h>

enum {
    // The most bytes of a datagram. Longer than any beacon, so that a longer datagram shows by its length.
    cdatagrams_longest = 512,
    // The most datagrams of one call.
    cdatagrams_most = 64,
};

typedef struct {
    // A sockaddr_storage under another type, because Swift knows the socket types only from Glibc.
    uint64_t source[16];
    // The index of the receiving interface; 0 if unknown.
    uint32_t interface;
    uint32_t length;
    uint8_t octets[cdatagrams_longest];
} cdatagram;

// Receives the waiting datagrams of a socket, at most `cdatagrams_most`, without blocking. Returns their number.
int cdatagrams_receive(int socket, cdatagram *datagrams);

#endif
