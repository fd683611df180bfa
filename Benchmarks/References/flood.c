// A flood of datagrams on loopback, and the least that receiving it costs: a thread that receives and drops them.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most = 64, size = 512 };

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000 + time.tv_nsec;
}

// Sends `per_second` datagrams, in turns, a few every millisecond, each from one of 4096 source addresses. They lie
// `stride` bytes apart. Returns how many were sent; -1 if loopback does not work.
int64_t flood(const uint8_t *datagrams, const int32_t *lengths, int32_t stride, int32_t count, uint16_t port, int32_t per_second,
              int32_t milliseconds) {
    int one = 1, mouth = socket(AF_INET, SOCK_DGRAM, 0);
    if (mouth < 0 || setsockopt(mouth, SOL_SOCKET, SO_BROADCAST, &one, sizeof one)) return -1;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(0x7fffffff)};
    int64_t start = now(CLOCK_MONOTONIC), sent = 0;
    for (int32_t turn = 1; turn <= milliseconds; turn++) {
        for (int64_t until = (int64_t)per_second * turn / 1000; sent < until; sent++) {
            int32_t index = (int32_t)(sent % count);
            struct iovec octets = {(void *)(datagrams + (size_t)index * (size_t)stride), (size_t)lengths[index]};
            union {
                char octets[CMSG_SPACE(sizeof(struct in_pktinfo))];
                struct cmsghdr alignment;
            } control = {{0}};
            struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &octets, .msg_iovlen = 1,
                                     .msg_control = &control, .msg_controllen = sizeof control};
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo)), .cmsg_level = IPPROTO_IP, .cmsg_type = IP_PKTINFO};
            // All addresses in 127.0.0.0/8 belong to this machine.
            struct in_pktinfo from = {.ipi_spec_dst.s_addr = htonl(0x7f010000 + (uint32_t)(sent * 2654435761u >> 8 & 4095))};
            memcpy(CMSG_DATA(header), &from, sizeof from);
            if (sendmsg(mouth, &message, 0) < 0) {
                close(mouth);
                return -1;
            }
        }
        int64_t due = start + (int64_t)turn * 1000000;
        struct timespec at = {due / 1000000000, due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {}
    }
    close(mouth);
    return sent;
}

// Receives and drops all datagrams on the port for some time. Returns the CPU time of the thread in nanoseconds; *count
// is their number.
int64_t drop(uint16_t port, int32_t milliseconds, int64_t *count) {
    int one = 1, ear = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    setsockopt(ear, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    *count = 0;
    if (ear < 0 || bind(ear, (void *)&at, sizeof at)) return -1;
    static char octets[most][size];
    static struct sockaddr_storage from[most];
    struct iovec vectors[most];
    struct mmsghdr messages[most] = {0};
    for (int i = 0; i < most; i++) {
        vectors[i] = (struct iovec){octets[i], size};
        messages[i].msg_hdr = (struct msghdr){.msg_name = &from[i], .msg_namelen = sizeof from[i], .msg_iov = &vectors[i], .msg_iovlen = 1};
    }
    int64_t end = now(CLOCK_MONOTONIC) + (int64_t)milliseconds * 1000000, before = now(CLOCK_THREAD_CPUTIME_ID);
    for (int64_t left = milliseconds; left > 0; left = (end - now(CLOCK_MONOTONIC)) / 1000000) {
        struct pollfd wanted = {.fd = ear, .events = POLLIN};
        if (poll(&wanted, 1, (int)left) <= 0) continue;
        for (int got = most; got == most;) {
            got = recvmmsg(ear, messages, most, MSG_DONTWAIT, NULL);
            if (got > 0) *count += got;
        }
    }
    int64_t cost = now(CLOCK_THREAD_CPUTIME_ID) - before;
    close(ear);
    return cost;
}
