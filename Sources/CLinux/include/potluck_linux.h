// The parts of Linux that Swift's Glibc module lacks: epoll, eventfd, recvmmsg with the macros for control messages, and
// GNU extensions.

#ifndef POTLUCK_LINUX_H
#define POTLUCK_LINUX_H

#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

enum {
    // The most bytes of a datagram. Longer than any beacon, so that a longer datagram shows by its length.
    potluck_linux_longest_datagram = 512,
    // The most datagrams of one call.
    potluck_linux_most_datagrams = 64,
};

typedef struct {
    // A sockaddr_storage under another type, because Swift knows the socket types only from Glibc.
    uint64_t source[16];
    // The index of the receiving interface; 0 if unknown.
    uint32_t interface;
    uint32_t length;
    uint8_t octets[potluck_linux_longest_datagram];
} potluck_linux_datagram;

// Receives the waiting datagrams of a socket, at most `potluck_linux_most_datagrams`, without blocking. Returns their number.
int potluck_linux_receive(int socket, potluck_linux_datagram *datagrams);

/// Accepts a connection. Its descriptor is non-blocking and closed on exec.
int potluck_linux_accept(int listener, struct sockaddr *address, socklen_t *length);

/// Sets a thread's name, which debuggers and `top` show.
void potluck_linux_name(pthread_t thread, const char *name);

#endif
