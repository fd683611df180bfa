// For accept4 and pthread_setname_np, which glibc declares only as GNU extensions.
#define _GNU_SOURCE
#include "potluck_linux.h"

#include <sys/socket.h>

int potluck_linux_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

void potluck_linux_name(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }
