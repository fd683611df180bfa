#define _GNU_SOURCE

#include "potluck_linux.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

enum { control_size = 128 };

_Static_assert(sizeof(struct sockaddr_storage) == sizeof(((potluck_linux_datagram *)0)->source), "a source is an address");

static uint32_t interface(struct msghdr *message) {
    for (struct cmsghdr *record = CMSG_FIRSTHDR(message); record; record = CMSG_NXTHDR(message, record)) {
        if (record->cmsg_level == IPPROTO_IP && record->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(record), sizeof info);
            return (uint32_t)info.ipi_ifindex;
        }
        if (record->cmsg_level == IPPROTO_IPV6 && record->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo info;
            memcpy(&info, CMSG_DATA(record), sizeof info);
            return info.ipi6_ifindex;
        }
    }
    return 0;
}

int potluck_linux_receive(int socket, potluck_linux_datagram *datagrams) {
    struct mmsghdr messages[potluck_linux_most_datagrams];
    struct iovec vectors[potluck_linux_most_datagrams];
    _Alignas(struct cmsghdr) char controls[potluck_linux_most_datagrams][control_size];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < potluck_linux_most_datagrams; i++) {
        vectors[i] = (struct iovec){datagrams[i].octets, potluck_linux_longest_datagram};
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = datagrams[i].source,
            .msg_namelen = sizeof datagrams[i].source,
            .msg_iov = &vectors[i],
            .msg_iovlen = 1,
            .msg_control = controls[i],
            .msg_controllen = control_size,
        };
    }
    int count = recvmmsg(socket, messages, potluck_linux_most_datagrams, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) {
        datagrams[i].length = messages[i].msg_len;
        datagrams[i].interface = interface(&messages[i].msg_hdr);
    }
    return count < 0 ? 0 : count;
}
