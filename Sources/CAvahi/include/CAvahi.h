// mDNS and DNS-SD through the machine's avahi-daemon.
//
// A `cavahi` publishes at most one service and browses for at most one type. Callers
// declare what they want. It is published and browsed whenever a daemon is running: now,
// after the daemon restarts, or when it first starts after hours.
//
// It has its own thread, which alone talks to the daemon, because each call of the daemon
// may block for 25 s. Every function here may be called from any thread, including from
// the handler, and returns at once whatever the daemon does.

#ifndef CAVAHI_H
#define CAVAHI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cavahi cavahi;

typedef enum {
    // No daemon answers. Services found stay found until a restarted daemon has had time to find them again.
    CAVAHI_ABSENT,
    // A daemon is running and is still establishing the machine's own name.
    CAVAHI_STARTING,
    // The daemon publishes and browses.
    CAVAHI_RUNNING,
    // The service is published. `name` is its name, which differs from the requested one if that was taken.
    CAVAHI_PUBLISHED,
    // A service was resolved, or its address, port or TXT changed. There is one such event for each
    // interface and address family by which it can be reached.
    CAVAHI_FOUND,
    // The service disappeared from this interface and family.
    CAVAHI_LOST,
    // Every service that the daemon knows of at this time was FOUND or is being resolved.
    CAVAHI_CURRENT,
    // The daemon refused something, which `message` describes. It will be retried.
    CAVAHI_TROUBLE,
} cavahi_kind;

// All pointers are valid only during the call of the handler.
typedef struct {
    cavahi_kind kind;
    const char *name;        // PUBLISHED, FOUND, LOST: the instance name
    const char *host;        // FOUND: the host name of the service
    const char *message;     // ABSENT, TROUBLE
    uint32_t interface;      // FOUND, LOST: the index of the local interface
    bool v6;                 // FOUND, LOST: whether it was seen over IPv6
    bool local;              // FOUND: whether this machine's own daemon publishes it
    uint8_t address[16];     // FOUND: network order; 4 bytes are used, or 16 with `v6`
    uint16_t port;           // FOUND: host order
    const uint8_t *txt;      // FOUND: as on the wire, each string preceded by its length in one byte
    size_t txt_length;
} cavahi_event;

// Called on the shim's own thread, one event at a time. It must return soon, because
// it delays the processing of all other events.
typedef void (*cavahi_handler)(void *context, const cavahi_event *event);

// Starts on all interfaces, or only on the interface of this name, which need not exist yet. Returns NULL only if there
// is no thread, descriptor or memory left. A missing daemon is reported as an event.
cavahi *cavahi_start(const char *interface, cavahi_handler handler, void *context);

// Publishes this service instead of an earlier one. If only the TXT differs, the record is updated in
// place. `subtype` is a full name such as "_abc._sub._potluck._tcp". Returns 0, or the negative
// AvahiError of an argument that every daemon would refuse.
int cavahi_publish(cavahi *avahi, const char *name, const char *type, const char *subtype, uint16_t port,
                   const uint8_t *txt, size_t txt_length);

// Stops publishing. Other nodes learn of it within about a second.
void cavahi_withdraw(cavahi *avahi);

// Browses for this type or subtype instead of an earlier one.
int cavahi_browse(cavahi *avahi, const char *type);

// Withdraws the service and releases everything. No handler runs after the return, unless this is called from one. If
// the daemon hangs, the thread and its memory remain until D-Bus gives up, but no caller waits for them.
void cavahi_stop(cavahi *avahi);

// Returns the text of a negative AvahiError.
const char *cavahi_error(int error);

#endif
