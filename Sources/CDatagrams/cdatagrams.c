#define _GNU_SOURCE

#include "cdatagrams.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

enum { control_size = 128 };

_Static_assert(sizeof(struct sockaddr_storage) == sizeof(((cdatagram *)0)->source), "a source is an address");

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

int cdatagrams_receive(int socket, cdatagram *datagrams) {
    struct mmsghdr messages[cdatagrams_most];
    struct iovec vectors[cdatagrams_most];
    _Alignas(struct cmsghdr) char controls[cdatagrams_most][control_size];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < cdatagrams_most; i++) {
        vectors[i] = (struct iovec){datagrams[i].octets, cdatagrams_longest};
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = datagrams[i].source,
            .msg_namelen = sizeof datagrams[i].source,
            .msg_iov = &vectors[i],
            .msg_iovlen = 1,
            .msg_control = controls[i],
            .msg_controllen = control_size,
        };
    }
    int count = recvmmsg(socket, messages, cdatagrams_most, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) {
        datagrams[i].length = messages[i].msg_len;
        datagrams[i].interface = interface(&messages[i].msg_hdr);
    }
    return count < 0 ? 0 : count;
}
