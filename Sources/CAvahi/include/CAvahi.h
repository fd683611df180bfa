// mDNS and DNS-SD by way of the machine's avahi-daemon.
//
// One `cavahi` publishes at most one service and browses for at most one type. It says what is wanted, not what to do:
// whatever was asked for is published and browsed whenever a daemon is there, be that now, after its restart, or when
// it starts for the first time after hours.
//
// It has a thread of its own, which alone talks to the daemon, because every such talk may block for 25 s. Every
// function here may be called from any thread, also from the handler, and returns at once whatever the daemon does.

#ifndef CAVAHI_H
#define CAVAHI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cavahi cavahi;

typedef enum {
    // No daemon answers. What was found stays so, until a daemon that came back has had time to find it again.
    CAVAHI_ABSENT,
    // A daemon is there, and settles the machine's own name first.
    CAVAHI_STARTING,
    // Publishing and browsing take place.
    CAVAHI_RUNNING,
    // The service is announced. `name` is the one it got: another than the one asked for where that was taken.
    CAVAHI_PUBLISHED,
    // A service was resolved, or its address, port or TXT changed. There is one such event for each interface and
    // family by which it can be reached.
    CAVAHI_FOUND,
    // It is gone from that interface and family.
    CAVAHI_LOST,
    // The caches are exhausted: what the daemon knows of the network now has been FOUND or is being resolved.
    CAVAHI_CURRENT,
    // `message` says what the daemon refused. It is tried again.
    CAVAHI_TROUBLE,
} cavahi_kind;

// Every pointer is valid during the call of the handler only.
typedef struct {
    cavahi_kind kind;
    const char *name;        // PUBLISHED, FOUND, LOST: the instance name
    const char *host;        // FOUND: the target's host name
    const char *message;     // ABSENT, TROUBLE
    uint32_t interface;      // FOUND, LOST: the index of the local interface
    bool v6;                 // FOUND, LOST: whether it was seen by IPv6
    bool local;              // FOUND: whether this machine's own daemon publishes it
    uint8_t address[16];     // FOUND: network order; 4 octets count, or 16 with `v6`
    uint16_t port;           // FOUND: host order
    const uint8_t *txt;      // FOUND: as on the wire, each string with its length in one octet before it
    size_t txt_length;
} cavahi_event;

// Called on the shim's own thread, one event at a time, and expected to return soon: nothing queues behind it but in
// the daemon.
typedef void (*cavahi_handler)(void *context, const cavahi_event *event);

// On all interfaces, or on the one of this name only, whether it is there yet or not.
// NULL only where no thread, descriptor or memory can be had. A missing daemon is an event.
cavahi *cavahi_start(const char *interface, cavahi_handler handler, void *context);

// From now on this service is to be published, instead of an earlier one. Where only the TXT differs from that, the
// record is updated in place. `subtype` is a full name such as "_abc._sub._potluck._tcp".
// Returns 0, or the negative AvahiError of an argument that no daemon would take.
int cavahi_publish(cavahi *avahi, const char *name, const char *type, const char *subtype, uint16_t port,
                   const uint8_t *txt, size_t txt_length);

// From now on nothing is to be published. The others hear of it within about a second.
void cavahi_withdraw(cavahi *avahi);

// From now on this type or subtype is to be browsed for, instead of an earlier one.
int cavahi_browse(cavahi *avahi, const char *type);

// Withdraws, and gives everything back. No handler runs after the return, unless this is called from one. Where a
// daemon hangs, the thread and its memory stay until D-Bus gives up, and nobody waits for them.
void cavahi_stop(cavahi *avahi);

// The text of a negative AvahiError.
const char *cavahi_error(int error);

#endif
