// The parts of Linux that Swift's Glibc module lacks: epoll, eventfd, recvmmsg with the macros for control messages,
// GNU extensions, and programs that may do little.

#ifndef POTLUCK_LINUX_H
#define POTLUCK_LINUX_H

#include <pthread.h>
#include <stdbool.h>
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

// What a program that is started may do.
typedef struct {
    // The paths of files and folders that it may read and execute, and of those that it may write. A list ends with NULL.
    // If `readable` is NULL, or if the kernel has no Landlock, it may read and write what this process may.
    const char *const *readable, *const *writable;
    // Seconds of CPU time of each of its processes, and seconds until it gets SIGALRM.
    uint32_t processor, patience;
    // Bytes of memory, and of the largest file that it may write.
    uint64_t memory, file;
} potluck_linux_box;

// Starts a program, whose path is the first word. It reads nothing, and what it says goes to the file `output`. Returns its
// number, or -1 and the reason in errno.
pid_t potluck_linux_start_boxed(
    char *const *words, char *const *variables, const char *output, const potluck_linux_box *box);

// Returns whether the kernel has Landlock.
bool potluck_linux_has_boxes(void);

#endif
