// Sends sixty-four bytes back and forth between two threads that each have an epoll instance: the least that a round
// trip can cost.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { size = 64 };

static int take(int poll, int fd, char *buffer) {
    for (int got = 0; got < size;) {
        struct epoll_event event;
        if (epoll_wait(poll, &event, 1, -1) != 1) continue;
        ssize_t n = recv(fd, buffer + got, (size_t)(size - got), MSG_DONTWAIT);
        if (n <= 0) return 0;
        got += (int)n;
    }
    return 1;
}

static int watched(int fd) {
    int one = 1, poll = epoll_create1(EPOLL_CLOEXEC);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
    return poll;
}

static void *echo(void *argument) {
    int fd = (int)(intptr_t)argument, poll = watched(fd);
    char buffer[size];
    while (take(poll, fd, buffer) && send(fd, buffer, size, MSG_NOSIGNAL) == size) {}
    close(poll);
    close(fd);
    return NULL;
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Returns the median of so many round trips in nanoseconds; -1 if there is no loopback.
int64_t ping_pong(int rounds) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0), here = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(door, (void *)&address, length) || listen(door, 1)) return -1;
    getsockname(door, (void *)&address, &length);
    if (connect(here, (void *)&address, length)) return -1;
    pthread_t thread;
    pthread_create(&thread, NULL, echo, (void *)(intptr_t)accept(door, NULL, NULL));
    int poll = watched(here);
    int64_t *times = malloc(sizeof *times * (size_t)rounds);
    char buffer[size] = {0};
    for (int i = 0; i < rounds; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        if (send(here, buffer, size, MSG_NOSIGNAL) != size || !take(poll, here, buffer)) return -1;
        clock_gettime(CLOCK_MONOTONIC, &end);
        times[i] = (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
    }
    close(here);
    pthread_join(thread, NULL);
    close(poll);
    close(door);
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    int64_t median = times[rounds / 2];
    free(times);
    return median;
}
